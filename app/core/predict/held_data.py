"""What a dataset takes that is given to ``fit`` as one array instead of coming through a pipeline.

Keras makes a ``tf.data`` dataset of the arrays (keras/src/trainers/data_adapters/array_data_adapter.py,
``get_tf_dataset``: ``Dataset.from_tensors(inputs)``).  TensorFlow first turns every array into a tensor
on the default device (python/data/util/structure.py, ``normalize_element``), and the dataset object holds
on to it as long as it lives: on a machine with a card the whole dataset lies in the card's memory although
only the processor, which runs ``tf.data`` and has a copy of its own, ever reads it.  Tensors of int32
stay on the host (python/eager/pywrap_tensor.cc, ``ConvertToEagerTensorUncached``).  What cards say to it:
studies/accuracy/fit_profet.py judges 760 runs with and without these bytes.

Slicing, shuffling and prefetching happen on the host.  Measured on the processor (TensorFlow 2.21, an array
of 131 MB, batches of 2.1 and 8.4 MB): ``fit`` holds the array once and three to five batches made ahead;
the latter are left out here, as those of any pipeline are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.types.basis import Explanation
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_bytes, format_count
from app.core.types.workload import Workload

UNKNOWN_SAMPLES = phrase("the data is held as one array, but nobody knows how many samples it has: it is not counted")
_ON_HOST_ANYWAY = ("int32", "string")


@dataclass(frozen=True)
class HeldData:
    """Bytes of the arrays on the device, and of everything about them on the host."""

    samples: int
    device_bytes: int
    host_bytes: int


def held_data(graph: StepGraph, workload: Workload, *, on_host: bool) -> HeldData | None:
    """What the workload's dataset takes if it is held as an array; None if it is not, or its size is unknown.

    Args:
        graph: The traced step; its inputs say what a sample is: as the model takes it, prepared.
        workload: Dataset and plan.
        on_host: The step runs on the processor.
    """
    samples = workload.dataset.samples if workload.dataset else None
    if workload.plan.data != "array" or samples is None:
        return None
    sizes = [int(graph.sizes[t].per_sample) * samples for t in graph.input_tensors]
    dtypes = (*graph.model.input_dtypes, *[""] * len(sizes))
    on_card = sum(size for size, dtype in zip(sizes, dtypes, strict=False) if dtype not in _ON_HOST_ANYWAY)
    everything = sum(sizes)
    return HeldData(samples, everything if on_host else on_card, everything)


def with_held_data(memory: PredictedMemory, held: HeldData | None, *, on_host: bool) -> PredictedMemory:
    """The prediction of a step with the dataset beside it."""
    if held is None:
        return memory
    size = held.device_bytes
    peak, low, high, first, _ = memory.need.beside(size)
    process = memory.process_bytes
    return replace(
        memory,
        allocator_peak_bytes=peak,
        low_bytes=low,
        high_bytes=high,
        process_bytes=None if process is None else process + held.host_bytes * (1 if on_host else 2),
        parts=replace(memory.parts, inputs=memory.parts.inputs + size),
        first_step_peak_bytes=first,
        dataset_bytes=size,
        explanation=(
            *memory.explanation,
            Explanation(
                phrase("the dataset as one array"),
                format_bytes(size),
                phrase("{samples} samples x one sample", samples=format_count(held.samples)),
                verbatim("tensorflow/python/data/util/structure.py"),
            ),
        ),
    )


def words_for(workload: Workload, held: HeldData | None, *, on_host: bool) -> tuple[Text, ...]:
    """What was assumed about where the data lies."""
    if workload.plan.data != "array":
        return ()
    if held is None:
        return (UNKNOWN_SAMPLES,)
    where = phrase("in RAM") if on_host else phrase("on the card, and once more in RAM")
    return (
        phrase(
            "the whole dataset lies {where} as prepared arrays: {device}",
            where=where,
            device=format_bytes(held.device_bytes),
        ),
    )
