"""Fill in what conda, Homebrew and winget need of a release: ``python packaging/manifests.py OUT --at URL DIST``.

DIST holds the release's files: the sdist (conda), ``WillItTrain-X.Y.Z.zip`` with the .app (Homebrew) and
``WillItTrain-X.Y.Z-setup.exe`` (winget).  For each that is there OUT gets a manifest, with the file's SHA-256 and its
place below URL; of the others a line says that they are missing.  The templates lie in ``packaging/manifests``.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = Path(__file__).resolve().parent / "manifests"
FILES = {"conda": "willittrain-{}.tar.gz", "homebrew": "WillItTrain-{}.zip", "winget": "WillItTrain-{}-setup.exe"}
"""What each of them installs, by its name with the version."""
CONDA_NAMES = {"PySide6-Essentials": "pyside6", "Jinja2": "jinja2", "Babel": "babel"}
"""Names that differ there from those in pyproject.toml."""
_VERSION = re.compile(r'__version__ = "([^"]+)"')
_OPEN = re.compile(r"@[A-Z0-9]+@")


def version_of(root: Path) -> str:
    """The version that the program tells of itself."""
    found = _VERSION.search((root / "app" / "__init__.py").read_text("utf-8"))
    assert found is not None
    return found[1]


def conda_requirements(root: Path) -> str:
    """What the program needs, as lines of a recipe."""
    needed = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    split = (re.fullmatch(r"([\w-]+)(.*)", one) for one in needed)
    return "\n".join(f"    - {CONDA_NAMES.get(one[1], one[1])} {one[2]}" for one in split if one)


def filled(template: str, places: dict[str, str]) -> str:
    """A template with its places filled in.

    Raises:
        KeyError: One of them is not known.
    """
    return _OPEN.sub(lambda found: places[found[0].strip("@")], template)


def write_manifests(out: Path, dist: Path, at: str, homepage: str) -> list[str]:
    """Write the manifests of those files that are there.

    Args:
        out: Gets a folder for each of them.
        dist: Holds the release's files.
        at: Where these files are fetched from.
        homepage: Of the project.

    Returns:
        Names of the files that are missing.
    """
    version, missing = version_of(ROOT), []
    for kind, name in FILES.items():
        file = dist / name.format(version)
        if not file.is_file():
            missing.append(file.name)
            continue
        places = {
            "VERSION": version,
            "URL": f"{at.rstrip('/')}/{file.name}",
            "SHA256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "HOMEPAGE": homepage,
            "REQUIREMENTS": conda_requirements(ROOT),
        }
        (out / kind).mkdir(parents=True, exist_ok=True)
        for template in sorted((TEMPLATES / kind).iterdir()):
            (out / kind / template.name).write_text(filled(template.read_text("utf-8"), places), "utf-8")
    return missing


def main() -> int:
    """Write them and say what is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("dist", type=Path)
    parser.add_argument("--at", required=True, metavar="URL", help="where the release's files are fetched from")
    parser.add_argument("--homepage", metavar="URL", help="the project's; the same as --at if left out")
    chosen = parser.parse_args()
    missing = write_manifests(chosen.out, chosen.dist, chosen.at, chosen.homepage or chosen.at)
    for name in missing:
        print(f"no manifest without {chosen.dist / name}", file=sys.stderr)
    return 1 if len(missing) == len(FILES) else 0


if __name__ == "__main__":
    sys.exit(main())
