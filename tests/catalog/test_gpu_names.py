"""Names as people type them and as drivers report them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.gpu_names import find_gpu, match_reported
from app.catalog.gpus import load_gpus
from app.core.types.errors import UsageError
from app.core.types.units import MIB

GPUS = load_gpus()

SPELLINGS = {
    "RTX 2060 6GB": "GeForce RTX 2060 6GB",
    "rtx2060": "GeForce RTX 2060 6GB",
    "NVIDIA GeForce RTX 2060": "GeForce RTX 2060 6GB",
    "RTX 2060 12 GB": "GeForce RTX 2060 12GB",
    "rtx 2060 super": "GeForce RTX 2060 Super",
    "RTX 3060": "GeForce RTX 3060 12GB",
    "RTX 3060 12GB": "GeForce RTX 3060 12GB",
    "3060 8gb": "GeForce RTX 3060 8GB",
    "RTX 3060 Ti": "GeForce RTX 3060 Ti",
    "rtx3060ti": "GeForce RTX 3060 Ti",
    "RTX 3060 Laptop GPU": "GeForce RTX 3060 Laptop",
    "3060 mobile": "GeForce RTX 3060 Laptop",
    "4090": "GeForce RTX 4090",
    "4090 laptop": "GeForce RTX 4090 Laptop",
    "rtx 4070": "GeForce RTX 4070",
    "4070 Ti": "GeForce RTX 4070 Ti",
    "4070 super": "GeForce RTX 4070 Super",
    "RTX-4070-Ti-Super": "GeForce RTX 4070 Ti Super",
    "4070 super ti": "GeForce RTX 4070 Ti Super",
    "4070tisuper": "GeForce RTX 4070 Ti Super",
    "2080ti": "GeForce RTX 2080 Ti",
    "rtx 2070 max-q": "GeForce RTX 2070 Max-Q",
    "GTX1080Ti": "GeForce GTX 1080 Ti",
    "1060 3GB": "GeForce GTX 1060 3GB",
    "5060 Ti 8 GiB": "GeForce RTX 5060 Ti 8GB",
    "titan v": "TITAN V",
    "H100": "H100 SXM 80GB",
    "h100 pcie": "H100 PCIe 80GB",
    "A100 80GB PCIe": "A100 PCIe 80GB",
    "V100": "Tesla V100 SXM2 16GB",
    "t4": "Tesla T4",
    "A4000": "RTX A4000",
    "RTX 4000": "RTX 4000 Ada",
    "quadro rtx 4000": "Quadro RTX 4000",
    "RTX PRO 6000": "RTX PRO 6000 Blackwell Workstation",
    "7900 XTX": "Radeon RX 7900 XTX",
    "rx6800xt": "Radeon RX 6800 XT",
    "RX 6800": "Radeon RX 6800",
    "MI300X": "Instinct MI300X",
    "Intel Arc A770": "Arc A770 16GB",
    "b580": "Arc B580",
    "M1": "Apple M1 8GB",
    "m3 max 64GB": "Apple M3 Max 64GB",
    "Apple M4 Pro": "Apple M4 Pro 24GB",
}


@pytest.mark.parametrize(("text", "name"), SPELLINGS.items())
def test_finds_what_was_meant(text, name):
    assert find_gpu(text, GPUS).spec.name == name


def test_says_which_of_several_was_taken():
    match = find_gpu("RTX 2060", GPUS)
    assert match.others == ("GeForce RTX 2060 12GB",)
    assert "taken: GeForce RTX 2060 6GB" in match.note
    assert find_gpu("RTX 2060 6GB", GPUS).note == ""
    assert find_gpu("4090", GPUS).note == ""


@pytest.mark.parametrize("spec", GPUS, ids=lambda spec: spec.name)
def test_every_card_is_found_by_its_own_name_in_any_case(spec):
    assert find_gpu(spec.name.upper(), GPUS).spec is spec
    assert find_gpu("  " + spec.name.lower().replace(" ", "  "), GPUS).spec.memory_bytes == spec.memory_bytes


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("RTX 4070 24GB", "GeForce RTX 4070"),
        ("RTX 3080 Laptop 10GB", "GeForce RTX 3080 Laptop"),
        ("RTX 4091", "GeForce RTX 4090"),
        ("foo", "see `willittrain gpus`"),
        ("rtx", "see `willittrain gpus`"),
        ("", "see `willittrain gpus`"),
        ("12GB", "see `willittrain gpus`"),
    ],
)
def test_unknown_names_are_refused_with_the_closest(text, suggestion):
    with pytest.raises(UsageError, match="unknown graphics card") as caught:
        find_gpu(text, GPUS)
    assert suggestion in caught.value.hint


@pytest.mark.parametrize(
    ("reported", "memory_mib", "name"),
    [
        ("NVIDIA GeForce RTX 2060", 6144, "GeForce RTX 2060 6GB"),
        ("NVIDIA GeForce RTX 2060", 12288, "GeForce RTX 2060 12GB"),
        ("NVIDIA GeForce RTX 3060 Laptop GPU", 6144, "GeForce RTX 3060 Laptop"),
        ("NVIDIA GeForce RTX 3050 6GB Laptop GPU", 6144, "GeForce RTX 3050 Laptop 6GB"),
        ("GeForce RTX 2070 with Max-Q Design", 8192, "GeForce RTX 2070 Max-Q"),
        ("NVIDIA GeForce RTX 5090", 32607, "GeForce RTX 5090"),
        ("Tesla V100-SXM2-16GB", 16160, "Tesla V100 SXM2 16GB"),
        ("Tesla P100-PCIE-16GB", 16280, "Tesla P100 PCIe 16GB"),
        ("Tesla K80", 11441, "Tesla K80 (each of its two GPUs)"),
        ("NVIDIA A100-SXM4-80GB", 81920, "A100 SXM 80GB"),
        ("NVIDIA A100 80GB PCIe", 81920, "A100 PCIe 80GB"),
        ("NVIDIA H100 80GB HBM3", 81559, "H100 SXM 80GB"),
        ("NVIDIA H100 PCIe", 81559, "H100 PCIe 80GB"),
        ("NVIDIA H200", 143771, "H200 SXM 141GB"),
        ("NVIDIA GH200 480GB", 97871, "GH200 96GB"),
        ("NVIDIA A10G", 23028, "A10G"),
        ("NVIDIA L40S", 46068, "L40S"),
        ("NVIDIA RTX 6000 Ada Generation", 49140, "RTX 6000 Ada"),
        ("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 97887, "RTX PRO 6000 Blackwell Max-Q Workstation"),
        ("Quadro RTX 6000", 24576, "Quadro RTX 6000"),
        ("AMD Radeon RX 7900 XTX", 24560, "Radeon RX 7900 XTX"),
        ("Apple M2 Max", 32768, "Apple M2 Max 32GB"),
        # no guess where the name says something else
        ("NVIDIA GeForce GTX 1660 Ti with Max-Q Design", 6144, None),
        ("NVIDIA RTX A2000 Laptop GPU", 4096, None),
        ("NVIDIA H200 NVL", 143771, None),
        ("NVIDIA GeForce MX450", 2048, None),
        ("NVIDIA RTX 6000", 24576, None),
        ("NVIDIA GeForce RTX 3060", 6144, None),
        ("GPU", None, None),
    ],
)
def test_matches_what_drivers_report(reported, memory_mib, name):
    spec = match_reported(reported, None if memory_mib is None else memory_mib * MIB, GPUS)
    assert (spec.name if spec else None) == name


@given(st.text(max_size=40))
def test_any_text_gives_a_card_or_a_usage_error(text):
    with contextlib.suppress(UsageError):
        assert find_gpu(text, GPUS).spec in GPUS
    match_reported(text, None, GPUS)
