"""Write ``lock.txt``: what the launcher may install, each file by its hash, for every system and Python.

::

    pip install uv && python packaging/lock.py

uv (Apache-2.0 or MIT; a tool of ours, nothing imports it) resolves ``pyproject.toml`` under ``constraints.txt`` for all
systems at once and asks its index for the hashes.  The file names neither the index nor an address of a file, so
that a mirror serves as well.  Run it after a change to either file; a test holds the lock and the constraints together.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "packaging" / "lock.txt"
EXTRAS = ("tensorflow", "cuda", "dev")
"""What `launch_system.extras_for` asks for."""
BUILD = "hatchling>=1.25\neditables~=0.3\n"
"""What puts the checkout itself into the environment (hatchling/builders/constants.py, ``EDITABLES_REQUIREMENT``);
pip would fetch it by no hash."""
HEADER = """\
# Made by packaging/lock.py from pyproject.toml and constraints.txt; not to be edited.
#
# The launcher installs from it with --require-hashes what is marked "base" or with an extra that it wants: {extras}.
# Not locked are hub, jax and torch, which it never installs; NVIDIA's libraries stand here and not in constraints.txt.
"""
_PIN = re.compile(r"^(?P<pin>[\w.-]+==[\w.]+)(?: ; (?P<marker>.+?))? \\$")


def main() -> None:
    """Resolve for the program alone and with each extra, and write what was found as one file."""
    found: dict[str, tuple[set[str], set[str], list[str]]] = {}
    for extra in ("base", *EXTRAS):
        for pin, marker, hashes in resolve(() if extra == "base" else ("--extra", extra)):
            extras, markers, _ = found.setdefault(pin, (set(), set(), hashes))
            extras.add(extra)
            markers.add(marker)
    blocks = [HEADER.format(extras=", ".join(EXTRAS))]
    for pin, (extras, markers, hashes) in sorted(found.items()):
        wanted = "base" if "base" in extras else " ".join(sorted(extras))
        # What one extra needs everywhere and another on one system only is needed everywhere.
        marker = f" ; {markers.pop()}" if len(markers) == 1 and markers != {""} else ""
        blocks.append(" \\\n    ".join([f"# {wanted}\n{pin}{marker}", *hashes]) + "\n")
    LOCK.write_text("".join(blocks), encoding="utf-8")


def resolve(options: tuple[str, ...]) -> list[tuple[str, str, list[str]]]:
    """What uv finds: each pin, its marker or "", and its hashes as pip takes them."""
    command = ["uv", "pip", "compile", "--quiet", "--no-config", "--universal", "--generate-hashes", "--no-header"]
    command += ["--no-annotate", "--only-binary", ":all:", "--constraint", "packaging/constraints.txt", *options]
    done = subprocess.run([*command, "pyproject.toml", "-"], cwd=ROOT, input=BUILD, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    rows: list[tuple[str, str, list[str]]] = []
    for line in done.stdout.splitlines():
        if start := _PIN.match(line):
            rows.append((start["pin"], start["marker"] or "", []))
        else:
            rows[-1][2].append(line.strip(" \\"))
    return rows


if __name__ == "__main__":
    main()
