"""What a prediction says of where its trust comes from: the product's own errors, and runs of an edited file."""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.track_record import percent_words, record_title, record_words
from app.core.types.basis import Explanation
from app.core.types.prediction import Prediction
from app.core.types.text import phrase, verbatim
from app.core.types.track_record import Errors, TrackRecord


def with_earlier(prediction: Prediction, run_id: int | None) -> Prediction:
    """The prediction with word of a run that measured something else than what the file holds now."""
    if run_id is None:
        return prediction
    words = phrase(
        "run {run_id} was of an earlier version of this file: it counts like a run of another model", run_id=run_id
    )
    return replace(prediction, assumptions=(*prediction.assumptions, words))


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
