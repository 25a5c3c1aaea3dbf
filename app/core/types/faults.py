"""The words for everything that can go wrong in a run: each kind, how such a run ended, and one thing to do.

`Problem.kind` and `Failed.kind` hold these words; `Outcome` keeps its five values.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.measurement import Outcome
from app.core.types.text import Text, phrase


@dataclass(frozen=True)
class Fault:
    """What a kind of problem means."""

    outcome: Outcome
    hint: Text = Text()
    """One thing to do, where whoever saw the problem knew nothing better."""


_SMALLER = phrase("try a smaller batch; `willittrain advise` lists what else would help")
_TRY_CPU = phrase("run it with --device cpu to see whether the device's driver is the cause")
_NATIVE = phrase(
    "update the framework or the driver, or leave out native code of your own; the last lines show where it was"
)

FAULTS: dict[str, Fault] = {
    # Memory: whose, and who refused
    "out_of_memory": Fault("out_of_memory", _SMALLER),
    "workspace": Fault("out_of_memory", phrase("the library found no room to compute in: ") + _SMALLER),
    "host_memory": Fault(
        "out_of_memory", phrase("try a smaller batch or close other programs; the machine's memory ran out")
    ),
    "memory_killer": Fault(
        "out_of_memory", phrase("try a smaller batch or close other programs; the system's memory ran out")
    ),
    "memory_limit": Fault(
        "out_of_memory", phrase("try a smaller batch, close other programs, or do not cache the data in RAM")
    ),
    # What was asked for cannot run
    "bad_model": Fault("failed", phrase("mend the model; the message is its own")),
    "needs_consent": Fault("failed", phrase("allow it to run code only if you trust its author (--trust)")),
    "bad_dataset": Fault("failed", phrase("mend the data or its pipeline; the message is its own")),
    "data_shape": Fault(
        "failed", phrase("let the pipeline give what the model takes, or name the shape with --input-shape")
    ),
    "data_ended": Fault("failed", phrase("choose a smaller batch, or let the pipeline begin anew at its end")),
    "missing": Fault("failed", phrase("`willittrain doctor` says what is missing")),
    "missing_op": Fault(
        "failed", phrase("run it on the CPU (--device cpu), or exchange the layer that needs this operation")
    ),
    "xla_failed": Fault("failed", phrase("run it without XLA (--no-jit)")),
    "compile_failed": Fault("failed", phrase("run it without torch.compile (--no-jit)")),
    "device_failed": Fault("failed", _TRY_CPU),
    "not_finite": Fault("succeeded", phrase("lower the learning rate, scale the inputs, or train in float32")),
    # The child and its words
    "hung": Fault(
        "failed", phrase("look at the place named in the last lines; data that never comes is a frequent cause")
    ),
    "timeout": Fault("failed", phrase("give it more time, or a smaller batch")),
    "garbled": Fault("failed", phrase("something in the model writes to descriptors that are not its own")),
    "other_version": Fault("failed", phrase("parent and child must be of the same version")),
    "error": Fault("failed"),
    "cancelled": Fault("cancelled"),
    # Ends without a last word
    "crashed": Fault("crashed", phrase("the last lines of its standard error say more")),
    "cut_off": Fault("crashed", phrase("the last lines of its standard error say more")),
    "closed_output": Fault("crashed", phrase("do not close file descriptors in the model's code")),
    "segmentation_fault": Fault("crashed", _NATIVE),
    "bus_error": Fault(
        "crashed", phrase("look whether the disk or /dev/shm is full; a mapped file that shrank does this")
    ),
    "illegal_instruction": Fault("crashed", phrase("use a build of the framework that this processor can run")),
    "aborted": Fault("crashed", _NATIVE),
    "arithmetic": Fault("crashed", _NATIVE),
    "killed": Fault(
        "crashed", phrase("look for who ends processes here: a job scheduler, a memory daemon, another user")
    ),
    "terminated": Fault("crashed", phrase("look for who ends processes here: a logout, a job scheduler, another user")),
    "signal": Fault("crashed", _NATIVE),
}
"""Kinds that a newer child may send are treated as ``error``."""

HOST_MEMORY = frozenset({"host_memory", "memory_killer", "memory_limit"})
"""It was the machine's memory that ran out; what was needed is counted for the whole process."""

BAD_DATA = frozenset({"bad_dataset", "data_shape", "data_ended"})
"""The user's data is the cause."""


def fault(kind: str) -> Fault:
    """What a kind means."""
    return FAULTS.get(kind, FAULTS["error"])


def outcome_of(kind: str) -> Outcome:
    """How a run with this problem ended."""
    return fault(kind).outcome
