"""What a training holds beside its step: a dataset that is given to ``fit`` as one array, or what a script was seen to.

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

A script is asked about while it runs: what its data and its own tensors take of the processor's allocator was counted
(`app.worker.script.held`), and is told instead where the step runs on the processor.
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
    """Bytes on the device, and of everything about them on the host; no ``samples`` where they were counted.

    ``maybe_bytes`` of those on the device may as well not be there.
    """

    samples: int | None
    device_bytes: int
    host_bytes: int
    maybe_bytes: int = 0


def held_data(graph: StepGraph, workload: Workload, *, on_host: bool, samples: int | None = None) -> HeldData | None:
    """What the workload's dataset takes if it is held as an array; None if it is not, or its size is unknown.

    Args:
        graph: The traced step; its inputs say what a sample is: as the model takes it, prepared.
        workload: Dataset and plan.
        on_host: The step runs on the processor.
        samples: How many of them; by default those that are trained on.
    """
    author = graph.model.captured
    if on_host and samples is None and author is not None and author.held_bytes is not None:
        return HeldData(None, author.held_bytes, author.held_bytes, author.maybe_held_bytes)
    samples = workload.training_samples if samples is None else samples
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
        low_bytes=low - held.maybe_bytes,
        high_bytes=high,
        process_bytes=None if process is None else process + held.host_bytes * (1 if on_host else 2),
        parts=replace(memory.parts, inputs=memory.parts.inputs + size),
        first_step_peak_bytes=first,
        shown_peak_bytes=None if memory.shown_peak_bytes is None else memory.shown_peak_bytes + size,
        dataset_bytes=size,
        explanation=(*memory.explanation, _explained(held)),
    )


def _explained(held: HeldData) -> Explanation:
    """Where the figure comes from."""
    size = format_bytes(held.device_bytes)
    if held.samples is None:
        what = phrase("the script's own data and tensors"), size, phrase("counted while it ran")
        return Explanation(*what, verbatim("get_memory_info"))
    count = phrase("{samples} samples x one sample", samples=format_count(held.samples))
    source = verbatim("tensorflow/python/data/util/structure.py")
    return Explanation(phrase("the dataset as one array"), size, count, source)


def words_for(workload: Workload, held: HeldData | None, *, on_host: bool) -> tuple[Text, ...]:
    """What was assumed about where the data lies."""
    if held is not None and held.samples is None:
        counted = format_bytes(held.device_bytes)
        return (
            phrase("the script's own data and tensors, counted while it ran, are among it: {counted}", counted=counted),
        )
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
