"""Ask a child for one answer and turn its failure into an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.catalog import typed_json
from app.core.types.errors import BadDataset, BadModel, Cancelled, MissingModule, NeedsConsent, WorkerFailed
from app.core.types.faults import BAD_DATA
from app.core.types.messages import Done, Failed, Request
from app.core.types.plan import traced_names
from app.core.types.plans import plan_to_json
from app.core.types.text import verbatim
from app.core.types.workload import Workload
from app.services.child.child_options import ChildOptions
from app.services.child.variables import child_variables
from app.services.child.watch import Event
from app.services.child.worker_process import CancelFlag, run_worker

EventSink = Callable[[Event], None]

TRACE_TIMEOUT_S = 900.0
CALIBRATE_TIMEOUT_S = 180.0


def run_job(
    request: Request,
    device: str,
    options: ChildOptions,
    *,
    on_event: EventSink | None = None,
    cancel: CancelFlag | None = None,
    on_started: Callable[[int], None] | None = None,
    on_partial: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """Run a job of TensorFlow's in a child that sees one device only.

    Args:
        request: The job.
        device: ``cpu`` or ``gpu:N``.
        options: Whose Python, how long it may take and how much memory hold before it is ended.
        on_event: Hears what the child says before its answer.
        cancel: Ends the child.
        on_started: Called once with the child's process id.
        on_partial: Hears what a child that failed or was cancelled had found until then.

    Raises:
        BadModel: The model cannot be built; the child's words say why.
        BadDataset: The data cannot be what the model learns from.
        Cancelled: The user cancelled.
        WorkerFailed: The child died, took too much memory or failed otherwise.
    """
    environment = {**child_variables("tensorflow", device), **options.environment}
    ended = run_worker(
        request, replace(options, environment=environment), on_message=on_event, cancel=cancel, on_started=on_started
    )
    if isinstance(ended, Done):
        return ended.result
    if ended.partial is not None and on_partial is not None:
        on_partial(ended.partial)
    raise failure_as_error(ended)


def failure_as_error(failed: Failed) -> Exception:
    """The error that fits a child's failure."""
    if failed.kind == "cancelled":
        return Cancelled(verbatim("cancelled"))
    kind = {"bad_model": BadModel, "needs_consent": NeedsConsent, **dict.fromkeys(BAD_DATA, BadDataset)}.get(
        failed.kind, WorkerFailed
    )
    told = failed.where is None or failed.where in failed.hint
    message = failed.message if told else f"{failed.message} ({failed.where})"
    if failed.missing_module and kind is BadModel:
        lacking = MissingModule(verbatim(message), hint=failed.hint)
        lacking.module = failed.missing_module.partition(".")[0]
        return lacking
    return kind(verbatim(message), expected=failed.expected, received=failed.received, hint=failed.hint)


def trace_request(workload: Workload, *, as_written: bool = False) -> Request:
    """The job that traces a workload's model: of a script another one, which runs it.

    Args:
        workload: What is asked about.
        as_written: Leave the precision to the model's author.
    """
    told = plan_to_json(workload.plan)
    if as_written:
        del told["precision"]
    arguments = {
        "model": typed_json.plain(workload.model),
        "input_shape": workload.input_shape,
        "classes": workload.classes,
        "dataset": typed_json.plain(workload.dataset) if workload.dataset else None,
        **{name: told[name] for name in traced_names() if name in told},
    }
    return Request("script" if workload.model.kind == "script" else "trace", arguments)


def bench_arguments(workload: Workload, seconds: float) -> dict[str, Any]:
    """The arguments of the child's ``bench`` job."""
    arguments: dict[str, Any] = typed_json.plain(workload.plan)
    arguments["model"] = typed_json.plain(workload.model)
    arguments["dataset"] = typed_json.plain(workload.dataset)
    arguments["input_shape"] = workload.input_shape
    arguments["classes"] = workload.classes
    arguments["seconds"] = seconds
    return arguments
