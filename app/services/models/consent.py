"""Which files the user lets run their code: remembered by what is in them; a changed file is asked about again.

A function of the user's file makes a model or a dataset, and opening it runs the file; so does a saved model with a
Lambda layer.  Consent is given to content (SHA-256), wherever it lies: to the file's and to that of the modules of
its folder that it imports.  The digests go along to the child, which compares them with the very bytes that it
compiles (`app.worker.models.own.beside`).  Installed packages, and data that the code reads, are not covered.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from app.core.types.errors import BadDataset, BadModel, UsageError
from app.core.types.text import phrase
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.models.own_code import OwnCode, read_own
from app.services.store.json_store import JsonStore


@dataclass(frozen=True)
class Consent:
    """What the user has let run.

    Attributes:
        given: When, in UTC.
        path: Where the file lay then; empty in a list of an older version.
        files: SHA-256 by path relative to the file's folder; its own first.
    """

    given: str
    path: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


class TrustStore:
    """Contents that the user has let run.

    Args:
        path: A JSON file; made when the first file is trusted.  Where it cannot be written, what was trusted counts
            as long as this object lives.
    """

    def __init__(self, path: Path) -> None:
        self._store: JsonStore[Consent | str] = JsonStore(path, Consent | str)  # type: ignore[arg-type]

    def knows(self, own: OwnCode) -> bool:
        """Has the user let exactly this run?"""
        return self._store.load(own.key) is not None

    def remember(self, own: OwnCode) -> None:
        """Let a file run from now on as it was read, as long as nobody changes it."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.save(own.key, Consent(now, os.path.realpath(own.path), own.digests))

    def all(self) -> tuple[Consent, ...]:
        """Everything that was let run, the oldest first."""
        kept = self._store.all().items()
        found = (one if isinstance(one, Consent) else Consent(one, files={"": key}) for key, one in kept)
        return tuple(sorted(found, key=lambda one: (one.given, one.path)))

    def withdraw(self, path: str) -> tuple[Consent, ...]:
        """Let no version of a file run any more; whoever asks for it is asked again.

        Raises:
            UsageError: Nothing of this file was ever let run.
        """
        place = os.path.realpath(os.path.expanduser(path))
        try:
            now = read_own(place).key
        except BadModel:
            now = ""
        kept = self._store.all()
        gone = {key: one for key, one in kept.items() if key == now or (isinstance(one, Consent) and one.path == place)}
        if not gone:
            raise UsageError(
                phrase("this file was not allowed to run"),
                received=path,
                hint=phrase("`willittrain trust list` shows what was"),
            )
        self._store.drop(gone)
        return tuple(one if isinstance(one, Consent) else Consent(one, place) for one in gone.values())

    def require(self, workload: Workload) -> Workload:
        """The workload with the digests of what may run, for the child.

        Raises:
            BadModel: The model's file, or a module that it imports, is not what the user let run.
            BadDataset: Likewise of the data's file.
        """
        model, data = workload.model, workload.dataset
        model = replace(model, consent=self._digests(model) if model.trusted else ())
        if data is not None:
            data = replace(data, consent=self._digests(data) if data.trusted else ())
        return replace(workload, model=model, dataset=data)

    def _digests(self, asked: ModelRef | Dataset) -> tuple[str, ...]:
        """Of a file as it is now, if that was let run."""
        path = asked.path or ""
        try:
            own = read_own(path)
        except BadModel:
            own = None
        if own is not None and self.knows(own):
            return tuple(own.digests.values())
        hint = phrase("open it again, to look at it and to let it run")
        if isinstance(asked, ModelRef):
            raise BadModel(phrase("the model's file is not the one that you let run"), received=path, hint=hint)
        raise BadDataset(phrase("the data's file is not the one that you let run"), received=path, hint=hint)
