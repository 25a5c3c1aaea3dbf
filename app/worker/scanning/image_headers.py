"""Width, height and channels of an image from its first bytes; nothing is decoded.

JPEG: ITU T.81 annex B. PNG: w3.org/TR/png, section 11.2.1. GIF: GIF89a, section 18. BMP: BITMAPINFOHEADER.
WebP: developers.google.com/speed/webp/docs/riff_container.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from app.core.pipeline import scan_limits

_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_TAIL_BYTES = 4096


@dataclass(frozen=True)
class ImageHeader:
    """What the header says: pixels and channels as stored (a palette counts as 3)."""

    format: str
    width: int
    height: int
    channels: int


def read_image_header(path: str | Path) -> ImageHeader | None:
    """Read the header of an image file.

    Returns:
        None if the file is no image that can be read, is cut off, or cannot be opened.
    """
    try:
        with open(path, "rb") as file:
            header = parse_image_header(file)
            return header if header is not None and _is_complete(file, header.format) else None
    except OSError:
        return None


def parse_image_header(file: BinaryIO) -> ImageHeader | None:
    """Read the header of an image from a file that can seek, whatever it holds; None if it is no image."""
    start = file.read(32)
    try:
        if start.startswith(b"\xff\xd8\xff"):
            file.seek(2)
            found = _jpeg(file)
        elif start.startswith(b"\x89PNG\r\n\x1a\n") and start[12:16] == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", start[16:26])
            found = ("png", width, height, _PNG_CHANNELS.get(colour, 0))
        elif start[:6] in (b"GIF87a", b"GIF89a"):
            found = ("gif", *struct.unpack("<HH", start[6:10]), 3)
        elif start.startswith(b"BM"):
            found = _bmp(start)
        elif start[:4] == b"RIFF" and start[8:12] == b"WEBP":
            found = _webp(start)
        else:
            return None
    except (struct.error, IndexError):  # it ends within its header
        return None
    if found is None or min(found[1:]) < 1:
        return None
    return ImageHeader(*found)


def _jpeg(file: BinaryIO) -> tuple[str, int, int, int] | None:
    """Walk the segments up to the frame header."""
    padding = 0
    for _ in range(scan_limits.SEGMENTS):
        byte = file.read(1)
        if byte != b"\xff":
            return None
        while byte == b"\xff" and padding < scan_limits.PADDING_BYTES:  # markers may be padded
            byte = file.read(1)
            padding += byte == b"\xff"
        if byte in (b"", b"\xff"):
            return None
        marker = byte[0]
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:
            continue
        (length,) = struct.unpack(">H", file.read(2))
        if marker in _FRAME_MARKERS:
            _, height, width, channels = struct.unpack(">BHHB", file.read(6))
            return "jpeg", width, height, channels
        if length < 2 or marker in (0xD9, 0xDA):
            return None
        file.seek(length - 2, os.SEEK_CUR)
    return None


def _bmp(start: bytes) -> tuple[str, int, int, int] | None:
    """Both kinds of bitmap headers; a negative height means top-down rows."""
    (size,) = struct.unpack("<I", start[14:18])
    if size == 12:
        width, height, _, bits = struct.unpack("<HHHH", start[18:26])
    elif size >= 40:
        width, height, _, bits = struct.unpack("<iiHH", start[18:30])
    else:
        return None
    return "bmp", width, abs(height), 4 if bits == 32 else 3


def _webp(start: bytes) -> tuple[str, int, int, int] | None:
    """Lossy, lossless and extended files."""
    kind = start[12:16]
    if kind == b"VP8X":
        flags = start[20]
        width, height = (int.from_bytes(start[i : i + 3], "little") + 1 for i in (24, 27))
        return "webp", width, height, 4 if flags & 0x10 else 3
    if kind == b"VP8L" and start[20:21] == b"\x2f":
        (bits,) = struct.unpack("<I", start[21:25])
        return "webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, 4 if bits >> 28 & 1 else 3
    if kind == b"VP8 " and start[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", start[26:30])
        return "webp", width & 0x3FFF, height & 0x3FFF, 3
    return None


def _is_complete(file: BinaryIO, kind: str) -> bool:
    """Does the file end as its format wants?  Decoders refuse cut-off JPEG and PNG files."""
    if kind not in ("jpeg", "png"):
        return True
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL_BYTES))
    tail = file.read(_TAIL_BYTES)
    return (b"\xff\xd9" if kind == "jpeg" else b"IEND") in tail
