"""Models without some of their layers, built with real Keras."""

from __future__ import annotations

import pytest

from app.core.types.errors import BadModel

pytestmark = pytest.mark.worker


def stacked(functional):
    import keras
    from keras import layers

    parts = [
        layers.Embedding(50, 8),
        layers.LSTM(16, return_sequences=True, name="lower"),
        layers.LSTM(12, name="upper"),
        layers.Dense(2),
    ]
    given = keras.Input((10,), dtype="int32")
    if not functional:
        return keras.Sequential([given, *parts])
    x = given
    for part in parts:
        x = part(x)
    return keras.Model(given, x)


@pytest.mark.parametrize("functional", [True, False])
def test_what_follows_reads_what_went_before(functional):
    from app.worker.models.left_out import without_layers

    model = without_layers(stacked(functional), ("low*",))
    upper = next(layer for layer in model.layers if layer.name == "upper")
    assert upper.cell.kernel.shape == (8, 48)
    assert "lower" not in [layer.name for layer in model.layers]
    assert model.compute_output_shape((None, 10)) == (None, 2)


def test_a_pattern_that_matches_nothing_names_layers():
    from app.worker.models.left_out import without_layers

    with pytest.raises(BadModel, match="no layer to leave out"):
        without_layers(stacked(True), ("conv*",))


def test_what_no_longer_fits_together_is_said():
    from app.worker.models.left_out import without_layers

    with pytest.raises(BadModel, match="does not fit together"):
        without_layers(stacked(True), ("embedding*",))


def test_a_subclassed_model_cannot_lose_layers():
    import keras

    from app.worker.models.left_out import without_layers

    class Own(keras.Model):
        pass

    with pytest.raises(BadModel, match="cannot be left out"):
        without_layers(Own(), ("x",))
