import pytest

from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.card_costs import A100, RTX_2060
from app.core.types.stepgraph import Layer, Operation, PerBatch, Variable
from tests.core.simulate.xla.test_lowering import module_of


def depthwise(window, channels, card, optimizer):
    """The gradient of what a depthwise layer reads, of a weight that is trained."""
    bytes_ = window * window * channels * 4
    image = PerBatch(0, 32 * 32 * channels * 4)
    kernel = Variable("dw/kernel", (window, window, channels, 1), "float32", bytes_, True, 3, 0)
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("DepthwiseConv2dNativeBackpropInput", (1, 0), (2,), "backward", layer=0),
        Operation("DepthwiseConv2dNativeBackpropFilter", (0, 2), (3,), "backward", layer=0),
    )
    return module_of(
        operations,
        (image, PerBatch(bytes_), image, PerBatch(bytes_)),
        variables=(kernel,),
        layers=(Layer("dw", "DepthwiseConv2D", 1, 1),),
        input_tensors=(0,),
        outputs=(2,),
        optimizer=optimizer,
        card=card,
    )


@pytest.mark.parametrize(
    ("window", "channels", "speed", "optimizer", "apart"),
    [  # as XLA makes them: Xception, EfficientNet-B0 and MobileNetV2 in float32, compiled for these cards
        (3, 256, RTX_2060, "adam", False),
        (3, 576, RTX_2060, "sgd", False),
        (3, 728, RTX_2060, "sgd", True),
        (3, 728, RTX_2060, "adam", True),
        (3, 728, A100, "adam", False),
        (3, 1024, A100, "adam", True),
        (5, 144, A100, "sgd", True),
    ],
)
def test_a_reversed_filter_is_made_with_its_update_unless_that_is_tiled_or_turned_by_kernels_of_its_own(
    window, channels, speed, optimizer, apart
):
    module = depthwise(window, channels, CardCompiler((7, 5), speed), optimizer)
    (reversed_,) = (n for n in module.instructions if n.opcode == "slice" and n.size.fixed)
    assert reversed_.alone == apart
