"""What a measured step on one card says of another card.

The model of `app.core.timing.card_steptime` gives the step on both.  What it gets wrong of a network, it gets wrong on
both in the same way as far as the same kernels run, so the wanted step is the model's times measured over modelled on
the card of the run.  Each operation is thus scaled by the ratio of what bounds it, and the host's share by the hosts'.

A run that waited for its host, or for its data, has not seen its card work: of a step that would wait for the card it
says nothing, and the answer is the data sheets' with their wide interval.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.timing.card_architectures import Architecture, architecture_of
from app.core.timing.card_rates import uses_tensor_cores
from app.core.timing.card_steptime import CardStep
from app.core.types.basis import Explanation
from app.core.types.machine import Gpu
from app.core.types.text import join, phrase, verbatim
from app.core.types.units import format_number, format_share

DATA_SHEET_INTERVAL = (0.85, 1.65)
"""Nine of ten steps of two published tables took 0.94 to 1.61 times what the data sheets said (682 steps on 16 cards):
see `studies.accuracy.time_profet` and `time_lambda`; no constant of the model is from them.  Below, it is wider: no
network there does all that networks do."""

UNMEASURED_INTERVAL = (0.65, 2.5)
"""The same where nobody has published kernels of the architecture (180 steps, 1.01 to 2.38); below, what 26 steps on an
H100 took (`studies.accuracy.card_times`)."""

SCALED_WIDTH = 1.27
"""At least nine of ten steps lay within this factor when scaled from every other card of a table, by plain kernels of
measured architectures: 93 % of 968 pairs of the one table, 95 % of 300 of the other.  No scaled pair knew the wanted
card."""

TENSOR_WIDTH = 1.6
"""The same where tensor cores compute on either card (93 % of 1,668 pairs, plain ones among them): whether a kernel
finds them depends on the library's version and on the layout, which no data sheet tells."""

UNMEASURED_WIDTH = 1.8
"""The same where nobody has published kernels of one of the two architectures (96 % of 1,943 pairs, plain ones among
them), tensor cores or not."""

BUSY_SHARE = 0.5
"""A run whose input took more than this of the step has not seen its card work."""


@dataclass(frozen=True)
class CardCase:
    """One step on one card as the model has it."""

    step: CardStep
    gpu: Gpu
    precision: str

    @property
    def architecture(self) -> Architecture:
        """The card's."""
        return architecture_of(self.gpu)


@dataclass(frozen=True)
class Transfer:
    """Measured over modelled on another card, and how far to trust it; no factor if it says nothing, with the reason.

    The truth is expected within ``width`` times more or less.
    """

    factor: float | None
    width: float
    assumption: str
    explanation: tuple[Explanation, ...] = ()


def data_sheet_interval(gpu: Gpu) -> tuple[float, float]:
    """Factors of the ends of the interval about a step that only data sheets tell."""
    return DATA_SHEET_INTERVAL if architecture_of(gpu).measured else UNMEASURED_INTERVAL


def transfer(measured_s: float, input_share: float | None, run: CardCase, wanted: CardCase, *, run_id: int) -> Transfer:
    """What a run says of another card.

    Args:
        measured_s: The run's step, seconds.
        input_share: Share of it that waited for data; None if nobody looked.
        run: The run's step on its card.
        wanted: What is asked about.
        run_id: Number of the run.
    """
    name = phrase("run {run_id} on {gpu}", run_id=run_id, gpu=run.gpu.name)
    if input_share is not None and input_share > BUSY_SHARE:
        return _out_of_range(
            name,
            phrase("its step waited for data for {input_share} of the time", input_share=format_share(input_share)),
        )
    if run.step.waits_for_host and not wanted.step.waits_for_host:
        return _out_of_range(name, phrase("its card waited for the host to launch kernels, which this card would not"))
    factor = measured_s * (1 - (input_share or 0.0)) / run.step.step_s
    line = Explanation(
        phrase("scaled from {name}", name=name),
        phrase("× {factor}", factor=format_number(factor, ".2f")),
        phrase("measured / modelled there, times the model of this card, operation by operation"),
        join("; ", dict.fromkeys((run.architecture.source, wanted.architecture.source))),
    )
    return Transfer(factor, _width(run, wanted), phrase("{name}, scaled operation by operation", name=name), (line,))


def _width(run: CardCase, wanted: CardCase) -> float:
    """By which factor the truth may lie above or below."""
    if not (run.architecture.measured and wanted.architecture.measured):
        return UNMEASURED_WIDTH
    return TENSOR_WIDTH if any(uses_tensor_cores(case.gpu, case.precision) for case in (run, wanted)) else SCALED_WIDTH


def _out_of_range(name: str, why: str) -> Transfer:
    """A run that says nothing of the wanted card."""
    line = Explanation(
        phrase("not scaled from {name}", name=name),
        phrase("out of range"),
        verbatim(why),
        phrase("the step is the data sheets' alone"),
    )
    return Transfer(None, 1.0, "", (line,))
