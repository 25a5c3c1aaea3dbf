import pytest

from app.core.runs.oom_text import requested_bytes


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("OOM when allocating tensor with shape[512,22,22,64] and type float on /job", 512 * 22 * 22 * 64 * 4),
        ("OOM when allocating tensor with shape[] and type half", 2),
        ("OOM when allocating tensor with shape[3] and type resource", None),
        ("Out of memory while trying to allocate 4.78GiB. [Op:__inference]", int(4.78 * 1024**3)),
        ("Out of memory while trying to allocate 1048576 bytes.", 1_048_576),
        ("Unable to allocate 37.3 GiB for an array with shape (100000, 50000)", int(37.3 * 1024**3)),
        ("Dst tensor is not initialized.", None),
        ("", None),
    ],
)
def test_the_size_asked_for_is_read(text: str, size: int | None):
    assert requested_bytes(text) == size
