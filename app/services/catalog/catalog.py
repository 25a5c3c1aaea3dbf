"""The tables with the user's own rows, and models and data by name, file or function."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.catalog.accuracy import load_accuracy
from app.catalog.clouds import CloudOffer, load_clouds
from app.catalog.datasets import load_datasets
from app.catalog.gpus import load_gpus
from app.catalog.models import ModelEntry, load_models
from app.core.types.accuracy import Accuracy
from app.core.types.errors import BadModel
from app.core.types.machine import GpuSpec
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.catalog.cloud_refresh import refresh_clouds
from app.services.datasets import find as dataset_find
from app.services.datasets.scan import Report
from app.services.models import find as model_find
from app.services.models.consent import TrustStore
from app.services.models.own_code import OwnCode, read_own
from app.services.models.scripts import RUN_SUFFIXES


class Catalog:
    """Reads the tables anew each time, so that a change of the user's rows counts at once.

    Args:
        overrides: The folder of the user's own tables.
        trust: The files of code that the user has allowed to run.

    Attributes:
        trust: Likewise.
    """

    def __init__(self, overrides: Path, trust: TrustStore) -> None:
        self._overrides = overrides
        self.trust = trust

    def models(self) -> tuple[ModelEntry, ...]:
        """The catalog's networks."""
        return load_models(self._overrides)

    def datasets(self) -> tuple[Dataset, ...]:
        """The catalog's datasets."""
        return load_datasets(self._overrides)

    def gpus(self) -> tuple[GpuSpec, ...]:
        """The card table."""
        return load_gpus(self._overrides)

    def clouds(self) -> tuple[CloudOffer, ...]:
        """The table of offers."""
        return load_clouds(self._overrides)

    def accuracy(self) -> Accuracy:
        """How good the predictions of this version were when they were last compared with measured runs."""
        return load_accuracy()

    def entry(self, workload: Workload) -> ModelEntry | None:
        """The catalog's entry of a workload's model; None for files and functions."""
        if workload.model.kind != "catalog":
            return None
        return next((entry for entry in self.models() if entry.name == workload.model.name), None)

    def refresh_clouds(self, folder: Path) -> int:
        """Take offers from a folder of gpuhunt's tables; returns how many.  Nothing is fetched.

        Raises:
            StoreError: The tables cannot be read, or ours not be written.
        """
        return refresh_clouds(folder, self._overrides, self.gpus())

    def find_model(
        self,
        text: str,
        *,
        trust: bool = False,
        arguments: Sequence[str] = (),
        module: bool = False,
        values: Sequence[str] = (),
    ) -> ModelRef:
        """A catalog name, a saved file, ``file.py:function``, or a script with its arguments.

        Args:
            text: What the user typed or dropped.
            trust: The user allows this file to run its code; remembered for the file as it is now.
            arguments: Of a script, its own.
            module: The text is the name of a script's module.
            values: Of a function's arguments, ``name=value`` each.

        Raises:
            BadModel: There is nothing of that name.
        """
        entries = self.models()
        model = model_find.find_model(text, entries, trust=trust, arguments=arguments, module=module, values=values)
        if model.path is None:
            return model
        return replace(model, trusted=self._trusted(model.path, trust))

    def own_code(self, text: str) -> OwnCode | None:
        """What a script or notebook, or the file of ``file.py:function``, holds now; None for anything else.

        Raises:
            BadModel: The file cannot be read.
        """
        code = model_find.CODE.fullmatch(text.strip().strip("\"'"))
        path = Path(os.path.expanduser(code["path"] if code is not None else text))
        return read_own(str(path)) if path.suffix.lower() in RUN_SUFFIXES and path.is_file() else None

    def find_dataset(
        self, text: str, report: Report | None = None, cancel: threading.Event | None = None, *, trust: bool = False
    ) -> Dataset:
        """A catalog name, a shape such as ``28x28x1:60000:10``, a folder or file, which is scanned, or a function.

        Args:
            text: What the user typed.
            report: Called with (share done or None, words) while a folder is scanned.
            cancel: Ends the scan.
            trust: The user allows a ``file.py:function`` to run; remembered for the file as it is now.

        Raises:
            BadDataset: There is no such data, or it cannot be read.
        """
        found = dataset_find.find_dataset(text, self._overrides, report, cancel, trust=trust)
        if found.kind != "code" or found.path is None:
            return found
        return replace(found, trusted=self._trusted(found.path, trust))

    def _trusted(self, path: str, trust: bool) -> bool:
        """May a file run its code: now allowed, or before and unchanged since?"""
        try:
            own = read_own(path)
        except BadModel:
            if trust:
                raise
            return False  # the child says what is wrong with it
        if trust:
            self.trust.remember(own)
        return trust or self.trust.knows(own)
