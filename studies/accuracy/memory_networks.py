"""Which networks the memory table measures: their family, and the half of the table that they belong to.

``open`` networks may be looked at to find out why a prediction misses; ``held`` ones are for checking only:
nobody looks at their rows one by one or adjusts anything to them.  A network that was diagnosed moves to ``open``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.core.types.workload import ModelRef
from tests.fakes.own_code import own_model

FILES = tuple(Path(__file__).with_name(name) for name in ("networks.py", "networks_held.py"))

_TABLE = """
open 2-D CNN            vgg19 resnet50v2 srresnet
open depthwise CNN      xception mobilenetv3small convnexttiny
open 1-D CNN            conv1d
open U-net, generator   autoencoder
open transformer        vit_small attention
open recurrent          gru_2 lstm_1 bidirectional simple_rnn masked_gru video sequence_tagger
open embedding          wide_embedding
open several in or out  two_inputs
held 2-D CNN            inceptionv3 densenet169 resnet101v2 resnet101 inceptionresnetv2 squeezenet wide_resnet
held depthwise CNN      efficientnetv2b0 nasnetmobile mobilenet mobilenetv3large efficientnetb2 convmixer
held 1-D CNN            wavenet
held 3-D CNN            conv3d unet3d
held U-net, generator   segmenter unet_transposed dcgan_generator vae
held MLP, mixer         tabular_mlp mlp_mixer
held transformer        text_encoder causal_lm translator hub_bert
held recurrent          lstm_tagger gru_forecaster convlstm
held embedding          dlrm
held several in or out  siamese triplet detector
held subclassed, custom subclassed subclassed_attentive arcface
held frozen backbone    transfer
"""


@dataclass(frozen=True)
class Network:
    """A network of the table."""

    name: str
    group: str
    family: str

    @property
    def model(self) -> ModelRef:
        """How the product is asked for it: one of our own functions, else the catalog's."""
        for path in FILES:
            if f"def {self.name}(" in path.read_text(encoding="utf-8"):
                return own_model(path, self.name, self.name)
        return ModelRef("catalog", self.name)


def _read() -> dict[str, Network]:
    """The table above, by name."""
    found = {}
    for line in filter(str.strip, _TABLE.splitlines()):
        group, family = line[:4], line[5:24].strip()
        for name in line[24:].split():
            found[name] = Network(name, group, family)
    return found


NETWORKS = _read()


def network(name: str) -> Network:
    """A network of the table; one that is not in it is open and has no family."""
    return NETWORKS.get(name) or Network(name, "open", "other")
