"""Raw traces of profiled steps, one folder for each run below the data folder.

A trace opens in XProf (``.xplane.pb``) and in Perfetto or chrome://tracing (Trace Event Format).  Traces are large
and can be made again, so that only the newest stay, and those of deleted runs go when the next one is kept: until
then a deleted run can be restored whole.
"""

from __future__ import annotations

import contextlib
import gzip
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from app.core.types.errors import StoreError, UsageError
from app.core.types.text import phrase
from app.core.types.units import MIB
from app.services.file_lock import file_lock
from app.services.held_folder import held_folder
from app.services.store.cache import sizes_below
from app.services.whole_write import PRIVATE_FILE, cannot_write, private_folder, whole_file

MOST_TRACES = 20
MOST_BYTES = 256 * MIB
XPLANE_FILE, CHROME_FILE = "step.xplane.pb", "step.trace.json.gz"
"""As `app.worker.benchmark.profile` writes them."""
_NEW = "new-"
HOW_TO_OPEN = phrase(
    "open the .json at https://ui.perfetto.dev or chrome://tracing, or the folder with `xprof --logdir`"
)


class TraceStore:
    """The traces in one folder.

    Args:
        folder: Made when the first trace is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def place(self) -> Iterator[Path | None]:
        """A folder for a child to write into, removed afterwards unless `keep` took it; None if there is no room.

        It is the parent's, because the child may not live to clean up.
        """
        with ExitStack() as held:
            try:
                made = held.enter_context(held_folder(private_folder(self.folder), _NEW))
            except OSError:
                yield None
            else:
                yield made

    def keep(self, run_id: int, written: Path | None, living: Callable[[], Collection[int]]) -> None:
        """Keep what a child wrote as a run's trace, and let go of what is too much.

        Args:
            run_id: The run, which is stored.
            written: The folder of `place`.
            living: Tells the runs that are not deleted; asked when no other window can keep a trace, so that it knows
                the run of each that is there.
        """
        if written is None or not any(written.iterdir()):
            return
        with contextlib.suppress(OSError, StoreError), file_lock(self.folder):
            for file in written.iterdir():
                file.chmod(PRIVATE_FILE)
            written.replace(self._of(run_id))
            self.prune(living())

    def prune(self, living: Collection[int]) -> None:
        """Remove the traces of other runs, and the oldest of too many or too large ones; the newest stays."""
        taken = 0
        for number, run_id in enumerate(sorted(self.kept(), reverse=True)):
            size = sum(sizes_below(self._of(run_id)))
            taken += size
            if run_id not in living or (number and (number >= MOST_TRACES or taken > MOST_BYTES)):
                taken -= size
                shutil.rmtree(self._of(run_id), ignore_errors=True)

    def kept(self) -> tuple[int, ...]:
        """The runs that have a trace."""
        names = (path.name for path in self.folder.glob("run-*")) if self.folder.is_dir() else ()
        return tuple(int(name[4:]) for name in names if name[4:].isdecimal())

    def export(self, run_id: int, target: Path) -> tuple[Path, Path]:
        """Copy a run's trace to a folder, laid out as XProf and TensorBoard look for it.

        Args:
            run_id: The run.
            target: A folder; made if it is not there.

        Returns:
            The XProf file, and the JSON file for Perfetto and chrome://tracing.

        Raises:
            UsageError: The run has no trace (any more).
            StoreError: The folder cannot be written.
        """
        source = self._of(run_id)
        if not (source / XPLANE_FILE).is_file() or not (source / CHROME_FILE).is_file():
            raise UsageError(
                phrase("run {run_id} has no trace", run_id=run_id),
                expected=phrase("a run with a profiled step whose trace is still kept"),
                hint=phrase(
                    "`bench --profile` records one; the newest {most_traces} are kept", most_traces=MOST_TRACES
                ),
            )
        folder = target / "plugins" / "profile" / f"run_{run_id}"
        chrome = target / f"run_{run_id}.trace.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            made = partial(whole_file, own=False, named_by_us=True)
            with (source / XPLANE_FILE).open("rb") as kept, made(folder / "host.xplane.pb") as copy:
                shutil.copyfileobj(kept, copy)
            with gzip.open(source / CHROME_FILE) as packed, made(chrome) as plain:
                shutil.copyfileobj(packed, plain)
        except OSError as error:
            raise cannot_write(target, error) from error
        return folder / "host.xplane.pb", chrome

    def _of(self, run_id: int) -> Path:
        """A run's folder."""
        return self.folder / f"run-{run_id}"
