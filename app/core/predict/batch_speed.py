"""Samples per second at any batch size, so that a chart over it goes through the figure that was told."""

from __future__ import annotations

from app.core.predict.batch_sizes import Speed
from app.core.types.prediction import PredictedTime, Stages


def speed_like(told: PredictedTime, device_speed: Speed, batch_size: int) -> Speed:
    """What a told time means for other batch sizes.

    The device's part follows the device's own speed, corrected at each batch by what corrects it at the one that was
    asked about; reading, decoding and copying a sample cost the same in a batch of any size.

    Args:
        told: The whole step, with its input and what runs have taught.
        device_speed: Samples per second of the device alone, as predicted.
        batch_size: The one that was asked about.
    """
    own = device_speed(batch_size)
    stages = told.stages or Stages(device_s=told.step_s or 0.0)
    if told.step_s is None or own is None or stages.step_s <= 0:
        return device_speed
    overhead = told.step_s / stages.step_s

    def speed(batch: int) -> float | None:
        predicted = device_speed(batch)
        if predicted is None:
            return None
        larger = batch / batch_size
        step = Stages(
            stages.device_s * larger * own / predicted,
            stages.copy_s * larger,
            stages.decode_s * larger,
            stages.disk_s * larger,
            stages.overlap,
            stages.one_thread,
            stages.contention,
        )
        return batch / (overhead * step.step_s)

    return speed
