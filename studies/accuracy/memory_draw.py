"""Configurations of the held networks, drawn by chance, so that nobody chose them.

The matrix: batch 1, 2, 4 … 64 within a range of each network that keeps a step between about 50 MB and 1.5 GB ×
six optimizers × float32 or mixed precision × XLA on or off × frozen, accumulated or recomputed.  Drawn from it
with one seed:

* every network once op by op in float32, `SECOND` of them a second time;
* `MIXED` networks in mixed precision, `XLA` networks with XLA, three each with some layers frozen, with gradients
  accumulated over 2 or 4 batches, and recomputed.  Each of these differs from a plain row in one thing only, so
  that the figures by kind of row say what that thing costs.

Optimizers and precisions are dealt from shuffled decks, so that each appears equally often; batches are drawn
uniformly over the powers of two.  Only ``Random.random`` is used: of the generator's methods it alone gives the
same numbers in every version of Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

SEED = 4
SECOND, MIXED, XLA, EACH_EXTRA = 14, 10, 12, 3
OPTIMIZERS = ("sgd", "adam", "adamw", "rmsprop", "adafactor", "lion")
PRECISIONS = ("mixed_bfloat16", "mixed_float16")

_TABLE = """
mobilenetv3large     128x128x3 4  32 expanded_conv*
efficientnetb2       96x96x3   2  16 block[1-5]*
resnet101            64x64x3   1  16 conv[1-4]*
inceptionresnetv2    96x96x3   1  8  conv2d*
squeezenet           -         8  64 conv2d_?
wide_resnet          -         4  64 -
detector             -         2  32 conv2d_?
convmixer            -         2  32 -
wavenet              -         2  32 -
unet3d               -         1  8  -
unet_transposed      -         1  16 conv2d_?
dcgan_generator      -         4  64 dense*
vae                  -         16 64 -
tabular_mlp          -         1  64 -
mlp_mixer            -         2  32 -
text_encoder         -         1  32 embedding*
causal_lm            -         1  32 embedding*
translator           -         2  32 embedding*
lstm_tagger          -         8  64 embedding*
gru_forecaster       -         16 64 -
convlstm             -         1  16 -
dlrm                 -         1  64 embedding*
triplet              -         4  32 encoder
arcface              -         4  64 conv2d*
subclassed_attentive -         2  32 -
transfer             -         16 64 -
hub_bert             -         1  32 bert_backbone
"""
"""Network, input shape, smallest and largest batch, what somebody would freeze in it."""

SLOW_TO_COMPILE = {"inceptionresnetv2", "efficientnetb2", "resnet101"}
"""XLA takes minutes for these on two cores."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Candidate:
    """What may be drawn of one network."""

    network: str
    input_shape: str
    batches: tuple[int, ...]
    freeze: str | None


def candidates() -> tuple[Candidate, ...]:
    """The table above."""
    found = []
    for line in filter(str.strip, _TABLE.splitlines()):
        network, shape, least, most, freeze = line.split()
        batches = tuple(2**n for n in range(7) if int(least) <= 2**n <= int(most))
        found.append(Candidate(network, shape, batches, None if freeze == "-" else freeze))
    return tuple(found)


def draw(seed: int = SEED) -> tuple[tuple[str, str, int, str, str, str, str], ...]:
    """All drawn configurations: network, input shape, batch, optimizer, precision, XLA, extra."""
    generator = Random(seed)
    optimizers, precisions = deck(OPTIMIZERS, generator), deck(PRECISIONS, generator)
    rounds = deck(("2", "4"), generator)
    known = candidates()
    compiled = [c for c in known if c.network not in SLOW_TO_COMPILE]
    freezable = [c for c in known if c.freeze is not None]
    wanted = [(c, "float32", "off", "") for c in (*known, *_some(known, SECOND, generator))]
    wanted += [(c, next(precisions), "off", "") for c in _some(known, MIXED, generator)]
    wanted += [(c, "float32", "on", "") for c in _some(compiled, XLA, generator)]
    wanted += [(c, "float32", "off", f"freeze={c.freeze}") for c in _some(freezable, EACH_EXTRA, generator)]
    wanted += [(c, "float32", "off", f"accumulate={next(rounds)}") for c in _some(known, EACH_EXTRA, generator)]
    wanted += [(c, "float32", "off", "remat") for c in _some(known, EACH_EXTRA, generator)]
    drawn = (
        (c.network, c.input_shape, _one(c.batches, generator), next(optimizers), precision, xla, extra)
        for c, precision, xla, extra in wanted
    )
    return tuple(dict.fromkeys(drawn))


def _one(items: Sequence[Item], generator: Random) -> Item:
    """One of several, all equally likely."""
    return items[int(generator.random() * len(items))]


def _shuffled(items: Sequence[Item], generator: Random) -> list[Item]:
    """All of them in random order."""
    return [item for _, item in sorted(((generator.random(), item) for item in items), key=lambda pair: pair[0])]


def _some(items: Sequence[Item], count: int, generator: Random) -> list[Item]:
    """That many different ones."""
    return _shuffled(items, generator)[:count]


def deck(items: Sequence[Item], generator: Random) -> Iterator[Item]:
    """Endlessly: all of them in random order, then all of them in another."""
    while True:
        yield from _shuffled(items, generator)
