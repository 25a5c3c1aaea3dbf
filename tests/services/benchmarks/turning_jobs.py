"""A job for real children of the tests that measures in turns, without a framework."""

from __future__ import annotations

import time
from typing import Any

from app.worker.benchmark.timing import StepTime
from app.worker.benchmark.turns import InTurns
from app.worker.channel import Channel


def takes_turns(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Steps of so many seconds, in turns."""

    def step() -> StepTime:
        time.sleep(arguments["step_s"])
        return StepTime(arguments["step_s"])

    def on_step(number: int, taken: StepTime) -> None:
        channel.partial = {"steps": number + 1}
        channel.check()

    series = InTurns(channel, arguments.get("group", 1))(step, budget_s=0, on_step=on_step)
    return {"steps": len(series.steps), "paused_s": channel.paused_s}
