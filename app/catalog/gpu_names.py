"""Find a card by what people type and by what drivers report.

A name is read as a set of words: ``rtx2060`` and ``NVIDIA GeForce RTX 2060`` are both {rtx, 2060}, and ``12GB`` is not
a word but a size.  A card matches if it has every word that was typed.  Words that tell cards apart (Ti, Super, Laptop,
Max-Q, Pro …) count against a card that has them when they were not typed, so ``RTX 4070`` is never the Ti.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.core.types.errors import UsageError
from app.core.types.machine import GpuSpec
from app.core.types.text import join, phrase
from app.core.types.units import GIB

SAME_SIZE = 0.1
"""Drivers report a little less than what is sold: 81,559 MiB of 80 GiB, 22.5 of 24 with error correction."""

_NOISE = frozenset(
    "nvidia geforce amd radeon intel apple gpu graphics card generation edition with design corporation "
    "tesla instinct tm r series hbm2 hbm2e hbm3 hbm3e vram blackwell".split()
)
_SAME = {
    "mobile": "laptop",
    "notebook": "laptop",
    "sxm2": "sxm",
    "sxm3": "sxm",
    "sxm4": "sxm",
    "sxm5": "sxm",
    "sxm6": "sxm",
    "pcie": "pcie",
    "pci": "pcie",
    "maxq": "max-q",
    "server": "server",
    "rtxpro": "pro",
}
_TELLING = frozenset(
    "ti super laptop max-q xt xtx gre d pro max ultra ada quadro titan sff server workstation pascal ai".split()
)
"""Words that name another card, not another version of the same one (memory size, SXM or PCIe)."""

_GLUED_FRONT = re.compile(
    r"\b(rtx|gtx|gt|rx|arc|titan|quadro|tesla|geforce|radeon|instinct|nvidia|amd|apple)(?=[a-z]?\d)"
)
_GLUED_BACK = re.compile(r"(?<=\d)(ti|super|xtx|xt|gre|laptop|mobile|ada|max|ultra|pro)(?=super|laptop|mobile|\b)")
_SIZE = re.compile(r"\b(\d{1,4}(?:\.\d)?)\s*(?:gib|gb|g)\b")


@dataclass(frozen=True)
class GpuMatch:
    """The card that was meant; ``note`` says what was assumed if the name fits several."""

    spec: GpuSpec
    note: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Name:
    """A name as words and a memory size in GiB."""

    words: frozenset[str]
    memory_gib: float | None


def find_gpu(text: str, gpus: Iterable[GpuSpec]) -> GpuMatch:
    """Find the card that a person means, for example ``rtx 2060``, ``3060 12GB``, ``4090`` or ``H100``.

    Args:
        text: What was typed.
        gpus: The table; of several variants the first is taken, and the note says so.

    Raises:
        UsageError: No card is called that; the closest names are in the hint.
    """
    gpus = tuple(gpus)
    for spec in gpus:
        if spec.name.casefold() == " ".join(text.split()).casefold():
            return GpuMatch(spec)
    found = _best(_read_name(text), gpus)
    if not found:
        close = _close_names(text, gpus)
        listing = phrase("see `willittrain gpus`")
        hint = (
            phrase("did you mean {names}? {listing}", names=join(" or ", close), listing=listing) if close else listing
        )
        raise UsageError(
            phrase("unknown graphics card"),
            expected=phrase("a card of the table"),
            received=repr(text),
            hint=hint,
            instead=next(iter(close), ""),
        )
    spec, others = found[0], tuple(other.name for other in found[1:])
    note = (
        phrase(
            "“{strip}” can be several cards; taken: {spec}; others: {others}",
            strip=text.strip(),
            spec=spec.name,
            others=join(", ", others),
        )
        if others
        else ""
    )
    return GpuMatch(spec, note, others)


def match_reported(name: str, memory_bytes: int | None, gpus: Iterable[GpuSpec]) -> GpuSpec | None:
    """Find the row of a card that a driver reports, for the rates that no driver tells.

    Args:
        name: The driver's name, for example ``Tesla V100-SXM2-16GB`` or ``NVIDIA GeForce RTX 3060 Laptop GPU``.
        memory_bytes: What the driver says the card has; decides between variants.
        gpus: The table.

    Returns:
        The row, or None where the name alone would be a guess.
    """
    wanted = _read_name(name)
    if memory_bytes is not None:
        # "GH200 480GB" names the processor's memory: what the driver counts is the card's
        wanted = _Name(wanted.words, memory_bytes / GIB)
    found = _best(wanted, tuple(gpus))
    if not found or (_read_name(found[0].name).words - wanted.words) & _TELLING:
        return None
    if wanted.memory_gib is None:
        return found[0]
    return min(found, key=lambda spec: abs(spec.memory_bytes / GIB - (wanted.memory_gib or 0)))


def _best(wanted: _Name, gpus: tuple[GpuSpec, ...]) -> list[GpuSpec]:
    """Cards that have every word wanted and the fewest telling words that were not wanted."""
    if not any(re.search(r"\d", word) or word == "titan" for word in wanted.words):
        return []
    fitting = []
    for spec in gpus:
        words = _read_name(spec.name).words
        if wanted.words <= words and _same_size(spec, wanted.memory_gib):
            fitting.append((len((words - wanted.words) & _TELLING), spec))
    fewest = min((extra for extra, _ in fitting), default=0)
    return [spec for extra, spec in fitting if extra == fewest]


def _same_size(spec: GpuSpec, memory_gib: float | None) -> bool:
    """Is the size, if one is named, that of the card?"""
    return memory_gib is None or abs(spec.memory_bytes / GIB - memory_gib) <= SAME_SIZE * memory_gib


@functools.lru_cache(maxsize=4096)
def _read_name(text: str) -> _Name:
    """Split a name into words and a size; brands and filler words are dropped."""
    text = re.sub(r"\([^)]*\)", " ", text.casefold())
    text = text.replace("max-q", " maxq ").replace("max q", " maxq ")
    text = re.sub(r"[^a-z0-9.]+", " ", text)
    sizes = _SIZE.findall(text)
    text = _GLUED_BACK.sub(r" \1 ", _GLUED_FRONT.sub(r"\1 ", _SIZE.sub(" ", text)))
    words = frozenset(_SAME.get(word, word) for word in text.split()) - _NOISE
    return _Name(words, float(sizes[0]) if sizes else None)


def _close_names(text: str, gpus: tuple[GpuSpec, ...]) -> list[str]:
    """The closest names, by their words without the brand, and with the right number first."""
    numbers = {word for word in _read_name(text).words if re.search(r"\d", word)}
    same = [spec.name for spec in gpus if numbers & _read_name(spec.name).words]
    plain = {" ".join(sorted(_read_name(spec.name).words)): spec.name for spec in gpus}
    close = difflib.get_close_matches(" ".join(sorted(_read_name(text).words)), plain, n=3, cutoff=0.5)
    return list(dict.fromkeys(same + [plain[key] for key in close]))[:4]
