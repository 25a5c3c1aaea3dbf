"""What all tests share."""

import gc
import os

import pytest
from hypothesis import settings

# A busy machine may take a second for an example: how long an example takes is not what is tested.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# The program looks for cycles rarely, too: a traced graph and what is simulated of it are hundreds of thousands of
# objects, which a test that predicts would walk again and again.
gc.set_threshold(200_000, 20, 50)

# pytest-xdist tells its processes how wide the terminal is; the command line would obey.
os.environ.pop("COLUMNS", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with real children first, which are few tests and long ones; each file stays together."""
    slow = {item.path for item in items if item.get_closest_marker("worker")}
    items.sort(key=lambda item: item.path not in slow)
