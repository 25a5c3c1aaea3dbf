import sys
import threading

import pytest
from PySide6.QtCore import QObject, Signal

from app.core.types.errors import BadModel, Cancelled
from app.ui.kit.bridge import Runner

MAIN = threading.get_ident()


@pytest.fixture
def runner(qapp):
    made = Runner()
    yield made
    assert made.stop()


def finish(qtbot, runner, job):
    """Run a job to its end: outcomes, events, and the threads in which they were told."""
    outcomes, events, told_in = [], [], set()

    def ended(outcome):
        outcomes.append(outcome)
        told_in.add(threading.get_ident())

    def progressed(event):
        events.append(event)
        told_in.add(threading.get_ident())

    runner.run("test", job, ended, progressed)
    qtbot.waitUntil(lambda: not runner.tasks)
    qtbot.wait(20)
    assert told_in == {threading.get_ident()}
    return outcomes, events


def test_a_result_arrives_once_and_after_all_events_in_order(qtbot, runner):
    def job(sink, _cancel):
        for number in range(200):
            sink(number)
        return threading.get_ident()

    outcomes, events = finish(qtbot, runner, job)
    assert events == list(range(200))
    assert [o.ending for o in outcomes] == ["succeeded"]
    assert outcomes[0].value != threading.get_ident()


def test_a_problem_of_the_user_is_an_outcome(qtbot, runner):
    def job(_sink, _cancel):
        raise BadModel("no such model", hint="choose another")

    outcomes, _ = finish(qtbot, runner, job)
    assert [o.ending for o in outcomes] == ["failed"]
    assert outcomes[0].error.hint == "choose another"


def test_cancelling_ends_once(qtbot, runner):
    def job(_sink, cancel):
        assert cancel.wait(5)
        raise Cancelled("cancelled")

    ended = []
    task = runner.run("test", job, ended.append)
    task.cancel()
    task.cancel()
    qtbot.waitUntil(lambda: bool(ended))
    qtbot.wait(20)
    assert [o.ending for o in ended] == ["cancelled"]


def test_a_bug_ends_the_task_and_is_not_hidden(qtbot, runner):
    def job(_sink, _cancel):
        raise ZeroDivisionError("a bug of ours")

    with qtbot.captureExceptions() as seen:
        outcomes, _ = finish(qtbot, runner, job)
    assert [o.ending for o in outcomes] == ["broken"]
    assert isinstance(outcomes[0].error, ZeroDivisionError)
    assert [kind for kind, *_ in seen] == [ZeroDivisionError]


def test_stopping_cancels_and_tells_nobody_any_more(qtbot, qapp):
    runner, ended = Runner(), []
    runner.run("test", lambda _sink, cancel: cancel.wait(5), ended.append)
    assert runner.stop()
    qtbot.wait(20)
    assert ended == []


def test_emitting_a_bool_does_not_lose_a_reference(qapp):
    # PySide6 6.12.0 drops a reference of True at each emission, which ends Python 3.11 in "bool_dealloc".
    class Sender(QObject):
        told = Signal(bool)

    sender, heard = Sender(), []
    sender.told.connect(lambda _value: heard.append(1))
    before = sys.getrefcount(True)
    for _ in range(200):
        sender.told.emit(True)
    assert len(heard) == 200
    assert sys.getrefcount(True) > before - 100


def test_who_is_gone_is_not_told(qtbot, runner):
    """As a dialog that was closed while its folder was still being counted."""
    told, leave = [], threading.Event()

    class Presenter(QObject):
        def ended(self, outcome):
            told.append(outcome)

    presenter = Presenter()
    runner.run("test", lambda _sink, _cancel: leave.wait(5), presenter.ended)
    presenter.deleteLater()
    qtbot.wait(20)
    leave.set()
    qtbot.waitUntil(lambda: not runner.tasks)
    assert told == []


def test_tasks_take_turns_in_one_thread_that_ends_with_the_window(qtbot, runner):
    answers = []
    for _ in range(20):
        runner.call("test", threading.get_ident, lambda outcome: answers.append(outcome.value), in_turn=True)
    qtbot.waitUntil(lambda: not runner.tasks)
    assert len(answers) == 20
    assert len(set(answers)) == 1
    assert threading.get_ident() not in answers
    thread = next(one for one in threading.enumerate() if one.ident == answers[0])
    assert runner.stop()
    assert not thread.is_alive()


def test_a_turn_that_fails_or_is_called_off_leaves_the_thread_to_the_next_one(qtbot, runner):
    endings = []

    def broken(_sink, _cancel):
        raise ZeroDivisionError("a bug of ours")

    def called_off(_sink, cancel):
        assert cancel.wait(5)
        raise Cancelled("cancelled")

    with qtbot.captureExceptions() as seen:
        for job in (broken, called_off, lambda _sink, _cancel: 1):
            task = runner.run("test", job, lambda outcome: endings.append(outcome.ending), in_turn=True)
            if job is called_off:
                task.cancel()
        qtbot.waitUntil(lambda: not runner.tasks)
    assert endings == ["broken", "cancelled", "succeeded"]
    assert [kind for kind, *_ in seen] == [ZeroDivisionError]
