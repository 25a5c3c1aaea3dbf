"""Files of the window: icons shipped with the program, and the folder where the window may write."""

from __future__ import annotations

import contextlib
import os
from functools import lru_cache
from pathlib import Path

from app.services.whole_write import close_to_others, private_folder, write_whole


def resources_dir() -> Path:
    """The folder ``resources``, installed beside the package or at the top of the source tree."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "resources"
    return installed if installed.is_dir() else package.parent / "resources"


def window_dir() -> Path:
    """Where window state and tinted icons are kept; ``WILLITTRAIN_DATA_DIR`` overrides the place."""
    chosen = os.environ.get("WILLITTRAIN_DATA_DIR")
    if chosen:
        folder = Path(chosen) / "window"
    else:
        import platformdirs

        folder = Path(platformdirs.user_cache_dir("willittrain")) / "window"
    with contextlib.suppress(OSError):  # where nothing can be written, the window remembers nothing
        close_to_others(private_folder(folder))
    return folder


@lru_cache(maxsize=64)
def icon_text(name: str) -> str:
    """The SVG text of an icon; ``currentColor`` stands for the colour."""
    return (resources_dir() / "icons" / f"{name}.svg").read_text("utf-8")


def tinted_file(name: str, colour: str) -> str:
    """Path of a copy of an icon in one colour; style sheets take pictures only from files."""
    path = window_dir() / f"{name}-{colour.lstrip('#')}.svg"
    if not path.exists():
        with contextlib.suppress(OSError):  # a style without its picture is a style
            write_whole(path, icon_text(name).replace("currentColor", colour).encode())
    return path.as_posix()
