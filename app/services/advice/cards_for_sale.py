"""Graphics cards on the shelf: those of shops that this machine could use, and those of clouds with their host."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from app.catalog.clouds import CloudOffer
from app.catalog.gpu_names import match_reported
from app.catalog.prices import gpu_price
from app.core.advising.upgrades import Candidate
from app.core.gpu_support.arithmetic import BLACKWELL
from app.core.types.machine import GpuSpec, Machine
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import GIB, format_number
from app.core.types.workload import Plan
from app.services.advice.parts_for_sale import caches
from app.services.advice.shelf import Predict, Question, Shelf
from app.services.machine.simulate import replace_cores, replace_gpu, replace_ram

NEWEST_GENERATIONS = "2020-09"
"""Cards launched before are not sold any more."""


SYSTEM_BESIDES_CARD_W = 400.0
"""Power supply over the card's own power that NVIDIA asks for: RTX 3090 350 → 750 W, 4070 200 → 650, 4090 450 → 850,
5080 360 → 850, 5090 575 → 1000 (product pages, "required system power"): 390 to 490."""


SAME_MEMORY = 0.95
"""A card of "8 GB" has a little more or less by its driver."""


_NO_NAME = re.compile(r"\b(Tesla|GeForce|NVIDIA|SXM\d?|PCIe|\d+ ?GB)\b")
"""What of a card's name is its maker, its plug or its size."""


_WINDOWS_NOTE = phrase("TensorFlow uses no card on Windows itself since 2.11: use WSL2, or PyTorch below Keras")


_BLACKWELL_NOTE = phrase(
    "stock TensorFlow carries no code for this card: use NVIDIA's container, or PyTorch below Keras"
)


def cards(question: Question, predict: Predict, shelf: Shelf) -> Iterable[Candidate]:
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


def rented_cards(question: Question, predict: Predict, shelf: Shelf) -> Iterable[Candidate]:
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
            for changes in caches(question, rented)
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
            label=_label(offer, spec),
        )


def _label(offer: CloudOffer, spec: GpuSpec) -> Text:
    """What is rented: ``1 × V100 16 GB, verda``."""
    card = " ".join(_NO_NAME.sub(" ", spec.name).split())
    size = round((offer.vram_bytes_per_gpu or spec.memory_bytes) / GIB)
    return phrase(
        "{count} × {card} {size} GB, {provider}", count=offer.gpu_count, card=card, size=size, provider=offer.provider
    )


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


def _usable_note(machine: Machine, plan: Plan, spec: GpuSpec) -> Text:
    """Why stock TensorFlow does not use a card on a machine's system, and what does; empty if it does."""
    if plan.backend != "tensorflow":
        return Text()
    if machine.os == "Windows" and not machine.wsl:
        return _WINDOWS_NOTE
    too_new = spec.compute_capability is not None and spec.compute_capability >= BLACKWELL
    return _BLACKWELL_NOTE if too_new else Text()


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
