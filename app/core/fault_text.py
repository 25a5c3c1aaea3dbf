"""What frameworks say when an operation fails, where their exception's type says too little.

TensorFlow has one type per status code and many causes per code.  These texts are read only once the type
(or a crash) has shown that the framework speaks; a user's exception with the same words is the user's.
The places named are of TensorFlow 2.21 and XLA.
"""

from __future__ import annotations

import re

_CAUSES: tuple[tuple[str, str], ...] = (
    # gpu_util.cc: a card without memory for the batch; cuda_driver.cc; bfc_allocator.cc; XLA's buffers
    ("out_of_memory", r"Dst tensor is not initialized|CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation"
                      r"|OOM when allocating|Out of memory (?:while trying|allocating)|RESOURCE_EXHAUSTED: .*memory"),
    # conv_ops_impl.h, autotuner; cuda_dnn.cc
    ("workspace", r"CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED|No algorithm worked"
                  r"|Failed to get convolution algorithm|[Ff]ailed to allocate (?:\S+ ){0,6}(?:scratch|workspace)"),
    ("host_memory", r"std::bad_alloc|[Cc]annot allocate memory"),
    # cuda_status: after these the context is lost
    ("device_failed", r"CUDA_ERROR_(?:ILLEGAL_ADDRESS|LAUNCH_FAILED|LAUNCH_TIMEOUT|ECC_UNCORRECTABLE|ASSERT|UNKNOWN)"
                      r"|CUDNN_STATUS_EXECUTION_FAILED|CUBLAS_STATUS_EXECUTION_FAILED"),
    # tf2xla: compilability checks, constants that must be known; the compiler itself
    ("xla_failed", r"unsupported operations when trying to compile|must be a compile-time constant|tf2xla"
                   r"|XLA_[CG]PU_JIT|XLA compil|[Ff]ailed to compile|ptxas|is uncompilable|HloModule"),
    # op_kernel.cc, executor, placer.cc; a build without code for this card
    ("missing_op", r"No (?:registered )?'?\w*'? ?OpKernel|No OpKernel was registered|Op type not registered"
                   r"|Could not find device for node|no kernel image is available|CUDA_ERROR_NO_BINARY_FOR_GPU"
                   r"|only supports the NHWC|not (?:currently )?supported on (?:CPU|the CPU|device)"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _CAUSES)


def framework_cause(text: str) -> str | None:
    """The kind of problem (`app.core.faults`) that a framework's words tell, or None if they tell nothing known."""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(text)), None)
