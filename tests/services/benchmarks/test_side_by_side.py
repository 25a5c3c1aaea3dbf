"""Whether several children fit at once."""

from dataclasses import replace

from app.core.types.predicted_memory import MemoryParts
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.benchmarks.side_by_side import fit_together, host_need_bytes
from tests.cli.answers import PREDICTION

WORK = Workload(ModelRef("catalog", "x"), None, Plan(device="cpu"))
HOST = replace(
    PREDICTION,
    memory=replace(
        PREDICTION.memory,
        allocator_peak_bytes=2 * GIB,
        high_bytes=3 * GIB,
        process_bytes=GIB,
        parts=MemoryParts(),
        on_host=True,
    ),
    fit=replace(PREDICTION.fit, device_name="CPU"),
)
CARD = replace(
    PREDICTION,
    memory=replace(
        PREDICTION.memory,
        allocator_peak_bytes=1 * GIB,
        high_bytes=1 * GIB,
        process_bytes=GIB,
        parts=MemoryParts(framework=GIB // 2),
    ),
    fit=replace(PREDICTION.fit, allowed_bytes=4 * GIB),
)


def test_upper_ends_count_on_the_host():
    assert host_need_bytes(WORK, HOST) == 4 * GIB
    assert fit_together([(WORK, HOST)] * 2, 8 * GIB)
    assert not fit_together([(WORK, HOST)] * 2, 8 * GIB - 1)


def test_what_is_not_known_does_not_fit():
    assert not fit_together([(WORK, HOST), (WORK, None)], 1 << 60)
    assert not fit_together([(WORK, HOST)], None)


def test_a_card_that_is_not_there_is_in_nobodys_way():
    missing = replace(WORK, plan=Plan(device="gpu:7"))
    assert fit_together([(WORK, HOST), (missing, None)], 4 * GIB)


def test_what_does_not_fit_alone_is_in_nobodys_way():
    memory, fit = replace(HOST.memory, process_bytes=1 << 60), replace(HOST.fit, verdict="does_not_fit")
    hopeless = replace(HOST, memory=memory, fit=fit)
    assert fit_together([(WORK, HOST), (WORK, hopeless)], 4 * GIB)


def test_children_on_a_card_each_have_a_context():
    assert fit_together([(WORK, CARD)] * 3, 1 << 60)  # 3 GiB and two more contexts of 4
    assert not fit_together([(WORK, CARD)] * 4, 1 << 60)
    assert fit_together([(WORK, CARD)] * 3 + [(WORK, HOST)], 1 << 60)


def test_a_cache_in_ram_counts():
    cached = replace(WORK, plan=Plan(cache="ram"), dataset=Dataset("d", samples=1000, sample_shape=(100, 100, 3)))
    more = host_need_bytes(cached, HOST)
    assert more is not None
    assert more == 4 * GIB + 1000 * 100 * 100 * 3 * 4
    assert host_need_bytes(replace(cached, dataset=Dataset("d")), HOST) is None
