"""Detection, a benchmark and running out of memory on an emulated card."""

from __future__ import annotations

from tests.cards.emulated import ask, needs_card

pytestmark = needs_card
FOR_TENSORFLOW = "tensorflow"


def test_the_card_is_found_and_tensorflow_can_use_it(tmp_path):
    told = ask(tmp_path, "doctor")
    (card,) = told["machine"]["gpus"]
    assert "RTX 2060" in card["name"]
    assert any(one["usable"] for one in told["support"] if one["framework"] == FOR_TENSORFLOW)


def test_two_cards_of_different_size_are_two(tmp_path):
    cards = ask(tmp_path, "doctor", cards="RTX 2060,RTX 4090")["machine"]["gpus"]
    small, large = (card["memory_total_bytes"] for card in cards)
    assert small < large


def test_a_benchmark_says_what_the_card_held(tmp_path):
    told = ask(tmp_path, "bench", "fashion_mnist_cnn", "--batch-size", "32", "--no-jit", "--seconds", "2")
    assert told["outcome"] == "succeeded"
    memory = told["measured"]["memory"]
    assert 0 < memory["allocator_peak_bytes"] < memory["device_bytes"]


def test_a_batch_that_does_not_fit_ends_out_of_memory(tmp_path):
    told = ask(tmp_path, "bench", "resnet50", "--batch-size", "128", "--no-jit", "--seconds", "2")
    assert told["outcome"] == "out_of_memory"


def test_a_card_that_was_measured_is_told_by_its_kernels_and_not_by_calls(tmp_path):
    """An emulated card computes in no time, which is no card's speed: the data sheet's kernels are left."""
    words = ("resnet50", "--batch-size", "32")
    told, sheet = (
        ask(tmp_path, "estimate", *words)["time"],
        ask(tmp_path, "estimate", *words, "--on", "RTX 2060")["time"],
    )
    assert "at the speed of large ones" in told["dominant_assumption"]
    assert sheet["step_s"] / 2 < told["step_s"] < 2 * sheet["step_s"]


def test_a_benchmark_counts_what_a_fit_counts(tmp_path):
    """An allocator that grows piece by piece counts a third more of so small a network."""
    told = ask(tmp_path, "bench", "mlp", "--batch-size", "256", "--seconds", "2", "--no-profile")
    measured, predicted = told["measured"]["memory"], told["predicted"]["memory"]
    assert abs(measured["allocator_peak_bytes"] / predicted["allocator_peak_bytes"] - 1) < 0.1
