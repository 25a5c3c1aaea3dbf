"""What is known besides the traced step when a question is answered: of the devices, and of each batch of the plan.

A slider, the chart and Advice ask about one plan at many batches.  Each batch is answered by what has been shown of
*it* (`Knowledge.at`), whichever of them the user is looking at, so that none of these can disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.core.pipeline.measured_stages import MeasuredStages
from app.core.predict.corrections import Calibration, Lesson, for_another_plan, for_device
from app.core.predict.device_corrections import DeviceLessons
from app.core.predict.refined import Refined
from app.core.predict.strangers import Strangers
from app.core.predict.time import Rates
from app.core.timing.card_transfer import Transfer


@dataclass(frozen=True)
class Evidence:
    """What has been shown of a plan at one batch.

    Attributes:
        calibration: What runs of this model on this device have taught.
        refined: What compiling or probing the step has told about its memory.
        transfer: What a run of this model on another card says of this one; rates measured here count for more.
        strangers: What runs that other people shared say of it; anything of one's own counts for more.
    """

    calibration: Calibration | None = None
    refined: Refined | None = None
    transfer: Transfer | None = None
    strangers: Strangers = Strangers()

    def on(self, *, card: bool) -> Evidence:
        """What it says of a kind of device."""
        return replace(self, calibration=for_device(self.calibration, on_card=card))

    def carried(self) -> Evidence:
        """The same for a batch that nobody has run."""
        return replace(self, calibration=for_another_plan(self.calibration) if self.calibration else None)

    @property
    def time(self) -> Lesson | None:
        """What a run says of the time."""
        return self.calibration.time if self.calibration and self.calibration.teaches_time else None

    @property
    def stages(self) -> MeasuredStages | None:
        """How a run's step divided."""
        return self.calibration.stages if self.calibration else None

    def refines(self, batch_size: int) -> Refined | None:
        """What a refinement says of a batch's memory, for which a run of the very same plan counts for more."""
        lesson = self.calibration.memory if self.calibration else None
        measured = lesson is not None and lesson.exact
        return self.refined if self.refined and self.refined.answers(batch_size) and not measured else None


def _nothing(_batch_size: int) -> Evidence:
    """Nobody has shown anything."""
    return Evidence()


def about(batch_size: int, shown: Evidence) -> Callable[[int], Evidence]:
    """What has been shown of one batch, carried to all others."""
    others = shown.carried()
    return lambda asked: shown if asked == batch_size else others


@dataclass(frozen=True)
class Knowledge:
    """What an answer rests on besides the graph.

    Attributes:
        rates: How fast the devices are.
        usable: Indices of the cards that the framework can use, None if unknown.
        lessons: What is known of the device besides; runs of other models count where this model has none.
        at: What has been shown of a batch size.
        unheard: The newest run like this that teaches no time, since other programs used the device: its number, and
            their use, percent.
    """

    rates: Rates = Rates()
    usable: frozenset[int] | None = None
    lessons: DeviceLessons = DeviceLessons()
    at: Callable[[int], Evidence] = _nothing
    unheard: tuple[int, float] | None = None
