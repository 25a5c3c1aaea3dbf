"""Runs in a child with real TensorFlow: jobs for many functions of one file, one after the other.

Input (stdin): {"path", "cases": {name: {"function", "job" (``trace`` if none is named), the job's arguments}}}.  The
last line of stdout says what became of each case: of a trace the model's facts and the most memory that was held.
"""

from __future__ import annotations

import dataclasses
import json
import os
import resource
import sys
from typing import Any

from app.core.types.messages import Done, Request
from app.core.types.text import to_plain
from app.worker.channel import Channel
from app.worker.main import JOBS, run_job
from tests.fakes.own_code import own_model


def main() -> None:
    asked = json.load(sys.stdin)
    path = asked["path"]
    found = {name: answer(path, arguments) for name, arguments in asked["cases"].items()}
    print("\n" + json.dumps(found))


def answer(path: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What the job says, without the operations, which are many."""
    made = own_model(path, arguments.pop("function"))
    model = dataclasses.asdict(made) | {"arguments": tuple(arguments.pop("arguments", ()))}
    job = arguments.pop("job", "trace")
    with open(os.devnull, "wb") as nowhere, open(os.devnull, "rb") as nothing:
        ended = run_job(Request(job, {"model": model, **arguments}), Channel(nowhere, nothing), JOBS)
    if not isinstance(ended, Done):
        return {field.name: to_plain(getattr(ended, field.name)) for field in dataclasses.fields(ended)}
    if job == "bench":
        return ended.result
    graph = ended.result
    return {
        **graph["model"],
        "operations": len(graph["operations"]),
        "gradients": sum(v["gradient"] is not None for v in graph["variables"]),
        "held_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


if __name__ == "__main__":
    main()
