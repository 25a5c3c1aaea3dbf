"""Ask cuDNN for the scratch of plain convolutions, and write what ships: ``resources/convolution_scratch.zip``.

    python -m studies.accuracy.convolution_scratch --minutes 60 [--part 0/2]
    python -m studies.accuracy.convolution_scratch --write

The shapes are those that networks are made of: rows, square images and cubes, filters with one side, "same" padding
and, for the filters of every day, none, channels and images by powers of two and the numbers half way between.  cuDNN
answers on the emulated card (`card_truth`), one compute capability after the other.  How many multiprocessors a card
has changes no answer (500 shapes on an emulated RTX 3060 and 3090), how much memory they share does.  Two hours of two
processors ask everything; what was answered is kept, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from app.catalog.convolution_scratch import AXES, FILE, ITEM_BYTES, path_of
from app.catalog.paths import resource_path
from app.core.simulate.scratch_table import DIRECTIONS, UNASKED, Axes, Window, code_of, operands_of
from app.core.types.convolution import Convolution, Direction
from app.core.types.units import GIB, MIB
from studies.accuracy import card_truth
from studies.accuracy.command import add_part, parser, part_of
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
POWERS = (16, 32, 64, 128, 256, 512, 1024, 2048)
BETWEEN = (24, 48, 96, 192, 384, 768)
COLOURS = (1, 3)
FROM_COLOURS = (16, 32, 64)
FILTERS = tuple(sorted((*POWERS, *BETWEEN)))


def _windows(padded: str, *, bare: str) -> tuple[Window, ...]:
    """Windows written as side/stride: those with padding, and behind them those without."""

    def read(words: str, *, is_padded: bool) -> Window:
        side, stride = map(int, words.split("/"))
        return Window(side, stride, is_padded)

    return (
        *(read(words, is_padded=True) for words in padded.split()),
        *(read(words, is_padded=False) for words in bare.split()),
    )


ROWS = Axes(
    windows=_windows("1/1 2/1 3/1 5/1 9/1 15/1 31/1 2/2 3/2 5/2 9/2", bare="3/1 5/1"),
    channels=(*COLOURS, *FILTERS[:11]),
    filters=FILTERS[:11],
    sides=(16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
    images=(8, 16, 32, 64, 128),
)
IMAGES = Axes(
    windows=_windows("3/1 1/1 3/2 1/2 5/1 7/2 2/2 4/2 5/2", bare="3/1 5/1"),
    channels=(*COLOURS, *FILTERS),
    filters=FILTERS,
    sides=(4, 6, 7, 8, 12, 14, 16, 24, 28, 32, 48, 56, 64, 96, 112, 128, 192, 224, 256),
    images=(4, 8, 16, 32, 64, 128, 256),
)
VOLUMES = Axes(
    windows=_windows("3/1 1/1 3/2 2/2", bare="3/1"),
    channels=(*COLOURS, 8, *POWERS[:5]),
    filters=(8, *POWERS[:5]),
    sides=(4, 8, 16, 32, 64, 128),
    images=(2, 8, 32),
)
SHAPES = {1: ROWS, 2: IMAGES, 3: VOLUMES}
"""By how many dimensions they have."""
EVERYDAY = {1: (Window(3, 1), Window(5, 1), Window(9, 1), Window(3, 2)), 2: (Window(3, 1),)}
"""Windows that are asked about with the numbers of channels half way between powers of two, too."""
MOST_CHANNELS = {4: 512, 5: 512, 7: 64}
"""No network of images has more where the filter is so large."""
LARGEST_SIDE = {5: 64}
LEAST_BYTES, LARGEST_TENSOR_BYTES, LARGEST_FILTER_BYTES = MIB, GIB, 128 * MIB
"""Of operands in float32 all together, and of one of them."""
AT_ONCE = 100
"""Shapes that a child is asked about before their answers are kept."""

Answers = dict[tuple[int, ...], list[int | None]]
"""By a shape and how many images: bytes in the order of `DIRECTIONS`, by kind of numbers."""


class Shape(NamedTuple):
    """A plain convolution, without how many images."""

    dimensions: int
    window: int
    stride: int
    padded: bool
    channels: int
    filters: int
    side: int

    def convolution(self, images: int, direction: Direction, *, last: bool) -> Convolution:
        """Of so many images, as cuDNN is asked."""
        result = -(-self.side // self.stride) if self.padded else self.side - self.window + 1
        missing = max(0, (result - 1) * self.stride + self.window - self.side)
        return Convolution(
            direction,
            channels_last=last,
            images=images,
            more_images=0,
            channels=self.channels,
            filters=self.filters,
            groups=1,
            image=self._sides(self.side + missing % 2),
            kernel=self._sides(self.window),
            result=self._sides(result),
            padding=self._sides(missing // 2, 0),
            strides=self._sides(self.stride),
            dilations=self._sides(1),
        )

    def _sides(self, size: int, of_line: int = 1) -> tuple[int, ...]:
        """A size in each dimension.  TensorFlow makes an image of one line of a row (`tf.nn.conv1d`)."""
        return (of_line, size) if self.dimensions == 1 else (size,) * self.dimensions

    @property
    def place(self) -> int:
        """Where the answers begin."""
        axes = SHAPES[self.dimensions]
        return axes.place(
            axes.windows.index(Window(self.window, self.stride, self.padded)),
            axes.channels.index(self.channels),
            axes.filters.index(self.filters),
            axes.sides.index(self.side),
        )


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
    for capability in part_of(tuple(CARDS), given.part):
        ask(capability, until_s)


def shapes() -> Iterator[tuple[Shape, int]]:
    """Everything that is asked about, each shape with a number of images."""
    for dimensions, axes in SHAPES.items():
        for window in axes.windows:
            for channels, filters in _channels(dimensions, window):
                for side in axes.sides:
                    shape = Shape(dimensions, *window, channels, filters, side)
                    if max(window.side, 2 * window.stride) <= side <= _largest_side(dimensions, window.side, side):
                        yield from ((shape, images) for images in axes.images if _is_usual(shape, images))


def _largest_side(dimensions: int, window: int, side: int) -> int:
    """Of an image that such a filter looks at."""
    return LARGEST_SIDE.get(window, side) if dimensions == 2 else side


def _channels(dimensions: int, window: Window) -> Iterator[tuple[int, int]]:
    """Channels of image and result: up to twice as many or half, of images up to four times."""
    yield from ((colours, filters) for colours in COLOURS for filters in FROM_COLOURS)
    known = [count for count in SHAPES[dimensions].filters if count not in BETWEEN]
    if window in EVERYDAY.get(dimensions, ()):
        known = list(SHAPES[dimensions].filters)
    elif dimensions == 2:
        known = [count for count in known if count <= MOST_CHANNELS.get(window.side, count)]
    most = 4 if dimensions == 2 else 2
    for channels in known:
        yield from ((channels, filters) for filters in known if _go_together(channels, filters, most))


def _go_together(channels: int, filters: int, most: int) -> bool:
    """Does a network turn so many channels into so many others."""
    if (channels in BETWEEN) is (filters in BETWEEN):
        return max(channels, filters) <= most * min(channels, filters)
    power, between = sorted((channels, filters), key=BETWEEN.__contains__)
    return 3 * power in (2 * between, 4 * between, 8 * between)


def _is_usual(shape: Shape, images: int) -> bool:
    """Is it neither too small to matter nor larger than any card would like."""
    asked = shape.convolution(images, "forward", last=False)
    kernel, both = operands_of(asked, 4)
    largest = max(math.prod(asked.image) * asked.channels, math.prod(asked.result) * asked.filters) * images * 4
    return largest <= LARGEST_TENSOR_BYTES and kernel <= LARGEST_FILTER_BYTES and kernel + both * images >= LEAST_BYTES


def ask(capability: str, until_s: float) -> None:
    """Ask what is missing of one kind of card, and keep each answer."""
    known = answered(capability)
    missing = [asked for asked in shapes() if (*asked[0], asked[1]) not in known]
    driver, python = card_truth.instrument()
    variables = card_truth.environment(driver, card_truth.wheels_of(python), "RTX 2060")
    command = [str(python), "-m", "studies.accuracy.convolution_scratch_child"]
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
        with _file(capability).open("a", encoding="utf-8") as kept:
            for start in range(0, len(missing), AT_ONCE):
                if time.monotonic() > until_s:
                    break
                for shape, images in missing[start : start + AT_ONCE]:
                    child.stdin.write(json.dumps(_questions(shape, images)) + "\n")
                    child.stdin.flush()
                    kept.write(json.dumps([*shape, images, *json.loads(child.stdout.readline())]) + "\n")
                say(f"{capability}: {len(missing) - start} shapes to ask about")
        child.stdin.close()


def answered(capability: str) -> Answers:
    """What is known of one kind of card."""
    _file(capability).parent.mkdir(parents=True, exist_ok=True)
    _file(capability).touch()
    rows = map(json.loads, _file(capability).read_text(encoding="utf-8").splitlines())
    keys = len(Shape._fields) + 1
    return {tuple(row[:keys]): row[keys:] for row in rows}


def write(path: Path) -> None:
    """Write the table that ships, of every kind of card that has answered everything."""
    wanted, written = list(shapes()), path.with_suffix(".new")
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for dimensions, axes in SHAPES.items():
            _add(archive, path_of(dimensions, AXES), json.dumps(axes.__dict__).encode())
        for capability in CARDS:
            known = answered(capability)
            if all((*shape, images) in known for shape, images in wanted):
                for place, (numbers, item_bytes) in enumerate(ITEM_BYTES.items()):
                    for dimensions, codes in _codes(wanted, known, place, item_bytes).items():
                        _add(archive, path_of(dimensions, f"{capability}-{numbers}"), codes)
                archive.comment = f"cuDNN {_version_file(capability).read_text(encoding='utf-8').strip()}".encode()
                say(f"{capability}: written")
    written.replace(path)


def _codes(wanted: Sequence[tuple[Shape, int]], known: Answers, place: int, item_bytes: int) -> dict[int, bytes]:
    """The answers for one width of numbers as the table holds them, by dimensions."""
    codes = {dimensions: bytearray([UNASKED]) * axes.size for dimensions, axes in SHAPES.items()}
    for shape, images in wanted:
        found = known[*shape, images][place * len(DIRECTIONS) :][: len(DIRECTIONS)]
        operands = operands_of(shape.convolution(images, "forward", last=False), item_bytes).at(images)
        at = shape.place + SHAPES[shape.dimensions].images.index(images) * len(DIRECTIONS)
        for direction, scratch_bytes in enumerate(found):
            if scratch_bytes is not None:
                codes[shape.dimensions][at + direction] = code_of(scratch_bytes / operands)
    return {dimensions: bytes(answers) for dimensions, answers in codes.items()}


def _questions(shape: Shape, images: int) -> list[Convolution | None]:
    """A shape in every direction, in float32 with channels first and in 16 bits with channels last.

    With channels last single points are a product of matrices, which cuDNN is not asked for.
    """
    asked: list[Convolution | None] = [shape.convolution(images, way, last=False) for way in DIRECTIONS]
    is_product = shape.window == shape.stride == 1
    return asked + [None if is_product else shape.convolution(images, way, last=True) for way in DIRECTIONS]


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """A file that is the same whenever it is written."""
    info = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def _file(capability: str) -> Path:
    """Where the answers of one kind of card are kept."""
    return own_folder() / "scratch" / f"{capability}.jsonl"


def _version_file(capability: str) -> Path:
    """Where cuDNN's version is kept that has answered."""
    return _file(capability).with_suffix(".version")


if __name__ == "__main__":
    main()
