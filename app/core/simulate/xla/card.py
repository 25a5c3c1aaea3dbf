"""What XLA decides by the card that it compiles for."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.simulate.xla.card_costs import (
    A100,
    H100,
    P100,
    RTX_2060,
    RTX_3060,
    RTX_4060,
    RTX_4090,
    RTX_5080,
    T4,
    V100,
    CardSpeed,
)
from app.core.types.machine import Gpu
from app.core.types.units import MIB

VOLTA, AMPERE, ADA, HOPPER = (7, 0), (8, 0), (8, 9), (9, 0)
OLDER = (0, 0)
SPEEDS = {
    HOPPER: (H100, RTX_5080),
    ADA: (RTX_4060, RTX_4090),
    AMPERE: (A100, RTX_3060),
    VOLTA: (V100, T4, RTX_2060),
    OLDER: (P100,),
}
"""Where the compiler decides otherwise, newest first, and the cards that stand for all of that generation.  Ada decides
as Ampere does, but holds eight times as much in its second cache."""
PLANE = 2
GEMM_WORKSPACE_BYTES = 4 * MIB
"""At most so much is given to cuBLAS to lay both operands out anew, and never more than they are large:
``GemmConfig::kDefaultWorkspace`` in xla/service/gpu/matmul_utils.h, ``GemmWorkspaceRewriteVisitor`` in
xla/service/gpu/transforms/gemm_rewriter.cc."""

LIBRARY_RESULT_BYTES = 16
"""A library's call returns a table of two pointers, to its result and to its scratch.  It matters where the order is
chosen by the bytes that an instruction takes: of two that take the same, the other one goes first."""


@dataclass(frozen=True)
class CardCompiler:
    """XLA's compiler for one kind of card.

    Args:
        compute_capability: Of the card; unknown cards are taken for newer ones.
        speed: By what it decides which kernels become one.
    """

    compute_capability: tuple[int, int] | None = None
    speed: CardSpeed = A100

    @classmethod
    def of(cls, gpu: Gpu) -> CardCompiler:
        """For one card, or the one of its generation that is most like it; the first where it does not say."""
        generation, own = cls.generation(gpu.compute_capability), CardSpeed.of(gpu)
        known = SPEEDS[generation]
        return cls(generation, known[0] if own is None else min(known, key=own.distance))

    @staticmethod
    def generation(compute_capability: tuple[int, int] | None) -> tuple[int, int]:
        """The first card for which the compiler decides as it does for this one; unknown cards are taken for Ampere."""
        if compute_capability is None:
            return AMPERE
        return next(first for first in SPEEDS if compute_capability >= first)

    @property
    def writes_products_itself(self) -> bool:
        """Does XLA make kernels for products of matrices by Triton, rather than ask cuBLAS.

        Source: ``IsTritonSupportedCC`` in xla/service/gpu/transforms/gemm_fusion.cc.
        """
        return self.compute_capability is None or self.compute_capability >= AMPERE

    @property
    def computes_bfloat16(self) -> bool:
        """Does the card add and multiply numbers of type bfloat16 as they are.

        Source: ``GpuFloatSupport`` in xla/service/gpu/gpu_float_support.cc.
        """
        return self.compute_capability is not None and self.compute_capability >= HOPPER

    def keeps_channels_last(self, precision: str, spatial_rank: int) -> bool:
        """Do convolutions take images as TensorFlow lays them out, channels last.

        Source: ``HeuristicLayoutAssignment`` in xla/service/gpu/transforms/layout_assignment.cc.

        Args:
            precision: Keras dtype policy.
            spatial_rank: Dimensions of an image besides batch and channels.
        """
        capability = self.compute_capability or AMPERE
        if capability >= HOPPER:
            return True
        return capability >= VOLTA and precision != "float32" and spatial_rank <= PLANE
