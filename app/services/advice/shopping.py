"""What could be bought or rented: the shelf from which `app.core.advising.upgrades` compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.catalog.clouds import CloudOffer
from app.catalog.gpu_names import match_reported
from app.catalog.prices import Price, gpu_price, prices_of
from app.core.advising.upgrades import Candidate, ram_sizes_bytes
from app.core.gpu_support.arithmetic import BLACKWELL
from app.core.pipeline.input_cost import FLOAT32_BYTES, SampleCost, cache_room_bytes, cores_of
from app.core.pipeline.stages import holds, share_with_room
from app.core.types.machine import GpuSpec, Machine
from app.core.types.prediction import Prediction
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import GIB, format_bytes, format_number, format_share
from app.core.types.workload import Plan, Workload
from app.services.machine.simulate import replace_cores, replace_disk, replace_gpu, replace_ram

NEWEST_GENERATIONS = "2020-09"
"""Cards launched before are not sold any more."""

SYSTEM_BESIDES_CARD_W = 400.0
"""Power supply over the card's own power that NVIDIA asks for: RTX 3090 350 → 750 W, 4070 200 → 650, 4090 450 → 850,
5080 360 → 850, 5090 575 → 1000 (product pages, "required system power"): 390 to 490."""

WORTH_A_CACHE = 0.1
SAME_MEMORY = 0.95
"""A card of "8 GB" has a little more or less by its driver."""
_WINDOWS_NOTE = phrase("TensorFlow uses no card on Windows itself since 2.11: use WSL2, or PyTorch below Keras")
_BLACKWELL_NOTE = phrase(
    "stock TensorFlow carries no code for this card: use NVIDIA's container, or PyTorch below Keras"
)

Predict = Callable[[Machine, Plan], Prediction]


@dataclass(frozen=True)
class Question:
    """What is asked of the shelf.

    Attributes:
        workload: What to train.
        now: The prediction for it on today's machine.
        cost: What a sample costs the host; None without a dataset.
        psu_watts: Of the power supply; None if the user did not say.
    """

    workload: Workload
    now: Prediction
    cost: SampleCost | None = None
    psu_watts: float | None = None

    @property
    def machine(self) -> Machine:
        """Today's."""
        return self.now.machine

    @property
    def samples(self) -> int | None:
        """In the dataset."""
        return self.workload.dataset.samples if self.workload.dataset else None


@dataclass(frozen=True)
class Shelf:
    """Tables of what is sold."""

    gpus: tuple[GpuSpec, ...]
    clouds: tuple[CloudOffer, ...]
    prices: tuple[Price, ...]


def upgrade_candidates(question: Question, predict: Predict, shelf: Shelf) -> Iterable[Candidate]:
    """Everything sensible to compare with the machine of the question.

    Args:
        question: Workload and machine.
        predict: Answers for another machine and a plan.
        shelf: What is sold.
    """
    yield from _cards(question, predict, shelf)
    yield from _memory(question, predict, shelf.prices)
    yield from _disks(question, predict, shelf.prices)
    yield from _processors(question, predict, shelf.prices)
    yield from _clouds(question, predict, shelf)


def left_out(question: Question, shelf: Shelf) -> tuple[Text, ...]:
    """What is not on the shelf, and why, in words."""
    machine, words = question.machine, []
    if not _takes_cards(machine):
        words.append(phrase("no graphics card is offered: one cannot be put into this machine"))
    elif question.psu_watts is not None:
        sold = list(_sold(question, shelf))
        few = [spec.name for spec in sold if not _powered(spec, question.psu_watts)]
        if few:
            words.append(
                phrase(
                    "{count} of {count2} cards need more than a power supply of {psu_watts} W (card and 400 "
                    "W besides, as their makers ask)",
                    count=len(few),
                    count2=len(sold),
                    psu_watts=format_number(question.psu_watts, ".0f"),
                )
            )
    return tuple(words)


def _takes_cards(machine: Machine) -> bool:
    """Has the machine a slot?  Laptops and Macs have none that CUDA could use."""
    return machine.battery is None and machine.os not in ("Darwin", "macOS")


def _powered(spec: GpuSpec, psu_watts: float | None) -> bool:
    """Is the power supply enough, as far as that is known."""
    return psu_watts is None or spec.tdp_w is None or spec.tdp_w + SYSTEM_BESIDES_CARD_W <= psu_watts


def _sold(question: Question, shelf: Shelf) -> Iterable[GpuSpec]:
    """Cards in shops that TensorFlow can use and that have at least the memory of today's."""
    current = max((g.memory_total_bytes or 0 for g in question.machine.gpus), default=0)
    for spec in shelf.gpus:
        fits_here = spec.tensorflow == "cuda" and spec.segment in ("desktop", "workstation")
        if fits_here and (spec.launch_date or "") >= NEWEST_GENERATIONS and spec.memory_bytes >= SAME_MEMORY * current:
            yield spec


def _cards(question: Question, predict: Predict, shelf: Shelf) -> Iterable[Candidate]:
    """Desktop and workstation cards with their prices."""
    if not _takes_cards(question.machine):
        return
    rents = _rents(shelf.clouds)
    here = {gpu.name for gpu in question.machine.gpus}
    for spec in _sold(question, shelf):
        price = gpu_price(spec, shelf.prices)
        if price is None or spec.name in here or not _powered(spec, question.psu_watts):
            continue
        note = _usable_note(question.machine, question.workload.plan, spec)
        yield Candidate(
            "gpu",
            verbatim(spec.name),
            partial(_on_card, predict, question.machine, spec, question.workload.plan),
            price.price,
            price.price_date,
            rents.get(spec.name),
            power_w=spec.tdp_w,
            note=note,
            currency=price.currency,
            price_source=price.source,
            usable=not note,
        )


def _usable_note(machine: Machine, plan: Plan, spec: GpuSpec) -> Text:
    """Why stock TensorFlow does not use a card on a machine's system, and what does; empty if it does."""
    if plan.backend != "tensorflow":
        return Text()
    if machine.os == "Windows" and not machine.wsl:
        return _WINDOWS_NOTE
    too_new = spec.compute_capability is not None and spec.compute_capability >= BLACKWELL
    return _BLACKWELL_NOTE if too_new else Text()


def _memory(question: Question, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
    """RAM in the sizes that are sold, each with the caches that it makes possible."""
    machine, plan = question.machine, question.workload.plan
    kind = (machine.ram.kind or "").upper()
    sold = prices_of("ram", prices)
    kits = {p.capacity_bytes: p for p in sorted(sold, key=lambda p: bool(kind) and p.name.startswith(kind))}
    if not kind:
        kits = {p.capacity_bytes: p for p in reversed(sold)}
    for size in ram_sizes_bytes(machine.ram.total_bytes):
        kit, larger = kits.get(size), replace_ram(machine, size)
        variants = tuple(
            (changes, partial(predict, larger, replace(plan, **changes))) for changes in _caches(question, larger)
        )
        yield Candidate(
            "ram",
            phrase("{size} GiB RAM", size=size // GIB),
            partial(predict, larger, plan),
            kit.price if kit else None,
            kit.price_date if kit else None,
            variants=variants,
            currency=kit.currency if kit else "USD",
            price_source=kit.source if kit else Text(),
            says=_cache_words(question, larger),
            too_much=partial(predict, larger, replace(plan, cache="ram")) if _would_swap(question, larger) else None,
        )


def _caches(question: Question, machine: Machine) -> list[dict[str, Any]]:
    """Caches that a machine has room for and today's has not, if the data is read anew in each epoch."""
    cost, samples, plan = question.cost, question.samples, question.workload.plan
    if cost is None or not cost.from_files or plan.cache != "none" or plan.backend != "tensorflow":
        return []
    if holds(cost.held_bytes, samples, cache_room_bytes(question.machine)):
        return []
    room, found = cache_room_bytes(machine), []
    if holds(cost.held_bytes, samples, room):
        return [{"cache": "ram"}]
    share = share_with_room(cost, machine, samples)
    if share is not None and share >= WORTH_A_CACHE:
        found.append({"cache": "ram", "cache_share": int(share * 20) / 20})
    if cost.read_bytes and holds(cost.read_bytes, samples, room):
        found.append({"cache": "encoded"})
    return found


def _would_swap(question: Question, machine: Machine) -> bool:
    """Would a cache of all decoded data have no room, where somebody might try one?"""
    cost, samples, plan = question.cost, question.samples, question.workload.plan
    room = cache_room_bytes(machine)
    if cost is None or not cost.from_files or samples is None or room is None or plan.cache != "none":
        return False
    return samples * cost.held_bytes > room


def _cache_words(question: Question, machine: Machine) -> Text:
    """What of the data a machine's RAM can hold."""
    cost, samples = question.cost, question.samples
    room = cache_room_bytes(machine)
    if cost is None or not cost.from_files or samples is None or room is None:
        return Text()
    needed = samples * cost.held_bytes
    if needed <= (cache_room_bytes(question.machine) or 0):
        return phrase(
            "not needed for a cache: the {needed} fit into the RAM that is there", needed=format_bytes(needed)
        )
    if needed <= room:
        return phrase(
            "all decoded data fits ({needed} of {room} free)", needed=format_bytes(needed), room=format_bytes(room)
        )
    words = [
        phrase(
            "not enough for all decoded data ({needed} needed, {room} free): a cache of it would swap",
            needed=format_bytes(needed),
            room=format_bytes(room),
        )
    ]
    if cost.read_bytes and samples * cost.read_bytes <= room:
        encoded = samples * cost.read_bytes
        words.append(
            phrase(
                "{room} of it has room, and so have all encoded files ({encoded})",
                room=format_share(room / needed),
                encoded=format_bytes(encoded),
            )
        )
    else:
        words.append(phrase("{room} of it has room", room=format_share(room / needed)))
    if not cost.compact and needed / FLOAT32_BYTES <= room:
        words.append(
            phrase(
                "as uint8, if that is float32, all of it has room ({needed})",
                needed=format_bytes(needed / FLOAT32_BYTES),
            )
        )
    return join("; ", words)


def _disks(question: Question, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
    """An NVMe disk, unless there is one."""
    machine, plan = question.machine, question.workload.plan
    if any(disk.kind == "nvme" for disk in machine.disks) or not machine.disks:
        return
    present = max((disk.read_bytes_per_s or 0.0 for disk in machine.disks), default=0.0)
    for disk in prices_of("disk", prices):
        if disk.read_bytes_per_s and disk.read_bytes_per_s > 1.2 * present:
            changed = partial(predict, replace_disk(machine, disk.read_bytes_per_s), plan)
            yield Candidate(
                "disk",
                verbatim(disk.name),
                changed,
                disk.price,
                disk.price_date,
                currency=disk.currency,
                price_source=disk.source,
            )


def _processors(question: Question, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
    """Processors with more cores than today's, counted as cores of the same kind, two threads each."""
    machine, plan = question.machine, question.workload.plan
    threads = cores_of(machine)
    physical = machine.cpu.physical_cores or max(1.0, threads / 2)
    for cpu in prices_of("cpu", prices):
        if cpu.cores and cpu.cores > physical:
            more = replace_cores(machine, round(threads * cpu.cores / physical))
            yield Candidate(
                "cpu",
                phrase("{cpu}, {cores} cores", cpu=cpu.name, cores=cpu.cores),
                partial(predict, more, plan),
                cpu.price,
                cpu.price_date,
                currency=cpu.currency,
                price_source=cpu.source,
                note=phrase("a new board and RAM may be needed; cores are counted as fast as today's"),
            )


def _clouds(question: Question, predict: Predict, shelf: Shelf) -> Iterable[Candidate]:
    """Offers with one card whose data we know."""
    plan = question.workload.plan
    for offer in shelf.clouds:
        spec = None
        if offer.gpu is not None and offer.gpu_count == 1:
            spec = match_reported(offer.gpu, offer.vram_bytes_per_gpu, shelf.gpus)
        if spec is None:
            continue
        rented = _rented(question.machine, offer)
        variants = tuple(
            (changes, partial(_on_card, predict, rented, spec, replace(plan, **changes)))
            for changes in _caches(question, rented)
        )
        note = _usable_note(rented, plan, spec)
        yield Candidate(
            "cloud",
            verbatim(offer.name),
            partial(_on_card, predict, rented, spec, plan),
            offer.usd_per_hour,
            offer.price_date,
            offer.usd_per_hour,
            variants,
            price_source=offer.source,
            note=note,
            usable=not note,
        )


def _rented(machine: Machine, offer: CloudOffer) -> Machine:
    """The host of an offer: its RAM all free, its cores, Linux."""
    rented = replace_ram(machine, max(offer.ram_bytes, GIB))
    rented = replace(rented, os="Linux", wsl=False, ram=replace(rented.ram, available_bytes=rented.ram.total_bytes))
    return replace_cores(rented, max(1, round(offer.vcpus))) if offer.vcpus else rented


def _rents(clouds: Iterable[CloudOffer]) -> dict[str, float]:
    """The lowest rent of each card by itself."""
    found: dict[str, float] = {}
    for offer in clouds:
        if offer.gpu is not None and offer.gpu_count == 1:
            found[offer.gpu] = min(offer.usd_per_hour, found.get(offer.gpu, float("inf")))
    return found


def _on_card(predict: Predict, machine: Machine, spec: GpuSpec, plan: Plan) -> Prediction:
    """The prediction with another card."""
    return predict(replace_gpu(machine, spec), plan)
