"""The convolutions that cuDNN is asked about (`studies.accuracy.convolution_scratch`): those that networks are made of.

Rows, square images and cubes, filters with one side, "same" padding and, for the filters of every day, none; channels
and images by powers of two and the numbers half way between; and what an image is read from or painted into.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from app.core.simulate.scratch_table import Axes, Window, operands_of
from app.core.types.convolution import Convolution, Direction
from app.core.types.units import GIB, MIB

POWERS = (16, 32, 64, 128, 256, 512, 1024, 2048)
BETWEEN = (24, 48, 96, 192, 384, 768)
COLOURS = (1, 3)
BESIDE_COLOURS = (16, 32, 64)
"""Channels that are read from colours, or of which colours are made."""
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
    filters=(*COLOURS, *FILTERS),
    sides=(4, 6, 7, 8, 12, 14, 16, 24, 28, 32, 48, 56, 64, 96, 112, 128, 192, 224, 256),
    images=(4, 8, 16, 32, 64, 128, 256),
)
VOLUMES = Axes(
    windows=_windows("3/1 1/1 3/2 2/2", bare="3/1"),
    channels=(*COLOURS, 8, *POWERS[:5]),
    filters=(*COLOURS, 8, *POWERS[:5]),
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
    yield from ((colours, filters) for colours in COLOURS for filters in BESIDE_COLOURS)
    if dimensions > 1:
        yield from ((channels, colours) for colours in COLOURS for channels in BESIDE_COLOURS)
    known = [count for count in SHAPES[dimensions].filters if count not in COLOURS]
    if window not in EVERYDAY.get(dimensions, ()):
        known = [count for count in known if count not in BETWEEN]
        if dimensions == 2:
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
