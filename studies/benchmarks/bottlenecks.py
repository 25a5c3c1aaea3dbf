"""Which word comes out for workloads of which it is known what they wait for: target 19 of 20.

::

    python -m studies.benchmarks.bottlenecks [--only NAME] [--seconds 4] [--json]

Each is trained by a real `bench` in a process of its own: networks of large products, of element-wise operations, of
hundreds of tiny ones; pipelines that compute, wait or decode; and folders on a disk that `tests/fakes/slow_disk.c`
holds to a speed, which needs a C compiler.  Swapping is not among them: it is a doubt that voids a run's time
(`app.core.runs.doubts`), no word.  Exit code 1 if more than one word is wrong.  About 15 s a workload.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

MODELS = Path(__file__).parent / "bottleneck_models.py"
SLOW_DISK = Path(__file__).parent.parent / "fakes" / "slow_disk.c"
ALLOWED_WRONG = 1


@dataclass(frozen=True)
class Case:
    """A workload and the words that are right for it; pause in seconds for each sample, disk in MB/s."""

    name: str
    right: tuple[str, ...]
    model: str
    batch: int
    data: str = ""
    pause_s: float = 0.0
    disk_mb_s: float = 0.0
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """What came out."""

    name: str
    right: str
    seen: str
    correct: bool
    step_s: float | None = None
    shares: str = ""


CASES = (
    Case("large products", ("compute",), "big_matmul", 256),
    Case("large convolutions", ("compute",), "big_convolution", 16),
    Case("attention", ("compute",), "wide_attention", 8),
    Case("products, small batch", ("compute", "memory"), "big_matmul", 64, options=("--optimizer", "sgd")),
    Case("element-wise chain", ("memory",), "element_wise", 16),
    Case("normalisation", ("memory",), "normalised", 16),
    Case("optimizer's state", ("memory",), "wide_table", 2),
    Case("sums", ("memory",), "summed", 16),
    Case("a hundred tiny layers", ("overhead",), "tiny", 4),
    Case("tiny, normalised", ("overhead",), "tiny_normalised", 4),
    Case("tiny branches", ("overhead",), "tiny_branches", 4),
    Case("tiny steps of a loop", ("overhead",), "tiny_steps", 4),
    Case("generator on one thread", ("input",), "small", 16, "slow_generator", pause_s=0.004),
    Case("generator that waits", ("input",), "small", 16, "waiting_generator", pause_s=0.004),
    Case("heavy augmentation", ("input",), "small_images", 16, "augmenting"),
    Case("text cut in Python", ("input",), "small", 32, "tokenising"),
    Case("large PNG files", ("input",), "small_images", 16, "png"),
    Case("one decoder", ("input",), "small_images", 16, "png", options=("--input-workers", "1")),
    Case("throttled disk", ("disk",), "small_images", 16, "bmp", disk_mb_s=15.0),
    Case("slow network share", ("disk",), "small_images", 16, "bmp", disk_mb_s=4.0),
)


def main() -> int:
    """Print the table; 1 if too many words are wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", help="part of a name; may be given again")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    wanted = [case for case in CASES if not chosen.only or any(part in case.name for part in chosen.only)]
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for case in wanted:
            rows.append(measure(case, chosen.seconds, Path(folder)))
            if not chosen.json:
                print(_line(rows[-1]), flush=True)
    right = sum(row.correct for row in rows)
    if chosen.json:
        print(json.dumps({"right": right, "of": len(rows), "rows": [asdict(row) for row in rows]}))
    else:
        print(f"{right} of {len(rows)} right")
    return int(len(rows) - right > ALLOWED_WRONG)


def measure(case: Case, seconds: float, folder: Path) -> Seen:
    """Train a case in a process of its own, as a user would."""
    environment = {**os.environ, "WILLITTRAIN_DATA_DIR": str(folder / "data"), "BOTTLENECK_PAUSE_S": str(case.pause_s)}
    line = [
        sys.executable,
        "-m",
        "app",
        "bench",
        f"{MODELS}:{case.model}",
        "--trust",
        "--device",
        "cpu",
        "--json",
        "--no-profile",
        "--batch-size",
        str(case.batch),
        "--seconds",
        str(seconds),
        *case.options,
    ]
    if case.data:
        line += ["--dataset", data_for(case.data, folder)]
    if case.disk_mb_s:
        library = slow_disk(folder, folder / case.data, case.disk_mb_s)
        if library is None:
            return Seen(case.name, " or ".join(case.right), "no C compiler here", correct=False)
        environment["LD_PRELOAD"] = str(library)
    done = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=240, check=False)
    right = " or ".join(case.right)
    try:
        found = json.loads(done.stdout)["measured"]
    except (ValueError, KeyError):
        found = None
    if not found:
        return Seen(case.name, right, f"failed: {(done.stderr or done.stdout)[-300:]}", correct=False)
    word = found["bound_by"]
    shares = ", ".join(f"{name} {share:.0%}" for name, share in found["shares"].items() if share)
    return Seen(case.name, right, str(word), word in case.right, found["step_s"]["median"], shares)


def data_for(name: str, folder: Path) -> str:
    """The argument of ``--dataset``: a folder of images that is made here, or a function of the user's file."""
    if name not in ("png", "bmp"):
        return f"{MODELS}:{name}"
    root = folder / name
    if not root.exists():
        for number in range(240):
            place = root / ("first" if number % 2 else "second")
            place.mkdir(parents=True, exist_ok=True)
            _write_image(place / f"{number}.{name}", number)
    return str(root)


def _write_image(path: Path, number: int) -> None:
    """Noise: 700 x 700 as PNG, which is slow to decode, 256 x 256 as bitmap, which is not."""
    from PIL import Image

    side = 700 if path.suffix == ".png" else 256
    noise = np.random.default_rng(number).integers(0, 255, (side, side, 3), dtype=np.uint8)
    Image.fromarray(noise).save(path)


def slow_disk(folder: Path, slow: Path, mb_s: float) -> Path | None:
    """The library compiled for a folder and a speed; None without a compiler."""
    compiler = next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)
    if compiler is None:
        return None
    library = folder / f"slow_disk_{mb_s:g}.so"
    command = [
        compiler,
        "-shared",
        "-fPIC",
        "-O2",
        f'-DSLOW_DISK_FOLDER="{slow}"',
        f"-DSLOW_DISK_MB_S={mb_s}",
        "-o",
        str(library),
        str(SLOW_DISK),
        "-ldl",
        "-lpthread",
    ]
    subprocess.run(command, check=True)
    return library


def _line(row: Seen) -> str:
    """One line of the table."""
    mark = "ok   " if row.correct else "WRONG"
    step = "" if row.step_s is None else f"{1e3 * row.step_s:8.1f} ms"
    return f"{mark} {row.name:26} {row.right:20} {row.seen:12} {step}  {row.shares}"


if __name__ == "__main__":
    sys.exit(main())
