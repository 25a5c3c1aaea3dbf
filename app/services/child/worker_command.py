"""Which program the child is and in which environment it starts.

The environment is built from a short list, never inherited whole: what decides a measurement shall be
known (and is recorded by the child), and a proxy or a token is none of the child's business.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from app.services.child.start_place import program_path, start_folder, without_relative_paths, working_folder

_NAMES = set(
    "PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP SHELL LD_LIBRARY_PATH LD_PRELOAD "
    "DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH PYTHONPATH VIRTUAL_ENV CONDA_PREFIX XDG_CACHE_HOME "
    "XDG_RUNTIME_DIR SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA "
    "PROGRAMFILES NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE".split()
)
_PREFIXES = tuple(
    "LC_ CUDA CUDNN_ NVIDIA_TF32 NVIDIA_VISIBLE NVIDIA_DRIVER XLA_ KERAS_BACKEND KERAS_HOME JAX_ PYTORCH_ "
    "OMP_ MKL_ KMP_ OPENBLAS_ ROCR_ HIP_ HSA_ SYCL_ MALLOC_ WILLITTRAIN_ _PYI_ TF_AUTOTUNE_ TF_CPP_ "
    "TF_CPU_ TF_CUBLAS_ TF_CUDA_ TF_CUDNN_ TF_DETERMINISTIC_ TF_DISABLE_ TF_ENABLE_ TF_FORCE_ TF_FP16_ "
    "TF_GPU_ TF_MKL_ TF_NUM_ TF_ONEDNN_ TF_USE_ TF_XLA_".split()
)
"""TensorFlow's variables one family at a time: Terraform keeps tokens in others that begin with ``TF_``."""

_OURS = {
    "TF_CPU_ALLOCATOR_USE_BFC": "true",
    "TF_CPP_MIN_LOG_LEVEL": "2",
    "PYTHONUNBUFFERED": "1",
    "PYTHONIOENCODING": "utf-8",
    # For the Pythons that a library starts from where the user stands, torch's compilers for example.
    "PYTHONSAFEPATH": "1",
}

_BOOTSTRAP = """\
import os, sys
working, folder = sys.argv[1:]
sys.path[:] = [p for p in sys.path if p and os.path.abspath(p) != os.getcwd()]
try:
    os.chdir(working or ".")
except OSError:
    pass
import importlib.util
spec = importlib.util.spec_from_file_location("app", folder + "/__init__.py", submodule_search_locations=[folder])
sys.modules["app"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from app.worker.main import main
main()
"""
"""Loads our package by its place.  Our parent folder is not put on the path: installed, it is a whole
``site-packages``, whose NumPy and TensorFlow would hide those of the user's interpreter.  It begins in a folder of
ours (`start_place`) and goes to where the user stands, whose files the request may name, once that folder is off the
path: a user's ``app``, ``json.py`` or ``keras.py`` there shall not hide the real one."""


def worker_command(interpreter: str | None = None) -> list[str]:
    """The program and arguments that start a child in ``interpreter``, by default this program's own.

    A built program is no Python: its own child is the program again, and on Windows the one with a console beside
    it, because a window's program has no standard streams there.
    """
    if _is_built(interpreter):
        program = Path(sys.executable)
        console = program.with_name(f"willittrain-console{program.suffix}")
        return [str(console if console.exists() else program), "--worker"]
    python = program_path(interpreter) or interpreter if interpreter else sys.executable
    return [python, "-c", _BOOTSTRAP, working_folder(), str(start_folder())]


def worker_folder(interpreter: str | None = None) -> Path | None:
    """Where `worker_command` must be started; None for where we are: a built program looks for nothing there."""
    return None if _is_built(interpreter) else start_folder()


def _is_built(interpreter: str | None) -> bool:
    """Is the child this program itself, and no Python?"""
    return getattr(sys, "frozen", False) and interpreter in (None, sys.executable)


def worker_environment(interpreter: str | None = None, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The child's whole environment.

    Args:
        interpreter: Whose Python it is; another one than ours does not get our virtual environment's name.
        extra: Added last; an empty value removes the variable.
    """
    made = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _NAMES or name.upper().startswith(_PREFIXES)
    }
    if interpreter is not None:
        made.pop("VIRTUAL_ENV", None)
    made.update(_OURS)
    for name, value in (extra or {}).items():
        if value:
            made[name] = value
        else:
            made.pop(name, None)
    return without_relative_paths(made)
