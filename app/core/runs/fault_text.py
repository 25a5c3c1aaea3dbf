"""What frameworks say when an operation fails, where their exception's type says too little.

TensorFlow has one type per status code and many causes per code.  These texts are read only once the type
(or a crash) has shown that the framework speaks; a user's exception with the same words is the user's.
JAX has one type for all; PyTorch raises a plain `RuntimeError` for most, so that only its words tell who speaks.
The places named are of TensorFlow 2.21, XLA and PyTorch 2.
"""

from __future__ import annotations

import re

_CAUSES: tuple[tuple[str, str], ...] = (
    # gpu_util.cc: a card without memory for the batch; cuda_driver.cc; bfc_allocator.cc; XLA's buffers
    (
        "out_of_memory",
        r"Dst tensor is not initialized|CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation"
        r"|OOM when allocating|Out of memory (?:while trying|allocating)|RESOURCE_EXHAUSTED: .*memory"
        r"|(?:CUDA|HIP) (?:error: )?out of memory",
    ),
    # conv_ops_impl.h, autotuner; cuda_dnn.cc
    (
        "workspace",
        r"CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED|No algorithm worked"
        r"|Failed to get convolution algorithm|[Ff]ailed to allocate (?:\S+ ){0,6}(?:scratch|workspace)"
        r"|find a valid cuDNN algorithm|unable to find an engine to execute",
    ),
    ("host_memory", r"std::bad_alloc|[Cc]annot allocate memory|DefaultCPUAllocator: (?:can't|not enough)"),
    # cuda_status: after these the context is lost
    (
        "device_failed",
        r"CUDA_ERROR_(?:ILLEGAL_ADDRESS|LAUNCH_FAILED|LAUNCH_TIMEOUT|ECC_UNCORRECTABLE|ASSERT|UNKNOWN)"
        r"|CUDNN_STATUS_EXECUTION_FAILED|CUBLAS_STATUS_EXECUTION_FAILED"
        r"|(?:CUDA|HIP) error: (?:an illegal memory access|device-side assert|unspecified launch failure"
        r"|the launch timed out|uncorrectable ECC|unknown error)",
    ),
    # tf2xla: compilability checks, constants that must be known; the compiler itself
    (
        "xla_failed",
        r"unsupported operations when trying to compile|must be a compile-time constant|tf2xla"
        r"|XLA_[CG]PU_JIT|XLA compil|[Ff]ailed to compile|ptxas|is uncompilable|HloModule",
    ),
    # op_kernel.cc, executor, placer.cc; a build without code for this card
    (
        "missing_op",
        r"No (?:registered )?'?\w*'? ?OpKernel|No OpKernel was registered|Op type not registered"
        r"|Could not find device for node|no kernel image is available|CUDA_ERROR_NO_BINARY_FOR_GPU"
        r"|only supports the NHWC|not (?:currently )?supported on (?:CPU|the CPU|device)"
        r"|Could not run 'aten::|'aten::\S+' is not currently implemented|not implemented for '\w+'",
    ),
)
_TORCH = re.compile(
    r"DefaultCPUAllocator|(?:CUDA|HIP|cuDNN|MIOpen) error: |'aten::|\" not implemented for '"
    r"|find a valid cuDNN algorithm|unable to find an engine to execute"
)
"""Words that PyTorch's C++ puts into its errors (c10/core/impl/alloc_cpu.cpp, c10/cuda/CUDAException.cpp,
aten/src/ATen/cudnn/Exceptions.h, aten/src/ATen/Dispatch.h)."""
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _CAUSES)


def framework_cause(text: str) -> str | None:
    """The kind of problem (`app.core.types.faults`) that a framework's words tell, or None if they tell none."""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(text)), None)


def torch_speaks(text: str) -> bool:
    """Is a plain `RuntimeError` with these words PyTorch's own?"""
    return _TORCH.search(text) is not None
