"""What the user prefers, and where our files lie.

Kept as JSON in the user's configuration folder.  ``WILLITTRAIN_DATA_DIR`` puts data, cache and
configuration under one folder of the caller's choice (tests, portable use).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs

from app.catalog import typed_json
from app.core.types.backends import Backend
from app.core.types.units import MIB
from app.services.file_lock import file_lock
from app.services.whole_write import cannot_write, close_to_others, write_whole

APP_NAME = "willittrain"
FOLDER_VARIABLE = "WILLITTRAIN_DATA_DIR"
SETTINGS_SCHEMA = 1
DEFAULT_BENCH_SECONDS = 20.0
DEFAULT_CACHE_LIMIT_BYTES = 256 * MIB
"""A traced network takes about 50 KiB, a large transformer a megabyte."""

Theme = Literal["system", "light", "dark"]
_NOT_STORED = ("folders", "notice")


@dataclass(frozen=True)
class Folders:
    """Where our files lie.  Nothing is created before something is written."""

    data_dir: Path
    """The history: worth a backup."""
    cache_dir: Path
    """Traced graphs and measured rates: may be deleted at any time."""
    config_dir: Path

    @staticmethod
    def default() -> Folders:
        """The folders of this user on this system."""
        chosen = os.environ.get(FOLDER_VARIABLE)
        if chosen:
            root = Path(os.path.expanduser(chosen))
            return Folders(root / "data", root / "cache", root / "config")
        places = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
        return Folders(places.user_data_path, places.user_cache_path, places.user_config_path)


@dataclass(frozen=True)
class Settings:
    """Preferences, kept in a file, and the folders."""

    theme: Theme = "system"
    interpreter: str | None = None
    """The Python that trains; None is this program's own."""
    backend: Backend = "tensorflow"
    bench_seconds: Annotated[float, msgspec.Meta(ge=1, le=86_400)] = DEFAULT_BENCH_SECONDS
    overrides_dir: str | None = None
    """A folder whose tables extend or replace rows of ours (``gpus.csv`` and so on)."""
    reserve_ram_bytes: Annotated[int, msgspec.Meta(ge=0, le=2**60)] | None = None
    """Memory that a benchmark leaves to other programs; None for the larger of 1 GiB and 10 %."""
    cache_limit_bytes: Annotated[int, msgspec.Meta(ge=0, le=2**60)] = DEFAULT_CACHE_LIMIT_BYTES
    """What traced models and refined answers may take on disk together (`app.services.store.cache`)."""
    schema: int = SETTINGS_SCHEMA
    electricity_price: float | None = None
    """Of a kilowatt hour; None for the first of the price table."""
    electricity_currency: str = "USD"
    folders: Folders = field(default_factory=Folders.default)
    notice: str | None = None
    """What was wrong with the settings file, if anything."""

    @property
    def data_dir(self) -> Path:
        """Where the history lies."""
        return self.folders.data_dir

    @property
    def cache_dir(self) -> Path:
        """Where graphs and rates are cached."""
        return self.folders.cache_dir

    @property
    def history_path(self) -> Path:
        """The history's file."""
        return self.folders.data_dir / "history.sqlite3"

    @property
    def tables_dir(self) -> Path:
        """Where the user's own tables lie."""
        return Path(self.overrides_dir) if self.overrides_dir else self.folders.config_dir

    @property
    def settings_path(self) -> Path:
        """The settings' own file."""
        return self.folders.config_dir / "settings.json"

    @staticmethod
    def load(folders: Folders | None = None) -> Settings:
        """Read the settings; a missing file means the defaults.

        An unreadable file is set aside as ``settings.json.broken`` and the defaults are used: settings
        are no reason not to start.
        """
        chosen = folders or Folders.default()
        for folder in (chosen.data_dir, chosen.cache_dir, chosen.config_dir):
            close_to_others(folder)
        defaults = Settings(folders=chosen)
        path = defaults.settings_path
        try:
            stored = typed_json.decode(path.read_bytes(), dict[str, Any])
            known = {name: value for name, value in stored.items() if name not in _NOT_STORED}
            return replace(typed_json.convert(known, Settings), folders=chosen)
        except FileNotFoundError:
            return defaults
        except OSError as error:
            return replace(defaults, notice=f"cannot read {path}: {error.strerror}; using the defaults")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            notice = f"{path.name} was not understood ({error}); "
            return replace(defaults, notice=notice + _set_aside(path))

    def save(self, before: Settings | None = None) -> Settings:
        """Write the preferences, whole or not at all.

        Args:
            before: What these were changed from.  Only what differs is written: what another window has changed since,
                or a newer version keeps there, stays.  None to write all.

        Returns:
            The preferences as they stand in the file now.

        Raises:
            StoreError: The folder cannot be written.
        """
        path = self.settings_path
        mine = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NOT_STORED}
        changed = {name: value for name, value in mine.items() if before is None or value != getattr(before, name)}
        try:
            with file_lock(path):
                text = msgspec.json.format(msgspec.json.encode(_stored(path) | changed), indent=2)
                write_whole(path, text + b"\n")
        except OSError as error:
            raise cannot_write(path, error, own=True) from error
        return Settings.load(self.folders)


def _stored(path: Path) -> dict[str, Any]:
    """What stands in the file; nothing if there is none that can be understood."""
    try:
        return typed_json.decode(path.read_bytes(), dict[str, Any])
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _set_aside(path: Path) -> str:
    """Keep a file that was not understood under another name; what was done, in words."""
    aside = path.with_name(path.name + ".broken")
    try:
        path.replace(aside)
    except OSError as error:
        return f"using the defaults ({error.strerror})"
    return f"kept as {aside}"
