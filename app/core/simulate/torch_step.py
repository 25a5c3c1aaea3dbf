"""Memory of a step of Keras 3 on PyTorch, from TensorFlow's traced step.

PyTorch runs a step op by op and frees what nobody needs any more, so its peak is one of three moments::

    forward's end   every layer's result and what autograd keeps besides  +  the last step's gradients
    backward        the same of the layers that are still ahead           +  what flows through one layer
    update          all gradients                                         +  what the update of all weights makes

and beside each weights, their state and the batch.  A model that is a graph of layers holds all their results until the
forward pass ends (keras/src/ops/function.py, ``_run_through_graph``), and the old gradients go only then
(keras/src/backend/torch/trainer.py, ``train_step``).  What a layer keeps is `app.core.simulate.torch_layers`'s.
"""

from __future__ import annotations

from typing import NamedTuple

from app.core.simulate.torch_layers import torch_layers
from app.core.types.stepgraph import PerBatch, StepGraph

UPDATES = {
    "adadelta": 3,
    "adagrad": 3,
    "adam": 3,
    "adamax": 3,
    "adamw": 3,
    "lion": 2,
    "nadam": 5,
    "rmsprop": 3,
    "sgd": 0,
}
"""Lists of tensors, each as large as all weights, that the update of all at once makes and has at the same time
(``_parallel_update_step`` in keras/src/backend/torch/optimizers).  Others update one weight after the other."""

ONE_BY_ONE = 5
"""What such an update makes at most, over the largest weight: as much as the costliest of the above."""

PLANE = 4
"""A convolution's weights have so many dimensions at least, if cuDNN wants them in another order."""


class TorchParts(NamedTuple):
    """What is alive when the forward pass ends besides weights, their state and the batch, bytes.

    Args:
        results: Of all layers.
        kept: By autograd, besides.
        gradients: Of the step before.
    """

    results: int
    kept: int
    gradients: int


class TorchStep:
    """One graph's step on PyTorch under one optimizer, for any batch size.

    Args:
        graph: As TensorFlow traced it, without loops.
        rule: The optimizer (`app.core.types.plan.Plan.rule`).
    """

    def __init__(self, graph: StepGraph, rule: str) -> None:
        self._layers = torch_layers(graph)
        self._training = graph.mode == "train"
        learned = [v for v in graph.variables if v.gradient is not None] if self._training else []
        self._gradients_bytes = sum(v.size_bytes for v in learned)
        halves = graph.precision.startswith("mixed")
        turned = sum(v.size_bytes for v in learned if len(v.shape) >= PLANE)
        self._copies_bytes = self._gradients_bytes // 2 if halves else turned
        lists = UPDATES.get(rule.split("+")[0])
        if graph.precision == "mixed_float16":  # gradients are scaled back into a list of their own
            lists = 1 + (lists or 0)
        one = ONE_BY_ONE * max((v.size_bytes for v in learned), default=0)
        self._update_bytes = one if lists is None else lists * self._gradients_bytes

    def peak_bytes(self, batch_size: int, resident_bytes: int) -> int:
        """The most that is alive at once.

        Args:
            batch_size: Samples per step.
            resident_bytes: Weights, their state and the batch.
        """
        results, kept, gradients = self.parts(batch_size)
        most, ahead = gradients + max(results + kept, self._update_bytes), float(results + kept)
        for layer in reversed(self._layers if self._training else ()):
            most = max(most, int(ahead + (layer.given + layer.made + layer.passed).at(batch_size)))
            ahead -= (layer.made + layer.kept).at(batch_size)
        return resident_bytes + most

    def parts(self, batch_size: int) -> TorchParts:
        """What lies beside weights, their state and the batch when the forward pass ends."""
        results = sum((layer.made for layer in self._layers), PerBatch()).at(batch_size)
        kept = sum((layer.kept for layer in self._layers), PerBatch()).at(batch_size) + self._copies_bytes
        return TorchParts(int(results), int(kept) if self._training else 0, self._gradients_bytes)
