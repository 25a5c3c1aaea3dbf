"""The first line of a doctor's answer."""

from dataclasses import replace

from app.core.types.machine import FrameworkBuild, Gpu, GpuSupport, Interpreter, Machine
from app.core.types.text import verbatim
from app.core.types.units import GIB
from app.presentation.doctor import verdict

KERAS = FrameworkBuild("keras", "3.15.1")
TF = FrameworkBuild("tensorflow", "2.21.0")
HERE = Interpreter("/venv/python", "3.11", (TF, KERAS))
CARD = Gpu(0, "nvidia", "RTX 2060", memory_total_bytes=6 * GIB)
WITH_CARD = Machine(gpus=(CARD,))


def support(usable):
    return GpuSupport(
        0, "RTX 2060", "tensorflow", usable, verbatim("the build is for the CPU"), verbatim("install CUDA")
    )


def told(machine, interpreters, *cards):
    line = verdict(machine, interpreters, cards)
    return line.weight, str(line.text)


def test_without_a_card_the_processor_trains():
    text = "✔ TensorFlow 2.21.0 trains here on the processor; no graphics card was found"
    assert told(Machine(), (HERE,)) == ("good", text)


def test_a_card_that_can_be_used_is_named_with_its_memory():
    assert told(WITH_CARD, (HERE,), support(True)) == ("good", "✔ TensorFlow trains here on RTX 2060 (6.0 GiB)")
    bare = Machine(gpus=(replace(CARD, memory_total_bytes=None),))
    assert told(bare, (HERE,), support(True))[1] == "✔ TensorFlow trains here on RTX 2060"


def test_a_card_that_cannot_be_used_says_why_and_what_to_do():
    weight, text = told(WITH_CARD, (HERE,), support(False))
    assert weight == "warning"
    assert text.endswith("on the processor only, not on RTX 2060: The build is for the CPU. Install CUDA")


def test_what_cannot_be_told_is_not_claimed():
    assert told(WITH_CARD, (HERE,), support(None))[1].startswith("? TensorFlow 2.21.0 trains here on the processor")


def test_nothing_that_trains_is_no_with_its_reason_and_the_way_to_one():
    cases = (
        ((), "no TensorFlow, JAX or PyTorch was found"),
        ((Interpreter("/x", problem=verbatim("it does not answer")),), "it does not answer"),
        ((Interpreter("/x", "3.11", (TF,)),), "TensorFlow 2.21.0 is there, but Keras is not"),
        ((Interpreter("/x", "3.11", (replace(TF, problem=verbatim("is broken")), KERAS)),), "is there, but is broken"),
    )
    for interpreters, why in cases:
        weight, text = told(WITH_CARD, interpreters, support(False))
        assert weight == "bad"
        assert text.startswith("✘ Nothing trains here: ")
        assert why in text
        assert text.endswith("`willittrain runtime create`")
