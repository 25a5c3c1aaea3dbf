"""Fuzzed: files that this program keeps, which another version, a full disk or a person may have changed."""

from __future__ import annotations

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from app.catalog.clouds import load_clouds
from app.catalog.gpuhunt import COLUMNS, read_offers
from app.catalog.gpus import load_gpus
from app.catalog.prices import load_prices
from app.cli.measured_file import read_measured
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.simulate.device import choose_device
from app.core.types.advice import Upgrade
from app.core.types.errors import BadModel, StoreError, UsageError, WillItTrainError
from app.core.types.machine import DeviceRates, TimedOperation
from app.core.types.plausible import check_plausible
from app.core.types.workload import ModelRef
from app.services.advice.own_prices import change_price
from app.services.models.consent import TrustStore
from app.services.models.own_code import read_own
from app.services.sharing.shared_reading import NotShared, read_shared
from app.services.sharing.shared_run import shared_document
from app.services.sharing.shown import shown_run
from app.services.store.compressed_store import CompressedStore
from app.services.store.graph_store import GraphStore
from app.services.store.history import History
from app.services.store.json_store import JsonStore
from app.services.store.refined_store import RefinedStore
from app.services.store.simulated_store import SimulatedStore
from tests.cli import answers
from tests.core.graphs import chain_graph
from tests.fuzz.mutation import as_json, wild_json
from tests.fuzz.target import Target, given_file, of_bytes

REFINED = {
    "compiled": False,
    "batch_sizes": [8, 16],
    "unmatched_share": 0.0,
    "cap_share": 1.1,
    "framework": "x",
    "seconds": 2.0,
    "peaks": [
        {"batch_size": 8, "first_bytes": 100, "later_bytes": [110, 120]},
        {"batch_size": 16, "first_bytes": 200, "later_bytes": [210, 220]},
    ],
}
SHARED = shared_document(
    shown_run(replace(answers.run(), workload=replace(answers.WORKLOAD, model=ModelRef("catalog", "mlp"))))
)
RUN_FILE = {
    "schema": 1,
    "plan": {"batch_size": 32},
    "measured": {
        "step_s": {"median": 0.02, "low": 0.01, "high": 0.03, "n": 9},
        "first_step_s": 1.0,
        "samples_per_s": 900.0,
        "epoch_s": 60.0,
        "shares": {"input": 0.2, "copy": 0.1, "compute": 0.7},
        "bound_by": "compute",
        "memory": {"allocator_peak_bytes": 1000, "host_bytes": 2000},
    },
}
OFFERS = (
    f"{','.join(COLUMNS)},cpu\n".encode() + b"g5.xlarge,1.20,1,A10G,24,16,False,4\ng5.xlarge,0.40,1,A10G,24,16,True,4\n"
    b"plain,0.1,0,,,16,False,4\n"
)
RATES = {"cpu": {"device": "cpu", "framework": "x", "matmul_flops_per_s": 1e11}}
TIMED = {"key": [{"family": "MatMul", "dimensions": [2, 3, 4], "work": 48, "seconds": 0.1}]}
CODE = b'"""A net."""\nimport keras\n\ndef build(classes: int = 3):\n    return keras.Sequential([])\n'


@cache
def _database() -> bytes:
    """A history of two runs, its log written back."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "history.sqlite3"
        for _ in range(2):
            History(path).add(answers.run())
        with closing(sqlite3.connect(path)) as store:
            store.execute("PRAGMA journal_mode = DELETE")
        return path.read_bytes()


@st.composite
def damaged_database(draw: st.DrawFn) -> bytes:
    """A history with some bytes changed anywhere, or cut off; damage at its head is met more often."""
    data = bytearray(_database())
    for _ in range(draw(st.integers(0, 12))):
        at = draw(st.one_of(st.integers(0, 120), st.integers(0, len(data) - 1)))
        data[at : at + 4] = draw(st.binary(min_size=0, max_size=4)).ljust(4, b"\0")
    if draw(st.booleans()):
        del data[draw(st.integers(0, len(data))) :]
    return bytes(data)


def history_file(content: bytes) -> None:
    """A damaged history is set aside or told; whatever is not, answers."""
    with given_file(content, "history.sqlite3") as path:
        history = History(path)
        asks: tuple[Callable[[], object], ...] = (
            history.list,
            lambda: history.list("x"),
            lambda: history.get(1),
            history.track_record,
            history.export,
            lambda: history.runs_of_model(answers.WORKLOAD),
            lambda: history.add(answers.run()),
            lambda: history.set_note(1, "note"),
        )
        for ask in asks:
            with suppress(StoreError, UsageError):
                ask()


def kept_json(content: bytes) -> None:
    """A damaged file of rates, timings or trust is as good as none."""
    kinds: tuple[tuple[Any, str], ...] = ((DeviceRates, "cpu"), (list[TimedOperation], "key"), (str, "digest"))
    for kind, key in kinds:
        with given_file(content, "kept.json") as path:
            store: JsonStore[Any] = JsonStore(path, kind)
            store.load(key)
    with given_file(content, "trust.json") as path:
        if TrustStore(path).knows(read_own(str(path))):
            raise AssertionError("a damaged list of trust lets its own file run")


def packed(content: bytes) -> None:
    """A damaged packed file is removed and made again."""
    for kind in (GraphStore, RefinedStore, SimulatedStore):
        with given_file(content, "key.json.gz") as path:
            store: CompressedStore[Any] = kind(path.parent)
            if store.load("key") is None and path.exists():
                raise AssertionError("what cannot be read stays")


def refined_answer(document: Any) -> None:
    """A refined answer is whole and can be calculated with, or is as good as none."""
    with given_file(gzip.compress(as_json(document), 1), "key.json.gz") as path:
        refined = RefinedStore(path.parent).load("key")
    if refined is not None:
        check_plausible(refined)
        for batch in (1, 12, 64):
            if refined.answers(batch):
                refined.peak(batch)


def shared_run(content: bytes) -> None:
    """What a stranger's file lets in can be calculated with, as a run of one's own."""
    with suppress(NotShared):
        run = read_shared(content)
        if run is not None:
            choose_device(run.machine, run.workload.plan.device)
            asked = replace(run.workload, plan=replace(run.workload.plan, device="cpu"))
            with suppress(WillItTrainError):
                Estimator(chain_graph()).predict(asked, answers.MACHINE, Knowledge(), brief=True)


def measured_run(content: bytes) -> None:
    """A run from a file is sound, or is refused."""
    with given_file(content, "run.json") as path, suppress(UsageError):
        found = read_measured(str(path), 32)
        check_plausible(found)
        if not found.step.low_s <= found.step.median_s <= found.step.high_s or found.step.n < 1:
            raise AssertionError(f"steps of {found.step}")


def offers(content: bytes) -> None:
    """A provider's table gives offers that can be compared, or is refused."""
    with given_file(content, "aws.csv") as path, suppress(StoreError):
        for offer in read_offers(path.parent, load_gpus()):
            check_plausible(offer)
            if not (offer.gpu_count > 0 and offer.ram_bytes > 0 and offer.usd_per_hour > 0):
                raise AssertionError(f"an offer of {offer}")


_UNKNOWN = (True, 64, None, None, None, None)
PART = Upgrade("gpu", "GeForce RTX 3060 12GB", *_UNKNOWN, 280.0, "USD", "2025-06")
RENTED = Upgrade("cloud", "aws g5.xlarge", *_UNKNOWN, 1.01, "USD", "2025")


def own_price(content: bytes) -> None:
    """A price is put into a person's own table, or that is refused and the table stays."""
    for name, upgrade, load in (("prices.csv", PART, load_prices), ("clouds.csv", RENTED, load_clouds)):
        with given_file(content, name) as path:
            try:
                load(path.parent)
            except StoreError:
                continue
            try:
                change_price(path.parent, upgrade, 99.0, "USD", "2026-01-01")
            except WillItTrainError:
                if path.read_bytes() != content:
                    raise AssertionError("the table was changed all the same") from None
                continue
            load(path.parent)


def code_file(content: bytes) -> None:
    """A file of Python is looked at without running it."""
    with given_file(content, "net.py") as path, suppress(BadModel):
        read_own(str(path)).functions()


PRICES = b"kind,name,price,currency,price_date,source\ngpu,GeForce RTX 3060 12GB,300,EUR,2026-01,me\n"
CLOUDS = (
    b"provider,instance,gpu,gpu_count,vram_gib_per_gpu,vcpus,ram_gib,usd_per_hour,usd_per_hour_spot,price_date,source\n"
    b"aws,g5.xlarge,A10G,1,24,4,16,1.01,,2026-01,me\n"
)
KEPT_TARGETS: tuple[Target, ...] = (
    of_bytes("shared_run", [SHARED], shared_run),
    Target("shared_values", wild_json([json.loads(SHARED)]).map(as_json), shared_run),
    Target("history_file", damaged_database(), history_file),
    of_bytes("kept_json", [as_json(RATES), as_json(TIMED), b'{"digest": "2026-01-01T00:00:00+00:00"}'], kept_json),
    of_bytes("packed", [gzip.compress(as_json(REFINED)), gzip.compress(b"[]"), gzip.compress(b"[" * 5000)], packed),
    Target("refined_answer", wild_json([REFINED]), refined_answer),
    of_bytes("measured_run", [as_json(RUN_FILE), b'{"step_s": {"median": 0.1}}'], measured_run),
    Target("measured_values", wild_json([RUN_FILE]).map(as_json), measured_run),
    of_bytes("offers", [OFFERS], offers),
    of_bytes("own_price", [PRICES, CLOUDS], own_price),
    of_bytes("code_file", [CODE], code_file),
)
