"""A Debian package of the built program: everything below /opt/willittrain, and what a desktop looks for in /usr.

    python packaging/deb.py FOLDER ICONS OUT

The folder is what `packaging/build.py` makes.  Only ``dpkg-deb`` is called, and files belong to root without being
root (``--root-owner-group``).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from icons import SIZES

LINUX = Path(__file__).resolve().parent / "linux"
APP_ID = "io.github.willittrain.WillItTrain"
DEPENDS = (
    "libc6 (>= 2.34)",
    "libegl1",
    "libgl1",
    "libxkbcommon0",
    "libfontconfig1",
    "libdbus-1-3",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxkbcommon-x11-0",
)
"""What Qt's own wheels take from the system; the launcher's list (`launch_system`) says why."""

CONTROL = """\
Package: willittrain
Version: {version}
Section: science
Priority: optional
Architecture: {architecture}
Installed-Size: {kib}
Depends: {depends}
Recommends: python3-venv
Maintainer: The Will It Train? developers <willittrain@users.noreply.github.com>
Description: Says whether training a neural network fits this machine
 Point it at a model and a dataset and it says, before anything is allocated,
 whether training fits, how long it takes and what it waits for; proves it with
 a short real run; and names the change that helps most.
 .
 The package carries no TensorFlow: "willittrain runtime" finds a Python that
 has it, or makes one in your home folder.
"""


def build_deb(folder: Path, icons: Path, out: Path) -> Path:
    """Make the package.

    Args:
        folder: The built program.
        icons: What `icons.write_icons` made.
        out: Where the package goes.

    Returns:
        The package's file.

    Raises:
        subprocess.CalledProcessError: ``dpkg-deb`` failed or the program does not run.
        FileNotFoundError: There is no ``dpkg-deb``.
    """
    version = subprocess.run([str(folder / "willittrain"), "--version"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory(dir=out) as name:
        root = Path(name)
        root.chmod(0o755)
        lay_out(folder, icons, root)
        kib = sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir()) // 1024
        control = CONTROL.format(
            version=version.stdout.split()[-1], architecture=_architecture(), kib=kib, depends=", ".join(DEPENDS)
        )
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
        package = out / f"willittrain_{version.stdout.split()[-1]}_{_architecture()}.deb"
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", str(root), str(package)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return package


def lay_out(folder: Path, icons: Path, root: Path) -> None:
    """Put everything where it will lie, below ``root``; also what an AppImage or a Flatpak needs."""
    shutil.copytree(folder, root / "opt" / "willittrain", symlinks=True)
    share = root / "usr" / "share"
    theme = share / "icons" / "hicolor"
    for size in SIZES:
        _copy(icons / f"willittrain-{size}.png", theme / f"{size}x{size}" / "apps" / f"{APP_ID}.png")
    _copy(icons / "willittrain.svg", theme / "scalable" / "apps" / f"{APP_ID}.svg")
    _copy(LINUX / f"{APP_ID}.desktop", share / "applications" / f"{APP_ID}.desktop")
    _copy(LINUX / f"{APP_ID}.metainfo.xml", share / "metainfo" / f"{APP_ID}.metainfo.xml")
    _copy(LINUX.parent.parent / "LICENSE", share / "doc" / "willittrain" / "copyright")
    link = root / "usr" / "bin" / "willittrain"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../opt/willittrain/willittrain")


def _copy(source: Path, target: Path) -> None:
    """Copy a file to a folder that may not be there yet."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _architecture() -> str:
    """Debian's name of this machine's kind."""
    done = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    print(build_deb(*(Path(text).resolve() for text in sys.argv[1:4])))
