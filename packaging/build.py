"""Build the program for people who have no Python: one folder with Qt and the tables, without a framework.

    python packaging/build.py [--deb] [--out dist]

Needs the program, PyInstaller and PySide6 in the Python that runs it, and no framework (see packaging/README.md).
PyInstaller is a tool here: its licence (GPL with an exception for what it builds) does not reach the built program,
and nothing of the program imports it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from deb import build_deb
from icons import write_icons

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Build, and say what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the folder goes")
    parser.add_argument("--deb", action="store_true", help="also make a Debian package of it")
    options = parser.parse_args(arguments)
    out = options.out.resolve()
    write_icons(ROOT / "resources" / "icons" / "app.svg", ROOT / "build" / "icons")
    folder = build_folder(out)
    print(f"{folder}: {size_mib(folder):.0f} MiB in {sum(1 for _ in folder.rglob('*'))} files")
    if options.deb:
        package = build_deb(folder, ROOT / "build" / "icons", out)
        print(f"{package}: {package.stat().st_size / 2**20:.0f} MiB")
    return 0


def build_folder(out: Path) -> Path:
    """Run PyInstaller; the folder is a program afterwards."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--log-level",
        "WARN",
        "--distpath",
        str(out),
        "--workpath",
        str(ROOT / "build" / "pyinstaller"),
        str(ROOT / "packaging" / "willittrain.spec"),
    ]
    # The checkout's own package counts, not one that may be installed besides.
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return out / "willittrain"


def size_mib(folder: Path) -> float:
    """What a folder takes on disk."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 2**20


if __name__ == "__main__":
    sys.exit(main())
