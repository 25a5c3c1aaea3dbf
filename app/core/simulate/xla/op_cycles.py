"""How many clock cycles XLA takes an element of an operation to need, which differs from one generation to the next.

Somebody at XLA measured a few kinds of instructions on a few cards; all others count as cheap, on some cards divisions
too.  Source: xla/service/gpu/model/hlo_op_profiles_data.h, as it stands in TensorFlow 2.21.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CHEAP_CYCLES = 3
"""What nobody has measured (``kDefaultFlopsPerElement``): comparing, choosing, another type."""

OTHERS = "sm_86"
"""The profile of cards that have none of their own (``HloOpProfiles::Load``)."""

_MEASURED = """
add                    sm_60 11/11    sm_70 6/9      sm_90 7/7      sm_100 7/7
multiply               sm_60 11/11    sm_70 6/9      sm_90 3/7      sm_100 7/7
divide                 sm_60 35/68    sm_70 21/73    sm_75 -/74     sm_90 19/43    sm_100 23/43
exponential            sm_60 109/142  sm_70 79/128   sm_75 83/132   sm_86 86/108   sm_90 79/102   sm_100 82/106
exponential-minus-one  sm_60 337/364  sm_70 205/241  sm_75 319/342  sm_86 381/396  sm_90 190/217  sm_100 196/216
log                    sm_60 284/325  sm_70 180/232  sm_75 201/239  sm_80 259/321  sm_86 244/266  sm_90 166/182 \
  sm_100 165/102
log-plus-one           sm_60 328/373  sm_70 217/266  sm_75 218/239  sm_80 -/346    sm_86 262/284  sm_90 229/245 \
  sm_100 200/216
power                  sm_60 988/1012 sm_70 673/709  sm_75 1085/1120 sm_80 1221/-  sm_86 925/975  sm_90 510/526 \
  sm_100 463/451
root                   sm_60 71/100   sm_70 76/122   sm_75 74/126   sm_80 -/124    sm_86 75/97    sm_90 75/95 \
  sm_100 74/98
tanh                   sm_60 426/458  sm_70 269/284  sm_75 167/175  sm_80 504/499  sm_86 190/212  sm_90 467/502 \
  sm_100 137/141
atan2                  sm_60 663/675  sm_70 406/449  sm_75 414/414  sm_86 486/482  sm_90 431/451  sm_100 373/400
"""
"""By instruction and profile: cycles for float32 and for float16."""

SERIES = {"cheap": 52, "divide": 8}
"""Instructions of an error function besides its exponential, as a kernel repeats them that computes all by itself: a
series in 1/x^2, divided anew for each term, and one in x^2 (xla/hlo/builder/lib/math.cc)."""

_MADE_OF: dict[str, dict[str, int]] = {
    kind: parts
    for kinds, parts in (
        ("Add AddN AddV2 BiasAdd Sub", {"add": 1}),
        ("Mul Square SquaredDifference", {"multiply": 1}),
        ("MulNoNan", {"multiply": 1, "cheap": 3}),
        ("OneHot", {"add": 1, "cheap": 2}),
        ("Div DivNoNan RealDiv Reciprocal Inv Xdivy Mod FloorMod FloorDiv Softsign", {"divide": 1}),
        ("Rsqrt Sqrt SqrtGrad", {"root": 1}),
        ("Exp", {"exponential": 1}),
        ("Log Xlogy", {"log": 1}),
        ("Expm1 Elu", {"exponential-minus-one": 1}),
        ("Erf Erfc", SERIES),
        ("Log1p", {"log-plus-one": 1}),
        ("Softplus Mish", {"exponential": 1, "log-plus-one": 1}),
        ("Tanh Sinh Cosh", {"tanh": 1}),
        ("Atan Atan2", {"atan2": 1}),
        ("Pow", {"power": 1}),
    )
    for kind in kinds.split()
}
"""Instructions by the kind of TensorFlow's operation."""


def _read() -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """The table above: of each profile the cycles by instruction, for float32 and for float16."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for line in filter(str.strip, _MEASURED.splitlines()):
        name, *cells = line.split()
        for profile, cycles in zip(cells[::2], cells[1::2], strict=True):
            wide, narrow = (CHEAP_CYCLES if part == "-" else int(part) for part in cycles.split("/"))
            found.setdefault(profile, {})[name] = wide, narrow
    return MappingProxyType(found)


PROFILES = _read()


def cycles_of_element(kind: str, profile: str, *, float16: bool) -> float | None:
    """Of one kind of TensorFlow's operations; None for those that nobody measured.

    Args:
        kind: Of the operation.
        profile: Of the card's generation.
        float16: Is it computed in float16; bfloat16 is computed in float32.
    """
    parts = _MADE_OF.get(kind)
    if parts is None:
        return None
    known = PROFILES[profile]
    return sum(count * known.get(part, (CHEAP_CYCLES, CHEAP_CYCLES))[float16] for part, count in parts.items())
