"""Fuzzed: what is large, full of holes, or lies about its own size; looked into until somebody calls it off."""

from __future__ import annotations

import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from app.core.types.errors import BadDataset
from app.core.types.text import Text
from app.worker.channel import JobCancelled
from app.worker.scanning.image_headers import read_image_header
from app.worker.scanning.records import masked_crc32c
from app.worker.scanning.scan import scan
from tests.fuzz.mutation import mutated
from tests.fuzz.target import Target

PATIENCE_S = 0.3
"""Of whoever asked; called off then."""
LENGTHS = (0, 1, 15, 16, 17, 2**16, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
MOST_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Large:
    """A file: its beginning, some bytes many times or a hole, and its end."""

    start: bytes
    again: bytes
    times: int
    hole_bytes: int
    end: bytes

    def write(self, path: Path) -> None:
        """Make it; the hole takes no room."""
        with path.open("wb") as file:
            file.write(self.start)
            file.write(self.again * self.times)
            file.seek(self.hole_bytes, 1)
            file.write(self.end)
            file.truncate()


@st.composite
def large(draw: st.DrawFn, seeds: Sequence[bytes], pieces: Sequence[bytes]) -> Large:
    """A seed with something between its halves."""
    data = draw(mutated(seeds))
    at = draw(st.integers(0, len(data)))
    again = draw(st.one_of(st.sampled_from(pieces), st.binary(min_size=1, max_size=40)))
    times = draw(st.one_of(st.integers(0, 1000), st.sampled_from((0, 2**16, MOST_BYTES // len(again)))))
    hole_bytes = draw(st.sampled_from((0, 0, 1, 2**20, 2**31, 2**32 + 1, 2**35)))
    return Large(data[:at], again, times, hole_bytes, data[at:])


def looked_into(suffix: str) -> Callable[[Large], None]:
    """A file is described or refused, and between two looks at the clock little is done."""

    def check(given: Large) -> None:
        until_s = time.process_time() + PATIENCE_S

        def tell(_share: float, _words: Text) -> None:
            if time.process_time() > until_s:
                raise JobCancelled

        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            path = Path(folder) / f"input{suffix}"
            given.write(path)
            with suppress(BadDataset, JobCancelled):
                scan(path, tell)

    return check


def large_image(given: Large) -> None:
    """The head of an image."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        given.write(Path(folder) / "input.jpg")
        read_image_header(Path(folder) / "input.jpg")


@st.composite
def framed(draw: st.DrawFn, example: bytes) -> bytes:
    """TFRecord files whose frames are right, or say wild lengths with the right checksum."""
    made = b""
    for _ in range(draw(st.integers(1, 4))):
        data = draw(mutated([example]))
        length = draw(st.sampled_from((*([len(data)] * 8), *LENGTHS)))
        head = struct.pack("<Q", length)
        made += head + struct.pack("<I", masked_crc32c(head)) + data + bytes(4)
    return made


def framed_file(content: bytes) -> None:
    """Such a file."""
    looked_into(".tfrecord")(Large(content, b"", 0, 0, b""))


def large_targets(images: Sequence[bytes], npz: Sequence[bytes], example: bytes, record: bytes) -> tuple[Target, ...]:
    """The targets, from the seeds of the small ones."""
    tables = (b"a,b,label\n1,2,x\n3,4,y\n", b'"a";"b"\r\n"1";"2"\r\n')
    return (
        Target(
            "large_image", large(images, (b"\xff", b"\xff\xfe\xff\xff", b"\xff\xd0", b"\xff\xe1\x00\x02")), large_image
        ),
        Target(
            "large_csv", large(tables, (b"1,", b'"', b'x\n","', b"\n", b",\n", b"\r", b"1,2,x\n")), looked_into(".csv")
        ),
        Target("large_npz", large(npz, (b"PK\x01\x02", b"PK\x05\x06", b"\0", b"(")), looked_into(".npz")),
        Target("large_tfrecord", large((record,), (record, b"\0", b"\xff")), looked_into(".tfrecord")),
        Target("framed", framed(example), framed_file),
    )
