"""The JSON of the contract, key by key."""

import json
from dataclasses import replace

import pytest

from app.cli.output import advise_json, bench_json, doctor_json, estimate_json, print_json, rows_json, runs_json
from app.core.predict.track_record import track_record
from app.core.types.machine import DeviceProbe, Interpreter, Machine
from app.core.types.track_record import Judged, PastRun
from app.core.types.workload import Dataset
from app.services.machine.doctor import Doctor
from tests.cli import answers

ESTIMATE_KEYS = ["schema", "model", "plan", "memory", "fit", "time", "textbook", "captured", "whole"]
MODEL_KEYS = ["name", "source", "params", "trainable_params", "input_shapes"]
PLAN_KEYS = set(
    "batch_size optimizer precision jit accumulate mode device ema clipnorm global_clipnorm clipvalue "
    "weight_decay data lora_rank int8 sequence_length image_size backend".split()
)
PART_KEYS = ["weights", "gradients", "optimizer_state", "activations", "workspace", "inputs", "framework"]
FIT_KEYS = ["verdict", "allowed_bytes", "headroom_bytes", "max_batch_size", "best_batch_size"]


def test_estimate_has_exactly_the_keys_of_the_contract():
    document = estimate_json(answers.PREDICTION)
    assert list(document) == ESTIMATE_KEYS
    assert list(document["model"]) == MODEL_KEYS
    assert set(document["plan"]) >= PLAN_KEYS
    assert (
        list(document["memory"])
        == (
            "allocator_peak_bytes first_step_peak_bytes shown_peak_bytes low_bytes high_bytes device_bytes parts "
            "host_bytes basis dominant_assumption"
        ).split()
    )
    assert list(document["memory"]["parts"]) == PART_KEYS
    assert list(document["fit"]) == FIT_KEYS
    assert (
        list(document["time"])
        == "step_s low_s high_s epoch_s total_s samples_per_s bound_by basis dominant_assumption".split()
    )
    assert list(document["textbook"]) == ["bytes", "why_it_differs", "rule_of_thumb_bytes"]


def test_estimate_keeps_values_and_null_for_unknown():
    document = json.loads(json.dumps(estimate_json(answers.PREDICTION)))
    assert document["schema"] == 1
    assert document["model"]["input_shapes"] == [[28, 28, 1]]
    assert document["plan"]["batch_size"] == 256
    assert document["plan"]["freeze"] == ["conv*"]
    assert document["plan"]["jit"] is None
    assert document["memory"]["host_bytes"] is None
    assert document["fit"]["verdict"] == "fits"
    assert document["time"]["step_s"] == 0.019


def of_contract(document, keys):
    """The keys of a document that the contract names, in their order; more may stand between them."""
    return [key for key in document if key in keys]


def test_bench_has_the_keys_of_the_contract():
    document = bench_json(answers.run())
    keys = ["schema", "outcome", "message", "model", "plan", "dataset", "measured", "predicted", "warnings", "run_id"]
    assert of_contract(document, keys) == keys
    assert of_contract(document["dataset"], ["name", "real", "samples"]) == ["name", "real", "samples"]
    measured = document["measured"]
    keys = ["step_s", "first_step_s", "samples_per_s", "epoch_s", "shares", "bound_by", "memory"]
    assert of_contract(measured, keys) == keys
    assert measured["step_s"] == {"median": 0.020, "low": 0.019, "high": 0.030, "n": 100}
    keys = ["input", "copy", "compute"]
    assert of_contract(measured["shares"], keys) == keys
    keys = ["allocator_peak_bytes", "held_bytes", "device_bytes", "host_bytes"]
    assert of_contract(measured["memory"], keys) == keys
    assert list(document["predicted"]) == ESTIMATE_KEYS
    assert document["run_id"] == 7


@pytest.mark.parametrize("result", [answers.NO_MEMORY, answers.CRASHED, answers.CANCELLED, answers.BROKEN_MODEL])
def test_a_run_without_an_answer_has_the_same_keys(result):
    document = bench_json(answers.run(result, prediction=None))
    assert set(document) == set(bench_json(answers.run()))
    assert document["measured"] is None
    assert document["predicted"] is None
    assert document["outcome"] == result.outcome
    assert document["message"] == result.problem.message
    assert list(document["model"]) == MODEL_KEYS


def test_advise_has_exactly_the_keys_of_the_contract():
    document = advise_json(answers.PREDICTION, answers.ADVICE)
    assert (
        list(document)
        == (
            "schema model plan fit bound_by basis recommendations upgrades waits stages nothing_to_gain "
            "electricity notes tried would_matter"
        ).split()
    )
    recommendation = document["recommendations"][0]
    assert (
        list(recommendation)
        == "id title why changes before after changes_result free keeps_model basis how gain_limit verifiable".split()
    )
    assert list(recommendation["after"]) == ["memory_bytes", "epoch_s", "low_s", "high_s", "total_s"]
    assert (
        list(document["upgrades"][0])
        == (
            "kind name fits max_batch_size epoch_s low_s high_s gain_limit price currency price_date "
            "break_even_hours why basis worth total_s total_low_s total_high_s cost energy_kwh energy_cost "
            "break_even_runs changes note price_source usable label answer"
        ).split()
    )


def test_doctor_and_rows_are_plain_json():
    document = doctor_json(Doctor(Machine(os="Linux"), (Interpreter("/usr/bin/python3"),), ()))
    assert list(document) == ["schema", "machine", "interpreters", "support", "probes", "track_record"]
    assert document["track_record"] is None
    assert json.loads(json.dumps(document))["interpreters"][0]["path"] == "/usr/bin/python3"
    assert rows_json("gpus", answers.MACHINE.gpus)["gpus"][0]["name"] == "RTX 2060"


def test_the_track_record_is_in_the_documents_of_runs_and_doctor():
    judged = Judged(102, 90, 110, 100)
    record = track_record([PastRun(7, "cnn", judged, None)])
    document = runs_json((), record)
    assert document["runs"] == []
    assert document["track_record"] == {
        "runs": 1,
        "inside": 1,
        "time": None,
        "memory": {
            "runs": 1,
            "median_error": judged.error,
            "inside": 1,
            "worst_error": judged.error,
            "worst_run_id": 7,
            "worst_model": "cnn",
        },
    }
    probe = DeviceProbe("cpu", "tensorflow 2.21", 700, None, 3, 1.0, 1.01)
    told = doctor_json(Doctor(Machine(), (), (), (probe,), record))
    assert told["probes"][0]["host_process_bytes"] == 700
    assert told["track_record"] == document["track_record"]


def test_printed_json_is_ascii_and_refuses_nan(capsys):
    print_json({"name": "Größe ✓"})
    text = capsys.readouterr().out
    assert text.isascii()
    assert json.loads(text) == {"name": "Größe ✓"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"x": float("nan")})


def test_data_that_the_child_made_up_is_not_called_real():
    run = answers.run()
    data = Dataset("mine", "npz", "/data/mine.npz", samples=64, real=True)
    run = replace(run, workload=replace(run.workload, dataset=data))
    assert bench_json(run)["dataset"]["real"] is True
    made_up = replace(run, result=replace(run.result, environment={"data": "made up"}))
    assert bench_json(made_up)["dataset"] == {"name": "mine", "real": False, "samples": 64}
