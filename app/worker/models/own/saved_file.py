"""Reads the configuration in a saved Keras model's file, without weights.

A ``.keras`` file is a zip with ``config.json``; an ``.h5`` file carries the same as an attribute; ``to_json`` writes
it alone.  Weights are never read: an estimate does not need their values and a benchmark makes its own.
Formats: keras/src/saving/saving_lib.py and keras/src/legacy/saving/legacy_h5_format.py (Keras 3.15).
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.own.saved_config import nodes

MAX_CONFIG_BYTES = 64 * 1024**2
"""The configuration of a network of a thousand layers takes one or two MB."""
MAX_RATIO = 1000
"""JSON shrinks twenty- to fiftyfold; a zip bomb far more."""
LONGEST_READ_S = 20.0
"""Of an HDF5 file's attributes, which takes milliseconds."""


@dataclass(frozen=True)
class SavedModel:
    """A model's configuration, and the loss that it was compiled with, if any."""

    config: dict[str, Any]
    loss: Any = None
    legacy: bool = False
    digest: str = ""
    """SHA-256 of what was read: of a ``.keras`` file the configuration, of others the file."""


def read_saved(path: Path, *, hashed: bool = False) -> SavedModel:
    """Read a model file's configuration by its kind.

    Args:
        path: The file.
        hashed: Say the digest of the very bytes that are read; a whole HDF5 file is read for it.

    Raises:
        BadModel: The file is damaged, too large, or holds weights only.
    """
    suffix = path.suffix.lower()
    try:
        if suffix == ".keras":
            return _from_config(_read_zip(path), path)
        if suffix in (".h5", ".hdf5"):
            return _read_h5(path, path.read_bytes() if hashed else None)
        if path.stat().st_size > MAX_CONFIG_BYTES:
            raise BadModel(
                phrase("the model file is too large"),
                expected=phrase("at most {max_config} bytes of JSON", max_config=MAX_CONFIG_BYTES),
                received=str(path),
            )
        return _from_config(path.read_bytes(), path)
    except OSError as error:
        raise BadModel(
            phrase("the model file cannot be read"), received=f"{path}: {error.strerror or error}"
        ) from error


def _read_zip(path: Path) -> bytes:
    """The member ``config.json`` of a ``.keras`` file."""
    try:
        with zipfile.ZipFile(path) as archive:
            member = archive.getinfo("config.json")
            if member.file_size > min(MAX_CONFIG_BYTES, MAX_RATIO * max(1, member.compress_size)):
                raise BadModel(
                    phrase("the configuration inside the model file is too large"),
                    expected=phrase(
                        "at most {max_config} bytes, packed at most {max_ratio}-fold",
                        max_config=MAX_CONFIG_BYTES,
                        max_ratio=MAX_RATIO,
                    ),
                    received=phrase(
                        "{file_size} bytes in {compress_size}",
                        file_size=member.file_size,
                        compress_size=member.compress_size,
                    ),
                )
            with archive.open(member) as file:
                return file.read(MAX_CONFIG_BYTES + 1)
    except KeyError as error:
        raise BadModel(
            phrase("the file has no config.json inside"), expected=phrase("a .keras file"), received=str(path)
        ) from error
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        ValueError,
        OverflowError,
        struct.error,
    ) as error:  # zipfile checks little of a file's directory before it reads it
        raise BadModel(
            phrase("the file is damaged"), expected=phrase("a .keras file (a zip)"), received=f"{path}: {error}"
        ) from error


def _read_h5(path: Path, content: bytes | None) -> SavedModel:
    """Configuration and loss of an HDF5 file, or of what was read of it."""
    import h5py  # type: ignore[import-untyped]

    try:
        with _ends(), h5py.File(path if content is None else io.BytesIO(content), "r") as file:
            config, training = file.attrs.get("model_config"), file.attrs.get("training_config")
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, MemoryError) as error:
        raise BadModel(
            phrase("the file is damaged"), expected=phrase("a Keras .h5 file"), received=f"{path}: {error}"
        ) from error
    if config is None:
        raise BadModel(
            phrase("the file holds weights only"),
            expected=phrase("a whole model"),
            received=str(path),
            hint=phrase("save it with model.save(), not with save_weights()"),
        )
    training = _parse(training, path) if training is not None else {}
    digest = hashlib.sha256(content or b"").hexdigest()
    return SavedModel(_parse_model(config, path), loss=training.get("loss"), legacy=True, digest=digest)


@contextlib.contextmanager
def _ends() -> Iterator[None]:
    """End this process if what is done within does not end.

    HDF5 1.14.6 walks some damaged files for ever, with Python's lock in its hand: no signal, thread or parent's word is
    heard.  The parent knows the end by its stack (`app.services.child.worker_endings`).
    """
    faulthandler.dump_traceback_later(LONGEST_READ_S, exit=True, file=2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _from_config(text: bytes, path: Path) -> SavedModel:
    """Take the loss out of the compile configuration, and that out of the rest."""
    config = _parse_model(text, path)
    compiled = config.get("compile_config")
    loss = compiled.get("loss") if isinstance(compiled, dict) else None
    for node in nodes(config):  # what a model inside was compiled with is of no use, and may need what is not here
        node.pop("compile_config", None)
    digest = hashlib.sha256(text).hexdigest()
    return SavedModel(config, loss=loss, legacy="registered_name" not in config, digest=digest)


def _parse_model(text: Any, path: Path) -> dict[str, Any]:
    """JSON text as the configuration of a model."""
    config = _parse(text, path)
    if "class_name" not in config or not isinstance(config.get("config"), dict | list):
        raise BadModel(
            phrase("the file is no Keras model"),
            expected=phrase("the keys class_name and config"),
            received=", ".join(sorted(config)[:6]) or phrase("an empty object"),
        )
    return config


def _parse(text: Any, path: Path) -> dict[str, Any]:
    """JSON text as an object."""
    if not isinstance(text, str | bytes) or len(text) > MAX_CONFIG_BYTES:
        raise BadModel(
            phrase("the model file is damaged"),
            expected=phrase("a text of at most {max_config} bytes", max_config=MAX_CONFIG_BYTES),
            received=f"{path}: {type(text).__name__}",
        )
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        received = f"{path}: {error}"
        raise BadModel(
            phrase("the model file is damaged"), expected=phrase("a Keras model in JSON"), received=received
        ) from error
    if not isinstance(parsed, dict):
        raise BadModel(
            phrase("the file is no Keras model"), expected=phrase("a JSON object"), received=type(parsed).__name__
        )
    return parsed
