"""The options that make one benchmark many: variants of the plan side by side, or a search for the batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from app.core.types.errors import UsageError
from app.core.types.plan import Plan
from app.core.types.text import phrase


@dataclass(frozen=True)
class ModeOptions:
    """What else to do than one run."""

    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help="Measure variants side by side: device, "
            "xla, precision, threads, data, several with commas, or a list "
            "such as threads=1,4.",
        ),
    ] = None
    find_batch: Annotated[
        bool, typer.Option("--find-batch", help="Find the largest and the fastest batch by trials.")
    ] = False
    effective_batch: Annotated[
        int | None, typer.Option(min=1, help="With --find-batch: samples an update shall see, as batch × accumulation.")
    ] = None
    memory_limit: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="With --find-batch on the CPU: memory that a trial may hold, such as 2GB."),
    ] = None

    whole: Annotated[
        bool, typer.Option("--whole", help="Run some of everything: validation, saving, and several short epochs.")
    ] = False

    def given(self) -> bool:
        """Is something else wanted than one run?"""
        return bool(self.compare) or self.find_batch


def refuse_mixed_modes(modes: ModeOptions, plan: Plan) -> None:
    """Refuse options that contradict each other.

    Raises:
        UsageError: They do.
    """
    if modes.compare and modes.find_batch:
        raise UsageError(
            phrase("one thing at a time"),
            received="--compare --find-batch",
            hint=phrase("find the batch first, then compare with --batch-size"),
        )
    lonely = {"--effective-batch": modes.effective_batch, "--memory-limit": modes.memory_limit}
    alone = [option for option, value in lonely.items() if value is not None]
    if alone and not modes.find_batch:
        raise UsageError(
            phrase("only the batch finder knows this option"), received=" ".join(alone), hint=phrase("add --find-batch")
        )
    if modes.find_batch and plan.accumulate > 1:
        raise UsageError(
            phrase("the finder chooses the accumulation itself"),
            received=f"--accumulate {plan.accumulate}",
            hint=phrase("say --effective-batch instead"),
        )
