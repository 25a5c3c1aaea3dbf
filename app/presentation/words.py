"""The fixed words of window, terminal and reports: verdicts, marks, parts of memory, outcomes; English."""

from __future__ import annotations

import re

from app.core.types.text import Text, join, phrase
from app.core.types.units import NOT_AVAILABLE, format_share
from app.presentation.figure import MARKS

MARK_MEASURED, MARK_SCALED, MARK_PREDICTED = MARKS["measured"], MARKS["scaled"], MARKS["predicted"]
LEGEND = phrase(
    "{mark_measured} measured here · {mark_scaled} scaled from your run · {mark_predicted} predicted",
    mark_measured=MARK_MEASURED,
    mark_scaled=MARK_SCALED,
    mark_predicted=MARK_PREDICTED,
)

MARK_NAMES = {
    "measured": phrase("measured here"),
    "scaled": phrase("scaled from your run"),
    "predicted": phrase("predicted"),
    "none": phrase("without a basis"),
}

VERDICTS = {
    "fits": phrase("Fits"),
    "tight": phrase("Tight"),
    "does_not_fit": phrase("Does not fit"),
    "unknown": phrase("Cannot tell"),
}
VERDICT_ICONS = {"fits": "✔", "tight": "!", "does_not_fit": "✘", "unknown": "?"}

PARTS = {
    "others": phrase("Others and reserve"),
    "framework": phrase("Framework"),
    "weights": phrase("Weights"),
    "gradients": phrase("Gradients"),
    "optimizer_state": phrase("Optimizer"),
    "activations": phrase("Activations"),
    "workspace": phrase("Workspace"),
    "inputs": phrase("Input batch"),
    "free": phrase("Free"),
}
"""Parts of a device's memory."""

PART_HINTS = {
    "others": phrase("Held by the desktop and other programs, or kept back by the framework"),
    "framework": phrase("The framework's own context on the device"),
    "weights": phrase("The parameters of the network"),
    "gradients": phrase("One value for each trainable parameter"),
    "optimizer_state": phrase("What the optimizer remembers for each parameter"),
    "activations": phrase("Layer outputs kept for the backward pass; they grow with the batch"),
    "workspace": phrase("Scratch memory of the fast kernels"),
    "inputs": phrase("The batch itself"),
}

MEMORIES = {
    "needed": phrase("Needed"),
    "wanted": phrase("Wanted on top"),
    "held": phrase("Held"),
    "shown": phrase("Shown by TensorFlow"),
    "seen": phrase("Seen by the driver"),
    "process": phrase("The process in RAM"),
    "allowed": phrase("Allowed"),
}
"""The memories that are never mixed."""

MEMORY_HINTS = {
    "needed": phrase("tensors at the worst moment of a step; this decides whether it fits"),
    "wanted": phrase("scratch for the fastest convolutions; if refused, slower ones run"),
    "held": phrase("the processor's allocator gives back what it frees"),
    "held_on_card": phrase("TensorFlow reserves all it may use, unless memory growth is switched on"),
    "shown": phrase("most that TensorFlow's own counter may show: it tries fast kernels with what room there is"),
    "seen": phrase("needed, and the framework's own context on the card"),
    "process": phrase("Python, the framework and what it computes in RAM"),
    "allowed": phrase("free now, without what the framework and the desktop keep back"),
}

QUANTITIES = {
    "step": phrase("Step"),
    "epoch": phrase("Epoch"),
    "samples": phrase("Samples per second"),
    "memory": phrase("Memory needed"),
    "held": phrase("Memory held"),
    "seen": phrase("Memory seen"),
    "process": phrase("Process in RAM"),
}
"""What is estimated and measured."""

SHARES = {
    "input": phrase("waiting for data"),
    "disk": phrase("waiting for the disk"),
    "decode": phrase("waiting for decoding"),
    "copy": phrase("copying to the device"),
    "compute": phrase("computing"),
}
"""What a step spends its time with."""

OUTCOMES = {
    "succeeded": phrase("Succeeded"),
    "out_of_memory": phrase("Out of memory"),
    "failed": phrase("Failed"),
    "cancelled": phrase("Cancelled"),
    "crashed": phrase("Crashed"),
}

PHASES = {
    "start": phrase("Start"),
    "import": phrase("Load framework"),
    "build": phrase("Build model"),
    "trace": phrase("Trace"),
    "data": phrase("Prepare data"),
    "compile": phrase("Compile"),
    "warm-up": phrase("Warm-up"),
    "warmup": phrase("Warm-up"),
    "measure": phrase("Measure"),
    "done": phrase("Done"),
}
"""Phases of a run."""

REMEDIES = {
    "spill": phrase("A smaller batch stays within the card's memory."),
    "swapping": phrase("A smaller batch stays within the RAM; closing other programs helps too."),
    "gpu_throttled": phrase("Let the card cool down or mend its airflow, then measure again."),
    "gpu_power_limit": phrase("A higher power limit would be faster, if cooling and supply allow."),
    "cpu_throttled": phrase("Let the processor cool down, then measure again."),
    "battery": phrase("Plug the machine in, then measure again."),
    "power_saver": phrase("Switch the power saving off, then measure again."),
    "card_shared": phrase("Close what computes on the card, then measure again."),
    "busy_host": phrase("Close the other programs, then measure again."),
    "drift": phrase("Measure again when it is quiet."),
    "unsettled": phrase("Measure for longer."),
    "few_steps": phrase("Measure for longer."),
    "low_priority": phrase("Measure without the low priority for the true speed."),
}
"""One thing to do about a doubt, by its kind."""

STOPPED_BY = {
    "headroom": phrase("a larger batch would leave too little headroom below the limit"),
    "dataset_size": phrase("it is all of the data"),
    "out_of_memory": phrase("the next larger batch that was tried ran out of memory"),
    "time_cliff": phrase("a larger batch is so much slower that its memory must have spilled"),
    "nothing_fits": phrase("not even one sample fits"),
    "trials": phrase("enough trials were made"),
    "failed": phrase("a trial failed for another reason than memory"),
    "cancelled": phrase("you cancelled"),
}
"""Why a search for the batch size ended."""

KINDS = {"ram": "RAM", "disk": phrase("Disk"), "gpu": "GPU", "cpu": "CPU", "cloud": phrase("Cloud")}
"""What can be bought or rented, and simulated."""

MODES = {"train": phrase("training"), "inference": phrase("inference"), "evaluate": phrase("evaluation")}


def short_name(name: str | None) -> str:
    """A processor's or card's name without the words that every maker adds."""
    if not name:
        return NOT_AVAILABLE
    for word in ("(R)", "(TM)", "(tm)", " CPU", " Processor", "AMD ", "Intel ", "NVIDIA ", "GeForce "):
        name = name.replace(word, "")
    name = re.sub(r"\s\d+-Core.*", "", name.split("@")[0])
    return " ".join(name.split()) or NOT_AVAILABLE


def shape_words(shape: tuple[int | None, ...]) -> Text:
    """A shape as people write it: ``28 × 28 × 1``; a free dimension is ``?``."""
    return join(" × ", ("?" if size is None else str(size) for size in shape)) or phrase("one number")


def difference_words(predicted: float | None, measured: float | None) -> Text:
    """How far an estimate was from the measurement, for example ``+4 %``; empty if either is unknown."""
    if predicted is None or not measured:
        return Text()
    return format_share((predicted - measured) / measured, signed=True)
