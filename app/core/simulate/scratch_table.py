"""How much scratch memory cuDNN asks for: its own answers for plain convolutions, looked up.

Which kernel it proposes first, and what scratch that one wants, follows no rule that could be written down: of two
convolutions that differ in the batch alone one may want nothing and the other as much as its operands.  So the
answers themselves are kept, as shares of the operands, by the card's compute capability, the numbers' width and where
channels lie (`studies.accuracy.convolution_scratch` asks for them).  A shape between those that were asked about has
several around it.  Where they disagree the nearest that is usual is told, and the most of all is what it may be.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

from app.core.types.convolution import Convolution, Direction
from app.core.types.stepgraph import PerBatch

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

UNASKED = 255
"""The code of a shape that nobody asked about; 0 is less than `LEAST_SHARE`."""
LEAST_SHARE = 0.01
_STEPS = 16
"""Codes to a factor of two: a share is known to 2.2 %."""
_ONE = 112
"""The code of a share of one."""
UNUSUAL_SHARE = 8.0
"""Of the operands: a shape that asks for more, up to 2,000 times as much, tells nothing of its neighbours
(docs/evidence.md, "A step on a card")."""
BEYOND = 2.0
"""So many times smaller or larger than all that was asked about a shape may be, to be answered by the last one."""
FARTHEST = 4.0
"""The same of a shape next to which nobody asked."""
CORNERS = 8
"""So many of the nearest answers count: a shape between two channels, filters and sides each has as many around it."""

KEPT_ANSWERS = 4096
"""A step of a hundred convolutions at forty batch sizes."""


class Scratch(NamedTuple):
    """What a convolution asks for, as it is told, and the most that it can be.

    Attributes:
        told: The likely size.
        most: Of the shapes around it.
        near: Somebody asked next to it; else it may be more.
    """

    told: PerBatch
    most: PerBatch
    near: bool = True


class Window(NamedTuple):
    """A filter as it goes over an image.

    Attributes:
        side: Of the filter.
        stride: From place to place.
        padded: By "same", as far as that adds anything; without, a filter that goes in steps of one point.
    """

    side: int
    stride: int
    padded: bool = True


@dataclass(frozen=True)
class Axes:
    """The shapes that were asked about: every combination of these, but for those that no network has.

    Attributes:
        windows: Of filters.
        channels: Of the image.
        filters: Channels of the result.
        sides: Of the image, without what "same" adds on one side only.
        images: How many at once.
    """

    windows: tuple[Window, ...]
    channels: tuple[int, ...]
    filters: tuple[int, ...]
    sides: tuple[int, ...]
    images: tuple[int, ...]

    def place(self, window: int, channel: int, kept: int, side: int) -> int:
        """Where the answers about a shape begin: for each number of images one for each of `DIRECTIONS`."""
        shape = ((window * len(self.channels) + channel) * len(self.filters) + kept) * len(self.sides) + side
        return shape * len(self.images) * len(DIRECTIONS)

    @property
    def size(self) -> int:
        """How many answers there are."""
        return self.place(len(self.windows), 0, 0, 0)

    def around(self, asked: Convolution) -> Iterator[tuple[bool, list[int]]]:
        """The places of the shapes around one, the nearest first: by factors, all together.

        Not every shape was asked about.  So there are several circles, of which the first one counts that has an
        answer: next to each number (then it is near) or farther away, with no padding, where it has none, or with
        padding.
        """
        numbers = (self.channels, asked.channels), (self.filters, asked.filters), (self.sides, side_of(asked))
        for padded in dict.fromkeys((any(asked.padding), True)):
            windows = self._windows(asked, padded=padded)
            for circle in (_near, _far):
                near = [windows, *(circle(axis, value) for axis, value in numbers)]
                shapes = itertools.product(*(known.items() for known in near))
                nearest = sorted(shapes, key=lambda shape: sum(distance for _, distance in shape))
                yield circle is _near, [self.place(*(place for place, _ in shape)) for shape in nearest]

    def _windows(self, asked: Convolution, *, padded: bool) -> dict[int, float]:
        """The places of the windows of its stride next to its own, which may lie between two but not beyond them.

        Single points are a product of matrices, and next to nothing else.
        """
        side, stride = asked.kernel[-1], asked.strides[-1]
        places = {
            known.side: place
            for place, known in enumerate(self.windows)
            if known.stride == stride and known.padded is padded and (known.side == 1) is (side == 1)
        }
        sides = sorted(places)
        if not sides or not sides[0] <= side <= sides[-1]:
            return {}
        return {places[sides[near]]: distance for near, distance in _near(sides, side).items()}


class Grid(NamedTuple):
    """cuDNN's answers about images of one number of dimensions.

    Attributes:
        axes: What was asked about.
        codes: The answers (`Axes.place`, `code_of`).
    """

    axes: Axes
    codes: bytes

    def shares(self, place: int, direction: int, count: int) -> dict[int, float]:
        """Of a place the shares by how many images there are: those next to a count, as far as anybody asked."""
        codes = {at: self.codes[place + at * len(DIRECTIONS) + direction] for at in _near(self.axes.images, count)}
        return {self.axes.images[at]: share_of(code) for at, code in codes.items() if code != UNASKED}


def code_of(share: float) -> int:
    """A share of the operands as it is kept."""
    if share < LEAST_SHARE:
        return 0
    return max(1, min(UNASKED - 1, round(math.log2(share) * _STEPS) + _ONE))


def share_of(code: int) -> float:
    """The share that is kept so."""
    return 2.0 ** ((code - _ONE) / _STEPS) if code else 0.0


class Numbers(NamedTuple):
    """What a convolution computes with.

    Attributes:
        item_bytes: Of one number.
        channels_last: In memory.
    """

    item_bytes: int
    channels_last: bool


class ScratchTable:
    """cuDNN's answers for one kind of card.

    Args:
        grids: Its answers by numbers, and by how many dimensions an image has (`dimensions_of`).
    """

    def __init__(self, grids: Mapping[Numbers, Mapping[int, Grid]]) -> None:
        self._grids = grids
        self._answers: dict[tuple[Convolution, int, int], Scratch | None] = {}

    def asked(self, asked: Convolution, item_bytes: int, batch_size: int) -> Scratch | None:
        """What cuDNN asks for at a batch size and, in a straight line, at those near it; None for other shapes.

        Beyond the most images that were asked about the share stays what it is there.

        Args:
            asked: The convolution.
            item_bytes: Of a number that it computes with.
            batch_size: Samples per step.
        """
        key = (asked, item_bytes, batch_size)
        answers = self._answers
        if key not in answers:
            if len(answers) >= KEPT_ANSWERS:
                answers = self._answers = {}
            answers[key] = self._likely(*key)
        return answers[key]

    def _likely(self, asked: Convolution, item_bytes: int, batch_size: int) -> Scratch | None:
        """As its numbers lie or, where nobody asked about those, as they would the other way."""
        ways = (Numbers(item_bytes, asked.channels_last), Numbers(item_bytes, not asked.channels_last))
        found = (self._found(asked, numbers, batch_size) for numbers in ways)
        return next((scratch for scratch in found if scratch is not None), None)

    def _found(self, asked: Convolution, numbers: Numbers, batch_size: int) -> Scratch | None:
        """The same, looked up."""
        groups, asked = asked.groups, _of_one_group(asked)
        grid = self._grids.get(numbers, {}).get(dimensions_of(asked) or 0)
        if grid is None:
            return None
        count = asked.images_at(batch_size)
        known_count = min(count, grid.axes.images[-1])
        direction = DIRECTIONS.index(asked.direction)
        circles = (
            (near, filter(None, (grid.shares(place, direction, known_count) for place in places)))
            for near, places in grid.axes.around(asked)
        )
        answered = ((near, list(itertools.islice(known, CORNERS))) for near, known in circles)
        near, around = next((circle for circle in answered if circle[1]), (False, []))
        if not around:
            return None
        operands = operands_of(asked, numbers.item_bytes).times(groups)
        lines = (_line(known, operands) for known in around)
        exact = len(around) == len(around[0]) == 1
        usual = (line for line in lines if exact or line.at(count) <= UNUSUAL_SHARE * operands.at(count))
        told = next(usual, PerBatch())
        most = operands.times(max(share for known in around for share in known.values()))
        return Scratch(_in_batches(told, asked), _in_batches(most, asked), near and groups == 1)


def _of_one_group(asked: Convolution) -> Convolution:
    """What each group computes, which asks for about as large a share of its operands as all of them do of theirs."""
    groups = asked.groups
    return asked._replace(groups=1, channels=asked.channels // groups, filters=asked.filters // groups)


def dimensions_of(asked: Convolution) -> int | None:
    """Of the images of a plain convolution: 1 for rows, which are images of one line; None if it is not plain.

    Plain is one whose filter has one side and one stride in all dimensions, no holes, and sees all channels.
    """
    sides = list(zip(asked.image, asked.kernel, asked.strides, strict=True))
    while sides and set(sides[0]) == {1}:
        del sides[0]
    windows = {(side, stride) for _, side, stride in sides}
    is_plain = asked.groups == 1 and set(asked.dilations) == {1} and len(windows) == 1
    return len(sides) if is_plain else None


def side_of(asked: Convolution) -> float:
    """Of a square image, or of a cube, with as many points, without what "same" adds on one side only."""
    steps = zip(asked.image, asked.strides, asked.result, strict=True)
    whole = not any(asked.padding) and set(asked.strides) == {1}
    points = math.prod(side if whole else min(side, stride * result) for side, stride, result in steps)
    return math.pow(points, 1 / (dimensions_of(asked) or len(asked.image)))


def _near(axis: Sequence[int], value: float) -> dict[int, float]:
    """The places on an axis next to a value: one if it is there, none far beyond the ends.

    Of two the distances add up to one.
    """
    if not axis[0] / BEYOND <= value <= axis[-1] * BEYOND:
        return {}
    after = bisect_left(axis, value)
    if after == len(axis) or axis[after] == value or not after:
        return {min(after, len(axis) - 1): 0.0}
    passed = math.log(value / axis[after - 1]) / math.log(axis[after] / axis[after - 1])
    return {after - 1: passed, after: 1 - passed}


def _far(axis: Sequence[int], value: float) -> dict[int, float]:
    """The places on an axis up to `FARTHEST` times smaller or larger than a value, and how far that is."""
    distances = {place: abs(math.log(value / known)) for place, known in enumerate(axis)}
    return {place: distance for place, distance in distances.items() if distance <= math.log(FARTHEST)}


def operands_of(asked: Convolution, item_bytes: int) -> PerBatch:
    """Bytes of filter, image and result, by the number of images."""
    image = math.prod(asked.image) * asked.channels + math.prod(asked.result) * asked.filters
    kernel = math.prod(asked.kernel) * asked.channels * asked.filters
    return PerBatch(kernel * item_bytes, image * item_bytes)


def _line(shares: dict[int, float], operands: PerBatch) -> PerBatch:
    """Straight from what is asked for at one number of images to what is at the other."""
    (first, share), *rest = sorted(shares.items())
    if not rest:
        return operands.times(share)
    ((last, other),) = rest
    start, end = share * operands.at(first), other * operands.at(last)
    slope = (end - start) / (last - first)
    return PerBatch(start - slope * first, slope)


def _in_batches(line: PerBatch, asked: Convolution) -> PerBatch:
    """By the batch size what was told by the number of images."""
    return PerBatch(line.at(asked.images), line.per_sample * asked.more_images)


ScratchTables = Callable[[tuple[int, int] | None], ScratchTable | None]
"""The table of a card's compute capability; None if there is none."""


def no_tables(_capability: tuple[int, int] | None) -> ScratchTable | None:
    """Nobody has asked cuDNN anything."""
    return None
