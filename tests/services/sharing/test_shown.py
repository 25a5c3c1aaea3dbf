"""What is shown to others tells neither who nor where nor whose, wherever a name was put."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from app.core.types.basis import Explanation
from app.core.types.machine import Disk, Gpu, GpuProcess
from app.core.types.measurement import Doubt, Problem
from app.core.types.predicted_memory import LayerMemory
from app.core.types.run import Run
from app.core.types.text import phrase, verbatim
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef
from app.services.sharing.share import share
from app.services.sharing.shown import OWN_DATA, OWN_MODEL, shown_answer, shown_run
from tests.cli import answers
from tests.cli.test_profile import measured

HOME = "/home/jane/my secret plans"
UUID = "GPU-5a1c0b1e-0000-4d2f-9a9b-0123456789ab"
SECRETS = ("jane", "secret", "plans", "workhorse", "5a1c0b1e", "192.168", "patients", "tumornet", "grandma", "zz-0451")
"""Planted: a user, folders, a host, a card's UUID and serial number, an address, names of data, model, layer."""


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("USER", "jane")
    monkeypatch.setattr("socket.gethostname", lambda: "workhorse.example.com")


def planted() -> Run:
    """A run with a secret in every place that takes a text."""
    run, told = answers.run(note="Jane's, on workhorse"), answers.PREDICTION
    card = Gpu(1, "nvidia", "RTX 2060", UUID, 6 * GIB, processes=(GpuProcess(7, "grandma.exe", GIB),))
    line = Explanation(verbatim("tumornet"), verbatim(HOME), verbatim("patients"), verbatim("zz-0451"))
    memory = replace(
        told.memory,
        dominant_assumption=verbatim("tumornet as traced"),
        largest_layers=(LayerMemory("grandma_dense", "Dense", 1, 1),),
        explanation=(line,),
    )
    found = replace(
        answers.MEASURED,
        doubts=(
            Doubt("battery", phrase("{user} runs on battery", user="jane")),
            Doubt("slept", verbatim("workhorse slept")),
        ),
        profile_skipped=verbatim("of tumornet"),
    )
    return replace(
        run,
        content="zz-0451",
        workload=replace(
            run.workload,
            model=ModelRef("code", "tumornet.py:build", f"{HOME}/tumornet.py", "build", arguments=("who=grandma",)),
            dataset=Dataset("patients", "images", f"{HOME}/patients", 12, (8, 8, 3), "uint8", 2, real=True),
            plan=replace(run.workload.plan, freeze=("grandma_*",), device="gpu:1"),
        ),
        machine=replace(
            answers.MACHINE, gpus=(card,), disks=(Disk(f"{HOME}/disk", "zz-0451"),), os_version="6.1-workhorse"
        ),
        prediction=replace(
            told,
            model=replace(
                told.model, name="tumornet", source=verbatim(f"{HOME}/tumornet.py"), assumptions=(verbatim("grandma"),)
            ),
            memory=memory,
            fit=replace(told.fit, reasons=(verbatim("grandma.exe holds the card"),), explanation=(line,)),
            time=replace(told.time, explanation=(line,), dominant_assumption=verbatim("patients")),
            assumptions=(phrase("{dataset}: 12", dataset="patients"),),
        ),
        result=replace(
            answers.SUCCEEDED,
            measurement=found,
            warnings=(
                verbatim(f"cannot read {HOME}/patients/x.jpg"),
                verbatim("jane@workhorse.example.com asked 192.168.0.17"),
            ),
            problem=Problem("bad_model", verbatim("grandma"), where=f"{HOME}/tumornet.py:3", stderr=("jane",)),
            environment={
                "tensorflow": "2.21.0",
                "interpreter": f"{HOME}/bin/python",
                "device_name": UUID,
                "keras": "grandma edition of jane",
            },
        ),
    )


def everything(made) -> str:
    """All that leaves: names of files, words, pictures, data."""
    return "\n".join(
        (made.name, made.title, made.alternative, made.markdown, made.light, made.dark, made.document.decode())
    )


def test_a_run_tells_none_of_what_was_planted():
    run = planted()
    assert all(secret in repr(run).lower() for secret in SECRETS if secret != "192.168"), "each was planted"
    text = everything(share(shown_run(run))).lower()
    assert [secret for secret in SECRETS if secret in text] == []
    assert "a model of one's own" in text
    assert "rtx 2060" in text
    assert "gpu:1" not in text


def test_an_answer_tells_none_of_it_either():
    run = planted()
    text = everything(share(shown_answer(run.prediction, run.workload, "2026-01-02T03:04:05+00:00"))).lower()
    assert [secret for secret in SECRETS if secret in text] == []
    assert "fits" in text


def test_profile_samples_and_whatever_else_is_not_named_stay_at_home():
    run = planted()
    told = replace(run.result, measurement=measured(300))
    assert told.measurement.profile is not None
    shown = shown_run(replace(run, result=told)).run
    assert shown.result.measurement.profile is None
    assert (shown.result.samples, shown.result.warnings) == ((), ())
    assert (shown.note, shown.content, shown.machine.disks, shown.machine.unavailable) == ("", None, (), {})


def test_a_network_of_the_catalog_keeps_its_plain_name_and_a_file_called_so_does_not():
    run = answers.run()
    model, data = ModelRef("catalog", "fashion_mnist_cnn"), Dataset("fashion_mnist", "keras", f"{HOME}/fm", 60_000)
    known = shown_run(replace(run, workload=replace(run.workload, model=model, dataset=data))).run.workload
    assert (known.model.name, known.dataset.name, known.dataset.path) == ("fashion_mnist_cnn", "fashion_mnist", None)
    file = ModelRef("file", "fashion_mnist_cnn", f"{HOME}/fashion_mnist_cnn")
    own = Dataset("fashion_mnist", "images", f"{HOME}/fashion_mnist")
    hidden = shown_run(replace(run, workload=replace(run.workload, model=file, dataset=own))).run.workload
    assert (hidden.model.name, hidden.dataset.name) == (OWN_MODEL, OWN_DATA)


def test_a_row_of_the_users_own_table_is_no_plain_name():
    model = ModelRef("catalog", "tumornet")
    run = answers.run()
    assert shown_run(replace(run, workload=replace(run.workload, model=model))).run.workload.model.name == OWN_MODEL


def test_no_name_of_the_users_takes_a_part_out_of_the_catalogs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("USER", "mnist")
    model, data = ModelRef("catalog", "fashion_mnist_cnn"), Dataset("fashion", "images", f"{HOME}/fashion")
    run = answers.run()
    made = share(shown_run(replace(run, workload=replace(run.workload, model=model, dataset=data))))
    assert made.title == "Fashion-MNIST CNN"
    assert json.loads(made.document)["model"]["name"] == "fashion_mnist_cnn"
    assert json.loads(made.document)["data"]["name"] is None


def test_patterns_of_layers_are_kept_for_the_catalogs_alone():
    run = answers.run()
    plan = replace(run.workload.plan, freeze=("conv*", "a b; rm"))
    model = ModelRef("catalog", "resnet50")
    ours = shown_run(replace(run, workload=replace(run.workload, model=model, plan=plan))).run.workload.plan
    assert ours.freeze == ("conv*", "…")
    own = shown_run(
        replace(run, workload=replace(run.workload, model=ModelRef("file", "x.keras", "/x.keras"), plan=plan))
    )
    assert own.run.workload.plan.freeze == ("…", "…")


@pytest.mark.parametrize("result", [answers.SUCCEEDED, answers.NO_MEMORY, answers.CRASHED, answers.CANCELLED])
@pytest.mark.parametrize("prediction", [answers.PREDICTION, None])
def test_every_run_can_be_shown(result, prediction):
    made = share(shown_run(answers.run(result, prediction)))
    for drawing in (made.light, made.dark):
        assert ElementTree.fromstring(drawing).tag.endswith("svg")
    assert made.markdown.startswith("# ")
    assert json.loads(made.document)["format"] == "willittrain-shared"
