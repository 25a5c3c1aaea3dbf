"""Convolutions by way of transformed tiles: what cuDNN then multiplies, and what it writes to memory for it.

An image is cut into tiles that overlap by what a window covers more than a place; each is transformed, multiplied with
the transformed window number by number for all pairs of channels, which is a product of matrices, and the sums are
transformed back.  Winograd's way does so for windows of 3x3 and 5x5 (cuDNN's ``WINOGRAD_NONFUSED``), Fourier's for any
(``FFT_TILING``), where a number is complex (Lavin & Gray 2015; Vasilache et al. 2015, arXiv:1412.7580).  Both need
strides of one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from app.core.types.convolution import Convolution, Sides
from app.core.types.stepgraph import PerBatch
from app.core.types.units import FLOAT_BYTES

LARGE_TILE_SHARE = 0.43
"""Of the bandwidth that additions reach, kernels that transform tiles of 13 or 16 places a side: 0.27 to 0.56 in
published trainings on a T4, P4, P100 and V100 (docs/evidence.md, "Kernels of published trainings")."""

PRODUCT_BLOCK = (64, 128)
"""What a block of cuBLAS's usual product in float32 makes: ``volta_sgemm_128x64_nt``."""

FOURIER_SIDES = (16, 32)
"""Of Fourier's tiles: ``fft2d_r2c_16x16``, ``fft2d_r2c_32x32``."""


class Tile(NamedTuple):
    """How a window's tiles are cut.

    Args:
        made: Places of the result along each side.
        products: That each pair of transformed tiles needs, every one a matrix's.
        numbers: Of a product's operand in float32: two where it is complex.
        flops: Of a product of two such numbers, added up.
        share: Of the bandwidth, that transforming reaches.
    """

    made: Sides
    products: int
    numbers: int = 1
    flops: int = 2
    share: float = LARGE_TILE_SHARE


WINOGRAD = {(3, 3): Tile((4, 4), 6 * 6, share=1.0), (5, 5): Tile((9, 9), 13 * 13)}
"""By window.  Of 5x5 cuDNN asks for room for 169 numbers of a tile, one for each 9 by 9 places (asked at 27 to 55 a
side), and its kernels are named so: ``winogradForwardData9x9_5x5``."""


class Tiled(NamedTuple):
    """A convolution by way of tiles.

    Args:
        flops: Of the products of matrices.
        tile_bytes: What transforming writes or reads besides the images themselves: the tiles of both and of the
            filters, once each, as the products read and write them while they compute.
        blocks: Of the products' kernel, where they do not grow with the images: of a filter's gradient.  Else 0.
    """

    flops: PerBatch
    tile_bytes: PerBatch
    blocks: int


def tiled(asked: Convolution | None) -> Tiled | None:
    """How a convolution is computed with the fewest multiplications by way of tiles; None where it cannot be."""
    if asked is None or len(asked.kernel) != 2 or asked.groups != 1 or max(asked.kernel) == 1:
        return None
    if set(asked.strides) != {1} or set(asked.dilations) != {1}:
        return None
    tiles = [tile for window, tile in WINOGRAD.items() if window == asked.kernel]
    tiles += [_fourier(asked.kernel, side) for side in FOURIER_SIDES if side >= max(asked.kernel)]
    return min((_by(tile, asked) for tile in tiles), key=lambda way: way.flops.at(1), default=None)


def _fourier(kernel: Sides, side: int) -> Tile:
    """Tiles for a window that fits into them; half of their complex numbers tell the others."""
    return Tile(tuple(side + 1 - length for length in kernel), side * (side // 2 + 1), numbers=2, flops=8)


def _by(tile: Tile, asked: Convolution) -> Tiled:
    """By tiles of one sort, of which the last along a side may stick out."""
    sides = asked.image if asked.direction == "image" else asked.result
    count = math.prod(math.ceil(side / made) for side, made in zip(sides, tile.made, strict=True))
    tiles = PerBatch(asked.images * count, asked.more_images * count)
    pairs, blocks = asked.channels * asked.filters, 0
    tile_bytes = tile.products * tile.numbers * FLOAT_BYTES / tile.share
    moved = tiles.times((asked.channels + asked.filters) * tile_bytes) + PerBatch(pairs * tile_bytes)
    if asked.direction == "filter":
        ends = zip(sorted((asked.channels, asked.filters)), PRODUCT_BLOCK, strict=True)
        each = math.prod(math.ceil(channels / side) for channels, side in ends)
        pairs, blocks = each * math.prod(PRODUCT_BLOCK), each * tile.products
    return Tiled(tiles.times(pairs * tile.products * tile.flops), moved, blocks)
