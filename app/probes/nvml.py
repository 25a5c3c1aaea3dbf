"""A connection to NVIDIA's management library that never raises for a single reading.

``nvidia-ml-py`` (``import pynvml``) loads the driver's library on demand.  A function that an old driver
lacks, a right that is missing or a card that fell off the bus all become "not available" with a reason.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from app.core.types.text import Text, phrase

T = TypeVar("T")

DRIVER_MISSING = phrase("no NVIDIA driver is installed")
GPU_LOST = phrase("the card was lost: it no longer answers the driver; restart the machine")
TOO_OLD = phrase("the NVIDIA driver is too old to tell")

_REASONS = {
    "NVML_ERROR_NOT_SUPPORTED": phrase("the card does not tell"),
    "NVML_ERROR_NO_PERMISSION": phrase("the NVIDIA driver does not allow it to this user"),
    "NVML_ERROR_NOT_FOUND": phrase("the NVIDIA driver does not find it"),
    "NVML_ERROR_INSUFFICIENT_POWER": phrase("the card's power cable is not connected"),
    "NVML_ERROR_DRIVER_NOT_LOADED": phrase("the NVIDIA driver is installed but not loaded; restart the machine"),
    "NVML_ERROR_TIMEOUT": phrase("the NVIDIA driver did not answer in time"),
    "NVML_ERROR_IRQ_ISSUE": phrase("the NVIDIA driver has a problem with the card's interrupt"),
    "NVML_ERROR_LIBRARY_NOT_FOUND": DRIVER_MISSING,
    "NVML_ERROR_FUNCTION_NOT_FOUND": TOO_OLD,
    "NVML_ERROR_GPU_IS_LOST": GPU_LOST,
    "NVML_ERROR_RESET_REQUIRED": phrase("the card must be reset before it answers again; restart the machine"),
    "NVML_ERROR_OPERATING_SYSTEM": phrase("the operating system blocks the NVIDIA driver"),
    "NVML_ERROR_LIB_RM_VERSION_MISMATCH": phrase("the NVIDIA driver was updated; restart the machine to use it"),
    "NVML_ERROR_UNINITIALIZED": phrase("the connection to the NVIDIA driver was lost"),
}


class NvmlUnavailable(Exception):
    """No connection; ``reason`` is for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Nvml:
    """An open connection.  Use as a context manager or call `close`.

    Raises:
        NvmlUnavailable: There is no driver, or it refuses.
    """

    def __init__(self) -> None:
        self.library = _load()
        try:
            self.library.nvmlInit()
        except self.library.NVMLError as error:
            raise NvmlUnavailable(self.explain(error)) from error

    def __enter__(self) -> Nvml:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; a driver that went away meanwhile is no problem."""
        self.read(self.library.nvmlShutdown)

    def read(self, call: Callable[..., T], *arguments: Any) -> tuple[T | None, str]:
        """One reading: the value and "", or None and the reason."""
        try:
            return call(*arguments), ""
        except self.library.NVMLError as error:
            return None, self.explain(error)
        except UnicodeDecodeError:
            return None, phrase("the NVIDIA driver answered with garbage")

    def explain(self, error: Any) -> Text:
        """An NVML error in words."""
        for name, reason in _REASONS.items():
            if getattr(self.library, name, None) == error.value:
                return reason
        return phrase("NVIDIA driver: {error}", error=error)

    def handles(self) -> list[tuple[Any, str]]:
        """Handle of each card, or None and the reason; a lost card keeps its place."""
        count, reason = self.read(self.library.nvmlDeviceGetCount)
        if count is None:
            raise NvmlUnavailable(reason)
        return [self.read(self.library.nvmlDeviceGetHandleByIndex, index) for index in range(count)]


def _load() -> ModuleType:
    """Import pynvml on demand."""
    try:
        import pynvml
    except ImportError as error:
        raise NvmlUnavailable(phrase("the package nvidia-ml-py is not installed")) from error
    return pynvml  # type: ignore[no-any-return]
