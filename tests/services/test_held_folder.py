import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.services.held_folder import YOUNG_S, abandoned, held_folder

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a folder cannot be held there")
_MAKER = """
import sys
from pathlib import Path
from app.services.held_folder import held_folder
with held_folder(Path(sys.argv[1]), "ours-") as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    sys.stdin.read()
"""


def _make(parent: Path) -> "tuple[subprocess.Popen[str], Path]":
    command = [sys.executable, "-c", _MAKER, str(parent)]
    maker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert maker.stdout is not None
    folder = Path(maker.stdout.readline().strip())
    os.utime(folder, (time.time() - 2 * YOUNG_S,) * 2)
    return maker, folder


def test_the_folder_of_a_killed_maker_goes_when_the_next_one_comes(tmp_path: Path):
    maker, folder = _make(tmp_path)
    with maker:
        maker.kill()
    assert abandoned(tmp_path, "ours-") == [folder]
    with held_folder(tmp_path, "ours-") as mine:
        assert list(tmp_path.iterdir()) == [mine]
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_living_maker_stays_until_it_ends(tmp_path: Path):
    maker, folder = _make(tmp_path)
    with maker:
        with held_folder(tmp_path, "ours-"):
            assert folder.exists()
        maker.communicate("")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_has_just_been_made_is_left_alone_and_so_are_links(tmp_path: Path):
    (tmp_path / "ours-new").mkdir()
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (tmp_path / "ours-link").symlink_to(foreign, target_is_directory=True)
    old = (time.time() - 2 * YOUNG_S,) * 2
    os.utime(tmp_path / "ours-link", old, follow_symlinks=False)
    assert abandoned(tmp_path, "ours-") == []


def test_nobody_else_may_look_into_it(tmp_path: Path):
    with held_folder(tmp_path, "ours-") as folder:
        assert folder.stat().st_mode & 0o077 == 0
