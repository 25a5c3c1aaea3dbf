"""What conda, Homebrew and winget are given of a release."""

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app import __version__

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "packaging" / "manifests.py"
NAMES = {
    "conda": f"willittrain-{__version__}.tar.gz",
    "homebrew": f"WillItTrain-{__version__}.zip",
    "winget": f"WillItTrain-{__version__}-setup.exe",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    dist, out = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("out")
    for kind, name in NAMES.items():
        (dist / name).write_text(kind)
    command = [sys.executable, str(SCRIPT), str(out), str(dist), "--at", "https://example.org/files/"]
    assert subprocess.run(command, check=False).returncode == 0
    return out


@pytest.mark.parametrize("kind", NAMES)
def test_every_place_is_filled_in_with_the_file_and_its_hash(made, kind):
    told = "\n".join(path.read_text("utf-8") for path in (made / kind).iterdir())
    assert not re.search(r"@[A-Z0-9]+@", told)
    assert f"https://example.org/files/{NAMES[kind]}" in told
    assert hashlib.sha256(kind.encode()).hexdigest() in told
    assert __version__ in told


def test_the_recipe_needs_what_the_program_needs(made):
    recipe = (made / "conda" / "recipe.yaml").read_text("utf-8").lower()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for needed in project["dependencies"]:
        name, bounds = re.fullmatch(r"([\w-]+)(.*)", needed).groups()
        assert re.search(rf"- {name.lower().removesuffix('-essentials')} {re.escape(bounds.lower())}\n", recipe), needed
    assert recipe.count(f"python {project['requires-python']}") == 2
    for needed in project["optional-dependencies"]["tensorflow"]:
        assert needed.replace(">=", " >=", 1) in recipe


@pytest.mark.skipif(shutil.which("ruby") is None, reason="no ruby here")
def test_the_cask_is_ruby(made):
    assert subprocess.run(["ruby", "-c", made / "homebrew" / "willittrain.rb"], check=False).returncode == 0


def test_what_is_missing_is_said(tmp_path):
    command = [sys.executable, str(SCRIPT), str(tmp_path / "out"), str(tmp_path), "--at", "https://example.org"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert all(name in done.stderr for name in NAMES.values())
