"""Children of few lines that speak the benchmark's protocol, for tests of what takes turns and of trials."""

from __future__ import annotations

import sys

_CHILD = """
import json, random, sys, time

def say(_kind, **body):
    print(json.dumps({"v": 1, "kind": _kind, "body": body}), flush=True)

def read():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()

def measured(step_s, batch, peak=1000):
    return {"step": {"median_s": step_s, "low_s": step_s, "high_s": step_s, "n": 4}, "first_step_s": 1.0,
            "samples_per_s": batch / step_s, "epoch_s": 600 * step_s,
            "memory": {"allocator_peak_bytes": peak, "host_bytes": peak}}

def done(step_s, batch, **more):
    say("done", result={"measurement": measured(step_s, batch, **more), "warnings": [], "environment": {}})

def out_of_memory():
    say("failed", kind="out_of_memory", message="no more", phase="compile")

def take_turns(step_s, batch, seed):
    noise = random.Random(seed)
    say("phase", name="warm-up", t_s=0.1)
    if not plan["turns"]:
        time.sleep(0.05)
        return done(step_s * noise.lognormvariate(0, 0.01), batch)
    turn = {"steps": 0, "seconds": 0.0, "cpu_s": 0.0}
    while True:
        say("phase", name="paused", t_s=0.2)
        say("paused", **turn)
        word = read()
        if word["kind"] == "cancel":
            return say("failed", kind="cancelled", message="cancelled")
        if not word["body"]["seconds"]:
            return done(step_s, batch)
        say("phase", name="measure", t_s=0.3)
        time.sleep(0.01)
        taken = step_s * noise.lognormvariate(0, 0.01)
        turn = {"steps": 10, "seconds": 10 * taken, "cpu_s": 5 * taken}

plan = read()["body"]["arguments"]
say("hello", pid=1, python_version="3")
"""


def child(code: str) -> list[str]:
    """A child whose ``plan`` holds the arguments of its request."""
    return [sys.executable, "-c", _CHILD + code]
