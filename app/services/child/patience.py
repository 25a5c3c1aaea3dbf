"""How long a child may be silent before it counts as hung."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """Longest silence by what the child does, in seconds.

    A child that trains says something after every step, so that what is normal follows from the slowest
    step seen; what comes before the steps (a cold disk, a large download of weights, XLA on a large
    network) has its own measure.
    """

    start_s: float = 120.0
    import_s: float = 300.0
    build_s: float = 900.0
    compile_s: float = 1800.0
    first_step_s: float = 600.0
    """From the beginning of a phase of steps to its first step: a shuffle buffer fills, a cache is written."""
    floor_s: float = 60.0
    """Between steps at least: a checkpoint, a slow file, a suspended laptop."""
    steps: float = 30.0
    """Between steps, as a multiple of the slowest step seen."""
    idle_s: float = 120.0
    """While compiling, if neither the child nor what it started does anything: it waits for what never comes."""

    def allowed_s(self, phase: str, slowest_step_s: float | None, *, stepped: bool) -> float:
        """The longest silence that is still normal.

        Args:
            phase: What the child does.
            slowest_step_s: Of all phases so far; None before the first.
            stepped: Has this phase had a step?
        """
        own = {"start": self.start_s, "import": self.import_s, "build": self.build_s, "compile": self.compile_s}
        own["script"] = self.compile_s  # the author's own preparation: a download, a cache
        if phase in own:
            return own[phase]
        between_s = max(self.floor_s, self.steps * (slowest_step_s or 0.0))
        return between_s if stepped else max(between_s, self.first_step_s)
