import io
import json
import threading

import pytest

from app.core.types.errors import BadDataset, BadModel, MachineUnavailable, UsageError
from app.core.types.messages import Done, Failed
from app.core.types.text import from_plain
from app.worker.channel import Channel, JobCancelled, JobFailed, ProtocolError
from app.worker.failures import describe_failure
from app.worker.main import run_job

REQUEST = b'{"v":1,"kind":"request","body":{"job":"x","arguments":{"a":1}}}\n'


class Output(io.BytesIO):
    """A pipe that takes at most seven bytes at a time."""

    def write(self, data: object) -> int:
        return super().write(bytes(data)[:7])  # type: ignore[call-overload]

    def messages(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


def channel(lines: bytes = b"") -> tuple[Channel, Output]:
    output = Output()
    return Channel(output, io.BytesIO(lines)), output


def test_messages_are_whole_lines_even_if_the_pipe_takes_pieces():
    sender, output = channel()
    sender.phase("compile")
    sender.progress(7.0, "über")
    assert [m["kind"] for m in output.messages()] == ["phase", "progress"]
    body = output.messages()[1]["body"]
    assert (body["fraction"], from_plain(body["text"])) == (1.0, "über")
    assert sender.current_phase == "compile"


def test_nothing_follows_the_last_word():
    sender, output = channel()
    sender.end(Done({"x": 1}))
    sender.end(Failed("error", "late"))
    sender.phase("later")
    assert [m["kind"] for m in output.messages()] == ["done"]


def test_an_answer_that_is_no_json_leaves_room_for_another():
    sender, output = channel()
    with pytest.raises(ValueError, match="not JSON compliant"):
        sender.end(Done({"x": float("inf")}))
    sender.end(Failed("error", "sorry"))
    assert [m["kind"] for m in output.messages()] == ["failed"]


def test_readings_are_thinned():
    sender, output = channel()
    for step in range(1000):
        sender.reading(step=step)
    assert 1 <= len(output.messages()) <= 3


def test_threads_do_not_mix_their_lines():
    sender, output = channel()
    threads = [threading.Thread(target=lambda: [sender.progress(0.5, "x" * 50) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(output.messages()) == 200


def test_the_request_is_read():
    receiver, _ = channel(REQUEST)
    assert receiver.read_request().arguments == {"a": 1}


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"[]\n",
        b'{"v":9,"kind":"request","body":{"job":"x"}}\n',
        b'{"v":1,"kind":"cancel"}\n',
        b'{"v":1,"kind":"request","body":[]}\n',
        b'{"v":1,"kind":"request","body":[1]}\n',
        b'{"v":1,"kind":"request"}\n',
    ],
)
def test_another_line_is_refused(line: bytes):
    with pytest.raises(ProtocolError):
        channel(line)[0].read_request()


def test_a_closed_pipe_is_told():
    with pytest.raises(EOFError):
        channel()[0].read_request()


def test_a_cancel_line_is_obeyed_and_garbage_is_not():
    receiver, _ = channel(b'garbage\n{"v":1,"kind":"other"}\n')
    receiver.listen()
    receiver.check()
    receiver, _ = channel(b'garbage\n{"v":1,"kind":"cancel","body":{}}\n')
    receiver.listen()
    with pytest.raises(JobCancelled):
        receiver.check()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (BadModel("m"), "bad_model"),
        (BadDataset("m"), "bad_dataset"),
        (MachineUnavailable("m"), "missing"),
        (UsageError("m"), "error"),
        (MemoryError(), "host_memory"),
        (ModuleNotFoundError("No module named 'tensorflow'", name="tensorflow"), "missing"),
        (ModuleNotFoundError("No module named 'mine'", name="mine"), "error"),
        (JobCancelled(), "cancelled"),
        (JobFailed("bad_dataset", "m"), "bad_dataset"),
        (RuntimeError("out of memory"), "error"),  # by type, never by text
    ],
)
def test_the_kind_follows_the_type(error: BaseException, kind: str):
    described = describe_failure(error, phase="build", arguments={})
    assert described.kind == kind
    assert described.phase == "build"
    assert described.message


def test_expected_received_and_hint_are_kept():
    error = BadModel("m", expected="e", received="r", hint="h")
    described = describe_failure(error, phase=None, arguments={})
    assert (described.expected, described.received, described.hint) == ("e", "r", "h")


def test_an_unknown_job_names_the_known_ones():
    from app.core.types.messages import Request

    ended = run_job(Request("dance"), channel()[0], {"trace": "m:f"})
    assert isinstance(ended, Failed)
    assert (ended.expected, ended.received) == ("trace", "'dance'")
