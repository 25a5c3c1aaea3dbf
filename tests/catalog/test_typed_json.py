"""Classes are read by many threads at once, also for the first time: in a child, because msgspec alone dies of it."""

import re
import subprocess
import sys
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
MANY_THREADS = """
import dataclasses, sys, threading
from app.catalog import typed_json

sys.setswitchinterval(1e-6)
inner = b'{' + b",".join(b'"a%d":1' % i for i in range(20)) + b'}'
for turn in range(150):
    fields = [(f"a{i}", int) for i in range(20)]
    part = dataclasses.make_dataclass("Part", fields)
    whole = dataclasses.make_dataclass("Whole", [("one", part), ("many", tuple[part, ...]), ("none", part | None)])
    found, barrier = [], threading.Barrier(4)

    def read(whole=whole, found=found, barrier=barrier):
        barrier.wait()
        found.append(typed_json.decode(b'{"one":%s,"many":[%s],"none":null}' % (inner, inner), whole))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(one.many[0].a3 == 1 for one in found)
print("alive")
"""


def test_threads_may_read_a_class_for_the_first_time_at_once():
    done = subprocess.run([sys.executable, "-c", MANY_THREADS], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("alive", 0), done.stderr[-2000:]


def test_nobody_else_reads_classes_with_msgspec():
    typed = re.compile(r"msgspec\.(convert\(|\w+\.decode\([^)]*type=|\w+\.Decoder\()")
    found = {path.name for path in APP.rglob("*.py") if typed.search(path.read_text("utf-8"))}
    assert found == {"typed_json.py"}
