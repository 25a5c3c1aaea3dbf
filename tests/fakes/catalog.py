"""A recorded catalog: four networks, two datasets, three cards; the user's files are looked at as they are."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.catalog.models import ModelEntry
from app.core.types.errors import BadDataset, BadModel, Cancelled
from app.core.types.machine import GpuSpec
from app.core.types.text import verbatim
from app.core.types.workload import Dataset, ModelKind, ModelRef
from app.services.catalog.catalog import Catalog
from app.services.datasets.code import code_dataset
from app.services.datasets.scan import Report
from app.services.models.consent import TrustStore
from app.services.models.scripts import RUN_SUFFIXES
from app.services.settings import Settings
from tests.fakes.figures import DATASETS, GPUS, MODELS
from tests.fakes.script import Script


class FakeCatalog(Catalog):
    """The catalog, recorded."""

    def __init__(self, script: Script, settings: Settings) -> None:
        super().__init__(settings.tables_dir, TrustStore(settings.folders.config_dir / "trusted.json"))
        self.script = script

    def models(self) -> tuple[ModelEntry, ...]:
        self.script.note("models")
        return MODELS

    def datasets(self) -> tuple[Dataset, ...]:
        self.script.note("datasets")
        return DATASETS

    def gpus(self) -> tuple[GpuSpec, ...]:
        self.script.note("gpus")
        return GPUS

    def find_model(
        self,
        text: str,
        *,
        trust: bool = False,
        arguments: Sequence[str] = (),
        module: bool = False,
        values: Sequence[str] = (),
    ) -> ModelRef:
        self.script.note("find_model")
        path = Path(text.partition(":")[0])
        if not path.exists():
            raise BadModel(verbatim("there is no such model file"), received=text, hint=verbatim("choose another file"))
        function = text.partition(":")[2] or None
        trusted = self._trusted(str(path), trust)
        kind: ModelKind = "code" if function else "script" if path.suffix in RUN_SUFFIXES else "file"
        return ModelRef(kind, Path(text).name, str(path), function, trusted=trusted)

    def find_dataset(
        self, text: str, report: Report | None = None, cancel: threading.Event | None = None, *, trust: bool = False
    ) -> Dataset:
        self.script.note("find_dataset")
        own = code_dataset(text, trust=trust)
        if own is not None:
            return replace(own, trusted=self._trusted(own.path or "", trust))
        if report is not None:
            report(0.5, "reading headers")
        if cancel is not None and cancel.wait(self.script.scan_s):
            raise Cancelled(verbatim("cancelled"))
        files = sorted(Path(text).rglob("*.jpg"))
        if not files:
            expected = "a folder per class with images"
            raise BadDataset(
                verbatim("no images found"), expected=expected, received=text, hint=verbatim("pick another")
            )
        count = len(files)
        return Dataset(Path(text).name, "images", text, count, (32, 32, 3), "uint8", 2, 10**6, count, real=True)
