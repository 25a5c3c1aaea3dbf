"""Graphics cards as their makers describe them: ``resources/gpus.csv``.

The table is our own.  FP32 is ``lanes x FLOP per lane and clock x boost clock`` (2, or 4 where the maker counts two
issues per clock: AMD from RDNA 3 and CDNA 3 on).  Tensor rates are dense, float16 products with float32
accumulation, ``SMs x FLOP per clock and SM x boost clock``; GeForce cards and the A10G and L40 run these at half the
rate of their float16 accumulation, which is the one that adverts show.  Where the maker states a lower dense figure
(H100 and later), that one stands.  ``source`` is the maker's page on which to check a row, ``source_date`` the day the
row was written.  ``default_mhz`` is the application clock that a Tesla before Pascal ships with.  Clocks of Apple's
chips are not published by Apple.

Boards with several GPUs (K80, M60, A16, MI250X) are listed as one of them, because a framework sees them so.
"""

from __future__ import annotations

from pathlib import Path

from app.catalog.table import Row, Schema, load_table
from app.core.types.machine import GpuSpec
from app.core.types.text import phrase, verbatim
from app.core.types.units import GIB

FILE = "gpus.csv"
SCHEMA = Schema(
    required=("name", "vendor", "segment", "memory_gib", "bandwidth_gb_s", "fp32_tflops"),
    optional=tuple(
        "tensor_fp16_tflops tensor_tf32_tflops bf16 compute_capability num_sms cores boost_mhz "
        "fp32_flop_per_core_clock tdp_w launch_date launch_price_usd tensorflow source source_date "
        "default_mhz".split()
    ),
)
VENDORS = ("nvidia", "amd", "intel", "apple")
SEGMENTS = ("desktop", "laptop", "workstation", "datacenter", "soc")
REACHED_BY = ("cuda", "rocm", "metal", "none")
_ROUTE_OF_VENDOR = {"nvidia": "cuda", "amd": "rocm", "intel": "none", "apple": "metal"}


def load_gpus(user_dir: Path | None = None) -> tuple[GpuSpec, ...]:
    """All cards of the table; of several variants of one name the most usual stands first.

    Args:
        user_dir: Folder with the user's own ``gpus.csv``, whose rows replace or extend ours by name.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return load_table(FILE, SCHEMA, _parse, user_dir)


def _parse(row: Row) -> GpuSpec:
    """One card; tera and giga are powers of ten, GiB of two."""
    vendor = row.choice("vendor", VENDORS)
    has_route = row.text_or_none("tensorflow") is not None
    return GpuSpec(
        name=row.text("name"),
        vendor=vendor,
        segment=row.choice("segment", SEGMENTS),
        memory_bytes=round(row.number("memory_gib", at_least=0.25) * GIB),
        memory_bandwidth_bytes_per_s=row.number("bandwidth_gb_s", at_least=1) * 1e9,
        fp32_flops_per_s=row.number("fp32_tflops", at_least=0.01) * 1e12,
        tensor_fp16_flops_per_s=_tera(row.number_or_none("tensor_fp16_tflops", at_least=0.01)),
        tensor_tf32_flops_per_s=_tera(row.number_or_none("tensor_tf32_tflops", at_least=0.01)),
        bf16=row.yes_no_or_none("bf16"),
        compute_capability=_capability(row),
        num_sms=row.integer_or_none("num_sms", at_least=1),
        tdp_w=row.number_or_none("tdp_w", at_least=1),
        launch_date=row.date_or_none("launch_date"),
        launch_price_usd=row.number_or_none("launch_price_usd", at_least=1),
        source=verbatim(row.text_or_none("source") or phrase("your own table")),
        source_date=verbatim(row.date_or_none("source_date") or ""),
        tensorflow=row.choice("tensorflow", REACHED_BY) if has_route else _ROUTE_OF_VENDOR[vendor],
        cores=row.integer_or_none("cores", at_least=1),
        boost_clock_mhz=row.number_or_none("boost_mhz", at_least=1),
        default_clock_mhz=row.number_or_none("default_mhz", at_least=1),
    )


def _tera(number: float | None) -> float | None:
    """TFLOP/s as FLOP/s; unknown stays unknown."""
    return None if number is None else number * 1e12


def _capability(row: Row) -> tuple[int, int] | None:
    """``8.6`` as (8, 6)."""
    text = row.matching_or_none("compute_capability", r"\d{1,2}\.\d", phrase("a compute capability such as 8.6"))
    if text is None:
        return None
    major, minor = text.split(".")
    return int(major), int(minor)
