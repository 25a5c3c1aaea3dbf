"""What desktops and stores read agrees with the program."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import app

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
APP_ID = "io.github.willittrain.WillItTrain"
METAINFO = PACKAGING / "linux" / f"{APP_ID}.metainfo.xml"


@pytest.fixture(scope="module")
def entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(PACKAGING / "linux" / f"{APP_ID}.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


@pytest.fixture(scope="module")
def component() -> ElementTree.Element:
    return ElementTree.parse(METAINFO).getroot()


def test_the_desktop_entry_starts_the_program(entry: configparser.SectionProxy):
    assert (entry["Type"], entry["Exec"], entry["Terminal"]) == ("Application", "willittrain", "false")
    assert entry["Icon"] == APP_ID
    assert all(value.endswith(";") for name, value in entry.items() if name in ("Categories", "Keywords"))


def test_a_window_belongs_to_its_entry(entry: configparser.SectionProxy):
    # X11 compares StartupWMClass with the class that Qt takes from the application's name.
    # Wayland goes by the entry's own name.
    code = (ROOT / "app" / "ui" / "shell" / "application.py").read_text("utf-8")
    assert f'APPLICATION_NAME = "{entry["StartupWMClass"]}"' in code
    assert f'DESKTOP_FILE = "{APP_ID}"' in code


def test_the_store_knows_the_program(component: ElementTree.Element, entry: configparser.SectionProxy):
    assert component.findtext("id") == APP_ID
    assert component.findtext("name") == entry["Name"]
    assert component.findtext("launchable") == f"{APP_ID}.desktop"
    assert component.findtext("project_license") == "Apache-2.0"
    assert component.findtext("provides/binary") == entry["Exec"]


def test_one_version_everywhere(component: ElementTree.Element):
    newest = component.find("releases/release")
    assert newest is not None
    assert newest.get("version") == app.__version__
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == app.__version__
    stated = re.compile(rf"\b{re.escape(app.__version__)}\b")
    for name in ("pyproject.toml", "packaging/willittrain.spec", "packaging/deb.py"):
        assert not stated.search((ROOT / name).read_text("utf-8")), f"{name} says the version again"


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="appstreamcli is not installed")
def test_the_store_accepts_it():
    command = ["appstreamcli", "validate", "--no-net", str(METAINFO)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_icon_is_drawn_in_every_size(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, str(PACKAGING / "icons.py"), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    names = {path.name for path in tmp_path.iterdir()}
    assert {f"willittrain-{size}.png" for size in (16, 32, 48, 128, 256, 512)} <= names
    assert {"willittrain.svg", "willittrain.ico"} <= names
    image = (tmp_path / "willittrain-48.png").read_bytes()
    assert (int.from_bytes(image[16:20]), int.from_bytes(image[20:24])) == (48, 48)
    assert len(image) > 300, "nothing is drawn"
