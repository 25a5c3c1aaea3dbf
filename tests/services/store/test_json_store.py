from dataclasses import replace

from app.core.types.machine import Cpu, DeviceRates, Gpu, Machine
from app.services.store.cache_keys import framework_stamp, rates_key, support_key
from app.services.store.json_store import JsonStore

RATES = DeviceRates("cpu", "tensorflow 2", matmul_flops_per_s=1e11)
MACHINE = Machine(cpu=Cpu(name="CPU", usable_cores=4), gpus=(Gpu(0, "NVIDIA", "RTX 3060", "GPU-1"),))


def test_values_come_back(tmp_path):
    store = JsonStore(tmp_path / "cache" / "rates.json", DeviceRates)
    assert store.load("a") is None
    store.save("a", RATES)
    store.save("b", replace(RATES, launch_s=1e-6))
    assert store.load("a") == RATES
    assert store.load("b").launch_s == 1e-6


def test_a_damaged_file_means_asking_again(tmp_path):
    path = tmp_path / "rates.json"
    path.write_text("{ not json")
    store = JsonStore(path, DeviceRates)
    assert store.load("a") is None
    store.save("a", RATES)
    assert store.load("a") == RATES


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path):
    (tmp_path / "file").write_text("in the way")
    JsonStore(tmp_path / "file" / "rates.json", DeviceRates).save("a", RATES)


def test_another_card_or_processor_is_measured_anew():
    other = replace(MACHINE, gpus=(replace(MACHINE.gpus[0], uuid="GPU-2"),))
    assert rates_key(MACHINE, "gpu:0", None) != rates_key(other, "gpu:0", None)
    assert rates_key(MACHINE, "cpu", None) == rates_key(other, "cpu", None)
    fewer = replace(MACHINE, cpu=replace(MACHINE.cpu, usable_cores=2))
    assert rates_key(MACHINE, "cpu", None) != rates_key(fewer, "cpu", None)


def test_a_hidden_card_is_asked_about_again(monkeypatch):
    before = support_key(MACHINE, None)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert support_key(MACHINE, None) != before


def test_another_interpreter_is_another_framework(tmp_path):
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    python = tmp_path / "bin" / "python"
    stamp = framework_stamp(str(python))
    assert stamp != framework_stamp(None)
    import os

    os.utime(packages, (1, 1))
    assert framework_stamp(str(python)) != stamp
