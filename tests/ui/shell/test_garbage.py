"""Widgets in a cycle die in the window's thread, whoever allocates."""

import gc
import linecache
import threading
import weakref

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QWidget

from app.ui.shell.garbage import MainThreadGarbage


class Ring(QWidget):
    """A widget that only the collector of cycles can free."""

    def __init__(self):
        super().__init__()
        self.itself = self


class Allocating(QThread):
    """Allocates enough for several automatic collections."""

    def run(self):
        threading.current_thread().name = "allocating"
        self.kept = [[number] for number in range(100_000)]


@pytest.fixture(autouse=True)
def pythons_own_thresholds():
    """As the window starts with them; all tests together look for cycles more rarely."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


@pytest.fixture
def dropped():
    """Names of the threads in which dropped rings ended."""
    return []


@pytest.fixture
def own_garbage(qapp):
    """Started, and at the end as the session of tests had it."""
    was = gc.isenabled()
    garbage = MainThreadGarbage()
    garbage.start()
    yield garbage
    garbage.stop()
    if not was:
        gc.disable()


def drop(dropped):
    ring = Ring()
    weakref.finalize(ring, lambda: dropped.append(threading.current_thread().name))


def allocate():
    """Returns what was allocated: freeing it would take it off the collector's count again."""
    thread = Allocating()
    thread.start()
    thread.wait()
    return thread.kept


def test_a_thread_that_allocates_does_not_free_widgets(own_garbage, dropped):
    drop(dropped)
    kept = allocate()
    assert (len(kept), dropped) == (100_000, [])
    assert own_garbage.collect_due() is not None
    assert dropped == [threading.main_thread().name]


def test_without_it_the_thread_would(qapp, dropped):
    """The fault itself: if this fails one day, the module is not needed any more."""
    gc.collect()
    was = gc.isenabled()
    gc.enable()
    drop(dropped)
    allocate()
    if not was:
        gc.disable()
    assert dropped == ["allocating"]


def test_the_timer_collects(own_garbage, dropped, qtbot):
    drop(dropped)
    kept = allocate()
    qtbot.waitUntil(lambda: bool(dropped), timeout=30_000)
    assert kept


def test_nothing_is_due_after_a_full_collection(own_garbage):
    gc.collect()
    assert own_garbage.collect_due() is None


def test_stopping_gives_the_collector_back(qapp):
    was = gc.isenabled()
    garbage = MainThreadGarbage()
    garbage.start()
    assert not gc.isenabled()
    garbage.stop()
    assert gc.isenabled()
    if not was:
        gc.disable()


def test_what_is_there_is_not_looked_through_again_until_the_collector_is_given_back(own_garbage):
    own_garbage.keep_what_is_there()
    kept = gc.get_freeze_count()
    assert kept > len(gc.get_objects())
    own_garbage.stop()
    assert gc.get_freeze_count() == 0
    own_garbage.start()


def test_the_source_of_what_was_imported_is_not_kept(own_garbage):
    assert linecache.getline(__file__, 1)
    own_garbage.collect_due()
    assert not linecache.cache
