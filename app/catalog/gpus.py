"""Graphics cards as their makers describe them: ``resources/gpus.csv``.

The table is our own.  FP32 is ``lanes x FLOP per lane and clock x boost clock`` (2, or 4 where the maker counts two
issues per clock: AMD from RDNA 3 and CDNA 3 on).  Tensor rates are dense, float16 products with float32
accumulation, ``SMs x FLOP per clock and SM x boost clock``; GeForce cards and the A10G and L40 run these at half the
rate of their float16 accumulation, which is the one that adverts show.  Where the maker states a lower dense figure
(H100 and later), that one stands.  ``source`` is the maker's page on which to check a row, ``source_date`` the day the
row was written.  ``default_mhz`` is the application clock that a Tesla before Pascal ships with, ``ecc_in_memory``
whether a card of GDDR memory ships with error correction on.  Clocks of Apple's chips are not published by Apple.

Boards with several GPUs (K80, M60, A16, MI250X) are listed as one of them, because a framework sees them so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from app.catalog.table import Columns, Date, YesNo, load_table, matching, number, whole
from app.core.types.machine import GpuSpec
from app.core.types.text import phrase, verbatim
from app.core.types.units import GIB

FILE = "gpus.csv"
Vendor = Literal["nvidia", "amd", "intel", "apple"]
Tflops = Annotated[float, number(at_least=0.01)]
Capability = Annotated[str, matching(r"[0-9]{1,2}\.[0-9]", phrase("a compute capability such as 8.6"))]
_ROUTE_OF_VENDOR = {"nvidia": "cuda", "amd": "rocm", "intel": "none", "apple": "metal"}


class _Columns(Columns, frozen=True):
    """Tera and giga are powers of ten, GiB of two."""

    name: str
    vendor: Vendor
    segment: Literal["desktop", "laptop", "workstation", "datacenter", "soc"]
    memory_gib: Annotated[float, number(at_least=0.25)]
    bandwidth_gb_s: Annotated[float, number(at_least=1)]
    fp32_tflops: Tflops
    tensor_fp16_tflops: Tflops | None = None
    tensor_tf32_tflops: Tflops | None = None
    bf16: YesNo | None = None
    compute_capability: Capability | None = None
    num_sms: Annotated[int, whole(at_least=1)] | None = None
    cores: Annotated[int, whole(at_least=1)] | None = None
    boost_mhz: Annotated[float, number(at_least=1)] | None = None
    fp32_flop_per_core_clock: str | None = None
    tdp_w: Annotated[float, number(at_least=1)] | None = None
    launch_date: Date | None = None
    launch_price_usd: Annotated[float, number(at_least=1)] | None = None
    tensorflow: Literal["cuda", "rocm", "metal", "none"] | None = None
    source: str | None = None
    source_date: Date | None = None
    default_mhz: Annotated[float, number(at_least=1)] | None = None
    ecc_in_memory: YesNo | None = None


def load_gpus(user_dir: Path | None = None) -> tuple[GpuSpec, ...]:
    """All cards of the table; of several variants of one name the most usual stands first.

    Args:
        user_dir: Folder with the user's own ``gpus.csv``, whose rows replace or extend ours by name.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return load_table(FILE, _Columns, _parse, user_dir)


def _parse(row: _Columns) -> GpuSpec:
    """One card."""
    return GpuSpec(
        name=row.name,
        vendor=row.vendor,
        segment=row.segment,
        memory_bytes=round(row.memory_gib * GIB),
        memory_bandwidth_bytes_per_s=row.bandwidth_gb_s * 1e9,
        fp32_flops_per_s=row.fp32_tflops * 1e12,
        tensor_fp16_flops_per_s=_tera(row.tensor_fp16_tflops),
        tensor_tf32_flops_per_s=_tera(row.tensor_tf32_tflops),
        bf16=None if row.bf16 is None else row.bf16 == "yes",
        compute_capability=_capability(row.compute_capability),
        num_sms=row.num_sms,
        tdp_w=row.tdp_w,
        launch_date=row.launch_date,
        launch_price_usd=row.launch_price_usd,
        source=verbatim(row.source or phrase("your own table")),
        source_date=verbatim(row.source_date or ""),
        tensorflow=row.tensorflow or _ROUTE_OF_VENDOR[row.vendor],
        cores=row.cores,
        boost_clock_mhz=row.boost_mhz,
        default_clock_mhz=row.default_mhz,
        ecc_in_memory=row.ecc_in_memory == "yes",
    )


def _tera(number: float | None) -> float | None:
    """TFLOP/s as FLOP/s; unknown stays unknown."""
    return None if number is None else number * 1e12


def _capability(text: str | None) -> tuple[int, int] | None:
    """``8.6`` as (8, 6)."""
    if text is None:
        return None
    major, minor = text.split(".")
    return int(major), int(minor)
