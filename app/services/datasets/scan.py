"""Looking into a folder or file of data: in a child, for the file may be a stranger's and nobody knows what it holds.

The child loads no framework; it starts in a fifth of a second.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.catalog import typed_json
from app.core.pipeline import scan_limits
from app.core.types.errors import WorkerFailed
from app.core.types.messages import Progress, Request
from app.core.types.plausible import Implausible, check_plausible
from app.core.types.text import phrase, verbatim
from app.core.types.units import format_bytes, format_seconds
from app.core.types.workload import Dataset
from app.services.child.child_jobs import run_job
from app.services.child.child_options import ChildOptions
from app.services.child.watch import Event
from app.services.child.worker_process import CancelFlag

Report = Callable[[float | None, str], None]
"""Called with the share that is done (None: unknown) and what is happening."""
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Nothing is multiplied there, and each of NumPy's threads would reserve memory."""


def scan_dataset(path: str | Path, report: Report | None = None, cancel: CancelFlag | None = None) -> Dataset:
    """Look at the user's data without reading all of it.

    Args:
        path: A folder or file.
        report: Hears of progress.
        cancel: Ends the scan.

    Raises:
        BadDataset: There is nothing that can be trained on.
        Cancelled: The user cancelled.
        WorkerFailed: The child ran out of memory or time, or died.
    """
    root = Path(os.path.expanduser(path)).absolute()
    time_s = scan_limits.scan_time_s(root.stat().st_size if root.is_file() else None)
    arguments = {"path": str(root), "memory_bytes": scan_limits.MEMORY_BYTES, "time_s": time_s}

    def hear(event: Event) -> None:
        if report is not None and isinstance(event, Progress):
            report(event.fraction or None, event.text)

    options = ChildOptions(environment=_ONE_THREAD, limit_bytes=scan_limits.MEMORY_BYTES, timeout_s=time_s)
    try:
        found = run_job(Request("scan", arguments), "cpu", options, on_event=hear, cancel=cancel)
        dataset = typed_json.convert(found, Dataset)
        check_plausible(dataset)
    except (WorkerFailed, msgspec.ValidationError, Implausible) as error:
        most = {"memory": format_bytes(scan_limits.MEMORY_BYTES), "time": format_seconds(time_s)}
        raise WorkerFailed(
            phrase("looking into {name} came to no end", name=root.name),
            expected=phrase("data that can be looked into within {memory} of memory and {time}", **most),
            received=error.message if isinstance(error, WorkerFailed) else verbatim(str(error)),
            hint=phrase("check that it is what its name says, or describe it, such as 28x28x1:60000:10"),
        ) from error
    return dataset
