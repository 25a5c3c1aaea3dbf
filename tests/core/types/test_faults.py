"""Words for what goes wrong, what frameworks say, and how long silence is normal."""

from typing import get_args

import pytest

from app.core.runs.fault_text import framework_cause
from app.core.types.faults import BAD_DATA, FAULTS, outcome_of
from app.core.types.measurement import Outcome


def test_every_kind_has_one_of_the_five_outcomes_and_something_to_do():
    assert {f.outcome for f in FAULTS.values()} <= set(get_args(Outcome))
    assert [kind for kind, f in FAULTS.items() if not f.hint and kind not in ("error", "cancelled")] == []
    assert set(FAULTS) >= BAD_DATA


def test_a_kind_of_a_newer_child_is_a_failure():
    assert outcome_of("never heard of") == "failed"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Dst tensor is not initialized.", "out_of_memory"),
        ("failed to allocate 2.00GiB from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory", "out_of_memory"),
        ("OOM when allocating tensor with shape[512,1024] and type float", "out_of_memory"),
        ("Out of memory while trying to allocate 4.78GiB", "out_of_memory"),
        ("No algorithm worked!  Error messages: ...", "workspace"),
        ("cuDNN status: CUDNN_STATUS_ALLOC_FAILED", "workspace"),
        ("Failed to allocate memory for convolution workspace of 1 GiB", "workspace"),
        ("terminate called ... what():  std::bad_alloc", "host_memory"),
        ("CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered", "device_failed"),
        ("No registered 'Foo' OpKernel for 'GPU' devices compatible with node", "missing_op"),
        ("no kernel image is available for execution on the device", "missing_op"),
        ("The Conv2D op currently only supports the NHWC tensor format on the CPU", "missing_op"),
        ("Detected unsupported operations when trying to compile graph: EagerPyFunc", "xla_failed"),
        ("Input 1 to node must be a compile-time constant.", "xla_failed"),
        ("Incompatible shapes: [2,3] vs. [4,5]", None),
        ("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 12.00 GiB", "out_of_memory"),
        ("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", "workspace"),
        ("DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes.", "host_memory"),
        ("CUDA error: an illegal memory access was encountered", "device_failed"),
        ("\"slow_conv2d_cpu\" not implemented for 'Half'", "missing_op"),
        ("Could not run 'aten::_fft_c2c' with arguments from the 'QuantizedCPU' backend.", "missing_op"),
        ("mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", None),
    ],
)
def test_what_frameworks_say(text, kind):
    assert framework_cause(text) == kind
