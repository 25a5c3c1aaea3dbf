"""Where the tables that ship with the program lie, in a source checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from app.core.types.errors import StoreError
from app.core.types.text import phrase

APP = Path(__file__).resolve().parent.parent
CANDIDATES = (APP / "resources", APP.parent / "resources")
"""A wheel carries the folder inside the package; a checkout has it beside the package."""


def resource_path(name: str, candidates: tuple[Path, ...] = CANDIDATES) -> Path:
    """Find a file or folder that ships with the program.

    Args:
        name: Path below the resources folder, for example ``gpus.csv`` or ``icons/app.svg``.
        candidates: Folders to look in, first hit wins.

    Raises:
        StoreError: The program is installed incompletely.
    """
    for folder in candidates:
        path = folder / name
        if path.exists():
            return path
    places = " or ".join(str(folder) for folder in candidates)
    raise StoreError(
        phrase("a file of this program is missing"),
        expected=phrase("{name} in {places}", name=name, places=places),
        hint=phrase("install the program again"),
    )
