"""The words of ``--compare``."""

import pytest

from app.core.advising.variants import Here, read_wishes, variants
from app.core.types.errors import InvalidWorkload, UsageError
from app.core.types.workload import Plan

HERE = Here("cpu", False, 8, gpus=(), real_data=True)


@pytest.mark.parametrize(
    ("texts", "wishes"),
    [
        (["xla"], {"xla": ()}),
        (["xla,threads"], {"xla": (), "threads": ()}),
        (["precision=float32,mixed_float16"], {"precision": ("float32", "mixed_float16")}),
        (["threads=1,2,xla", "data"], {"threads": (1, 2), "xla": (), "data": ()}),
        (["device=cpu,gpu:1,precision=float32"], {"device": ("cpu", "gpu:1"), "precision": ("float32",)}),
    ],
)
def test_names_and_lists_are_read(texts, wishes):
    assert read_wishes(texts) == wishes


@pytest.mark.parametrize("text", ["colour", "", "xla,colour", "colour=red", "xla,on"])
def test_what_cannot_be_compared_is_refused(text):
    with pytest.raises(UsageError, match="cannot compare"):
        read_wishes([text])


@pytest.mark.parametrize("text", ["threads=0", "threads=two", "xla=yes", "precision=float8", "device=tpu", "data=tape"])
def test_impossible_values_are_refused(text):
    with pytest.raises(UsageError):
        read_wishes([text])


def test_each_setting_is_changed_by_itself():
    found = variants(Plan(batch_size=8), read_wishes(["xla,precision,threads"]), HERE)
    assert [(v.label, v.plan.jit, v.plan.precision, v.plan.threads) for v in found] == [
        ("XLA off · float32 · 8 threads", False, "float32", 8),
        ("XLA on", True, "float32", 8),
        ("mixed_float16", False, "mixed_float16", 8),
        ("mixed_bfloat16", False, "mixed_bfloat16", 8),
        ("4 threads", False, "float32", 4),
        ("1 thread", False, "float32", 1),
    ]
    assert all(v.plan.batch_size == 8 for v in found)


def test_the_plans_own_value_is_what_others_are_held_against():
    found = variants(Plan(precision="mixed_float16"), read_wishes(["precision"]), HERE)
    assert [v.label for v in found] == ["mixed_float16", "float32", "mixed_bfloat16"]
    listed = variants(Plan(precision="mixed_float16"), read_wishes(["precision=float32,mixed_float16"]), HERE)
    assert [v.label for v in listed] == ["float32", "mixed_float16"]


def test_devices_and_caches():
    assert [v.plan.device for v in variants(Plan(), read_wishes(["device"]), HERE)] == ["cpu", "gpu:0"]
    cards = Here("gpu:1", True, 8, gpus=(0, 1))
    assert [v.label for v in variants(Plan(), read_wishes(["device"]), cards)] == ["gpu:1", "cpu", "gpu:0"]
    assert [v.plan.cache for v in variants(Plan(), read_wishes(["data"]), HERE)] == ["none", "ram"]
    with pytest.raises(UsageError, match="made up"):
        variants(Plan(), read_wishes(["data"]), cards)


def test_one_value_is_nothing_to_compare():
    with pytest.raises(UsageError, match="nothing to compare"):
        variants(Plan(), read_wishes(["threads"]), Here("cpu", False, 1))
    with pytest.raises(UsageError, match="nothing to compare"):
        variants(Plan(), read_wishes(["xla=on"]), HERE)


def test_another_framework_has_its_own_compiler_and_no_thread_count():
    torch = variants(Plan(backend="torch"), read_wishes(["xla"]), HERE)
    assert [(v.label, v.plan.jit) for v in torch] == [("torch.compile off", False), ("torch.compile on", True)]
    assert [v.label for v in variants(Plan(backend="jax"), read_wishes(["xla"]), HERE)] == ["XLA off", "XLA on"]
    with pytest.raises(InvalidWorkload, match="threads"):
        variants(Plan(backend="jax"), read_wishes(["threads"]), HERE)
