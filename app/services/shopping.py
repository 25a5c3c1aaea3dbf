"""What could be bought or rented: the shelf from which `app.core.upgrades` compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from app.catalog.clouds import CloudOffer
from app.catalog.gpu_names import match_reported
from app.catalog.prices import Price, gpu_price, prices_of
from app.core.machine import GpuSpec, Machine
from app.core.prediction import Prediction
from app.core.units import GIB, format_bytes
from app.core.upgrades import Candidate, ram_sizes_bytes
from app.services.simulate import replace_disk, replace_gpu, replace_ram

NEWEST_GENERATIONS = "2020-09"
"""Cards launched before are not sold any more."""

Predict = Callable[[Machine], Prediction]


def upgrade_candidates(
    now: Prediction,
    predict: Predict,
    gpus: tuple[GpuSpec, ...],
    clouds: tuple[CloudOffer, ...],
    prices: tuple[Price, ...],
) -> Iterable[Candidate]:
    """Everything sensible to compare with the machine of ``now``."""
    machine = now.machine
    yield from _cards(now, predict, gpus, clouds, prices)
    yield from _memory(machine, predict, prices)
    yield from _disks(machine, predict, prices)
    yield from _clouds(machine, predict, gpus, clouds)


def _cards(
    now: Prediction, predict: Predict, gpus: tuple[GpuSpec, ...], clouds: tuple[CloudOffer, ...],
    prices: tuple[Price, ...],
) -> Iterable[Candidate]:  # fmt: skip
    """Desktop and workstation cards that TensorFlow can use and that have at least the memory of today's."""
    current = max((g.memory_total_bytes or 0 for g in now.machine.gpus), default=0)
    for spec in gpus:
        sold = (spec.launch_date or "") >= NEWEST_GENERATIONS
        if spec.tensorflow != "cuda" or spec.segment not in ("desktop", "workstation") or not sold:
            continue
        if spec.memory_bytes < current:
            continue
        price = gpu_price(spec, prices)
        if price is None:
            continue
        rent = min((o.usd_per_hour for o in clouds if o.gpu == spec.name and o.gpu_count == 1), default=None)
        changed = partial(_on_card, predict, now.machine, spec)
        yield Candidate("gpu", spec.name, changed, price.price, price.price_date, rent)


def _memory(machine: Machine, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
    """RAM in the sizes that are sold."""
    kits = {p.capacity_bytes: p for p in reversed(prices_of("ram", prices))}
    for size in ram_sizes_bytes(machine.ram.total_bytes):
        kit = kits.get(size)
        changed = partial(predict, replace_ram(machine, size))
        amount, date = (kit.price, kit.price_date) if kit else (None, None)
        yield Candidate("ram", f"{format_bytes(size)} RAM", changed, amount, date)


def _disks(machine: Machine, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
    """An NVMe disk, unless there is one."""
    if any(disk.kind == "nvme" for disk in machine.disks) or not machine.disks:
        return
    for disk in prices_of("disk", prices):
        if disk.read_bytes_per_s:
            changed = partial(predict, replace_disk(machine, disk.read_bytes_per_s))
            yield Candidate("disk", disk.name, changed, disk.price, disk.price_date)


def _clouds(
    machine: Machine, predict: Predict, gpus: tuple[GpuSpec, ...], clouds: tuple[CloudOffer, ...]
) -> Iterable[Candidate]:
    """Offers with one card whose data we know."""
    for offer in clouds:
        if offer.gpu is None or offer.gpu_count != 1:
            continue
        spec = match_reported(offer.gpu, offer.vram_bytes_per_gpu, gpus)
        if spec is None:
            continue
        rented = replace_ram(machine, max(offer.ram_bytes, GIB))
        changed = partial(_on_card, predict, rented, spec)
        yield Candidate("cloud", offer.name, changed, offer.usd_per_hour, offer.price_date, offer.usd_per_hour)


def _on_card(predict: Predict, machine: Machine, spec: GpuSpec) -> Prediction:
    """The prediction with another card."""
    return predict(replace_gpu(machine, spec))
