"""What we know of one machine: frozen readings, taken at one moment.

Every reading that a system may refuse is ``X | None``; the reason for a ``None`` stands in
`Machine.unavailable` under the reading's path (``"gpus.0.power_limit_w"``).  A machine file written by
hand may leave out whatever it does not know, so every field has a default.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.types.text import Text


@dataclass(frozen=True)
class Cpu:
    """The processor.  ``usable_cores`` obeys affinity and the container's quota, so it may be fractional."""

    name: str | None = None
    vendor: str | None = None
    microarchitecture: str | None = None
    physical_cores: int | None = None
    logical_cores: int | None = None
    usable_cores: float | None = None
    max_clock_mhz: float | None = None
    features: tuple[str, ...] = ()
    l1d_bytes: int | None = None
    l2_bytes: int | None = None
    l3_bytes: int | None = None


@dataclass(frozen=True)
class Ram:
    """Host memory.  ``limit_bytes`` is the container's or job's limit, if one is set."""

    total_bytes: int | None = None
    available_bytes: int | None = None
    limit_bytes: int | None = None
    kind: str | None = None
    speed_mts: int | None = None
    swap_total_bytes: int | None = None
    swap_used_bytes: int | None = None


@dataclass(frozen=True)
class Disk:
    """One mounted file system that can hold data."""

    mount: str
    device: str | None = None
    kind: str | None = None
    """``nvme``, ``ssd``, ``hdd``, ``network``, ``virtual`` or None."""
    filesystem: str | None = None
    total_bytes: int | None = None
    free_bytes: int | None = None
    read_bytes_per_s: float | None = None


@dataclass(frozen=True)
class GpuProcess:
    """A process that holds memory of a card; ``used_bytes`` is None under WDDM and WSL2."""

    pid: int
    name: str | None = None
    used_bytes: int | None = None


@dataclass(frozen=True)
class Gpu:
    """One card.  ``memory_total_bytes`` is the card's own memory, or the shared one if ``unified``."""

    index: int = 0
    vendor: str | None = None
    name: str = "GPU"
    uuid: str | None = None
    memory_total_bytes: int | None = None
    memory_used_bytes: int | None = None
    memory_free_bytes: int | None = None
    unified: bool = False
    compute_capability: tuple[int, int] | None = None
    cuda_cores: int | None = None
    num_sms: int | None = None
    bus_width_bits: int | None = None
    sm_clock_max_mhz: int | None = None
    memory_clock_max_mhz: int | None = None
    memory_bandwidth_bytes_per_s: float | None = None
    fp32_flops_per_s: float | None = None
    tensor_fp16_flops_per_s: float | None = None
    """Dense float16 products with float32 accumulation: what training uses."""
    tensor_tf32_flops_per_s: float | None = None
    power_limit_w: float | None = None
    pcie_generation: int | None = None
    pcie_width: int | None = None
    pcie_generation_max: int | None = None
    pcie_width_max: int | None = None
    temperature_c: float | None = None
    utilization_percent: float | None = None
    power_w: float | None = None
    processes: tuple[GpuProcess, ...] = ()
    simulated: bool = False
    default_sm_clock_mhz: int | None = None
    """Where the card runs unless somebody raises it, if that is below its highest: Teslas before Pascal."""
    ecc_in_memory: bool = False
    """Error correction is on, and its bits are kept in the card's memory (`GpuSpec.ecc_in_memory`)."""


@dataclass(frozen=True)
class Battery:
    """Power source; on battery, laptops clock down."""

    plugged_in: bool | None = None
    percent: float | None = None


@dataclass(frozen=True)
class TimedOperation:
    """One operation timed alone on a device."""

    family: str
    dimensions: tuple[float, ...]
    work: float
    """As in `app.core.timing.signatures.Signature`."""
    seconds: float
    """With all threads, its launch left out."""
    one_thread_s: float | None = None
    variant: str = ""
    """``xla``, or the precision if it is not float32."""
    reference_s: float | None = None
    """The reference kernel beside it (`app.worker.rates.reference`); None where that of the rates holds."""
    others_percent: float | None = None
    """Use of the whole processor by other programs meanwhile, 0..100; likewise."""


@dataclass(frozen=True)
class DeviceRates:
    """Rates of one device, measured by `app.worker.rates.measure`, for one framework build.

    Each maps a kind of operation to what one second of it achieves; ``launch_s`` is the cost of an
    operation that does nothing.
    """

    device: str
    framework: str
    matmul_flops_per_s: float | None = None
    """Of a card that was measured: of one large product."""
    half_matmul_flops_per_s: float | None = None
    """The same in float16; of a card that was measured."""
    conv_flops_per_s: float | None = None
    depthwise_flops_per_s: float | None = None
    elementwise_bytes_per_s: float | None = None
    reduction_bytes_per_s: float | None = None
    copy_bytes_per_s: float | None = None
    """From the host's ordinary memory to a card."""
    launch_s: float | None = None
    step_overhead_s: float | None = None
    winograd_speedup: float = 1.0
    """By how much 3x3 convolutions beat ``conv_flops_per_s``, because their algorithm needs fewer operations."""
    spread: float | None = None
    """Relative spread of repeated measurements, the machine's own noise."""
    winograd_through_memory: bool = False
    """A card's convolutions may also write transformed tiles to memory, which saves more multiplications."""
    plain_convolutions: bool = False
    """A card's convolutions run without tensor units."""
    kernel_floor_s: float = 5e-6
    """The shortest kernel of a card, seconds."""
    numbers_per_s: float | None = None
    """Of a card: what kernels read and write that move one number at a time in each thread, whatever its bytes."""
    multiprocessors: int | None = None
    """Of a card: a kernel that has fewer blocks leaves some of them idle."""
    operations: tuple[TimedOperation, ...] = ()
    """Operations of every kind and size, timed alone."""
    threads: int | None = None
    """That all of this was measured with."""
    vector_floats: int | None = None
    """Numbers of float32 in a vector of the processor, by its features (`app.core.timing.host_prior`)."""
    train_overhead_s: float | None = None
    """A step of ``fit`` of a model that computes nothing to speak of."""
    reference_s: float | None = None
    """A fixed piece of work then, to tell whether the machine's own speed has moved since."""
    others_percent: float | None = None
    """Use of the whole processor by other programs meanwhile, 0..100."""
    complete: bool = True
    """False of a measurement that was interrupted: it goes on at the next occasion."""


@dataclass(frozen=True)
class Glance:
    """What a processor reached in a fifth of a second with all cores that a program may use (`app.probes.glance`)."""

    products_flops_per_s: float
    """In float32."""
    additions_bytes_per_s: float
    """Read and written by additions of arrays as large as a layer's."""


@dataclass(frozen=True)
class DeviceProbe:
    """What a few tiny steps showed of one device, by `app.worker.rates.calibrate`, for one framework build.  Bytes."""

    device: str
    framework: str
    host_process_bytes: int | None = None
    """The training process on the host besides its tensors."""
    context_bytes: int | None = None
    """What the framework holds on a card besides its allocator's memory."""
    workspace_bytes: int | None = None
    """Most scratch that a convolution or matrix product was granted."""
    slack_low: float | None = None
    slack_high: float | None = None
    """Measured over counted peak of steps whose bytes are known: the least and the most over the steps."""
    onednn: bool | None = None
    """TensorFlow uses oneDNN's kernels on the processor."""
    import_s: float | None = None
    """Loading TensorFlow and Keras, seconds; from a disk that had it ready or not."""
    cache_bytes: int | None = None
    """What Eigen takes for the processor's third-level cache, where kernels without oneDNN go by it."""


@dataclass(frozen=True)
class Machine:
    """One machine at one moment."""

    os: str | None = None
    os_version: str | None = None
    wsl: bool = False
    container: bool = False
    onednn: bool | None = None
    """TensorFlow uses oneDNN's kernels on the processor, as far as is known without starting it
    (`app.core.simulate.eigen_kernels.runs_onednn`)."""
    cpu: Cpu = field(default_factory=Cpu)
    ram: Ram = field(default_factory=Ram)
    disks: tuple[Disk, ...] = ()
    gpus: tuple[Gpu, ...] = ()
    battery: Battery | None = None
    nvidia_driver: str | None = None
    cuda_version: str | None = None
    unavailable: dict[str, Text] = field(default_factory=dict)
    simulated: tuple[str, ...] = ()
    """Which parts are not this machine's own, for example ``("gpu", "ram")``."""
    taken_at: str | None = None
    """Time of the reading, ISO 8601 with zone."""


@dataclass(frozen=True)
class FrameworkBuild:
    """One framework in one interpreter, as the interpreter itself answered."""

    name: str
    version: str
    cuda: str | None = None
    """CUDA version the build was made for; None for a CPU-only build."""
    devices: tuple[str, ...] = ()
    """Devices that the framework really offers, such as ``CPU:0`` or ``GPU:0``."""
    gpu_names: tuple[str, ...] = ()
    problem: Text | None = None
    """First line of the exception if the import failed."""
    rocm: str | None = None
    """ROCm version the build was made for."""
    compute_capabilities: tuple[str, ...] = ()
    """What the build carries code for: ``sm_80`` is ready to run, ``compute_90`` is translated by the driver."""
    cuda_libraries: bool | None = None
    """Whether the CUDA libraries that the build loads at run time are there."""
    plugins: tuple[str, ...] = ()
    """Installed device plugins with version, such as ``tensorflow-metal 1.2.0``."""
    notes: tuple[Text, ...] = ()
    """What was found out about devices that the framework sees but cannot use."""


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter and the frameworks found in it."""

    path: str
    python_version: str | None = None
    frameworks: tuple[FrameworkBuild, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    """Variables that change which devices are seen, such as CUDA_VISIBLE_DEVICES."""
    problem: Text | None = None

    def framework(self, name: str) -> FrameworkBuild | None:
        """The build called ``name``, or None."""
        return next((f for f in self.frameworks if f.name == name and f.problem is None), None)


@dataclass(frozen=True)
class GpuSupport:
    """Can a framework in an interpreter use a card; if not, why, and what to do."""

    gpu_index: int
    gpu_name: str
    framework: str
    usable: bool | None
    reason: Text
    fix: Text = Text()
    interpreter: str | None = None
    """Path of the interpreter that was asked."""


ECC_SHARE = 1 / 16
"""Of GDDR memory, for its error correction (docs/evidence.md, "Memory that a simulated card has"): 15,360 MiB of a T4's
16 GiB are left, 23,034 of an L4's 24, 46,068 of an A40's 48, 11,441 of each 12 of a K80.  HBM and GDDR7 have bits of
their own for it."""


@dataclass(frozen=True)
class GpuSpec:
    """A card as its maker describes it: one row of ``resources/gpus.csv``."""

    name: str
    vendor: str
    segment: str
    """``desktop``, ``laptop``, ``workstation``, ``datacenter`` or ``soc``."""
    memory_bytes: int
    memory_bandwidth_bytes_per_s: float
    fp32_flops_per_s: float
    tensor_fp16_flops_per_s: float | None = None
    tensor_tf32_flops_per_s: float | None = None
    bf16: bool | None = None
    compute_capability: tuple[int, int] | None = None
    num_sms: int | None = None
    tdp_w: float | None = None
    launch_date: str | None = None
    launch_price_usd: float | None = None
    source: Text = Text()
    source_date: Text = Text()
    tensorflow: str = ""
    """How TensorFlow reaches the card: ``cuda``, ``rocm``, ``metal`` or ``none``."""
    cores: int | None = None
    """FP32 lanes: CUDA cores, stream processors and so on."""
    boost_clock_mhz: float | None = None
    default_clock_mhz: float | None = None
    """The application clock that the card ships with, where that is not the boost clock."""
    ecc_in_memory: bool = False
    """It ships with error correction on, whose bits are kept in the memory that is sold."""

    @property
    def visible_memory_bytes(self) -> int:
        """What its driver counts as its memory."""
        return int(self.memory_bytes * (1 - ECC_SHARE)) if self.ecc_in_memory else self.memory_bytes
