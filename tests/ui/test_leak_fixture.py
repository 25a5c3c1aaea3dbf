"""The fixture that looks for leftovers finds each kind of them."""

import subprocess
import sys
import threading

import psutil
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from tests.ui.conftest import leaks


def now():
    return set(threading.enumerate()), set(psutil.Process().children(recursive=True))


def test_a_widget_is_found(qapp):
    widget = QWidget()
    widget.show()
    assert [text.split()[0] for text in leaks(qapp, *now())] == ["widget"]
    widget.close()


def test_a_thread_is_found(qapp):
    threads, children = now()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    assert [text.split()[0] for text in leaks(qapp, threads, children)] == ["thread"]
    stop.set()
    thread.join()


def test_a_timer_is_found(qapp):
    timer = QTimer(qapp)
    timer.start(1000)
    assert [text.split()[0] for text in leaks(qapp, *now())] == ["timer"]
    timer.stop()
    timer.deleteLater()


def test_a_child_is_found(qapp):
    threads, children = now()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert f"child {child.pid}" in leaks(qapp, threads, children)
        child.communicate(b"\n")
