"""The configurations whose memory is measured: networks that played no part in the development.

``open`` networks may be looked at to find out why a prediction misses; ``held`` ones are for checking
only, and nobody shall adjust anything to them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.core.workload import ModelRef, Plan, Workload

NETWORKS_FILE = Path(__file__).with_name("networks.py")

_TABLE = """
open xception          96x96x3   8  adam      float32        off
open xception          96x96x3   16 sgd       float32        off
open convnexttiny      96x96x3   4  adamw     float32        off
open convnexttiny      96x96x3   16 sgd       float32        off
open resnet50v2        96x96x3   8  adam      float32        off
open resnet50v2        96x96x3   32 rmsprop   float32        off
open mobilenetv3small  128x128x3 16 adam      float32        off
open mobilenetv3small  128x128x3 32 sgd       float32        off
open vgg19             96x96x3   8  sgd       float32        off
open vgg19             96x96x3   16 adam      float32        off
open gru_2             -         16 adam      float32        off
open gru_2             -         32 rmsprop   float32        off
open srresnet          24x24x3   4  adam      float32        off
open srresnet          32x32x3   8  sgd       float32        off
open vit_small         96x96x3   8  adamw     float32        off
open vit_small         128x128x3 16 lion      float32        off
open conv1d            -         16 adam      float32        off
open conv1d            -         32 sgd       float32        off
open autoencoder       -         16 adam      float32        off
open autoencoder       -         32 rmsprop   float32        off
open two_inputs        -         16 adam      float32        off
open two_inputs        -         32 lion      float32        off
open attention         -         8  adam      float32        off
open attention         -         16 adafactor float32        off
held inceptionv3       128x128x3 8  adam      float32        off
held inceptionv3       128x128x3 16 rmsprop   float32        off
held efficientnetv2b0  96x96x3   8  adam      float32        off
held efficientnetv2b0  96x96x3   32 sgd       float32        off
held nasnetmobile      96x96x3   8  adam      float32        off
held mobilenet         128x128x3 16 adam      float32        off
held mobilenet         128x128x3 32 lion      float32        off
held densenet169       96x96x3   8  adamw     float32        off
held resnet101v2       64x64x3   16 sgd       float32        off
held lstm_1            -         16 adam      float32        off
held lstm_1            -         32 adafactor float32        off
held conv3d            -         4  adam      float32        off
held conv3d            -         8  sgd       float32        off
held siamese           -         8  adam      float32        off
held siamese           -         32 adamw     float32        off
held subclassed        -         8  adam      float32        off
held subclassed        -         16 rmsprop   float32        off
held wide_embedding    -         32 adam      float32        off
held wide_embedding    -         16 sgd       float32        off
held bidirectional     -         16 adam      float32        off
held bidirectional     -         32 adamw     float32        off
held segmenter         -         8  adam      float32        off
held segmenter         -         16 lion      float32        off
open resnet50v2        96x96x3   8  adam      float32        on
open vgg19             96x96x3   16 adam      float32        on
open vit_small         96x96x3   8  adamw     float32        on
open conv1d            -         16 adam      float32        on
open autoencoder       -         16 adam      float32        on
open attention         -         16 adam      float32        on
held mobilenet         96x96x3   8  adam      float32        on
held conv3d            -         4  adam      float32        on
held siamese           -         32 adam      float32        on
held subclassed        -         16 adam      float32        on
held segmenter         -         8  adam      float32        on
held bidirectional     -         16 adam      float32        on
open resnet50v2        96x96x3   8  adam      float32        off freeze=conv*
open vgg19             96x96x3   16 adam      float32        off freeze=block*
open xception          96x96x3   16 adam      float32        off freeze=block*
held mobilenet         128x128x3 16 adam      float32        off freeze=conv*
held inceptionv3       128x128x3 16 adam      float32        off freeze=conv*
open vit_small         96x96x3   8  adam      mixed_bfloat16 off
open conv1d            -         32 adam      mixed_bfloat16 off
open autoencoder       -         16 adam      mixed_bfloat16 off
held mobilenet         96x96x3   8  adam      mixed_bfloat16 off
held segmenter         -         8  adam      mixed_bfloat16 off
held conv3d            -         4  sgd       mixed_bfloat16 off
open vgg19             96x96x3   8  adam      float32        off accumulate=4
open conv1d            -         16 adam      float32        off accumulate=4
held mobilenet         128x128x3 16 adam      float32        off accumulate=4
open vit_small         96x96x3   8  adamw     float32        off remat
held mobilenet         96x96x3   16 adam      float32        off remat
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
    def kind(self) -> str:
        """The group of rows that it is counted in."""
        if self.extra:
            return self.extra.partition("=")[0]
        if self.xla == "on":
            return "XLA"
        return "mixed" if self.precision != "float32" else "op by op"

    def workload(self) -> Workload:
        """What the product is asked."""
        return Workload(self._model(), None, self._plan(), self._shape())

    def _model(self) -> ModelRef:
        if f"def {self.network}(" in NETWORKS_FILE.read_text(encoding="utf-8"):
            return ModelRef("code", self.network, str(NETWORKS_FILE), self.network, trusted=True)
        return ModelRef("catalog", self.network)

    def _plan(self) -> Plan:
        options: dict[str, Any] = {}
        name, _, value = self.extra.partition("=")
        if name == "freeze":
            options["freeze"] = (value,)
        elif name == "accumulate":
            options["accumulate"] = int(value)
        elif name == "remat":
            options["remat"] = True
        return Plan(self.batch, self.optimizer, self.precision, self.xla == "on", device="cpu", **options)

    def _shape(self) -> tuple[int, ...] | None:
        return None if self.input_shape == "-" else tuple(int(n) for n in self.input_shape.split("x"))


def rows() -> tuple[Row, ...]:
    """All configurations, in the order in which they are measured."""
    found = []
    for line in filter(str.strip, _TABLE.splitlines()):
        group, network, shape, batch, optimizer, precision, xla, *extra = line.split()
        found.append(Row(group, network, shape, int(batch), optimizer, precision, xla, " ".join(extra)))
    return tuple(found)
