"""The JSON that scripts read: pure functions from answers to documents, schema 1.

The keys are a contract (README, "For scripts"): none is renamed or left out; ``None`` is "not available".
Bytes and seconds throughout.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

from app.cli.output_profile import profile_json
from app.cli.output_whole import measured_whole_json, predicted_whole_json
from app.core.types.accuracy import Accuracy
from app.core.types.advice import Advice, Effect, Recommendation
from app.core.types.captured import Captured
from app.core.types.measurement import Measurement
from app.core.types.plans import plan_to_json
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.predicted_time import PredictedTime
from app.core.types.prediction import Fit, Prediction
from app.core.types.run import Run, RunSummary
from app.core.types.stepgraph import ModelFacts
from app.core.types.track_record import TrackRecord
from app.core.types.visible import visible_json
from app.core.types.workload import Dataset, ModelRef
from app.services.machine.doctor import Doctor

if TYPE_CHECKING:
    from app.services.sharing.community import Community

SCHEMA = 1

Document = dict[str, Any]


def print_json(document: Document) -> None:
    """Print a document on stdout; plain ASCII, so that any console and any pipe takes it."""
    sys.stdout.write(visible_json(json.dumps(document, indent=2, allow_nan=False)) + "\n")


def community_json(found: Community) -> Document:
    """What was read of other people's runs, and how many files were left out for which reason."""
    counts = {name.name: getattr(found, name.name) for name in dataclasses.fields(found) if name.name != "runs"}
    return {"read": len(found.runs), "left_out": found.left_out, **counts}


def estimate_json(prediction: Prediction, deadline_s: float | None = None) -> Document:
    """The answer of ``estimate``, and how likely the training ends within a time."""
    return {
        "schema": SCHEMA,
        "model": model_json(prediction.model),
        "plan": plan_to_json(prediction.plan),
        "memory": _memory_json(prediction.memory, prediction.shown_peak_bytes),
        "fit": fit_json(prediction.fit),
        "time": _time_json(prediction.time),
        "textbook": {
            "bytes": prediction.textbook_bytes,
            "why_it_differs": prediction.textbook_reason or None,
            "rule_of_thumb_bytes": prediction.rule_of_thumb_bytes,
        },
        "captured": captured_json(prediction.model.captured),
        "whole": predicted_whole_json(prediction.whole, deadline_s),
    }


def captured_json(captured: Captured | None) -> Document | None:
    """What the model's author compiled and gave to ``fit``; None for a model of the catalog or a saved one."""
    if captured is None:
        return None
    said = {name: captured.get(name) for name in ("optimizer", "batch_size", "epochs", "precision")}
    return {
        "fit": captured.fit,
        "of": captured.of,
        "file": captured.file,
        "line": captured.line,
        **said,
        "samples": captured.samples,
        "prepared_s": captured.prepared_s,
        "told": list(captured.told),
        "of_is": captured.of_is,
        "cell": captured.cell,
        "in_loop": captured.in_loop,
        "other_lines": list(captured.other_lines),
        "trainings": [dataclasses.asdict(one) for one in captured.trainings],
        "times": captured.trainings_like_this,
    }


def bench_json(run: Run) -> Document:
    """The answer of ``bench``: a run, whatever its outcome."""
    result, predicted = run.result, run.prediction
    return {
        "schema": SCHEMA,
        "outcome": result.outcome,
        "message": result.problem.message if result.problem else "",
        "model": model_or_name_json(run),
        "plan": plan_to_json(run.workload.plan),
        "dataset": dataset_json(_as_read(run)),
        "measured": _measured_json(result.measurement) if result.measurement else None,
        "predicted": estimate_json(predicted) if predicted else None,
        "warnings": list(result.warnings),
        "run_id": run.run_id or None,
        "problem": dataclasses.asdict(result.problem) if result.problem else None,
        "whole": measured_whole_json(result.whole),
    }


def advise_json(prediction: Prediction, advice: Advice) -> Document:
    """The answer of ``advise``; recommendations and upgrades best first."""
    return {
        "schema": SCHEMA,
        "model": model_json(prediction.model),
        "plan": plan_to_json(prediction.plan),
        "fit": fit_json(advice.fit),
        "bound_by": advice.bound_by,
        "basis": advice.basis,
        "recommendations": [_recommendation_json(r) for r in advice.recommendations],
        "upgrades": [dataclasses.asdict(u) for u in advice.upgrades],
        "waits": advice.waits,
        "stages": [dataclasses.asdict(stage) for stage in advice.stages],
        "nothing_to_gain": advice.nothing_to_gain or None,
        "electricity": dataclasses.asdict(advice.electricity) if advice.electricity else None,
        "notes": list(advice.notes),
        "tried": [{**_recommendation_json(one.change), "reason": one.reason} for one in advice.tried],
        "would_matter": list(advice.would_matter),
    }


def doctor_json(doctor: Doctor) -> Document:
    """The answer of ``doctor``; ``--machine FILE`` reads it back."""
    return {
        "schema": SCHEMA,
        "machine": dataclasses.asdict(doctor.machine),
        "interpreters": [dataclasses.asdict(one) for one in doctor.interpreters],
        "support": [dataclasses.asdict(one) for one in doctor.support],
        "probes": [dataclasses.asdict(one) for one in doctor.probes],
        "track_record": record_json(doctor.track_record),
    }


def runs_json(rows: tuple[RunSummary, ...], record: TrackRecord | None) -> Document:
    """The answer of ``runs``: the list, and how good the predictions before the runs were."""
    return {**rows_json("runs", rows), "track_record": record_json(record)}


def record_json(record: TrackRecord | None) -> Document | None:
    """The product's own error: relative, the truth being 1; None without a run to compare."""
    return None if record is None else dataclasses.asdict(record)


def accuracy_json(known: Accuracy) -> Document:
    """The answer of ``accuracy``: stored tables, and what papers state."""
    return {"schema": SCHEMA, **dataclasses.asdict(known)}


def rows_json(name: str, rows: tuple[Any, ...]) -> Document:
    """The rows of a catalog, under its name."""
    return {"schema": SCHEMA, name: [dataclasses.asdict(row) for row in rows]}


def model_or_name_json(run: Run) -> Document:
    """A run's model as the child built it, or its name if none was traced."""
    return model_json(run.prediction.model) if run.prediction else _unread_model_json(run.workload.model)


def model_json(facts: ModelFacts) -> Document:
    """A model as the child built it."""
    return {
        "name": facts.name,
        "source": facts.source,
        "params": facts.params,
        "trainable_params": facts.trainable_params,
        "input_shapes": [list(shape) for shape in facts.input_shapes],
    }


def dataset_json(dataset: Dataset | None) -> Document:
    """The data of a run; without any, random values of the model's shape were used."""
    if dataset is None:
        return {"name": None, "real": False, "samples": None}
    return {"name": dataset.name, "real": dataset.real, "samples": dataset.samples}


def _as_read(run: Run) -> Dataset | None:
    """The data of a run, which is not real where the child could not read it and made it up."""
    dataset = run.workload.dataset
    made_up = run.result.environment.get("data") == "made up"
    return dataclasses.replace(dataset, real=False) if dataset is not None and made_up else dataset


def fit_json(fit: Fit) -> Document:
    """A verdict."""
    return {
        "verdict": fit.verdict,
        "allowed_bytes": fit.allowed_bytes,
        "headroom_bytes": fit.headroom_bytes,
        "max_batch_size": fit.max_batch_size,
        "best_batch_size": fit.best_batch_size,
    }


def _unread_model_json(model: ModelRef) -> Document:
    """A model that was never built, for example because its file is damaged."""
    return {
        "name": model.name,
        "source": model.path or "catalog",
        "params": None,
        "trainable_params": None,
        "input_shapes": None,
    }


def _memory_json(memory: PredictedMemory, shown_peak_bytes: int | None) -> Document:
    """Predicted memory."""
    return {
        "allocator_peak_bytes": memory.allocator_peak_bytes,
        "first_step_peak_bytes": memory.first_step_peak_bytes,
        "shown_peak_bytes": shown_peak_bytes,
        "low_bytes": memory.low_bytes,
        "high_bytes": memory.high_bytes,
        "device_bytes": memory.device_bytes,
        "parts": dataclasses.asdict(memory.parts),
        "host_bytes": memory.host_bytes,
        "basis": memory.basis,
        "dominant_assumption": memory.dominant_assumption,
    }


def _time_json(time: PredictedTime) -> Document:
    """Predicted time."""
    return {
        "step_s": time.step_s,
        "low_s": time.low_s,
        "high_s": time.high_s,
        "epoch_s": time.epoch_s,
        "total_s": time.total_s,
        "samples_per_s": time.samples_per_s,
        "bound_by": time.bound_by,
        "basis": time.basis,
        "dominant_assumption": time.dominant_assumption,
    }


def _measured_json(measured: Measurement) -> Document:
    """What a run measured."""
    step = measured.step
    return {
        "step_s": {"median": step.median_s, "low": step.low_s, "high": step.high_s, "n": step.n},
        "first_step_s": measured.first_step_s,
        "samples_per_s": measured.samples_per_s,
        "epoch_s": measured.epoch_s,
        "shares": dataclasses.asdict(measured.shares),
        "bound_by": measured.bound_by,
        "memory": dataclasses.asdict(measured.memory),
        "reference_move": measured.reference_move,
        "reference_s": measured.reference_s,
        "doubts": [dataclasses.asdict(doubt) for doubt in measured.doubts],
        "energy": dataclasses.asdict(measured.energy) if measured.energy else None,
        **profile_json(measured),
        "data": dataclasses.asdict(measured.data),
        "data_only_step_s": measured.data_only_step_s,
        "compute_only_step_s": measured.compute_only_step_s,
        "cpu_percent": measured.cpu_percent,
        "gpu_percent": measured.gpu_percent,
    }


def _effect_json(effect: Effect) -> Document:
    """Memory and time before or after a change."""
    return dataclasses.asdict(effect)


def _recommendation_json(recommendation: Recommendation) -> Document:
    """One recommendation."""
    return {
        "id": recommendation.id,
        "title": recommendation.title,
        "why": recommendation.why,
        "changes": dict(recommendation.changes),
        "before": _effect_json(recommendation.before),
        "after": _effect_json(recommendation.after),
        "changes_result": recommendation.changes_result,
        "free": recommendation.free,
        "keeps_model": recommendation.keeps_model,
        "basis": recommendation.basis,
        "how": recommendation.how or None,
        "gain_limit": recommendation.gain_limit,
        "verifiable": recommendation.verifiable,
    }
