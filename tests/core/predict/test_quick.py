"""The answer before a trace: the textbook formula, in well under a tenth of a second."""

from app.core.predict.quick import quick_prediction
from app.core.simulate.device import choose_device
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.machines import card, desktop

MACHINE = desktop(card())
DEVICE = choose_device(MACHINE, "auto")


def ask(params=562_474, outputs=112_906, **plan):
    workload = Workload(ModelRef("catalog", "small"), None, Plan(**plan))
    return quick_prediction(workload, MACHINE, DEVICE, params=params, input_shape=(28, 28, 1), outputs=outputs)


def test_the_formula_of_the_textbook_by_hand():
    # case S1: four copies of the weights, every output twice, one batch
    found = ask(batch_size=4096).memory
    assert found.allocator_peak_bytes == 4 * 562_474 * 4 + 4096 * 112_906 * 4 * 2 + 4096 * 784 * 4
    assert found.basis == "formula"
    assert sum(vars(found.parts).values()) == found.device_bytes


def test_its_interval_is_as_wide_as_the_formula_is_wrong():
    found = ask(batch_size=64).memory
    assert found.low_bytes < found.allocator_peak_bytes <= found.high_bytes / 5


def test_it_decides_only_what_needs_no_activations():
    assert ask(batch_size=32768).fit.verdict == "unknown"
    assert ask(params=10**9).fit.verdict == "does_not_fit"


def test_without_counted_outputs_it_is_a_lower_bound():
    found = ask(outputs=None).memory
    assert found.parts.activations == 0
    assert "not counted" in found.dominant_assumption


def test_larger_images_have_larger_outputs():
    workload = Workload(ModelRef("catalog", "small"), None, Plan(), input_shape=(56, 56, 1))
    larger = quick_prediction(workload, MACHINE, DEVICE, params=10, input_shape=(28, 28, 1), outputs=1000)
    assert larger.memory.parts.activations == 4 * 4 * 1000 * 32 * 2


def test_inference_needs_less_than_training():
    training, inference = ask(mode="train").memory, ask(mode="inference").memory
    assert 0 < inference.allocator_peak_bytes < training.allocator_peak_bytes
