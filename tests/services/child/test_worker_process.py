import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.core.types.messages import Done, Failed, Hello, Phase, Progress, Reading, Request
from app.services.child import worker_streams
from app.services.child.child_options import OWN_PYTHON, ChildOptions
from app.services.child.worker_process import LiveMessage, run_worker
from app.services.child.worker_streams import decode_line
from tests.patience import SOON_S, gone

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups of POSIX")
HELLO = r"""{"v":1,"kind":"hello","body":{"pid":1,"python_version":"3"}}\n"""
DONE = r"""{"v":1,"kind":"done","body":{"result":{"x":1}}}\n"""


def script(text: str) -> list[str]:
    """A child that is a few lines of Python."""
    return [sys.executable, "-c", "import os, sys, time, signal\n" + textwrap.dedent(text)]


def job(name: str) -> list[str]:
    """The real worker with a job of the tests."""
    code = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
from app.worker.main import main
main({{"x": "hanging_jobs:{name}"}})
"""
    return [sys.executable, "-c", code]


def run(command: list[str], *, limits: ChildOptions = OWN_PYTHON, **heard: Any) -> Done | Failed:
    return run_worker(Request("x", {"n": 1}), replace(limits, command=command), **heard)


@pytest.fixture(autouse=True)
def no_child_left() -> Iterator[None]:
    """No test may leave a child or a thread."""
    yield
    assert psutil.Process().children(recursive=True) == []
    deadline = time.monotonic() + 2
    while left := [t for t in threading.enumerate() if t.name.startswith("worker-")]:
        assert time.monotonic() < deadline, left
        time.sleep(0.01)


def cancel_when(said: Callable[[LiveMessage], bool]) -> tuple[threading.Event, Callable[[LiveMessage], None]]:
    """A cancel flag that is set by a message."""
    cancel = threading.Event()
    return cancel, lambda message: cancel.set() if said(message) else None


# Children that behave


def test_a_job_succeeds_and_its_messages_come_in_order():
    seen: list[LiveMessage] = []
    pids: list[int] = []
    ended = run(job("echo"), on_message=seen.append, on_started=pids.append)
    assert ended == Done({"n": 1})
    assert [type(m) for m in seen] == [Hello, Phase, Progress, Reading]
    assert isinstance(seen[0], Hello)
    assert [seen[0].pid] == pids


def test_reading_standard_input_does_not_eat_our_lines():
    assert run(job("read_stdin")) == Done({"read": ""})


def test_messages_are_passed_on_in_the_callers_thread():
    threads: set[str] = set()
    run(job("echo"), on_message=lambda _: threads.add(threading.current_thread().name))
    assert threads == {threading.current_thread().name}


def test_the_real_worker_starts_without_anything_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "app.py").write_text("raise SystemExit('the user has an app of that name')")
    monkeypatch.chdir(tmp_path)
    ended = run_worker(Request("no such job"))
    assert isinstance(ended, Failed)
    assert ended.message == "unknown job"


def test_another_interpreter_can_be_named():
    ended = run_worker(Request("no such job"), ChildOptions(interpreter=sys.executable))
    assert isinstance(ended, Failed)
    assert ended.message == "unknown job"


# Children that fail and say so


def test_a_failure_keeps_its_words():
    ended = run(job("fails"))
    expected = Failed("bad_dataset", "no pictures", hint="choose another folder", received="0 files")
    assert ended == expected


def test_memory_that_ran_out_is_its_own_kind():
    ended = run(job("runs_out_of_memory"))
    assert isinstance(ended, Failed)
    assert (ended.kind, ended.phase, ended.needed_bytes) == ("host_memory", "compile", 2 * 1024**3)


def test_a_result_that_is_no_json_is_a_failure():
    ended = run(job("answers_nan"))
    assert isinstance(ended, Failed)
    assert "cannot be sent" in ended.message


def test_a_model_that_exits_is_a_failure():
    ended = run(job("exits"))
    assert isinstance(ended, Failed)
    assert "SystemExit" in ended.message


# Children that break the rules


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("print('hello from the model')", "not a message: 'hello from the model'"),
        ("print('[1, 2]')", "not a message"),
        ("print()", "not a message"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n')", "not a message"),
        ('print(\'{"v":2,"kind":"hello","body":{}}\')', "speaks version 2"),
        ('print(\'{"v":1,"kind":"request","body":{"job":"x"}}\')', "unknown kind"),
        ('print(\'{"v":1,"kind":"dance"}\')', "unknown kind of message: 'dance'"),
        ('print(\'{"v":1,"kind":"progress","body":{"fraction":"half"}}\')', "not a message"),
        ('print(\'{"v":1,"kind":"phase","body":{}}\')', "not a message"),
    ],
)
def test_a_line_that_is_no_message_ends_the_child(text: str, words: str):
    ended = run(script(text + "\nsys.stdout.flush()\ntime.sleep(300)"))
    assert isinstance(ended, Failed)
    assert ended.kind == ("other_version" if "version" in words else "garbled")
    assert words in ended.message


def test_a_line_without_end_is_refused():
    ended = run(script("while True: sys.stdout.write('x' * 65536)"), limits=ChildOptions(max_line_bytes=1_000_000))
    assert isinstance(ended, Failed)
    assert "longer than 1000000 bytes" in ended.message


def test_a_line_too_long_is_refused_even_with_an_end():
    ended = run(script("print('x' * 2000000)"), limits=ChildOptions(max_line_bytes=1_000_000))
    assert isinstance(ended, Failed)
    assert "longer than" in ended.message


def test_a_flood_on_standard_error_keeps_its_last_lines():
    ended = run(script("for n in range(200000): print('line', n, file=sys.stderr)\nos._exit(3)"))
    assert isinstance(ended, Failed)
    assert ended.kind == "crashed"
    assert "exit code 3" in ended.message
    assert ended.stderr[-1] == "line 199999"
    assert len(ended.stderr) <= 60


def test_an_endless_line_on_standard_error_is_cut():
    ended = run(script("for n in range(100): sys.stderr.write('y' * 65536)\nos._exit(0)"))
    assert isinstance(ended, Failed)
    assert len(ended.stderr) == 1
    assert len(ended.stderr[0]) == 500


def test_a_flood_of_messages_does_not_fill_memory_and_the_answer_comes():
    count = 0

    def slow(message: LiveMessage) -> None:
        nonlocal count
        count += 1

    text = f"""
        sys.stdout.write('{HELLO}' * 20000 + '{DONE}')
    """
    assert run(script(text), on_message=slow) == Done({"x": 1})
    assert count == 20_000


def test_half_a_message_is_a_crash():
    ended = run(script("""sys.stdout.write('{"v":1,"kind":"do'); sys.stdout.flush(); os._exit(0)"""))
    assert isinstance(ended, Failed)
    assert ended.kind == "cut_off"
    assert "in the middle of a message" in ended.message


def test_the_first_last_word_counts():
    failed = r"""{"v":1,"kind":"failed","body":{"kind":"error","message":"m"}}\n"""
    assert run(script(f"sys.stdout.write('{DONE}{failed}')")) == Done({"x": 1})


def test_an_answer_that_takes_longer_to_read_than_its_child_to_leave_is_heard(monkeypatch: pytest.MonkeyPatch):
    """A large one, on a busy machine."""

    def slowly(line: bytes) -> Any:
        time.sleep(0.4)
        return decode_line(line)

    monkeypatch.setattr(worker_streams, "decode_line", slowly)
    assert run(script(f"sys.stdout.write('{DONE}')")) == Done({"x": 1})


def test_a_crash_after_the_answer_does_not_matter():
    assert run(script(f"sys.stdout.write('{DONE}'); sys.stdout.flush(); os.abort()")) == Done({"x": 1})


def test_a_child_that_lingers_after_its_answer_is_ended():
    started = time.monotonic()
    assert run(script(f"sys.stdout.write('{DONE}'); sys.stdout.flush(); time.sleep(300)")) == Done({"x": 1})
    assert time.monotonic() - started < SOON_S


# Children that die


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("os._exit(7)", "crashed", "exit code 7"),
        ("pass", "crashed", "exit code 0"),
        ("raise ValueError('user code')", "crashed", "ValueError: user code"),
        pytest.param("os.abort()", "aborted", "SIGABRT: native code gave up", marks=posix),
        pytest.param("os.kill(os.getpid(), signal.SIGSEGV)", "segmentation_fault", "touched memory", marks=posix),
        pytest.param("os.kill(os.getpid(), signal.SIGBUS)", "bus_error", "SIGBUS", marks=posix),
        pytest.param("os.kill(os.getpid(), signal.SIGILL)", "illegal_instruction", "SIGILL: the proc", marks=posix),
        pytest.param("os.kill(os.getpid(), signal.SIGTERM)", "terminated", "SIGTERM", marks=posix),
        pytest.param("os.kill(os.getpid(), signal.SIGUSR1)", "signal", "SIGUSR1", marks=posix),
        pytest.param(
            "print('  what():  std::bad_alloc', file=sys.stderr, flush=True); os.abort()",
            "host_memory",
            "std::bad_alloc",
            marks=posix,
        ),
        pytest.param(
            "print('W0000 1.2 3 op_kernel.cc:1858] OP_REQUIRES failed at mkl_util.h:848 : RESOURCE_EXHAUSTED: OOM when"
            " allocating tensor with shape[512,22]', file=sys.stderr, flush=True); os.kill(os.getpid(), 11)",
            "out_of_memory",
            "OOM when allocating tensor with shape[512,22]",
            marks=posix,
        ),
        ("sys.stdout.close(); os.close(1); time.sleep(300)", "closed_output", "closed its output"),
    ],
)
def test_a_child_without_a_last_word_has_crashed(text: str, kind: str, words: str):
    ended = run(script(text))
    assert isinstance(ended, Failed)
    assert ended.kind == kind
    assert words in ended.message


@posix
@pytest.mark.parametrize(
    ("counts", "kind"), [((3, 4), "memory_killer"), ((3, 3), "killed"), ((None, None), "memory_killer")]
)
def test_a_kill_that_is_not_ours_is_memory_if_the_system_counted_one(
    counts: tuple[int | None, int | None], kind: str, monkeypatch: pytest.MonkeyPatch
):
    told = iter(counts)
    monkeypatch.setattr("app.services.child.worker_process.oom_kills", lambda: next(told))
    ended = run(script("os.kill(os.getpid(), signal.SIGKILL)"))
    assert isinstance(ended, Failed)
    assert (ended.kind, "SIGKILL" in ended.message) == (kind, True)


@posix
def test_a_crash_in_native_code_names_the_users_line(tmp_path: Path):
    file = tmp_path / "mine.py"
    file.write_text("import ctypes\n\ndef model():\n    ctypes.string_at(0)\n")
    request = Request("x", {"model": {"path": str(file)}})
    ended = run_worker(request, ChildOptions(command=job("runs_a_file")))
    assert isinstance(ended, Failed)
    assert (ended.kind, ended.where) == ("segmentation_fault", f"{file}:4")
    assert any("line 4, in model" in line for line in ended.stderr)


@posix
@pytest.mark.parametrize("ending", ["answers", "os._exit(3)", "os.kill(os.getpid(), 9)", "time.sleep(300)"])
def test_a_process_in_another_session_is_ended_too(ending: str):
    last = f"sys.stdout.write('{DONE}'); sys.stdout.flush()" if ending == "answers" else ending
    hide = "import subprocess; p = subprocess.Popen(['sh', '-c', 'setsid sleep 3217 & echo $!'], stdout=-1, text=True)"
    say = "print(p.stdout.readline().strip(), file=sys.stderr, flush=True); time.sleep(0.3)"
    cancel = threading.Event()
    timer = threading.Timer(1.5, cancel.set)
    timer.start()
    ended = run(script(f"{hide}; {say}; {last}"), cancel=cancel)
    timer.cancel()
    if isinstance(ended, Failed):
        assert gone(int(ended.stderr[0]))
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "3217"]]


@posix
def test_low_priority_is_inherited():
    text = f"""
        import subprocess
        other = subprocess.run([sys.executable, '-c', 'import os; print(os.nice(0))'], capture_output=True, text=True)
        sys.stdout.write('{DONE}'.replace('1}}}}}}', other.stdout.strip() + '}}}}}}')); time.sleep(0)
    """
    usual, low = (
        run(script("time.sleep(0.2)\n" + textwrap.dedent(text)), limits=ChildOptions(low_priority=p))
        for p in (False, True)
    )
    assert isinstance(usual, Done)
    assert isinstance(low, Done)
    assert low.result["x"] == min(19, usual.result["x"] + 10)


def test_the_phase_of_a_crash_is_told():
    phase = r"""{"v":1,"kind":"phase","body":{"name":"compile","t_s":1.0}}\n"""
    ended = run(script(f"sys.stdout.write('{phase}'); sys.stdout.flush(); os._exit(1)"))
    assert isinstance(ended, Failed)
    assert ended.phase == "compile"


@pytest.mark.parametrize("program", ["/no/such/python", str(HERE)])
def test_a_program_that_cannot_start_is_told(program: str):
    ended = run_worker(Request("x"), ChildOptions(interpreter=program))
    assert isinstance(ended, Failed)
    assert ended.kind == "missing"
    assert program in ended.message


@posix
def test_a_grandchild_that_holds_the_pipe_does_not_hold_us():
    started = time.monotonic()
    ended = run(script("import subprocess; subprocess.Popen(['sleep', '300']); os._exit(4)"))
    assert isinstance(ended, Failed)
    assert "exit code 4" in ended.message
    assert time.monotonic() - started < SOON_S


# Cancelling, time limit, and what is left


def timed_cancel(command: list[str], said: Callable[[LiveMessage], bool]) -> tuple[Done | Failed, float]:
    """Cancel at a message; the answer and how long it took to come."""
    at: list[float] = []
    cancel = threading.Event()

    def on_message(message: LiveMessage) -> None:
        if said(message):
            at.append(time.monotonic())
            cancel.set()

    ended = run(command, on_message=on_message, cancel=cancel)
    return ended, time.monotonic() - at[0]


def test_a_child_that_obeys_a_cancel_sends_what_it_has():
    ended, took_s = timed_cancel(job("obeys_cancel"), lambda m: isinstance(m, Phase))
    assert ended == Failed("cancelled", "cancelled", phase="measure", partial={"steps": 3})
    assert took_s < SOON_S


@pytest.mark.parametrize("name", ["sleeps", "busy_in_c", "starts_another"])
def test_a_cancel_ends_any_child_soon(name: str):
    ended, took_s = timed_cancel(job(name), lambda m: isinstance(m, Phase | Progress))
    assert isinstance(ended, Failed)
    assert ended.kind == "cancelled"
    assert took_s < SOON_S


@pytest.mark.parametrize(
    "text",
    [
        "time.sleep(300)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
        "while True: sys.stderr.write('z' * 65536)",
        f"while True: sys.stdout.write('{HELLO}')",
        "sys.stdin.close(); os.close(0); time.sleep(300)",
    ],
)
def test_a_cancel_before_the_first_word_ends_any_child(text: str):
    cancel = threading.Event()
    timer = threading.Timer(0.3, cancel.set)
    timer.start()
    started = time.monotonic()
    ended = run(script(text), cancel=cancel)
    assert isinstance(ended, Failed)
    assert ended.kind == "cancelled"
    assert time.monotonic() - started < SOON_S
    timer.join()


def test_a_request_that_nobody_reads_does_not_block():
    cancel = threading.Event()
    cancel.set()
    request = Request("x", {"text": "y" * 10_000_000})
    ended = run_worker(request, ChildOptions(command=script("time.sleep(300)")), cancel=cancel)
    assert isinstance(ended, Failed)
    assert ended.kind == "cancelled"


def test_the_time_limit_ends_the_child():
    started = time.monotonic()
    ended = run(job("sleeps"), limits=ChildOptions(timeout_s=0.5))
    assert isinstance(ended, Failed)
    assert ended.message == "the child took longer than 0.5 s"
    assert time.monotonic() - started < SOON_S


def test_an_error_of_the_listener_ends_the_child_and_comes_through():
    def broken(message: LiveMessage) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(job("sleeps"), on_message=broken)


def test_a_cancel_also_ends_what_the_child_started():
    pids: list[int] = []
    cancel, at_progress = cancel_when(lambda m: isinstance(m, Progress))

    def on_message(message: LiveMessage) -> None:
        if isinstance(message, Progress):
            pids.append(int(message.text))
        at_progress(message)

    run(job("starts_another"), on_message=on_message, cancel=cancel)
    assert gone(pids[0])


PARENT = """
import sys
sys.path[:0] = [{root!r}, {here!r}]
from app.core.types.messages import Request
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
from test_worker_process import job
say = lambda m: print(m.text if hasattr(m, "text") else "", flush=True)
child = ChildOptions(command=job({name!r}))
run_worker(Request("x"), child, on_started=lambda pid: print(pid, flush=True), on_message=say)
"""


@posix
@pytest.mark.parametrize("name", ["sleeps", "busy_in_c", "starts_another", "starts_a_daemon"])
def test_a_killed_parent_leaves_no_orphan(name: str):
    code = PARENT.format(root=str(ROOT), here=str(HERE), name=name)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(parent.stdout.readline())]
        parent.stdout.readline()  # hello
        text = parent.stdout.readline().strip()  # the phase, or the process that the child started
        pids += [int(text)] if text else []
        assert all(psutil.pid_exists(pid) for pid in pids)
        os.kill(parent.pid, signal.SIGKILL)
    for pid in pids:
        assert gone(pid)


# The environment


def test_the_childs_environment_is_small_and_chosen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    monkeypatch.setenv("TF_TOKEN_app_example", "secret")
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", "1")
    text = """
        import json
        body = {"result": dict(os.environ)}
        print(json.dumps({"v": 1, "kind": "done", "body": body}))
    """
    ended = run(script(text), limits=ChildOptions(environment={"CUDA_VISIBLE_DEVICES": "-1", "HOME": ""}))
    assert isinstance(ended, Done)
    found = ended.result
    assert found["TF_CPU_ALLOCATOR_USE_BFC"] == "true"
    assert found["CUDA_VISIBLE_DEVICES"] == "-1"
    assert found["TF_ENABLE_ONEDNN_OPTS"] == "1"
    assert found["PATH"] == os.environ["PATH"]
    assert not {"HTTPS_PROXY", "SOME_TOKEN", "TF_TOKEN_app_example", "HOME"} & set(found)


def test_a_card_that_the_user_hid_stays_hidden(monkeypatch):
    from app.services.child.worker_command import worker_environment

    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert worker_environment()["CUDA_VISIBLE_DEVICES"] == ""
    assert "CUDA_VISIBLE_DEVICES" not in worker_environment(extra={"CUDA_VISIBLE_DEVICES": ""})
