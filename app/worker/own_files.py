"""The ``trace`` job, with word of which of the user's files were imported or read: an edit of any is another model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.worker.models.own.beside import loaded_beside
from app.worker.models.own.read_files import ReadFiles
from app.worker.tracing import trace

if TYPE_CHECKING:
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """The answer of `app.worker.tracing.trace`, and for a user's function which files decide about it.

    These are ``own_files``, what was imported, with SHA-256 by relative path; and ``read_files``
    (`app.worker.models.own.read_files`).
    """
    model = arguments["model"]
    if model.get("kind") != "code" or not model.get("path"):
        return trace.run(arguments, channel)
    path = Path(model["path"])
    read = ReadFiles(path)
    answer = trace.run(arguments, channel)
    return {**answer, "own_files": loaded_beside(path), "read_files": read.told()}
