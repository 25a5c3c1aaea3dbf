"""The fixed words of the window, translated: verdicts, marks, parts, bounds, outcomes, phases."""

from __future__ import annotations

from app.core.types.plan import plan_options
from app.ui.kit.speech import said, tr

MARKS = {"measured": "✓", "scaled": "≈", "predicted": "~", "none": ""}


def verdict(key: str) -> str:
    """One of the four fixed words."""
    words = {"fits": tr("Fits"), "tight": tr("Tight"), "does_not_fit": tr("Does not fit")}
    return words.get(key, tr("Cannot tell"))


def mark(key: str) -> str:
    """What a mark means."""
    words = {"measured": tr("measured here"), "scaled": tr("scaled from your run"), "predicted": tr("predicted")}
    return words.get(key, tr("without a basis"))


def part(key: str) -> str:
    """Name of a part of memory."""
    words = {
        "others": tr("Others and reserve"),
        "framework": tr("Framework"),
        "weights": tr("Weights"),
        "gradients": tr("Gradients"),
        "optimizer_state": tr("Optimizer"),
        "activations": tr("Activations"),
        "workspace": tr("Workspace"),
        "inputs": tr("Input batch"),
        "free": tr("Free"),
    }
    return words.get(key, key)


def part_hint(key: str) -> str:
    """One line on what a part of memory is."""
    words = {
        "others": tr("Held by the desktop and other programs, or kept back by the framework"),
        "framework": tr("The framework's own context on the device"),
        "weights": tr("The parameters of the network"),
        "gradients": tr("One value for each trainable parameter"),
        "optimizer_state": tr("What the optimizer remembers for each parameter"),
        "activations": tr("Layer outputs kept for the backward pass; they grow with the batch"),
        "workspace": tr("Scratch memory of the fast kernels"),
        "inputs": tr("The batch itself"),
    }
    return words.get(key, "")


def memory(key: str) -> str:
    """Name of one of the four memories."""
    words = {
        "needed": tr("Needed"),
        "wanted": tr("Wanted on top"),
        "held": tr("Held"),
        "seen": tr("Seen by the driver"),
        "process": tr("The process in RAM"),
        "allowed": tr("Allowed"),
    }
    return words.get(key, key)


def memory_hint(key: str, *, on_card: bool) -> str:
    """What one of the four memories means; never mix them."""
    held_on_card = tr("TensorFlow reserves all it may use, unless memory growth is switched on")
    words = {
        "needed": tr("tensors at the worst moment of a step; this decides whether it fits"),
        "wanted": tr("scratch for the fastest convolutions; if refused, slower ones run"),
        "held": held_on_card if on_card else tr("the processor's allocator gives back what it frees"),
        "seen": tr("needed, and the framework's own context on the card"),
        "process": tr("Python, the framework and what it computes in RAM"),
        "allowed": tr("free now, without what the framework and the desktop keep back"),
    }
    return words.get(key, "")


def bound(key: str | None) -> str:
    """What a step waits for."""
    words = {
        "compute": tr("compute"),
        "memory": tr("memory bandwidth"),
        "overhead": tr("starting operations"),
        "input": tr("data preparation"),
        "disk": tr("the disk"),
    }
    return words.get(key or "", tr("something unknown"))


def outcome(key: str) -> str:
    """How a run ended."""
    words = {
        "succeeded": tr("Succeeded"),
        "out_of_memory": tr("Out of memory"),
        "failed": tr("Failed"),
        "cancelled": tr("Cancelled"),
        "crashed": tr("Crashed"),
    }
    return words.get(key, key)


def outcome_verdict(key: str) -> str:
    """The status colour and icon that go with an outcome."""
    bad = ("out_of_memory", "failed", "crashed")
    return "fits" if key == "succeeded" else "does_not_fit" if key in bad else "unknown"


def phase(key: str) -> str:
    """Name of a phase of a run."""
    words = {
        "start": tr("Start"),
        "import": tr("Load framework"),
        "build": tr("Build model"),
        "trace": tr("Trace"),
        "data": tr("Prepare data"),
        "compile": tr("Compile"),
        "warm-up": tr("Warm-up"),
        "warmup": tr("Warm-up"),
        "measure": tr("Measure"),
        "done": tr("Done"),
    }
    return words.get(key, key.replace("_", " ").replace("-", " ").capitalize())


def short_phase(key: str) -> str:
    """Name of a phase where there is little room."""
    words = {
        "import": tr("Load"),
        "build": tr("Build"),
        "data": tr("Data"),
        "warm-up": tr("Warm"),
        "warmup": tr("Warm"),
    }
    return words.get(key, phase(key))


def measure(key: str) -> str:
    """What a start of the benchmark measures."""
    words = {
        "plan": tr("This plan"),
        "device": tr("CPU against GPU"),
        "xla": tr("XLA on against off"),
        "precision": tr("float32 against mixed precision"),
        "threads": tr("All, half and one thread"),
        "data": tr("With and without a cache"),
        "batch": tr("The largest batch that runs"),
    }
    return words.get(key, key)


def stopped_by(key: str) -> str:
    """Why a search for the batch size ended."""
    words = {
        "headroom": tr("A larger batch would leave too little headroom below the limit."),
        "dataset_size": tr("A larger batch than the dataset makes no sense."),
        "out_of_memory": tr("The next larger batch that was tried ran out of memory."),
        "time_cliff": tr("A larger batch is far slower: its memory spills."),
        "nothing_fits": tr("Not even one sample fits."),
        "trials": tr("The search ended after its last trial."),
        "failed": tr("A trial failed for another reason than memory."),
        "cancelled": tr("The search was cancelled."),
    }
    return words.get(key, key)


def upgrade_kind(key: str) -> str:
    """Name of a kind of upgrade."""
    words = {"ram": tr("RAM"), "disk": tr("Disk"), "gpu": tr("GPU"), "cpu": tr("CPU"), "cloud": tr("Cloud")}
    return words.get(key, key)


def machine_part(key: str) -> str:
    """Name of a part of the machine in its panel."""
    words = {"cpu": tr("CPU"), "ram": tr("RAM"), "gpu": tr("GPU"), "vram": tr("VRAM"), "disk": tr("Disk")}
    return words.get(key, key)


def fact(key: str) -> str:
    """Name of a fact of a run: what was measured, and the options of the plan."""
    declared = next((one for one in plan_options() if one.name == key), None)
    if declared is not None:
        return said(declared.label)
    words = {
        "model": tr("Model"),
        "dataset": tr("Data"),
        "outcome": tr("Outcome"),
        "step": tr("Step"),
        "samples": tr("Samples per second"),
        "epoch": tr("One epoch"),
        "memory": tr("Peak memory"),
        "host_memory": tr("Process in RAM"),
        "first_step": tr("First step"),
        "bound_by": tr("It waits for"),
        "cpu": tr("CPU"),
        "gpus": tr("Graphics cards"),
    }
    return words.get(key, key.replace("_", " ").capitalize())


def yes_no(value: bool | None) -> str:
    """Yes, no, or not known."""
    if value is None:
        return tr("Cannot tell")
    return tr("Yes") if value else tr("No")
