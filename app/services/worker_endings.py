"""What the end of a child without a terminal message means."""

from __future__ import annotations

import re
import signal

from app.core.messages import Failed

_SHOWN_LINES = 5
MEMORY_KILLER_HINT = "try a smaller batch or close other programs; the system's memory ran out"
_REFUSED = re.compile(r"std::bad_alloc|(?<=RESOURCE_EXHAUSTED: )(?:OOM when allocating|Out of memory).*")
_CHATTER = re.compile(r"[IWE]\d{4} [\d:.]+ +\d+ |\d{4}-\d\d-\d\d [\d:.]+: [IW] |WARNING: All log messages before absl")
"""What TensorFlow logs in good health too: absl's lines, those of older versions, and its own excuse."""
_WINDOWS_ENDINGS = {
    0xC0000005: "access violation",
    0xC000001D: "illegal instruction",
    0xC00000FD: "stack overflow",
    0xC0000409: "abort",
}


def crash_report(
    exit_code: int | None, stderr: tuple[str, ...], phase: str | None, *, half_line: bool = False
) -> Failed:
    """Describe a child that left without a last word.

    Memory that ran out is told by SIGKILL that we did not send (Linux's memory killer), by
    ``std::bad_alloc`` (a C++ library), and by TensorFlow's own last error: with oneDNN it goes on with
    the tensor it did not get and dies of SIGSEGV (tensorflow/core/util/mkl_util.h).

    Args:
        exit_code: As `subprocess.Popen.returncode`: negative for a signal; None if it still ran.
        stderr: Its last lines.
        phase: What it was doing.
        half_line: It ended in the middle of a message.
    """
    ending = describe_exit(exit_code)
    if exit_code == -getattr(signal, "SIGKILL", 9):
        message = f"the system ended the child ({ending}), most likely because memory ran out"
        return Failed("out_of_memory", message, hint=MEMORY_KILLER_HINT, phase=phase, stderr=stderr)
    refused = next((found[0] for line in stderr if (found := _REFUSED.search(line))), None)
    if refused is not None:
        message = f"the child could not allocate memory ({ending}): {refused}"
        return Failed("out_of_memory", message, hint=MEMORY_KILLER_HINT, phase=phase, stderr=stderr)
    message = f"the child ended without an answer ({ending})"
    if half_line:
        message += ", in the middle of a message"
    telling = [line for line in stderr if not _CHATTER.match(line)]
    if telling:
        message += ": " + " | ".join(telling[-_SHOWN_LINES:])
    return Failed("crashed", message, phase=phase, stderr=stderr)


def describe_exit(exit_code: int | None) -> str:
    """An exit code in words: ``exit code 7``, ``signal SIGABRT``."""
    if exit_code is None:
        return "it closed its output and ran on"
    if exit_code < 0:
        try:
            return f"signal {signal.Signals(-exit_code).name}"
        except ValueError:
            return f"signal {-exit_code}"
    known = _WINDOWS_ENDINGS.get(exit_code)
    return f"{known}, {exit_code:#x}" if known else f"exit code {exit_code}"
