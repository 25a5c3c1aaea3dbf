"""The configurations whose memory is measured: networks that played no part in the development.

Those below were chosen by hand; those of `studies.accuracy.memory_draw` were drawn by chance.  Which half a
network belongs to, ``open`` or ``held``, stands in `studies.accuracy.memory_networks`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from app.core.types.plan_values import PRECISIONS, Precision
from app.core.types.workload import Plan, Workload
from studies.accuracy.memory_draw import candidates, draw
from studies.accuracy.memory_networks import network

_TABLE = """
xception          96x96x3   8  adam      float32        off
xception          96x96x3   16 sgd       float32        off
convnexttiny      96x96x3   4  adamw     float32        off
convnexttiny      96x96x3   16 sgd       float32        off
resnet50v2        96x96x3   8  adam      float32        off
resnet50v2        96x96x3   32 rmsprop   float32        off
mobilenetv3small  128x128x3 16 adam      float32        off
mobilenetv3small  128x128x3 32 sgd       float32        off
vgg19             96x96x3   8  sgd       float32        off
vgg19             96x96x3   16 adam      float32        off
gru_2             -         16 adam      float32        off
gru_2             -         32 rmsprop   float32        off
srresnet          24x24x3   4  adam      float32        off
srresnet          32x32x3   8  sgd       float32        off
vit_small         96x96x3   8  adamw     float32        off
vit_small         128x128x3 16 lion      float32        off
conv1d            -         16 adam      float32        off
conv1d            -         32 sgd       float32        off
autoencoder       -         16 adam      float32        off
autoencoder       -         32 rmsprop   float32        off
two_inputs        -         16 adam      float32        off
two_inputs        -         32 lion      float32        off
attention         -         8  adam      float32        off
attention         -         16 adafactor float32        off
inceptionv3       128x128x3 8  adam      float32        off
inceptionv3       128x128x3 16 rmsprop   float32        off
efficientnetv2b0  96x96x3   8  adam      float32        off
efficientnetv2b0  96x96x3   32 sgd       float32        off
nasnetmobile      96x96x3   8  adam      float32        off
mobilenet         128x128x3 16 adam      float32        off
mobilenet         128x128x3 32 lion      float32        off
densenet169       96x96x3   8  adamw     float32        off
resnet101v2       64x64x3   16 sgd       float32        off
lstm_1            -         16 adam      float32        off
lstm_1            -         32 adafactor float32        off
conv3d            -         4  adam      float32        off
conv3d            -         8  sgd       float32        off
siamese           -         8  adam      float32        off
siamese           -         32 adamw     float32        off
subclassed        -         8  adam      float32        off
subclassed        -         16 rmsprop   float32        off
wide_embedding    -         32 adam      float32        off
wide_embedding    -         16 sgd       float32        off
bidirectional     -         16 adam      float32        off
bidirectional     -         32 adamw     float32        off
simple_rnn        -         512 adam     float32        off
masked_gru        -         256 rmsprop  float32        off
video             -         16 adam      float32        off
sequence_tagger   -         256 adam     float32        off
segmenter         -         8  adam      float32        off
segmenter         -         16 lion      float32        off
resnet50v2        96x96x3   8  adam      float32        on
vgg19             96x96x3   16 adam      float32        on
vit_small         96x96x3   8  adamw     float32        on
conv1d            -         16 adam      float32        on
autoencoder       -         16 adam      float32        on
attention         -         16 adam      float32        on
mobilenet         96x96x3   8  adam      float32        on
conv3d            -         4  adam      float32        on
siamese           -         32 adam      float32        on
subclassed        -         16 adam      float32        on
segmenter         -         8  adam      float32        on
bidirectional     -         16 adam      float32        on
resnet50v2        96x96x3   8  adam      float32        off freeze=conv*
vgg19             96x96x3   16 adam      float32        off freeze=block*
xception          96x96x3   16 adam      float32        off freeze=block*
mobilenet         128x128x3 16 adam      float32        off freeze=conv*
inceptionv3       128x128x3 16 adam      float32        off freeze=conv*
vit_small         96x96x3   8  adam      mixed_bfloat16 off
conv1d            -         32 adam      mixed_bfloat16 off
autoencoder       -         16 adam      mixed_bfloat16 off
mobilenet         96x96x3   8  adam      mixed_bfloat16 off
segmenter         -         8  adam      mixed_bfloat16 off
conv3d            -         4  sgd       mixed_bfloat16 off
vgg19             96x96x3   8  adam      float32        off accumulate=4
conv1d            -         16 adam      float32        off accumulate=4
mobilenet         128x128x3 16 adam      float32        off accumulate=4
vit_small         96x96x3   8  adamw     float32        off remat
mobilenet         96x96x3   16 adam      float32        off remat
"""


@dataclass(frozen=True)
class Row:
    """One configuration."""

    group: str
    network: str
    input_shape: str
    batch: int
    optimizer: str
    precision: str
    xla: str
    extra: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from other rows; the group does not."""
        return tuple(str(v) for v in list(asdict(self).values())[1:])

    @property
    def label(self) -> str:
        """A short name for tables."""
        size = "" if self.input_shape == "-" else f" {self.input_shape}"
        return f"{self.network}{size} b{self.batch} {self.optimizer}"

    @property
    def family(self) -> str:
        """The family of its network."""
        return network(self.network).family

    @property
    def drawn(self) -> bool:
        """Was it drawn by chance, of a network that nobody has looked at."""
        return any(c.network == self.network for c in candidates())

    @property
    def kind(self) -> str:
        """The group of rows that it is counted in."""
        if self.extra:
            return self.extra.partition("=")[0]
        if self.xla == "on":
            return "XLA"
        return "mixed" if self.precision != "float32" else "op by op"

    def workload(self) -> Workload:
        """What the product is asked."""
        return Workload(network(self.network).model, None, self._plan(), self._shape())

    def _plan(self) -> Plan:
        options: dict[str, Any] = {}
        name, _, value = self.extra.partition("=")
        if name == "freeze":
            options["freeze"] = (value,)
        elif name == "accumulate":
            options["accumulate"] = int(value)
        elif name == "remat":
            options["remat"] = True
        return Plan(self.batch, self.optimizer, precision_of(self.precision), self.xla == "on", device="cpu", **options)

    def _shape(self) -> tuple[int, ...] | None:
        return None if self.input_shape == "-" else tuple(int(n) for n in self.input_shape.split("x"))


def precision_of(word: str) -> Precision:
    """A column's word as the plan's.

    Raises:
        ValueError: It names no precision.
    """
    found = next((known for known in PRECISIONS if known == word), None)
    if found is None:
        raise ValueError(f"{word} is no precision; expected one of {', '.join(PRECISIONS)}")
    return found


def rows() -> tuple[Row, ...]:
    """All configurations, in the order in which they are measured."""
    return (*(Row(network(drawn[0]).group, *drawn) for drawn in draw()), *_chosen())


def _chosen() -> tuple[Row, ...]:
    """The rows of the table above."""
    found = []
    for line in filter(str.strip, _TABLE.splitlines()):
        name, shape, batch, optimizer, precision, xla, *extra = line.split()
        found.append(Row(network(name).group, name, shape, int(batch), optimizer, precision, xla, " ".join(extra)))
    return tuple(found)
