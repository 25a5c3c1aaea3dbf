"""The job object's layout, and the order of calls on a stand-in for kernel32."""

import ctypes
from typing import Any

import pytest

from app.services.child.windows_job import KILL_ON_JOB_CLOSE, ExtendedLimits, Job


class Kernel32:
    """Notes what it is asked; ``refuses`` names a call that fails."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.asked: list[str] = []
        self.flags = 0

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> int:
            self.asked.append(name)
            if name == "SetInformationJobObject":
                limits = ctypes.cast(arguments[2], ctypes.POINTER(ExtendedLimits)).contents
                self.flags = limits.BasicLimitInformation.LimitFlags
                assert arguments[3] == ctypes.sizeof(ExtendedLimits)
            return 0 if name == self.refuses else 77

        return call


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="layout of 64-bit Windows")
def test_the_layout_is_that_of_64_bit_windows():
    assert ctypes.sizeof(ExtendedLimits) == 144
    assert (ExtendedLimits.IoInfo.offset, ExtendedLimits.ProcessMemoryLimit.offset) == (64, 112)


def test_a_child_is_put_into_a_job_that_ends_with_this_program():
    system = Kernel32()
    job = Job(5, system)
    assert system.asked == ["CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject"]
    assert system.flags == KILL_ON_JOB_CLOSE
    job.close()
    assert system.asked[-1] == "CloseHandle"


@pytest.mark.parametrize("call", ["CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject"])
def test_a_system_that_refuses_is_told_and_nothing_stays_open(call: str):
    system = Kernel32(refuses=call)
    with pytest.raises(OSError, match="job object"):
        Job(5, system)
    assert ("CloseHandle" in system.asked) == (call != "CreateJobObjectW")
