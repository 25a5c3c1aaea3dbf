"""A larger program takes more of the host, whatever its tensors take."""

from app.core.simulate.host_process import HOST_PROCESS_BYTES, bytes_of_program, host_process_bytes
from app.core.types.machine import DeviceProbe
from app.core.types.units import MIB


def test_the_program_of_mobilenet_with_either_optimizer():
    sgd, adam = (bytes_of_program(3089, 158 * each, compiled=False) for each in (2, 12))
    assert 135 * MIB < sgd < 150 * MIB
    assert 385 * MIB < adam < 400 * MIB


def test_compiling_takes_more():
    assert bytes_of_program(10, 10, compiled=True) > bytes_of_program(10, 10, compiled=False) > 0


def test_a_probe_counts_for_more_than_what_is_usual():
    probe = DeviceProbe("cpu", "tensorflow 2.21.0", host_process_bytes=700 * MIB)
    assert host_process_bytes(probe) == 700 * MIB
    assert host_process_bytes(None) == HOST_PROCESS_BYTES
