"""The fixed words of the window, translated: verdicts, marks, parts, bounds, outcomes, phases."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate

MARKS = {"measured": "✓", "scaled": "≈", "predicted": "~", "none": ""}


def verdict(key: str) -> str:
    """One of the four fixed words."""
    words = {
        "fits": translate("words", "Fits"),
        "tight": translate("words", "Tight"),
        "does_not_fit": translate("words", "Does not fit"),
    }
    return words.get(key, translate("words", "Cannot tell"))


def mark(key: str) -> str:
    """What a mark means."""
    words = {
        "measured": translate("words", "measured here"),
        "scaled": translate("words", "scaled from your run"),
        "predicted": translate("words", "predicted"),
    }
    return words.get(key, translate("words", "without a basis"))


def part(key: str) -> str:
    """Name of a part of memory."""
    words = {
        "others": translate("words", "Others and reserve"),
        "framework": translate("words", "Framework"),
        "weights": translate("words", "Weights"),
        "gradients": translate("words", "Gradients"),
        "optimizer_state": translate("words", "Optimizer"),
        "activations": translate("words", "Activations"),
        "workspace": translate("words", "Workspace"),
        "inputs": translate("words", "Input batch"),
        "free": translate("words", "Free"),
    }
    return words.get(key, key)


def part_hint(key: str) -> str:
    """One line on what a part of memory is."""
    words = {
        "others": translate("words", "Held by the desktop and other programs, or kept back by the framework"),
        "framework": translate("words", "The framework's own context on the device"),
        "weights": translate("words", "The parameters of the network"),
        "gradients": translate("words", "One value for each trainable parameter"),
        "optimizer_state": translate("words", "What the optimizer remembers for each parameter"),
        "activations": translate("words", "Layer outputs kept for the backward pass; they grow with the batch"),
        "workspace": translate("words", "Scratch memory of the fast kernels"),
        "inputs": translate("words", "The batch itself"),
    }
    return words.get(key, "")


def memory(key: str) -> str:
    """Name of one of the four memories."""
    words = {
        "needed": translate("words", "Needed"),
        "wanted": translate("words", "Wanted on top"),
        "held": translate("words", "Held"),
        "seen": translate("words", "Seen by the driver"),
        "process": translate("words", "The process in RAM"),
        "allowed": translate("words", "Allowed"),
    }
    return words.get(key, key)


def memory_hint(key: str, *, on_card: bool) -> str:
    """What one of the four memories means; never mix them."""
    held_on_card = translate("words", "TensorFlow reserves all it may use, unless memory growth is switched on")
    words = {
        "needed": translate("words", "tensors at the worst moment of a step; this decides whether it fits"),
        "wanted": translate("words", "scratch for the fastest convolutions; if refused, slower ones run"),
        "held": held_on_card if on_card else translate("words", "the processor's allocator gives back what it frees"),
        "seen": translate("words", "needed, and the framework's own context on the card"),
        "process": translate("words", "Python, the framework and what it computes in RAM"),
        "allowed": translate("words", "free now, without what the framework and the desktop keep back"),
    }
    return words.get(key, "")


def bound(key: str | None) -> str:
    """What a step waits for."""
    words = {
        "compute": translate("words", "compute"),
        "memory": translate("words", "memory bandwidth"),
        "overhead": translate("words", "starting operations"),
        "input": translate("words", "data preparation"),
        "disk": translate("words", "the disk"),
    }
    return words.get(key or "", translate("words", "something unknown"))


def outcome(key: str) -> str:
    """How a run ended."""
    words = {
        "succeeded": translate("words", "Succeeded"),
        "out_of_memory": translate("words", "Out of memory"),
        "failed": translate("words", "Failed"),
        "cancelled": translate("words", "Cancelled"),
        "crashed": translate("words", "Crashed"),
    }
    return words.get(key, key)


def outcome_verdict(key: str) -> str:
    """The status colour and icon that go with an outcome."""
    bad = ("out_of_memory", "failed", "crashed")
    return "fits" if key == "succeeded" else "does_not_fit" if key in bad else "unknown"


def phase(key: str) -> str:
    """Name of a phase of a run."""
    words = {
        "start": translate("words", "Start"),
        "import": translate("words", "Load framework"),
        "build": translate("words", "Build model"),
        "trace": translate("words", "Trace"),
        "data": translate("words", "Prepare data"),
        "compile": translate("words", "Compile"),
        "warm-up": translate("words", "Warm-up"),
        "warmup": translate("words", "Warm-up"),
        "measure": translate("words", "Measure"),
        "done": translate("words", "Done"),
    }
    return words.get(key, key.replace("_", " ").replace("-", " ").capitalize())


def short_phase(key: str) -> str:
    """Name of a phase where there is little room."""
    words = {
        "import": translate("words", "Load"),
        "build": translate("words", "Build"),
        "data": translate("words", "Data"),
        "warm-up": translate("words", "Warm"),
        "warmup": translate("words", "Warm"),
    }
    return words.get(key, phase(key))


def measure(key: str) -> str:
    """What a start of the benchmark measures."""
    words = {
        "plan": translate("words", "This plan"),
        "device": translate("words", "CPU against GPU"),
        "xla": translate("words", "XLA on against off"),
        "precision": translate("words", "float32 against mixed precision"),
        "threads": translate("words", "All, half and one thread"),
        "data": translate("words", "With and without a cache"),
        "batch": translate("words", "The largest batch that runs"),
    }
    return words.get(key, key)


def stopped_by(key: str) -> str:
    """Why a search for the batch size ended."""
    words = {
        "headroom": translate("words", "A larger batch would leave too little headroom below the limit."),
        "dataset_size": translate("words", "A larger batch than the dataset makes no sense."),
        "out_of_memory": translate("words", "The next larger batch that was tried ran out of memory."),
        "time_cliff": translate("words", "A larger batch is far slower: its memory spills."),
        "nothing_fits": translate("words", "Not even one sample fits."),
        "trials": translate("words", "The search ended after its last trial."),
        "failed": translate("words", "A trial failed for another reason than memory."),
        "cancelled": translate("words", "The search was cancelled."),
    }
    return words.get(key, key)


def upgrade_kind(key: str) -> str:
    """Name of a kind of upgrade."""
    words = {
        "ram": translate("words", "RAM"),
        "disk": translate("words", "Disk"),
        "gpu": translate("words", "GPU"),
        "cpu": translate("words", "CPU"),
        "cloud": translate("words", "Cloud"),
    }
    return words.get(key, key)


def machine_part(key: str) -> str:
    """Name of a part of the machine in its panel."""
    words = {
        "cpu": translate("words", "CPU"),
        "ram": translate("words", "RAM"),
        "gpu": translate("words", "GPU"),
        "vram": translate("words", "VRAM"),
        "disk": translate("words", "Disk"),
    }
    return words.get(key, key)


def fact(key: str) -> str:
    """Name of a fact of a run: what was measured, and the fields of the plan."""
    words = {
        "model": translate("words", "Model"),
        "dataset": translate("words", "Data"),
        "outcome": translate("words", "Outcome"),
        "step": translate("words", "Step"),
        "samples": translate("words", "Samples per second"),
        "epoch": translate("words", "One epoch"),
        "memory": translate("words", "Peak memory"),
        "host_memory": translate("words", "Process in RAM"),
        "first_step": translate("words", "First step"),
        "bound_by": translate("words", "It waits for"),
        "cpu": translate("words", "CPU"),
        "gpus": translate("words", "Graphics cards"),
        "batch_size": translate("words", "Batch size"),
        "optimizer": translate("words", "Optimizer"),
        "precision": translate("words", "Precision"),
        "jit": translate("words", "XLA"),
        "accumulate": translate("words", "Accumulated steps"),
        "remat": translate("words", "Recomputed activations"),
        "freeze": translate("words", "Frozen layers"),
        "mode": translate("words", "Purpose"),
        "cache": translate("words", "Cache"),
        "cache_share": translate("words", "Share that is cached"),
        "input_workers": translate("words", "Samples decoded at once"),
        "prefetch": translate("words", "Batches prepared ahead"),
        "device": translate("words", "Device"),
        "epochs": translate("words", "Epochs"),
        "ema": translate("words", "Moving average of weights"),
        "clipnorm": translate("words", "Gradients clipped each by norm"),
        "global_clipnorm": translate("words", "Gradients clipped all by norm"),
        "clipvalue": translate("words", "Gradients clipped by value"),
        "weight_decay": translate("words", "Weight decay"),
        "data": translate("words", "Data given as"),
        "lora_rank": translate("words", "LoRA rank"),
        "int8": translate("words", "8-bit weights"),
        "sequence_length": translate("words", "Sequence length"),
        "image_size": translate("words", "Image size"),
        "leave_out": translate("words", "Layers left out"),
        "threads": translate("words", "Threads"),
        "backend": translate("words", "Framework"),
    }
    return words.get(key, key.replace("_", " ").capitalize())


def plan_value(text: str) -> str:
    """A value of a plan's field: what is a key of ours becomes a word, everything else is the user's."""
    words = {
        "True": translate("words", "Yes"),
        "False": translate("words", "No"),
        "None": "–",
        "encoded": translate("words", "RAM, not decoded"),
        "": "–",
        "train": translate("words", "training"),
        "inference": translate("words", "inference"),
        "none": translate("words", "nothing"),
        "ram": translate("words", "RAM"),
        "disk": translate("words", "disk"),
        "pipeline": translate("words", "pipeline"),
        "array": translate("words", "one array"),
    }
    return words.get(text, text)


def yes_no(value: bool | None) -> str:
    """Yes, no, or not known."""
    if value is None:
        return translate("words", "Cannot tell")
    return translate("words", "Yes") if value else translate("words", "No")
