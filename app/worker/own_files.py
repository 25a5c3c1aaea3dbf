"""The ``trace`` job, with word of which of the user's files were imported: an edit of any of them is another model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.worker.models.own.beside import loaded_beside
from app.worker.tracing import trace

if TYPE_CHECKING:
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """The answer of `app.worker.tracing.trace`, and for a user's function ``own_files``: SHA-256 by relative path."""
    answer = trace.run(arguments, channel)
    model = arguments["model"]
    if model.get("kind") == "code" and model.get("path"):
        answer["own_files"] = loaded_beside(Path(model["path"]))
    return answer
