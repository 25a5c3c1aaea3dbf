"""The configurations whose memory on cards is known from an emulated card: drawn by chance from a matrix.

30 networks of every family, half of them ``held`` (nobody looks at their rows one by one), × six cards × XLA off or
as Keras decides × precision, where the card computes it × batch × optimizer.  Each factor is dealt from a shuffled
deck, so that after any number of rows each of its levels appears about equally often; batches are powers of two
within a network's range.  Only ``Random.random`` is used, whose numbers are the same in every version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from app.core.types.workload import ModelRef, Plan, Workload
from studies.accuracy.memory_draw import deck
from studies.accuracy.memory_networks import NETWORKS as MEMORY_NETWORKS
from studies.accuracy.memory_rows import precision_of
from studies.accuracy.truth_table import key_of
from studies.accuracy.xla_rows import NETWORKS_FILE
from tests.fakes.own_code import own_model

SEED = 17
WANTED = 300
BLOCK = 60
"""Of so many rows, in the order drawn, those without XLA are measured first: they take a tenth of the time."""

XLA = ("off", "auto")
OPTIMIZERS = ("sgd", "adam", "adamw")

_NETWORKS = """
open 2-D CNN            resnet50v2       96x96x3   4  64
open 2-D CNN            vgg19            96x96x3   4  64
open 2-D CNN            cnn_plain        -         16 256
open 2-D CNN            dense_blocks     -         8  128
open depthwise CNN      xception         96x96x3   4  32
open depthwise CNN      mobilenetv3small 128x128x3 8  128
open 1-D CNN            conv1d           -         8  128
open 3-D CNN            conv_3d          -         4  64
open U-net, generator   unet_small       -         4  64
open MLP, mixer         mlp              -         16 512
open transformer        attention        -         4  64
open recurrent          gru_2            -         8  128
open recurrent          bidirectional    -         16 256
open embedding          wide_embedding   -         16 256
open several in or out  two_inputs       -         8  128
held 2-D CNN            wide_resnet      -         8  128
held 2-D CNN            squeezenet       -         4  64
held depthwise CNN      mobilenet        128x128x3 4  64
held depthwise CNN      convmixer        -         4  64
held 1-D CNN            wavenet          -         4  64
held 3-D CNN            unet3d           -         1  16
held U-net, generator   unet_transposed  -         2  32
held MLP, mixer         mlp_mixer        -         4  64
held transformer        text_encoder     -         4  64
held transformer        causal_lm        -         2  32
held recurrent          lstm_tagger      -         8  128
held recurrent          gru_forecaster   -         16 128
held embedding          dlrm             -         16 256
held several in or out  siamese          -         4  64
held subclassed, custom subclassed       -         4  64
"""
"""Half, family, network, input shape, smallest and largest batch."""


@dataclass(frozen=True)
class Card:
    """A card of the matrix."""

    name: str
    """In our own table of cards."""
    emulated: str
    """What the emulated driver calls it."""
    bfloat16: bool


DRAWN = {
    "RTX 2060": Card("GeForce RTX 2060 6GB", "RTX 2060", bfloat16=False),
    "RTX 4060": Card("GeForce RTX 4060", "RTX 4060", bfloat16=True),
    "T4": Card("Tesla T4", "T4", bfloat16=False),
    "V100": Card("Tesla V100 SXM2 16GB", "V100", bfloat16=False),
    "A100": Card("A100 SXM 40GB", "A100", bfloat16=True),
    "RTX 4090": Card("GeForce RTX 4090", "RTX 4090", bfloat16=True),
}
"""Those of the matrix."""

CARDS = {**DRAWN, "H100": Card("H100 SXM 80GB", "H100", bfloat16=True)}
"""And one that was there for some minutes (`card_real`)."""


@dataclass(frozen=True)
class CardNetwork:
    """A network of the matrix."""

    group: str
    family: str
    name: str
    input_shape: str
    batches: tuple[int, ...]

    @property
    def model(self) -> ModelRef:
        """How the product is asked for it."""
        known = MEMORY_NETWORKS.get(self.name)
        return known.model if known is not None else own_model(NETWORKS_FILE, self.name, self.name)


def _read() -> dict[str, CardNetwork]:
    """The table above, by name."""
    found = {}
    for line in filter(str.strip, _NETWORKS.splitlines()):
        name, shape, least, most = line[24:].split()
        batches = tuple(2**n for n in range(10) if int(least) <= 2**n <= int(most))
        found[name] = CardNetwork(line[:4], line[5:24].strip(), name, shape, batches)
    return found


NETWORKS = _read()


@dataclass(frozen=True)
class CardRow:
    """One configuration on one card."""

    network: str
    card: str
    batch: int
    optimizer: str
    precision: str
    xla: str

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from other rows."""
        return key_of(self)

    @property
    def label(self) -> str:
        """A short name for tables."""
        return f"{self.network} b{self.batch} {self.optimizer} {self.precision} xla {self.xla} on {self.card}"

    @property
    def group(self) -> str:
        """The half of the networks that it belongs to."""
        return NETWORKS[self.network].group

    @property
    def shown(self) -> str:
        """How it is printed while it is worked on: by name, a held one by its half only."""
        return self.label if self.group == "open" else "a held row"

    def workload(self) -> Workload:
        """What the product is asked."""
        shape = NETWORKS[self.network].input_shape
        sides = None if shape == "-" else tuple(int(n) for n in shape.split("x"))
        return Workload(NETWORKS[self.network].model, None, self.plan(), sides)

    def plan(self) -> Plan:
        """How it is trained."""
        return Plan(self.batch, self.optimizer, precision_of(self.precision), jit_of(self.xla), device="gpu:0")


def jit_of(word: str) -> bool | None:
    """A column's word as the plan's.

    Raises:
        ValueError: It is none of the three.
    """
    known = {"on": True, "off": False, "auto": None}
    if word not in known:
        raise ValueError(f"xla is {word!r}; expected one of {', '.join(known)}")
    return known[word]


def draw(count: int = WANTED, seed: int = SEED, drawn: Sequence[str] = tuple(DRAWN)) -> tuple[CardRow, ...]:
    """So many different configurations, on cards of these names, in the order in which chance drew them."""
    generator = Random(seed)
    networks, cards = deck(tuple(NETWORKS.values()), generator), deck(drawn, generator)
    modes, optimizers = deck(XLA, generator), deck(OPTIMIZERS, generator)
    precisions = {
        True: deck(("float32", "mixed_float16", "mixed_bfloat16"), generator),
        False: deck(("float32", "mixed_float16"), generator),
    }
    found: dict[CardRow, None] = {}
    while len(found) < count:
        network, card = next(networks), next(cards)
        batch = network.batches[int(generator.random() * len(network.batches))]
        precision = next(precisions[CARDS[card].bfloat16])
        found[CardRow(network.name, card, batch, next(optimizers), precision, next(modes))] = None
    return tuple(found)


def in_order_of_measuring(rows: Sequence[CardRow]) -> list[CardRow]:
    """Block by block, those without XLA first."""
    placed = sorted(enumerate(rows), key=lambda at: (at[0] // BLOCK, at[1].xla != "off", at[0]))
    return [row for _, row in placed]
