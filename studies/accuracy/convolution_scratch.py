"""Ask cuDNN for the scratch of plain convolutions, and write what ships: ``resources/convolution_scratch.zip``.

    python -m studies.accuracy.convolution_scratch --minutes 60 [--part 0/2]
    python -m studies.accuracy.convolution_scratch --write

cuDNN answers about `studies.accuracy.convolution_shapes` on the emulated card (`card_truth`), one compute capability
after the other, and of those from 8.0 on about float32 with channels last, too.  How many multiprocessors a card
has changes no answer (500 shapes on an emulated RTX 3060 and 3090), how much memory they share does.  Some hours of
two processors ask everything; what was answered is kept, so that an interrupted run goes on where it stopped, and what
nobody has asked anew is written as it ships.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.catalog.convolution_scratch import AXES, COMPRESSION, FILE, NUMBERS, grid_of, path_of
from app.catalog.paths import resource_path
from app.core.simulate.scratch_table import DIRECTIONS, UNASKED, Axes, code_of, operands_of
from app.core.simulate.xla.card import AMPERE
from app.core.types.units import FLOAT_BYTES
from studies.accuracy import card_truth
from studies.accuracy.command import add_part, parser, part_of
from studies.accuracy.convolution_shapes import BETWEEN, SHAPES, Shape, shapes
from studies.accuracy.cudnn_asked import FLOAT, HALF
from studies.accuracy.product import own_folder, say
from studies.accuracy.truth_table import CHECKOUT

CARDS = {
    "7.0": "V100",
    "7.5": "RTX 2060",
    "8.0": "A100",
    "8.6": "RTX 3060",
    "8.9": "RTX 4090",
    "9.0": "H100",
    "12.0": "RTX 4090",
}
"""By compute capability an emulated card that has it, or that is as its cards are but for that."""
AT_ONCE = 100
"""Shapes that a child is asked about before their answers are kept."""

Answers = dict[tuple[Shape, int], list[int | None]]
"""By a shape and how many images: bytes in the order of `DIRECTIONS`."""


def main() -> None:
    """Ask what nobody has asked yet, or write what was answered."""
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=30, help="nothing is asked later")
    options.add_argument("--write", action="store_true", help="write the table of what was answered")
    add_part(options)
    given = options.parse_args()
    if given.write:
        write(resource_path("gpus.csv").with_name(FILE))
        return
    until_s = time.monotonic() + 60 * given.minutes
    for capability, numbers in part_of(tuple(kinds()), given.part):
        ask(capability, numbers, until_s)


def kinds() -> Iterator[tuple[str, str]]:
    """Kinds of cards, and of numbers that one is asked about.

    Before Ampere a convolution in float32 copies images with channels last (`app.core.simulate.turned_images`).
    """
    for capability in CARDS:
        copies = tuple(map(int, capability.split("."))) < AMPERE
        yield from ((capability, numbers) for numbers in NUMBERS if not (copies and numbers == "float32-last"))


def wanted_of(numbers: str) -> list[tuple[Shape, int]]:
    """What is asked about one kind of numbers.

    With channels last single points are a product of matrices, which cuDNN is not asked for.  In float32 they are so
    where something keeps TensorFlow from turning images: rows and volumes, of which there are few such, are told as
    they are with channels first.
    """
    last = NUMBERS[numbers].channels_last
    found = [(shape, images) for shape, images in shapes() if not (last and shape.window == shape.stride == 1)]
    if numbers == "float32-last":
        found = [(s, images) for s, images in found if s.dimensions == 2 and not {s.channels, s.filters} & set(BETWEEN)]
    return found


def ask(capability: str, numbers: str, until_s: float) -> None:
    """Ask what is missing of one kind of card, and keep each answer."""
    known, kind = answered(capability, numbers), NUMBERS[numbers]
    missing = [asked for asked in wanted_of(numbers) if asked not in known]
    driver, python = card_truth.instrument()
    variables = card_truth.environment(driver, card_truth.wheels_of(python), "RTX 2060")
    type_ = FLOAT if kind.item_bytes == FLOAT_BYTES else HALF
    command = [str(python), "-m", "studies.accuracy.convolution_scratch_child", str(type_)]
    with subprocess.Popen(
        command,
        env={**variables, "FAKECUDA_CARD": CARDS[capability], "FAKECUDA_CC": capability},
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        _version_file(capability).write_text(child.stdout.readline(), encoding="utf-8")
        with _file(capability, numbers).open("a", encoding="utf-8") as kept:
            for start in range(0, len(missing), AT_ONCE):
                if time.monotonic() > until_s:
                    break
                for shape, images in missing[start : start + AT_ONCE]:
                    questions = [shape.convolution(images, way, last=kind.channels_last) for way in DIRECTIONS]
                    child.stdin.write(json.dumps(questions) + "\n")
                    child.stdin.flush()
                    kept.write(json.dumps([*shape, images, *json.loads(child.stdout.readline())]) + "\n")
                kept.flush()
                say(f"{capability}, {numbers}: {len(missing) - start} shapes to ask about")
        child.stdin.close()


def answered(capability: str, numbers: str) -> Answers:
    """What is known of one kind of card and of numbers."""
    file = _file(capability, numbers)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    words = len(Shape._fields)
    return {(Shape(*row[:words]), row[words]): row[words + 1 :] for row in rows}


def write(path: Path) -> None:
    """Write the table that ships: what was answered, and of what was not what it holds already."""
    written, version = path.with_suffix(".new"), _version_of(path)
    with zipfile.ZipFile(written, "w") as archive:
        for dimensions, axes in SHAPES.items():
            _add(archive, path_of(dimensions, AXES), json.dumps(axes.__dict__).encode())
        for capability, numbers in kinds():
            known = answered(capability, numbers)
            codes = {dimensions: shipped(path, dimensions, f"{capability}-{numbers}") for dimensions in SHAPES}
            _note(codes, known, NUMBERS[numbers].item_bytes)
            for dimensions, answers in codes.items():
                if set(answers) != {UNASKED}:
                    _add(archive, path_of(dimensions, f"{capability}-{numbers}"), bytes(answers))
            if known:
                version = _version_file(capability).read_text(encoding="utf-8").strip()
            say(f"{capability}, {numbers}: {len(known)} answers beside what ships")
        archive.comment = f"cuDNN {version}".encode()
    written.replace(path)


def _version_of(path: Path) -> str:
    """Which cuDNN has answered what the table at a path holds; nothing if there is none."""
    if not path.exists():
        return ""
    with zipfile.ZipFile(path) as archive:
        return archive.comment.decode().removeprefix("cuDNN ")


def shipped(path: Path, dimensions: int, name: str) -> bytearray:
    """What the table at a path holds of one kind of card, in the places of today's axes."""
    axes = SHAPES[dimensions]
    codes = bytearray([UNASKED]) * axes.size
    if not path.exists():
        return codes
    with zipfile.ZipFile(path) as archive:
        if path_of(dimensions, name) not in archive.namelist():
            return codes
        grid = grid_of(archive, dimensions, name)
    places = itertools.product(*map(_shared, _parts(axes), _parts(grid.axes)))
    for *shape, (new_count, old_count) in places:
        new, old = axes.place(*(n for n, _ in shape)), grid.axes.place(*(o for _, o in shape))
        for way in range(len(DIRECTIONS)):
            codes[new + new_count * len(DIRECTIONS) + way] = grid.codes[old + old_count * len(DIRECTIONS) + way]
    return codes


def _parts(axes: Axes) -> tuple[Sequence[object], ...]:
    """Axes in the order in which `Axes.place` takes them, and how many images behind."""
    return axes.windows, axes.channels, axes.filters, axes.sides, axes.images


def _shared(new: Sequence[object], old: Sequence[object]) -> list[tuple[int, int]]:
    """Where what two axes have in common stands on either."""
    return [(place, old.index(one)) for place, one in enumerate(new) if one in old]


def _note(codes: dict[int, bytearray], known: Answers, item_bytes: int) -> None:
    """Put answers in their places."""
    for (shape, images), found in known.items():
        axes = SHAPES[shape.dimensions]
        operands = operands_of(shape.convolution(images, "forward", last=False), item_bytes).at(images)
        at = shape.place + axes.images.index(images) * len(DIRECTIONS)
        for direction, scratch_bytes in enumerate(found):
            if scratch_bytes is not None:
                codes[shape.dimensions][at + direction] = code_of(scratch_bytes / operands)


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """A file that is the same whenever it is written."""
    info = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
    info.compress_type = COMPRESSION
    archive.writestr(info, content)


def _file(capability: str, numbers: str) -> Path:
    """Where the answers of one kind of card and of numbers are kept."""
    return own_folder() / "scratch" / f"{capability}-{numbers}.jsonl"


def _version_file(capability: str) -> Path:
    """Where cuDNN's version is kept that has answered."""
    return own_folder() / "scratch" / f"{capability}.version"


if __name__ == "__main__":
    main()
