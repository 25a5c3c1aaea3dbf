"""A window's settings file that a person, another version or a broken disk has changed."""

import pytest

from app.ui.kit.resources import window_dir
from app.ui.session.ui_settings import DEFAULT_SECONDS, WindowSettings

TEXTS = ("[" * 100_000, '{"model": {}}', '{"model": 1e999}', "\udcff", "null", "9" * 5000, '[{"kind": "catalog"}]')


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_cannot_be_read_costs_its_memory_only(text):
    settings = WindowSettings()
    for key in ("workload", "recent_models", "recent_datasets", "interpreters", "bench_seconds", "theme", "sizes"):
        settings._store.setValue(key, text)
    assert settings.workload is None
    assert settings.recent_models == () == settings.recent_datasets
    assert settings.bench_seconds == DEFAULT_SECONDS
    assert settings.theme == "system"
    assert not settings.decimal_sizes


DAMAGED = (b"", b"\0" * 4096, b"\xff\xfe[General", b'[General]\ntheme=@Invalid()\nworkload="{\n')


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_does_not_keep_the_window_from_opening(content):
    window_dir().mkdir(parents=True, exist_ok=True)
    (window_dir() / "window.ini").write_bytes(content)
    settings = WindowSettings()
    assert settings.theme == "system"
    assert settings.workload is None
    settings.bench_seconds = 7
    settings.flush()
    assert WindowSettings().bench_seconds == 7
