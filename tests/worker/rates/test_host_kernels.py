"""What TensorFlow says of its kernels on the processor, from real children with either."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from app.core.types.units import KIB, MIB
from app.worker.rates.host_kernels import CACHE_STEP_BYTES
from tests.worker.building import ROOT

pytestmark = pytest.mark.worker

ASKS = "import json; from app.worker.rates.host_kernels import probe_host_kernels as ask; print(json.dumps(ask()))"


@pytest.mark.parametrize("on", [False, True])
def test_the_cache_is_measured_where_kernels_go_by_it(on):
    environment = os.environ | {
        "TF_CPU_ALLOCATOR_USE_BFC": "true",
        "TF_ENABLE_ONEDNN_OPTS": str(int(on)),
        "CUDA_VISIBLE_DEVICES": "-1",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", ASKS], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["onednn"] is on
    if on:
        assert found["cache_bytes"] is None
    else:
        assert 512 * KIB <= found["cache_bytes"] <= 1024 * MIB
        assert found["cache_bytes"] % CACHE_STEP_BYTES == 0
