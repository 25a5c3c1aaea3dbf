"""How a card's convolutions read images and weights, which is not how TensorFlow has them."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from app.core.simulate.program import Buffer, Op
from app.core.simulate.xla.card_costs import CardSpeed, is_tiled
from app.core.simulate.xla.padding import Padding, Swapped, dilated, surrounding, swapped, uneven_padding
from app.core.types.stepgraph import PerBatch
from app.core.types.units import FLOAT_BYTES

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering


class Layouts:
    """What was laid out anew while a step is translated.

    Args:
        lowering: The translation.

    Attributes:
        surrounded: What a layer has put zeros around, by its result; on a card only.
    """

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.surrounded: dict[int, int] = {}
        self._filters: dict[int, int] = {}
        """Copies of weights with the filters first."""
        self._laid_out: set[int | None] = set()
        """Variables that convolutions read with the filters first: so they are updated, too, and then turned back."""
        self._turned: set[int] = set()
        """Variables that are read in another layout by the kernel that updates them: it writes beside them."""
        self._plain: set[tuple[int | None, PerBatch]] = set()
        """Layer and size of weights whose gradient is a plain convolution, laid out as they are."""

    def filters(self, weight: int, *, viewed: bool = False) -> int:
        """A convolution's weights as it reads them: cuDNN wants the filters first, for both passes.

        Of a channel by itself they are looked at as filters of one channel (``viewed``).

        Source: ``StreamExecutorConvLayoutsToXlaLayouts`` in xla/service/gpu/stream_executor_util.cc.
        """
        if not self.lowering.card:
            return weight
        direct = self.lowering.is_weight(weight)
        if direct:
            self._laid_out.add(self.lowering.program.buffers[weight].owner)
        if viewed or not direct:
            read = (weight,) if direct else self.lowering.instruction(weight).operands
            owners = (self.lowering.program.buffers[v].owner for v in read if self.lowering.is_weight(v))
            self._turned.update(owner for owner in owners if owner is not None)
        if weight not in self._filters:
            self._filters[weight] = self.lowering.add("copy", [weight], self.lowering.instruction(weight).size)
        return self.lowering.flattened(self._filters[weight]) if viewed else self._filters[weight]

    def as_it_is(self, weight: int) -> int:
        """A convolution's weights read without another layout; a cast of them is written for that, and looked at."""
        return weight if not self.lowering.card or self.lowering.is_weight(weight) else self.lowering.flattened(weight)

    def as_read(self, weight: int) -> int:
        """A weight's copy for convolutions, if there is one: its gradient is laid out so, and the update follows it."""
        return self._filters.get(weight, weight)

    def padded(self, op: Op, image: int, result: PerBatch, *, backward: bool = False) -> int:
        """What a convolution reads of an image, or with ``backward`` the gradient of its filters.

        Zeros that a layer has put around it are the convolution's own padding (``FoldConvInputPad`` in
        xla/hlo/transforms/simplifiers/algebraic_simplifier.cc).
        """
        size = self.lowering.instruction(image).size
        padding = self.uneven_padding(op, size, result)
        if (source := self.surrounded.get(image)) is not None:
            given = self.lowering.instruction(source)
            if around := surrounding(self.lowering.graph, op.layer, size, given.size, given.item_bytes):
                image, size, padding = self.lowering.image(source), given.size, around
        if padding is None or padding.less == padding.more:
            return image
        if backward and padding.less:
            return self.lowering.shared("padded for filters", "slice", [image], size.times(padding.difference))
        return self.lowering.shared("padded", "slice", [image], size.times(padding.whole))

    def uneven_padding(self, op: Op, image: PerBatch, result: PerBatch) -> Padding | None:
        """How a card has to pad the image of this convolution itself; None where the library does."""
        if not self.lowering.card:
            return None
        return uneven_padding(self.lowering.graph, op.layer, image, result, self.lowering.computed_bytes)

    def swapped(self, op: Op, image: PerBatch, gradient: PerBatch) -> Swapped | None:
        """What an image's gradient is computed of if its filters are taken for the image; None where they are not.

        Convolutions of one channel each keep their sides.
        """
        if not self.lowering.card or op.kind.startswith("Depthwise"):
            return None
        return swapped(self.lowering.graph, op.layer, image, gradient, self.lowering.computed_bytes)

    def reversed(self, op: Op, weight: int, gradient: int, image: PerBatch, shape: tuple[int, ...]) -> tuple[int, int]:
        """(gradient, filters) of the convolution that a card computes the gradient of a depthwise layer's image by.

        The filters are made with their update, before which there has to be their gradient, unless the update is laid
        out by tiles or by kernels of its own.
        """
        size = self.lowering.instruction(gradient).size
        times = dilated(self.lowering.graph, op.layer, image, size, self.lowering.computed_bytes)
        if times is not None:
            gradient = self.lowering.shared("dilated", "slice", [gradient], size.times(times))
        filters = self.lowering.shared("reversed", "slice", [weight], self.lowering.instruction(weight).size)
        if self.lowering.card and self.lowering.is_weight(weight):
            self.lowering.instruction(filters).alone = self._is_turned_apart(weight, shape, self.lowering.card.speed)
        return gradient, filters

    def _is_turned_apart(self, weight: int, shape: tuple[int, ...], speed: CardSpeed) -> bool:
        """Is a depthwise weight's update laid out by tiles, or by kernels of its own."""
        variable = self.lowering.program.buffers[weight]
        slots = self._slots[variable.owner, variable.size]
        tiled = is_tiled(math.prod(shape[:-2]), math.prod(shape[-2:]))
        return tiled or speed.turns_apart(variable.size.fixed, slots)

    @cached_property
    def _slots(self) -> Counter[tuple[int | None, PerBatch]]:
        """By owner and size how many numbers an optimizer keeps for each of a variable's."""
        residents = self.lowering.program.buffers[: self.lowering.program.resident]
        return Counter((b.owner, b.size) for b in residents if b.role == "optimizer_state")

    def samples_last(self, value: int) -> int:
        """An image with samples and channels exchanged."""
        return self.lowering.shared("samples last", "copy", [value], self.lowering.instruction(value).size)

    def has_plain_gradient(self, op: Op, size: PerBatch) -> None:
        """The gradient that this operation makes of a layer's filters is laid out as they are."""
        self._plain.add((op.layer, size.times(FLOAT_BYTES / self.lowering.computed_bytes)))

    def is_turned_back(self, variable: Buffer) -> bool:
        """Is what is updated with the filters first turned back by a kernel of its own."""
        return variable.owner in self._laid_out

    def is_written_beside(self, variable: Buffer) -> bool:
        """Does the kernel that updates a variable read it in another layout, so that it has to be copied there."""
        own_slot = variable.owner in self._laid_out and variable.role == "optimizer_state"
        turned = own_slot or variable.owner in self._turned
        return turned and (variable.layer, variable.size) not in self._plain
