"""A convolution as a card's library is asked for it: by this it chooses a kernel, which wants scratch memory."""

from __future__ import annotations

from typing import Literal, NamedTuple

Direction = Literal["forward", "image", "filter"]
"""The convolution itself, or the gradient of its image or of its filter."""

Sides = tuple[int, ...]
"""One number for each dimension of an image."""


class Convolution(NamedTuple):
    """Shapes of one convolution; those of images hold what "same" adds on one side only.

    ``images`` and ``more_images`` tell how many there are at once: so many, and so many more for each sample.
    """

    direction: Direction
    channels_last: bool
    images: int
    more_images: int
    channels: int
    filters: int
    groups: int
    image: Sides
    kernel: Sides
    result: Sides
    padding: Sides
    strides: Sides
    dilations: Sides

    def images_at(self, batch_size: int) -> int:
        """How many images there are at a batch size."""
        return self.images + self.more_images * batch_size
