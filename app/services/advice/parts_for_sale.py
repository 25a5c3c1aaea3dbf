"""Parts on the shelf beside graphics cards: RAM with the caches that it makes possible, disks, processors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from app.catalog.prices import Price, prices_of
from app.core.advising.upgrades import Candidate, ram_sizes_bytes
from app.core.pipeline.input_cost import FLOAT32_BYTES, cache_room_bytes, cores_of
from app.core.pipeline.stages import holds, share_with_room
from app.core.types.machine import Machine
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import format_bytes, format_share, format_whole_gib
from app.services.advice.shelf import Predict, Question
from app.services.machine.simulate import replace_cores, replace_disk, replace_ram

WORTH_A_CACHE = 0.1


def memory(question: Question, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
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
            (changes, partial(predict, larger, replace(plan, **changes))) for changes in caches(question, larger)
        )
        yield Candidate(
            "ram",
            phrase("{size} RAM", size=format_whole_gib(size)),
            partial(predict, larger, plan),
            kit.price if kit else None,
            kit.price_date if kit else None,
            variants=variants,
            currency=kit.currency if kit else "USD",
            price_source=kit.source if kit else Text(),
            says=_cache_words(question, larger),
            too_much=partial(predict, larger, replace(plan, cache="ram")) if _would_swap(question, larger) else None,
        )


def disks(question: Question, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
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


def processors(question: Question, predict: Predict, prices: tuple[Price, ...]) -> Iterable[Candidate]:
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


def caches(question: Question, machine: Machine) -> list[dict[str, Any]]:
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
