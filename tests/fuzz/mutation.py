"""Inputs that are almost right: what parsers stumble over."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

WILD_NUMBERS: tuple[Any, ...] = (
    0,
    -1,
    1,
    2**31,
    2**53 + 1,
    2**63,
    2**64,
    -(2**63),
    10**30,
    1e308,
    -1e308,
    1e-320,
    0.1,
    float("nan"),
    float("inf"),
    10**400,
)
WILD_VALUES: tuple[Any, ...] = (
    *WILD_NUMBERS,
    None,
    True,
    "",
    "\x00",
    "\ud800",
    "9" * 5000,
    "🦆" * 50,
    "../../etc/passwd",
    "<b>&'\"",
    [],
    [[]],
    {},
    {"": None},
)
_PIECES = (
    b"",
    b"\x00",
    b"\xff\xff\xff\xff",
    b"-1",
    b"1e999",
    b"NaN",
    b"Infinity",
    b"null",
    b"[" * 2000,
    b'{"a":' * 2000,
    b",",
    b'"',
    b"\n",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"9" * 400,
    b"\xed\xa0\x80",
    b"\x7f\xff\xff\xff",
    b"\x80" * 12,
    b"\xf5" + b"\xff" * 8 + b"\x01",
    b"\xff" * 8 + b"\x7f",
    b"\x80\x80\x80\x80\x08",
    b"-9223372036854775808",
)
"""Among them -11, 2**63 - 1 and 2**31 as protocol buffers write them."""


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds with some bytes replaced, cut out, doubled or put in."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 16)))
        kind = draw(st.sampled_from(("replace", "cut", "double", "truncate")))
        if kind == "replace":
            data[at:end] = draw(st.one_of(st.sampled_from(_PIECES), st.binary(max_size=8)))
        elif kind == "cut":
            del data[at:end]
        elif kind == "double":
            data[at:at] = data[at:end] * draw(st.integers(1, 3))
        else:
            del data[at:]
    return bytes(data)


@st.composite
def wild_json(draw: st.DrawFn, seeds: Sequence[Any]) -> Any:
    """One of the documents with some values replaced by others, left out, or put into a list."""
    document = json.loads(json.dumps(draw(st.sampled_from(seeds))))
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(document))
        if not places:
            return document
        parent, key = draw(st.sampled_from(places))
        change = draw(st.sampled_from(("value", "leave out", "wrap", "repeat")))
        if change == "value":
            parent[key] = copy.deepcopy(draw(st.sampled_from(WILD_VALUES)))
        elif change == "leave out":
            del parent[key]
        elif change == "wrap":
            parent[key] = [parent[key]]
        elif isinstance(parent[key], list):
            parent[key] = parent[key] * draw(st.integers(2, 40))
    return document


def as_json(document: Any) -> bytes:
    """JSON as a careless program writes it: NaN and infinity as they are, any text."""
    return json.dumps(document).encode("utf-8", "surrogatepass")


def _places(node: Any) -> Any:
    """Every (container, key) inside a document."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in list(items):
        yield node, key
        yield from _places(inner)
