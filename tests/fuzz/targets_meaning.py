"""Fuzzed: model files by what happens when they are built: whether code ran, a file was touched, somebody was called.

The building may end as it likes.  Python tells of what it does by its audit events, and the kernel (inotify) of a
folder that only a file's author names, for what TensorFlow opens without Python.
"""

from __future__ import annotations

import copy
import ctypes
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from app.core.types.workload import ModelRef
from tests.fuzz.target import Target
from tests.worker.models.own import hostile

FOLDER = "@FOLDER@"
"""Stands for the folder in what is made up."""
ACTS = (
    "ctypes.dlopen",
    "os.chmod",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.link",
    "os.mkdir",
    "os.posix_spawn",
    "os.putenv",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.spawn",
    "os.symlink",
    "os.system",
    "os.truncate",
    "pickle.find_class",
    "pty.spawn",
    "shutil.copyfile",
    "shutil.move",
    "shutil.rmtree",
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.sendto",
    "subprocess.Popen",
    "urllib.Request",
    "webbrowser.open",
)
"""Audit events that building a model has no part in."""
_IN_OPEN_OR_CREATE = 0x20 | 0x100
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
NAMED = (
    *("os.system", "posix.system", "builtins.eval", "builtins.open", "subprocess.Popen", "shutil.rmtree"),
    *(
        "keras.utils.get_file",
        "keras.utils.save_img",
        "keras.saving.load_model",
        "keras.saving.register_keras_serializable",
    ),
    *("keras.layers.Lambda", "keras.layers.TFSMLayer", "keras.src.layers.core.lambda_layer.Lambda", "keras.Model"),
    *(
        "keras.ops.cond",
        "keras.ops.map",
        "keras.ops.vectorized_map",
        "keras.ops.custom_gradient",
        "keras.ops.fori_loop",
    ),
    *("keras.activations.get", "keras.losses.deserialize", "keras.applications.vgg16.decode_predictions"),
    *("tensorflow.io.read_file", "tensorflow.io.write_file", "tensorflow.py_function", "numpy.load", "numpy.save"),
    *("keras.src.utils.python_utils.func_load", "keras.src.saving.saving_lib.load_model", "ctypes.CDLL"),
    *("keras.callbacks.CSVLogger", "keras.preprocessing.image.load_img", "keras.utils.image_dataset_from_directory"),
)
"""What a file's author would like to call, besides the attempts of `hostile`."""
PATHS = (f"{FOLDER}/words.txt", f"{FOLDER}/made.txt", f"file://{FOLDER}/words.txt", f"touch {FOLDER}/made.txt")


def _nodes(config: Any) -> Iterator[dict[str, Any]]:
    """All objects with a class's name."""
    inner = config.values() if isinstance(config, dict) else config if isinstance(config, list) else ()
    if isinstance(config, dict) and "class_name" in config:
        yield config
    for one in inner:
        yield from _nodes(one)


@st.composite
def harmful(draw: st.DrawFn) -> tuple[Any, str]:
    """An attempt, parts of others in its places, things named otherwise; and the kind of the file."""
    attempts = [config for config in _attempts().values() if len(json.dumps(config)) < 20_000]
    config = copy.deepcopy(draw(st.sampled_from(attempts)))
    for _ in range(draw(st.integers(0, 4))):
        node = draw(st.sampled_from(list(_nodes(config))))
        change = draw(st.sampled_from(("graft", "module", "name", "registered", "argument", "path")))
        module, _, name = draw(st.sampled_from(NAMED)).rpartition(".")
        if change == "graft":
            part = copy.deepcopy(draw(st.sampled_from(list(_nodes(draw(st.sampled_from(attempts)))))))
            _put(draw, node, part)
        elif change == "module":
            node["module"] = draw(
                st.sampled_from((module, None, "keras", "builtins", f"keras.{module}", f"{module}.{name}"))
            )
        elif change == "name":
            node["class_name"] = draw(
                st.sampled_from((name, f"{module}.{name}", "function", "__lambda__", "__tensor__"))
            )
        elif change == "registered":
            node["registered_name"] = draw(st.sampled_from((name, None, f"{module}>{name}", "Lambda", "layers.Lambda")))
        elif change == "argument":
            _put(draw, node, hostile.function(module, name))
        else:
            _put(draw, node, draw(st.sampled_from(PATHS)))
    return config, draw(st.sampled_from((".keras", ".json", ".h5") if find_spec("h5py") else (".keras", ".json")))


def _put(draw: st.DrawFn, node: dict[str, Any], value: Any) -> None:
    """Make it one of the arguments of what a node names."""
    inside = node.get("config")
    if isinstance(inside, dict):
        known = (
            "function",
            "activation",
            "layer",
            "vocabulary",
            "kernel_initializer",
            "call_fn",
            "fn",
            "weights",
            "dtype",
        )
        inside[draw(st.sampled_from((*sorted(inside), *known)))] = value
    else:
        node["config"] = value


@cache
def _attempts() -> dict[str, Any]:
    return hostile.attempts(Path(FOLDER) / "made.txt", f"file://{FOLDER}")


class _Listener:
    """Hears of what this process does while ``open`` is set; cannot be taken away again."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.folder = ""
        self.on = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in ACTS and arguments != (None,):  # this process's own symbols, looked up by `ctypes`
            self._note(f"{event} {arguments!r:.100}")
        elif event == "open" and isinstance(arguments[0], str | bytes):
            path, flags = os.fsdecode(arguments[0]), int(arguments[2] or 0)
            if flags & _WRITES or not (path.startswith(_READ) or path == self.folder or path.endswith(".py")):
                self._note(f"open {path!r} {arguments[1]}")
        elif event == "import" and str(arguments[0]).partition(".")[0] == hostile.IMPORTED:
            self._note(f"import {arguments[0]}")

    def _note(self, what: str) -> None:
        if len(self.heard) < 10:
            self.heard.append(what)


_READ = tuple({sys.prefix, sys.base_prefix, sys.exec_prefix, "/proc/", "/sys/", "/dev/null", "/dev/urandom"})
"""What may be read: Python, its packages, and what the machine tells of itself."""


@cache
def _ready() -> _Listener:
    """Keras imported and a first model built, so that what comes later is the file's doing."""
    from app.worker.models.built import Wishes
    from app.worker.models.own import files

    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        for suffix in (".keras", ".json"):
            good = hostile.stack(hostile.layer("Dense", units=2, name="d"))
            path = hostile.write(Path(folder) / f"good{suffix}", good)
            files.build(ModelRef("file", "good", path=str(path)), Wishes())
            with suppress(Exception):  # the first refusal imports, too
                files.build(ModelRef("file", "x", path=str(hostile.write(path, {"class_name": "x"}))), Wishes())
    return _Listener()


@contextmanager
def _watched(folder: Path) -> Iterator[list[str]]:
    """Names of the files in a folder that anybody opens or makes; filled at the end.  Linux only."""
    seen: list[str] = []
    if sys.platform != "linux":
        yield seen
        return
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if descriptor < 0 or library.inotify_add_watch(descriptor, os.fsencode(folder), _IN_OPEN_OR_CREATE) < 0:
        raise OSError(ctypes.get_errno(), "the folder cannot be watched")
    try:
        yield seen
    finally:
        with suppress(BlockingIOError):
            seen += [part.decode() for part in os.read(descriptor, 65536)[16:].split(b"\0") if part.isascii() and part]
        os.close(descriptor)


def model_meaning(given: tuple[Any, str]) -> None:
    """Building a stranger's model does nothing but build it."""
    from app.worker.models.built import Wishes
    from app.worker.models.own import files

    config, suffix = given
    listener = _ready()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        folder = Path(place) / "theirs"
        folder.mkdir()
        (folder / "words.txt").write_text("a\nb\n")
        text = json.dumps(config).replace(FOLDER, str(folder))
        path = hostile.write(Path(place) / f"model{suffix}", json.loads(text))
        listener.heard.clear()
        with _watched(folder) as seen:
            listener.folder, listener.on = str(path), True
            try:
                with suppress(Exception):
                    files.build(ModelRef("file", "theirs", path=str(path)), Wishes())
            finally:
                listener.on = False
    if listener.heard or seen:
        raise AssertionError(f"a stranger's model did {listener.heard} and touched {seen}")


MEANING_TARGETS = (Target("model_meaning", harmful(), model_meaning, ready=_ready),) if find_spec("tensorflow") else ()
