"""What a prediction says of where its trust comes from: the product's own errors, and runs of an edited file."""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.knowledge import Evidence
from app.core.predict.strangers import believed
from app.core.predict.time import speed_then
from app.core.predict.track_record import percent_words, record_title, record_words
from app.core.types.basis import Explanation, Range
from app.core.types.machine import DeviceRates
from app.core.types.prediction import Prediction
from app.core.types.text import phrase, plural, verbatim
from app.core.types.track_record import Errors, TrackRecord
from app.core.types.units import format_count, format_number


def with_earlier(prediction: Prediction, run_id: int | None) -> Prediction:
    """The prediction with word of a run that measured something else than what the file holds now."""
    if run_id is None:
        return prediction
    words = phrase(
        "run {run_id} was of an earlier version of this file: it counts like a run of another model", run_id=run_id
    )
    return replace(prediction, assumptions=(*prediction.assumptions, words))


def with_unheard(prediction: Prediction, unheard: tuple[int, float] | None) -> Prediction:
    """The prediction with word of the newest run, if it says nothing of time for what other programs did meanwhile.

    Args:
        prediction: The prediction.
        unheard: The run's number, and what others used of the processor, percent.
    """
    if unheard is None:
        return prediction
    words = phrase(
        "run {run_id} says nothing of time: other programs used {percent} % of the processor meanwhile, and nobody "
        "knows how fast this machine is alone",
        run_id=unheard[0],
        percent=format_number(unheard[1], ".0f"),
    )
    return replace(prediction, assumptions=(*prediction.assumptions, words))


def with_busy_rates(prediction: Prediction, rates: DeviceRates | None) -> Prediction:
    """The prediction with word of a measurement of the processor that says nothing for what others did meanwhile."""
    if prediction.card is not None or rates is None or not speed_then(rates).mostly_others:
        return prediction
    words = phrase(
        "this machine was measured while other programs used {percent} % of its processor, which says nothing of time: "
        "it is measured again when they are gone",
        percent=format_number(rates.others_percent or 0.0, ".0f"),
    )
    return replace(prediction, assumptions=(*prediction.assumptions, words))


def with_shared(prediction: Prediction, shown: Evidence) -> Prediction:
    """The prediction with word of runs that others shared, where no run of one's own stands above them."""
    raw, said = prediction.uncalibrated, shown.strangers
    if raw is None or shown.calibration is not None or not (said.memory or said.time):
        return prediction
    peak = Range(raw.allocator_peak_bytes, raw.low_bytes, raw.high_bytes)
    counted = len(believed(said.memory, peak, prediction.memory.dataset_bytes))
    if raw.step_s is not None and raw.low_s is not None and raw.high_s is not None:
        counted = max(counted, len(believed(said.time, Range(raw.step_s, raw.low_s, raw.high_s))))
    doubtful = max(len(said.memory), len(said.time)) - counted
    words = (
        plural(
            "1 shared run of this model on a machine like this counts a little",
            "{n} shared runs of this model on machines like this count a little",
            counted,
            n=format_count(counted),
        )
        * bool(counted),
        plural(
            "1 shared run is too far from the prediction to be believed",
            "{n} shared runs are too far from the prediction to be believed",
            doubtful,
            n=format_count(doubtful),
        )
        * bool(doubtful),
    )
    return replace(prediction, assumptions=(*prediction.assumptions, *filter(None, words)))


def with_record(prediction: Prediction, record: TrackRecord | None) -> Prediction:
    """The prediction with a line in its basis on how good such predictions have been."""
    if record is None:
        return prediction
    memory, time = prediction.memory, prediction.time
    about_memory, about_time = _record_line(record, record.memory), _record_line(record, record.time)
    return replace(
        prediction,
        memory=replace(memory, explanation=(*memory.explanation, about_memory)),
        time=replace(time, explanation=(*time.explanation, about_time)) if time.explanation else time,
        track_record=record,
    )


def _record_line(record: TrackRecord, errors: Errors | None) -> Explanation:
    """The track record as a line in the basis of one of its quantities."""
    value = phrase("median error {percent}", percent=percent_words(errors.median_error)) if errors else ""
    return Explanation(
        record_title(record), verbatim(value), verbatim(record_words(record)), phrase("predicted against measured here")
    )
