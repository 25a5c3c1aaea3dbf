"""What the end of a child without a terminal message means."""

from __future__ import annotations

import re
import signal

from app.core.runs.fault_text import framework_cause
from app.core.runs.oom_text import requested_bytes
from app.core.types.faults import fault
from app.core.types.messages import Failed
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_bytes
from app.services.child.stack_dump import Dump, take_apart

_SHOWN_LINES = 5
_CHATTER = re.compile(r"[IWE]\d{4} [\d:.]+ +\d+ |\d{4}-\d\d-\d\d [\d:.]+: [IW] |WARNING: All log messages before absl")
"""What TensorFlow logs in good health too: absl's lines, those of older versions, and its own excuse."""
_REFUSED = re.compile(r"std::bad_alloc|(?<=RESOURCE_EXHAUSTED: )(?:OOM when allocating|Out of memory).*")
_NEVER_ENDS = re.compile(r"Timeout \(\d+:\d\d:\d\d\)!")
"""What ``faulthandler.dump_traceback_later`` writes before it ends the process."""
_READER = "saved_file.py"
_MEMORY_CAUSES = ("out_of_memory", "workspace", "host_memory")
_BUILDING = phrase("close other programs, or look at what the model's own code takes while it is built")
_SIGNALS = {
    "SIGSEGV": ("segmentation_fault", phrase("native code touched memory that is not its own")),
    "SIGBUS": ("bus_error", phrase("a file in memory could not be read, or an address was misaligned")),
    "SIGILL": ("illegal_instruction", phrase("the processor does not know an instruction")),
    "SIGABRT": ("aborted", phrase("native code gave up after a check of its own failed")),
    "SIGFPE": ("arithmetic", phrase("native code divided by zero")),
    "SIGTERM": ("terminated", phrase("another program asked it to end")),
    "SIGHUP": ("terminated", phrase("its session ended")),
    "SIGINT": ("terminated", phrase("another program interrupted it")),
}
_WINDOWS_ENDINGS = {
    0xC0000005: ("segmentation_fault", phrase("access violation")),
    0xC000001D: ("illegal_instruction", phrase("illegal instruction")),
    0xC0000017: ("host_memory", phrase("no memory left")),
    0xC00000FD: ("segmentation_fault", phrase("stack overflow")),
    0xC0000409: ("aborted", "abort"),
    0xC0000006: ("bus_error", phrase("a file in memory could not be read")),
}


def crash_report(
    exit_code: int | None,
    stderr: tuple[str, ...],
    phase: str | None,
    *,
    half_line: bool = False,
    oom_killed: bool | None = None,
    user_files: frozenset[str] = frozenset(),
) -> Failed:
    """Describe a child that left without a last word.

    Memory that ran out is told by SIGKILL together with the kernel's count of such ends, by
    ``std::bad_alloc`` (a C++ library), and by TensorFlow's own last error: with oneDNN it goes on with
    the tensor it did not get and dies of SIGSEGV (tensorflow/core/util/mkl_util.h).

    Args:
        exit_code: As `subprocess.Popen.returncode`: negative for a signal; None if it still ran.
        stderr: Its last lines, the stacks of ``faulthandler`` among them.
        phase: What it was doing.
        half_line: It ended in the middle of a message.
        oom_killed: Did Linux end any process for want of memory meanwhile?  None if it does not count.
        user_files: The user's own Python files, real paths.
    """
    dump = take_apart(stderr)
    if any(_NEVER_ENDS.match(line) for line in dump.said) and any(f.file.endswith(_READER) for f in dump.frames):
        return _unreadable(phase, dump)
    ending = describe_exit(exit_code)
    kind, message = _kind_and_message(exit_code, dump.said, ending, half_line=half_line, oom_killed=oom_killed)
    return Failed(
        kind,
        verbatim(message),
        hint=fault(kind).hint,
        phase=phase,
        where=dump.where(user_files),
        needed_bytes=requested_bytes(message) if kind in _MEMORY_CAUSES else None,
        stderr=dump.lines(),
    )


def above_limit(
    held_bytes: int, limit_bytes: int | None, phase: str | None = None, stderr: tuple[str, ...] = ()
) -> Failed:
    """The guard ended the child, or something that it had started, for its memory.

    Args:
        held_bytes: What they held together.
        limit_bytes: What they were allowed.
        phase: What the child was doing.
        stderr: Its last lines.
    """
    return Failed(
        "memory_limit",
        phrase(
            "stopped because it held {held} of this machine's memory and {limit} is all that can be spared",
            held=format_bytes(held_bytes),
            limit=format_bytes(limit_bytes),
        ),
        hint=_BUILDING if phase == "build" else fault("memory_limit").hint,
        phase=phase,
        needed_bytes=held_bytes,
        had_bytes=limit_bytes,
        stderr=take_apart(stderr).lines(),
    )


def _unreadable(phase: str | None, dump: Dump) -> Failed:
    """The child ended itself because reading a model file did not end."""
    return Failed(
        "bad_model",
        phrase("the file is damaged: reading it does not come to an end"),
        expected=phrase("a Keras .h5 file"),
        phase=phase,
        stderr=dump.lines(),
    )


def _kind_and_message(
    exit_code: int | None, said: tuple[str, ...], ending: str, *, half_line: bool, oom_killed: bool | None
) -> tuple[str, str]:
    """What to call it, and the sentence."""
    if exit_code == -getattr(signal, "SIGKILL", 9):
        return _killed(ending, oom_killed)
    refused = next((found[0] for line in said if (found := _REFUSED.search(line))), None)
    if refused is not None:
        kind = framework_cause(refused) or "out_of_memory"
        return kind, phrase("the child could not allocate memory ({ending}): {refused}", ending=ending, refused=refused)
    telling = [line for line in said if not _CHATTER.match(line)]
    words = ": " + " | ".join(telling[-_SHOWN_LINES:]) if telling else ""
    if half_line:
        return "cut_off", phrase(
            "the child ended without an answer ({ending}), in the middle of a message{words}",
            ending=ending,
            words=words,
        )
    # A framework that aborts says why in the line before ("Check failed: ... CUDA_ERROR_OUT_OF_MEMORY").
    cause = framework_cause("\n".join(telling)) if exit_code is not None and exit_code < 0 else None
    return cause or _ending_kind(exit_code), phrase(
        "the child ended without an answer ({ending}){words}", ending=ending, words=words
    )


def _killed(ending: str, oom_killed: bool | None) -> tuple[str, str]:
    """SIGKILL that was not ours."""
    if oom_killed:
        return "memory_killer", phrase(
            "the system ended the child because memory ran out ({ending}, and it counted one)", ending=ending
        )
    if oom_killed is None:
        return "memory_killer", phrase(
            "the system ended the child ({ending}), most likely because memory ran out", ending=ending
        )
    return "killed", phrase(
        "another program ended the child ({ending}); the system's own memory killer did not", ending=ending
    )


def _ending_kind(exit_code: int | None) -> str:
    """The kind of problem that an exit code tells."""
    if exit_code is None:
        return "closed_output"
    if exit_code < 0:
        return _SIGNALS.get(_signal_name(exit_code), ("signal", ""))[0]
    return _WINDOWS_ENDINGS.get(exit_code, ("crashed", ""))[0]


def describe_exit(exit_code: int | None) -> Text:
    """An exit code in words: ``exit code 7``, ``signal SIGABRT: native code gave up …``."""
    if exit_code is None:
        return phrase("it closed its output and ran on")
    if exit_code < 0:
        name = _signal_name(exit_code)
        words = _SIGNALS.get(name, ("", ""))[1]
        return phrase("signal {name}: {words}", name=name, words=words) if words else phrase("signal {name}", name=name)
    known = _WINDOWS_ENDINGS.get(exit_code)
    return verbatim(f"{known[1]}, {exit_code:#x}") if known else phrase("exit code {exit_code}", exit_code=exit_code)


def _signal_name(exit_code: int) -> str:
    """``SIGABRT``, or the bare number of a signal without a name."""
    try:
        return signal.Signals(-exit_code).name
    except ValueError:
        return str(-exit_code)
