"""What a verb says while it works: now and then what is going on, where no bar is shown."""

from __future__ import annotations

import threading
import time

from app.cli import session
from app.core.types.messages import Phase, Progress
from app.core.types.text import verbatim


def test_who_sees_no_bar_is_told_after_a_while_what_is_going_on(monkeypatch, capsys):
    monkeypatch.setattr(session, "PATIENCE_S", 0.05)
    with session.live("estimating") as state:
        state.on_event(Phase("build", 0.0))
        state.on_event(Progress(0.3, verbatim("running train.py")))
        time.sleep(0.3)
        state.on_event(Phase("trace", 0.2))
        state.on_event(Progress(0.6, verbatim("tracing its step")))
        time.sleep(0.3)
    told = capsys.readouterr().err
    assert told.index("running train.py") < told.index("tracing its step")
    monkeypatch.setattr(session, "PATIENCE_S", 30.0)
    with session.live("estimating"):
        pass
    assert capsys.readouterr().err == ""


def test_how_long_it_will_take_yet_is_told_until_it_should_have_ended():
    state = session.Live(threading.Event())
    assert state.left == ""
    state.on_event(Progress(0.5, verbatim("tracing"), left_s=30.2))
    assert state.left == "about 30 s left"
    state.on_event(Progress(0.9, verbatim("tracing"), left_s=0.4))
    assert state.left == ""
    state.on_event(Progress(0.9, verbatim("tracing")))
    assert (state.ends_s, state.left) == (None, "")
