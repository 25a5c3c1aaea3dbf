"""The one tree of errors that users and machines can cause.

Each carries what was expected, what was received and one thing to do, so that the command line, a
message box and a report can all print the same three facts.  Errors of ours (a broken invariant) are
ordinary Python exceptions and crash loudly.
"""

from __future__ import annotations

from app.core.types.text import Text, join, phrase


class WillItTrainError(Exception):
    """A problem that the user can understand and act upon.

    Args:
        message: What went wrong, one sentence without a full stop.
        expected: What would have been right.
        received: What was there instead.
        hint: One thing to do about it.
        instead: What was probably meant by what was received.
    """

    exit_code = 4

    def __init__(
        self, message: Text, *, expected: str = "", received: str = "", hint: Text = Text(), instead: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.received = received
        self.hint = hint
        self.instead = instead

    def __str__(self) -> str:
        """One line: message, expected, received, hint; empty parts are left out."""
        parts: list[str] = [self.message]
        if self.expected:
            parts.append(phrase("expected {expected}", expected=self.expected))
        if self.received:
            parts.append(phrase("received {received}", received=self.received))
        if self.hint:
            parts.append(self.hint)
        return join("; ", parts)


class UsageError(WillItTrainError):
    """An option or a combination of options makes no sense."""

    exit_code = 2


class InvalidWorkload(WillItTrainError):
    """A model, dataset or plan cannot be what it claims to be."""

    exit_code = 3


class BadModel(InvalidWorkload):
    """A model is unknown, unreadable, untrusted, or cannot be built."""


class NeedsConsent(BadModel):
    """A saved model holds code, or is opened by a Keras that could be made to run some: only the user may allow it."""


class MissingModule(BadModel):
    """The author's code imports a module that the Python in use lacks.

    Attributes:
        module: Its name.
        python: The Python of this machine that has it, if one was found.
    """

    module: str = ""
    python: str = ""


class BadDataset(InvalidWorkload):
    """A dataset is unknown, unreadable, empty or of the wrong shape for the model."""


class WrongShape(BadDataset):
    """Data whose batches do not have the size or shape that the model takes."""


class MachineUnavailable(WillItTrainError):
    """Something of this machine that is needed is missing: a device, a framework, an interpreter."""


class WorkerFailed(WillItTrainError):
    """The child process ended without the answer that was asked for."""


class Cancelled(WillItTrainError):
    """The user cancelled; not a failure, but no answer either."""


class StoreError(WillItTrainError):
    """A file of ours (history, cache, settings) cannot be read or written."""
