"""The configurations whose memory with XLA is known by compiling only.

``open`` networks were looked at while the prediction was made; ``held`` ones are for checking only, and
nobody shall adjust anything to them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from app.core.types.workload import ModelRef, Plan, Workload
from studies.accuracy.memory_rows import precision_of
from tests.fakes.own_code import own_model

NETWORKS_FILE = Path(__file__).with_name("xla_networks.py")

_TABLE = """
open cnn_plain      -         16 adam    float32
open cnn_plain      -         64 sgd     float32
open cnn_bn         -         8  adam    float32
open cnn_bn         -         32 rmsprop float32
open depthwise      -         8  adamw   float32
open depthwise      -         32 sgd     float32
open conv_1d        -         16 adam    float32
open conv_1d        -         64 rmsprop float32
open conv_3d        -         4  sgd     float32
open conv_3d        -         16 adam    float32
open generator      -         16 adam    float32
open generator      -         64 rmsprop float32
open mlp            -         1  sgd     float32
open mlp            -         32 adam    float32
open mlp            -         64 rmsprop float32
open encoder        -         8  adamw   float32
open encoder        -         32 sgd     float32
open decoder        -         8  adam    float32
open decoder        -         32 rmsprop float32
open lstm_two       -         16 adam    float32
open lstm_two       -         64 sgd     float32
open gru_text       -         16 rmsprop float32
open gru_text       -         64 adam    float32
open bag            -         32 adam    float32
open bag            -         8  sgd     float32
open conv_auto      -         16 adam    float32
open conv_auto      -         64 sgd     float32
open unet_small     -         4  adam    float32
open unet_small     -         16 rmsprop float32
open multi          -         16 adam    float32
open multi          -         64 adamw   float32
open dense_blocks   -         8  sgd     float32
open dense_blocks   -         32 adam    float32
open se_net         -         8  adam    float32
open se_net         -         32 sgd     float32
open convlstm_like  -         16 adam    float32
open convlstm_like  -         64 rmsprop float32
open blur_up        -         8  adam    float32
open blur_up        -         48 sgd     float32
open twins          -         16 adam    float32
open twins          -         64 rmsprop float32
open two_way        -         16 adam    float32
open video_flat     -         4  adam    float32
open separable      -         8  adam    float32
open separable      -         32 adamw   float32
open residual_sums  -         16 adam    float32
open cnn_bn         -         16 adam    mixed_bfloat16
open encoder        -         16 adam    mixed_bfloat16
open cnn_plain      -         32 adam    mixed_bfloat16
open depthwise      -         16 sgd     mixed_bfloat16
open conv_1d        -         32 adam    mixed_bfloat16
open conv_3d        -         8  adam    mixed_bfloat16
open generator      -         32 adam    mixed_bfloat16
open mlp            -         32 adam    mixed_bfloat16
open decoder        -         16 adam    mixed_bfloat16
open lstm_two       -         32 adam    mixed_bfloat16
open bag            -         32 adam    mixed_bfloat16
open conv_auto      -         32 adam    mixed_bfloat16
open unet_small     -         8  adam    mixed_bfloat16
open multi          -         32 adam    mixed_bfloat16
open dense_blocks   -         16 adam    mixed_bfloat16
open se_net         -         16 adam    mixed_bfloat16
open separable      -         16 adam    mixed_bfloat16
open residual_sums  -         16 adam    mixed_bfloat16
open twins          -         16 adam    mixed_bfloat16
open cnn_plain      -         32 adam    mixed_float16
open cnn_bn         -         16 adam    mixed_float16
open encoder        -         16 adam    mixed_float16
open unet_small     -         8  adam    mixed_float16
open mlp            -         32 adam    mixed_float16
open cnn_bn         -         16 adam    bfloat16
open encoder        -         16 adam    bfloat16
open unet_small     -         8  sgd     bfloat16
open cnn_bn         -         16 sgd     float16
open gru_text       -         32 adam    mixed_bfloat16
open convlstm_like  -         32 adam    mixed_bfloat16
open two_way        -         32 adam    mixed_bfloat16
open lstm_two       -         32 adam    mixed_float16
open depthwise      -         16 adam    mixed_float16
open mlp            -         32 sgd     float16
open mobilenetv3small 128x128x3 16 adam  float32
open convnexttiny   96x96x3   4  adamw   float32
open xception       96x96x3   8  sgd     float32
open resnet50v2     96x96x3   1  adam    float32
open srresnet       24x24x3   4  adam    float32
held dilated_gates  -         8  adam    float32
held dilated_gates  -         64 sgd     float32
held mixer          -         16 adamw   float32
held mixer          -         64 rmsprop float32
held pyramid        -         4  adam    float32
held pyramid        -         32 sgd     float32
held translator     -         16 adam    float32
held translator     -         48 rmsprop float32
held bottleneck_noise -       32 adam    float32
held bottleneck_noise -       64 sgd     float32
held clips          -         4  adam    float32
held clips          -         16 rmsprop float32
held factors        -         64 adam    float32
held factors        -         8  sgd     float32
held branches       -         16 adamw   float32
held branches       -         48 sgd     float32
held grouped        -         8  adam    float32
held grouped        -         32 rmsprop float32
held causal_words   -         8  adam    float32
held causal_words   -         24 adamw   float32
held volume         -         2  adam    float32
held volume         -         8  sgd     float32
"""


@dataclass(frozen=True)
class XlaRow:
    """One configuration; the network stands in ``xla_networks.py`` or in the catalog."""

    group: str
    network: str
    input_shape: str
    batch: int
    optimizer: str
    precision: str

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from other rows; the group does not."""
        return tuple(str(v) for v in list(asdict(self).values())[1:])

    @property
    def label(self) -> str:
        """A short name for tables."""
        size = "" if self.input_shape == "-" else f" {self.input_shape}"
        return f"{self.network}{size} b{self.batch} {self.optimizer}"

    def workload(self) -> Workload:
        """What the product is asked."""
        return Workload(self._model(), None, self.plan(), self._shape())

    def plan(self) -> Plan:
        """How it is trained."""
        return Plan(self.batch, self.optimizer, precision_of(self.precision), True, device="cpu")

    def _model(self) -> ModelRef:
        if f"def {self.network}(" in NETWORKS_FILE.read_text(encoding="utf-8"):
            return own_model(NETWORKS_FILE, self.network, self.network)
        return ModelRef("catalog", self.network)

    def _shape(self) -> tuple[int, ...] | None:
        return None if self.input_shape == "-" else tuple(int(n) for n in self.input_shape.split("x"))


def rows() -> tuple[XlaRow, ...]:
    """All configurations."""
    found = []
    for line in filter(str.strip, _TABLE.splitlines()):
        group, network, shape, batch, optimizer, precision = line.split()
        found.append(XlaRow(group, network, shape, int(batch), optimizer, precision))
    return tuple(found)
