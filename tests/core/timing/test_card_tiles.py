import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_tiles import LARGE_TILE_SHARE, tiled
from app.core.types.convolution import Convolution


@dataclass(frozen=True)
class Asked:
    """A square convolution with as much padding as keeps the sides, of so many images for each sample."""

    window: int
    side: int
    channels: int = 96
    filters: int = 256
    direction: str = "forward"
    strides: tuple[int, int] = (1, 1)
    dilations: tuple[int, int] = (1, 1)
    groups: int = 1

    @property
    def convolution(self) -> Convolution:
        kernel, sides = (self.window, self.window), (self.side, self.side)
        padding = (self.window // 2, self.window // 2)
        shape = (self.channels, self.filters, self.groups, sides, kernel, sides, padding)
        return Convolution(self.direction, False, 0, 1, *shape, self.strides, self.dilations)


@pytest.mark.parametrize(("side", "asked_mb"), [(27, 290.7), (30, 503.9), (45, 778.1), (54, 1113.1), (55, 1509.0)])
def test_tiles_of_5x5_take_what_cudnn_asks_for(side, asked_mb):
    """``cudnnGetConvolutionForwardWorkspaceSize``, 128 images, ``WINOGRAD_NONFUSED``, cuDNN 9.28."""
    way = tiled(Asked(5, side).convolution)
    assert way.tile_bytes.at(128) * LARGE_TILE_SHARE / 1e6 == pytest.approx(asked_mb, abs=0.1)


def test_tiles_of_3x3_take_what_cudnn_asks_for():
    """Likewise, 256 to 384 channels at 14 and 28 places, less what it rounds up to."""
    for side, asked_mb in ((14, 202.9), (28, 592.2)):
        way = tiled(Asked(3, side, 256, 384).convolution)
        assert way.tile_bytes.at(128) / 1e6 == pytest.approx(asked_mb, rel=0.02)


def test_wide_windows_need_a_tenth_of_the_multiplications():
    for window, share in ((3, 1 / 4), (5, 1 / 11.9), (11, 1 / 26)):
        side = {3: 56, 5: 54, 11: 66}[window]
        direct = 2 * window**2 * 96 * 256 * side**2
        assert tiled(Asked(window, side).convolution).flops.at(1) / direct == pytest.approx(share, rel=0.05)


def test_tiles_stick_out_of_small_images():
    inside, beyond = (tiled(Asked(3, side).convolution).flops.at(1) for side in (8, 9))
    assert beyond == inside * 9 / 4


@pytest.mark.parametrize(
    "shape",
    [Asked(1, 28), Asked(3, 28, strides=(2, 2)), Asked(3, 28, dilations=(2, 2)), Asked(3, 28, groups=4), Asked(33, 64)],
)
def test_there_is_no_such_way_for_others(shape):
    assert tiled(shape.convolution) is None


def test_there_is_none_for_volumes_or_for_nothing():
    volume = Convolution("forward", False, 0, 1, 8, 8, 1, (8,) * 3, (3,) * 3, (8,) * 3, (1,) * 3, (1,) * 3, (1,) * 3)
    assert tiled(volume) is None
    assert tiled(None) is None


def test_a_filters_gradient_has_as_many_blocks_whatever_the_batch_is():
    way = tiled(Asked(3, 56, 64, 64, "filter").convolution)
    assert way.blocks == 36
    assert tiled(Asked(3, 56, 64, 64).convolution).blocks == 0
    assert way.flops.at(1) == 2 * tiled(Asked(3, 56, 64, 64).convolution).flops.at(1)


@given(st.integers(2, 32), st.integers(1, 200), st.sampled_from(("forward", "image", "filter")))
def test_no_way_multiplies_less_than_its_tiles_can(window, side, direction):
    way = tiled(Asked(window, side, direction=direction).convolution)
    pairs = 96 * 256 * 2
    assert way.flops.at(1) >= pairs * side**2
    assert way.tile_bytes.at(8) > way.tile_bytes.at(1) > 0
    assert math.isfinite(way.flops.at(1))
