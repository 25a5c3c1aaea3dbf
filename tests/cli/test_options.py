"""Options, read and refused."""

import io
import sys
from dataclasses import replace

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.exceptions import TyperException

from app.cli.options import (
    MachineOptions,
    RunOptions,
    TypedPlan,
    ask_for_code,
    grouped,
    parse_shape,
    refuse_refining_elsewhere,
)
from app.cli.plan_options import plan_from
from app.core.types.errors import BadModel, InvalidWorkload, UsageError
from app.core.types.plan import Plan, plan_options
from app.core.types.plan_values import read_device
from app.services.catalog.catalog import Catalog
from app.services.models.consent import TrustStore


def parsed(*words):
    """The plan that a verb gets for words of the command line."""
    found = []

    def verb(typed: TypedPlan) -> None:
        found.append(typed.plan)

    cli = typer.Typer(add_completion=False)
    cli.command()(grouped(verb))
    cli(list(words), standalone_mode=False)
    return found[0]


def test_without_options_the_plan_is_the_default_plan():
    assert parsed() == plan_from({}) == Plan()


def typed(option):
    """Words of the command line that ask for something else than the default, and what they mean."""
    if option.kind in ("switch", "auto_switch"):
        return ((f"--no-{option.name}", False) if option.default else (option.flag, True),)
    if option.choices:
        return tuple((f"{option.flag}={choice}", choice) for choice in option.choices if choice != option.default)
    if option.kind == "patterns":
        return ((f"{option.flag}=conv*", ("conv*",)),)
    if option.kind == "size":
        return ((f"{option.flag}=48x64", (48, 64)), (f"{option.flag}=48", (48, 48)))
    if option.kind == "lengths":
        return ((f"{option.flag}=3", 3), (f"{option.flag}=source=59,target=16", (("source", 59), ("target", 16))))
    if option.kind == "text":
        return ((f"{option.flag}=GPU:1", "gpu:1"), (f"{option.flag}=gpu", "gpu:0"))
    return ((f"{option.flag}=0.5", 0.5),) if option.kind == "number" else ((f"{option.flag}=3", 3),)


CASES = [(option, *case) for option in plan_options() for case in typed(option)]
BESIDE = {"int8": ("--mode=inference",)}


@pytest.mark.parametrize(("option", "word", "value"), CASES, ids=[word for _, word, _ in CASES])
def test_every_option_of_the_plan_arrives(option, word, value):
    beside = BESIDE.get(option.name, ())
    assert parsed(word, *beside) == replace(parsed(*beside), **{option.name: value})


def test_several_patterns_are_given_one_by_one():
    assert parsed("--freeze", "block1*", "--freeze", "stem").freeze == ("block1*", "stem")


def test_xla_is_switched_off_as_well():
    assert parsed("--no-jit").jit is False


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["--int8"], "cannot be trained"),
        (["--int8", "--mode=inference", "--precision=float16"], "float16"),
        (["--image-size=48x"], "480x640"),
        (["--image-size=big"], "not an image size"),
        (["--sequence-length=encoder"], "not a sequence length"),
        (["--sequence-length=encoder=0"], "impossible Sequence length"),
        (["--clipnorm=0"], "above 0"),
        (["--clipnorm=1", "--clipvalue=1"], "one way only"),
        (["--device=tpu"], "cpu or gpu:N"),
        (["--cache-share=0"], "above 0, at most 1"),
        (["--backend=jax", "--data=array"], "JAX"),
        (["--backend=torch", "--cache=disk"], "PyTorch"),
        (["--backend=torch", "--threads=2"], "PyTorch"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(wrong, told):
    with pytest.raises(UsageError, match=told):
        parsed(*wrong)


def test_an_unknown_optimizer_names_the_known_ones():
    with pytest.raises(TyperException, match=r"adamm.*adamw"):
        parsed("--optimizer=adamm")


@pytest.mark.parametrize(
    "wrong", ["--batch-size=0", "--threads=5000", "--epochs=-1", "--cache-share=2", "--mode=dream", "--lora-rank=0"]
)
def test_a_value_out_of_range_is_refused(wrong):
    with pytest.raises(TyperException):
        parsed(wrong)


def test_what_another_backend_can_do_is_not_refused():
    assert parsed("--backend=jax", "--cache=ram").backend == "jax"


@pytest.mark.parametrize(("text", "device"), [("auto", "auto"), ("CPU", "cpu"), ("gpu", "gpu:0"), ("gpu:3", "gpu:3")])
def test_device(text, device):
    assert read_device(text) == device


@pytest.mark.parametrize("text", ["", "gpu:", "gpu:x", "tpu", "cuda:0", "gpu:-1"])
def test_not_a_device(text):
    with pytest.raises(InvalidWorkload):
        read_device(text)


@pytest.mark.parametrize(
    ("text", "shape"),
    [("224x224x3", (224, 224, 3)), ("28,28,1", (28, 28, 1)), ("(28, 28)", (28, 28)), ("128", (128,)), ("4X4", (4, 4))],
)
def test_shape(text, shape):
    assert parse_shape(text) == shape


@pytest.mark.parametrize("text", ["", "x", "0x3", "-1", "3x", "a,b", "1.5", "224x224x", "1e3"])
def test_not_a_shape(text):
    with pytest.raises(UsageError, match="224x224x3"):
        parse_shape(text)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=6), st.sampled_from(["x", ",", " x ", ", "]))
def test_a_written_shape_is_read_back(shape, separator):
    assert parse_shape(separator.join(map(str, shape))) == tuple(shape)


@pytest.fixture
def catalog(tmp_path):
    return Catalog(tmp_path / "tables", TrustStore(tmp_path / "trusted.json"))


@pytest.fixture
def net(tmp_path):
    (tmp_path / "net.py").write_text("import helper\ndef build(): ...\n")
    (tmp_path / "helper.py").write_text("")
    return f"{tmp_path / 'net.py'}:build"


def test_a_catalog_name_needs_no_consent(catalog):
    ask_for_code(catalog, "resnet50", "model")
    ask_for_code(catalog, "model.keras", "model")
    ask_for_code(catalog, "", "data")


def test_code_is_not_run_where_nobody_can_be_asked(monkeypatch, catalog, net):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    with pytest.raises(BadModel, match="--trust"):
        ask_for_code(catalog, net, "model")
    catalog.trust.remember(catalog.own_code(net))
    ask_for_code(catalog, net, "model")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_on_a_terminal_the_user_decides(monkeypatch, answer, catalog, net):
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", Terminal())
    if answer == "y\n":
        ask_for_code(catalog, net, "model")
    else:
        with pytest.raises(BadModel, match="not run"):
            ask_for_code(catalog, net, "model")
    assert catalog.trust.knows(catalog.own_code(net)) is (answer == "y\n")
    assert "net.py" in sys.stderr.getvalue()
    assert "helper.py" in sys.stderr.getvalue()


@pytest.mark.parametrize("name", ["net.py", "helper.py"])
def test_a_file_that_is_written_to_while_the_user_is_asked_was_not_allowed(monkeypatch, catalog, net, tmp_path, name):
    class Slow(Terminal):
        def readline(self, *_):
            (tmp_path / name).write_text("import helper\ndef build(): 'another'\n")
            return "y\n"

    monkeypatch.setattr(sys, "stdin", Slow())
    monkeypatch.setattr(sys, "stderr", Terminal())
    ask_for_code(catalog, net, "model")
    assert not catalog.find_model(net).trusted


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_another_backend_cannot_be_refined(backend):
    with pytest.raises(UsageError, match="TensorFlow"):
        refuse_refining_elsewhere(RunOptions(refine=True), MachineOptions(), Plan(backend=backend))


@pytest.mark.parametrize("machine", [MachineOptions(on="RTX 3060"), MachineOptions(machine="other.json")])
def test_another_machine_cannot_be_refined_here(machine):
    refuse_refining_elsewhere(RunOptions(), machine, Plan())
    with pytest.raises(UsageError, match="--refine"):
        refuse_refining_elsewhere(RunOptions(refine=True), machine, Plan())


def test_this_machine_with_another_amount_of_ram_can_be_refined():
    refuse_refining_elsewhere(RunOptions(refine=True), MachineOptions(ram="32GB"), Plan())


def test_given_names_the_options_that_make_another_machine():
    assert MachineOptions().given() == ()
    assert MachineOptions(on="RTX 3060", disk_mbps=500).given() == ("--on", "--disk-mbps")
