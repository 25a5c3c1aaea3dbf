"""What grows from epoch to epoch."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.runs.growth import DEVICE_NOISE_BYTES, HOST_NOISE_BYTES, growths
from app.core.types.units import MIB
from app.core.types.whole import EpochEnd


def ends(device=(), host=(), traces=()):
    count = max(map(len, (device, host, traces)))
    return tuple(
        EpochEnd(float(n), *(sizes[n] if sizes else None for sizes in (device, host)), traces[n] if traces else 2)
        for n in range(count)
    )


def found(epochs, device_left=None, host_left=None):
    return growths(epochs, device_left_bytes=device_left, host_left_bytes=host_left)


def test_a_tensor_kept_each_epoch_is_told_with_its_last_epoch():
    (one,) = found(ends(device=[(10 + 3 * n) * MIB for n in range(6)]), device_left=30 * MIB)
    assert (one.place, one.bytes_per_epoch.value, one.last_epoch) == ("device", 3 * MIB, 16)


def test_tensors_of_the_device_are_not_told_of_the_host_once_more():
    sizes = [(10 + 3 * n) * MIB for n in range(6)]
    assert [one.place for one in found(ends(sizes, [500 * MIB + size for size in sizes]))] == ["device"]


def test_memory_that_grows_while_the_step_is_traced_anew_is_the_tracings():
    host = [(500 + 8 * n) * MIB for n in range(6)]
    assert [one.place for one in found(ends(host=host, traces=range(2, 8)))] == ["tracing"]
    assert [one.place for one in found(ends(host=host, traces=[2] * 6))] == ["host"]


def test_a_chunk_that_was_larger_than_what_is_kept_in_it_says_nothing_of_the_next_epochs():
    """As a model was measured that keeps 6,000,128 bytes an epoch; under 256 MiB its 42nd epoch was the last."""
    sizes = [8_441_600, 16_830_464, 22_830_592, 33_607_680, 39_607_808, 45_608_192]
    (one,) = found(ends(device=sizes), device_left=256 * MIB - 45_610_752)
    assert one.bytes_per_epoch.value == 6_000_256
    assert abs(one.last_epoch / 42 - 1) < 0.05


def test_one_jump_is_no_growth():
    assert found(ends(device=[10 * MIB] * 3 + [90 * MIB] * 3)) == ()


def test_what_the_first_epochs_take_is_no_growth():
    assert found(ends(host=[400 * MIB, 900 * MIB, 901 * MIB, 901 * MIB, 902 * MIB, 902 * MIB])) == ()


def after(steps_kib, first_mib=90):
    """Ends of epochs with these steps between them."""
    return [int(first_mib * MIB + 1024 * sum(steps_kib[:n])) for n in range(len(steps_kib) + 1)]


def test_an_allocator_that_wavers_is_no_leak():
    """Two clean trainings of an EfficientNetV2-B0 as measured: one falls back, one does not, but is uneven."""
    assert found(ends(device=after([731.8, 583.8, 576.2, 391.8, -426.0]))) == ()
    assert found(ends(device=after([192.5, 400.5, 962.5, 4285.5, 64.2]))) == ()
    assert found(ends(device=after([700, 500, 520, 480, 500])))


def test_few_epochs_show_no_trend():
    assert found(ends(device=[10 * MIB, 20 * MIB, 30 * MIB])) == ()


@given(st.lists(st.tuples(st.integers(0, DEVICE_NOISE_BYTES // 2), st.integers(0, HOST_NOISE_BYTES // 2)), min_size=6))
def test_noise_is_no_growth(noise):
    assert found(ends([10 * MIB + a for a, _ in noise], [500 * MIB + b for _, b in noise])) == ()


@given(st.integers(1, 500), st.integers(6, 12), st.integers(0, 10_000))
def test_growth_is_found_whatever_its_size_and_its_last_epoch_counted(mebibytes, epochs, left):
    (one,) = found(ends(device=[n * mebibytes * MIB for n in range(epochs)]), device_left=left * MIB)
    assert one.last_epoch == epochs + left // mebibytes
