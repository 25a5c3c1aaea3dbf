"""LoRA, 8-bit weights and other input sizes: built by real Keras, as a plan asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worker.building import ask, catalog, code, file

pytestmark = pytest.mark.worker

USER_CODE = """
import keras
from keras import layers


def flat():
    return keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(8, 3), layers.Flatten(), layers.Dense(10)])


def asked(input_shape=(32, 32, 3)):
    return keras.Sequential([keras.Input(input_shape), layers.Conv2D(8, 3), layers.Flatten(), layers.Dense(10)])


def asked_length(sequence_length=16):
    return keras.Sequential([keras.Input((sequence_length, 3)), layers.LSTM(8), layers.Dense(2)])


def two_sequences(long=32, short=32):
    inner = keras.Sequential([keras.Input((long, 3)), layers.LSTM(8, return_sequences=True)])
    source, target = keras.Input((long, 3), name="source"), keras.Input((short, 3), name="target")
    state = layers.GRU(8)(inner(source))
    return keras.Model([source, target], layers.GRU(8)(target, initial_state=state))


one_of_two_sequences = two_sequences


def open_sequences():
    source, target = keras.Input((None, 3), name="source"), keras.Input((None,), dtype="int32", name="target")
    state = layers.GRU(8)(source)
    return keras.Model([source, target], layers.GRU(8)(layers.Embedding(50, 4)(target), initial_state=state))


def batch():
    import numpy as np
    return flat(), "mse", (np.zeros((2, 32, 32, 3), "float32"), np.zeros((2, 10), "float32"))


def bert():
    names = ("token_ids", "padding_mask", "segment_ids")
    inputs = {name: keras.Input((32,), dtype="int32", name=name) for name in names}
    words, parts = layers.Embedding(100, 16, name="words"), layers.Embedding(2, 16, name="parts")
    x = words(inputs["token_ids"]) + parts(inputs["segment_ids"])
    mask = keras.ops.expand_dims(inputs["padding_mask"], 1)
    x = layers.MultiHeadAttention(2, 8, name="look")(x, x, attention_mask=mask)
    return keras.Model(inputs, layers.Dense(2, name="head")(layers.GlobalAveragePooling1D()(x)))


def siamese():
    encoder = keras.Sequential([keras.Input((40, 40, 3)), layers.Conv2D(8, 3, name="see"),
                                layers.GlobalAveragePooling2D(), layers.Dense(4, name="say")])
    a, b = keras.Input((40, 40, 3)), keras.Input((40, 40, 3))
    apart = layers.Subtract()([encoder(a), encoder(b)])
    return keras.Model([a, b], layers.Activation("sigmoid")(layers.Dense(1, name="head")(apart)))


class Own(layers.Layer):
    def __init__(self, units, **keywords):
        super().__init__(**keywords)
        self.units, self.inner = units, layers.Dense(units, name="inner")

    def call(self, x):
        return self.inner(x)

    def get_config(self):
        return {**super().get_config(), "units": self.units}


def own_layer():
    x = steps = keras.Input((24, 8))
    x = layers.GlobalAveragePooling1D()(Own(6)(x))
    return keras.Model(steps, layers.Dense(1, name="head")(x))


def unknown():
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.body, self.head = layers.Dense(8, name="body"), layers.Dense(2, name="head")

        def call(self, x):
            return self.head(self.body(keras.ops.mean(x, axis=1)))
    return Net()


def free_length():
    tokens = keras.Input((None,), dtype="int32")
    return keras.Model(tokens, layers.Dense(2)(layers.GlobalAveragePooling1D()(layers.Embedding(50, 4)(tokens))))


def video():
    frames = keras.Input((8, 16, 16, 3))
    x = layers.GlobalAveragePooling3D()(layers.TimeDistributed(layers.Conv2D(4, 3))(frames))
    return keras.Model(frames, layers.Dense(2)(x))


def normalised():
    x = image = keras.Input((16, 16, 3))
    x = layers.BatchNormalization(name="norm")(layers.Conv2D(4, 3, name="see")(x))
    return keras.Model(image, layers.Dense(2, name="head")(layers.GlobalAveragePooling2D()(x)))


def huge():
    tokens = keras.Input((8,), dtype="int32")
    x = layers.Embedding(1000, 500_000)(tokens)
    x = layers.Dense(1_000_000)(layers.Dense(1_000_000)(x))
    return keras.Model(tokens, layers.Dense(2)(x))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = Path(tmp_path_factory.mktemp("variants"))
    user = folder / "user.py"
    user.write_text(USER_CODE, encoding="utf-8")
    sized = {
        "flat": {"image_size": [16, 16]},
        "asked": {"image_size": [16, 16]},
        "asked_length": {"sequence_length": 5},
        "batch": {"image_size": [16, 16]},
        "bert": {"sequence_length": 8},
        "siamese": {"image_size": [20, 24]},
        "own_layer": {"sequence_length": 12},
        "unknown": {"sequence_length": 10, "input_shape": [20, 3]},
        "free_length": {"sequence_length": 7},
        "video": {"sequence_length": 4, "image_size": [8, 8]},
        "two_sequences": {"sequence_length": [["source", 59], ["target", 16]]},
        "one_of_two_sequences": {"sequence_length": [["target", 16]]},
        "open_sequences": {"sequence_length": [["target", 16]]},
    }
    cases = {f"{name} sized": code(user, name, **case) for name, case in sized.items()}
    cases |= {
        "resnet sized": catalog("resnet50", image_size=[96, 128]),
        "cnn sized": catalog("fashion_mnist_cnn", image_size=[40, 40]),
        "lstm sized": catalog("lstm_1", sequence_length=64),
        "lstm shaped and sized": catalog("lstm_1", input_shape=[90], sequence_length=30),
        "resnet as a sequence": catalog("resnet50", sequence_length=4),
        "lstm as an image": catalog("lstm_1", image_size=[4, 4]),
        "mlp as a sequence": catalog("mlp", sequence_length=4),
        "file sized": file(folder / "net.keras", image_size=[64, 48]),
        "old file sized": file(folder / "plain.keras", sequence_length=4),
        "no such sequence": code(user, "two_sequences", sequence_length=[["encoder", 59]]),
        "lora": code(user, "siamese", lora_rank=2),
        "lora in attention": code(user, "bert", lora_rank=2),
        "lora but for the encoder": code(user, "siamese", lora_rank=2, freeze=["sequential*"]),
        "lora in an unknown model": code(user, "unknown", lora_rank=2, input_shape=[20, 3]),
        "lora in an own layer": code(user, "own_layer", lora_rank=2),
        "lora beside normalisation": code(user, "normalised", lora_rank=2),
        "no lora": code(user, "asked_length", lora_rank=2),
        "int8": code(user, "bert", int8=True),
        "int8 by value": code(user, "bert", int8=True, weightless=False),
        "int8 lora": code(user, "bert", int8=True, lora_rank=2),
        "no int8": catalog("srresnet", int8=True),
        "huge int8": code(user, "huge", int8=True),
        "huge lora": code(user, "huge", lora_rank=4),
    }
    return ask(cases, make=folder)


def inputs(case):
    return [spec[0] for spec in case["inputs"]]


def test_catalog_networks_are_built_for_the_size(found):
    assert inputs(found["resnet sized"]) == [[96, 128, 3]]
    assert "input 96×128×3 instead of the network's own 224×224×3" in found["resnet sized"]["assumptions"]
    assert inputs(found["cnn sized"]) == [[40, 40, 1]]
    assert inputs(found["lstm sized"]) == [[64]]
    assert "sequence length 64" in found["lstm sized"]["assumptions"]
    assert inputs(found["lstm shaped and sized"]) == [[30]]


def test_all_inputs_of_the_same_size_change_together(found):
    assert inputs(found["bert sized"]) == [[8], [8], [8]]
    assert inputs(found["siamese sized"]) == [[20, 24, 3], [20, 24, 3]]
    assert "sequence length 8 instead of 32" in found["bert sized"]["assumptions"]


def test_every_sequence_is_as_long_as_is_said_by_its_name(found):
    assert inputs(found["two_sequences sized"]) == [[59, 3], [16, 3]]
    assert inputs(found["one_of_two_sequences sized"]) == [[32, 3], [16, 3]]
    assert inputs(found["open_sequences sized"]) == [[128, 3], [16]]
    assumed = "sequence length 128 of source, which their author left open (--sequence-length source=N)"
    assert assumed in found["open_sequences sized"]["assumptions"]


def test_functions_are_asked_and_their_models_rebuilt_with_the_same_weights(found):
    assert inputs(found["asked sized"]) == [[16, 16, 3]]
    assert inputs(found["asked_length sized"]) == [[5, 3]]
    assert inputs(found["own_layer sized"]) == [[12, 8]]
    assert found["own_layer sized"]["params"] == 8 * 6 + 6 + 6 + 1
    assert inputs(found["unknown sized"]) == [[10, 3]]
    assert inputs(found["free_length sized"]) == [[7]]
    assert inputs(found["video sized"]) == [[4, 8, 8, 3]]


def test_files_are_rebuilt_with_the_same_weights(found):
    assert inputs(found["file sized"]) == [[64, 48, 3]]
    assert found["file sized"]["params"] == 3 * 3 * 3 * 8 + 8 + 8 * 7 + 7


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("flat sized", "input size of this model is fixed"),
        ("batch sized", "fixes the input size"),
        ("resnet as a sequence", "no input of this model is a sequence"),
        ("lstm as an image", "no input of this model is an image"),
        ("mlp as a sequence", "no input of this model is a sequence"),
        ("old file sized", "no input of this model is a sequence"),
        ("no such sequence", "no sequence of this name"),
        ("no lora", "takes LoRA weights"),
        ("lora but for the encoder", "takes LoRA weights"),
        ("no int8", "Keras quantises"),
    ],
)
def test_what_cannot_be_says_why(found, case, words):
    assert found[case].get("error") == "BadModel"
    assert words in found[case]["text"]


def test_lora_trains_its_matrices_the_biases_beside_them_and_the_head(found):
    names = sorted("/".join(path.split("/")[-2:]) for path in found["lora"]["trained"])
    assert (
        names
        == (
            "head/bias head/kernel say/bias say/lora_kernel_a say/lora_kernel_b see/bias see/lora_kernel_a "
            "see/lora_kernel_b"
        ).split()
    )
    kernels = (3 * 3 * 3 * 2 + 2 * 8) + (8 * 2 + 2 * 4)
    assert found["lora"]["trainable"] == kernels + 8 + 4 + (4 + 1)
    assert any("LoRA of rank 2 in 2 layers" in words for words in found["lora"]["assumptions"])


def test_lora_reaches_into_attention_embeddings_and_own_layers(found):
    trained = found["lora in attention"]["trained"]
    assert sum("lora_kernel_a" in path for path in trained) == 4
    assert sum("lora_embeddings_a" in path for path in trained) == 2
    assert sum("lora" in path for path in found["lora in an own layer"]["trained"]) == 2
    assert sum("lora" in path for path in found["lora in an unknown model"]["trained"]) == 2
    assert any(path.endswith("head/kernel") for path in found["lora in an unknown model"]["trained"])


def test_layers_without_lora_are_frozen(found):
    assert not any("norm" in path for path in found["lora beside normalisation"]["trained"])


def test_8_bit_weights_have_the_shapes_that_keras_gives_them(found):
    by_shape, by_value = found["int8"], found["int8 by value"]
    assert by_shape["int8"] == by_value["int8"]
    assert len(by_shape["int8"]) == 7
    assert (by_shape["params"], by_shape["trainable"]) == (by_value["params"], by_value["trainable"])
    assert any("int8 weights in 7 of 7 layers" in words for words in by_shape["assumptions"])


def test_lora_is_trained_beside_8_bit_weights(found):
    both = found["int8 lora"]
    assert both["int8"] == found["int8"]["int8"]
    assert sum("lora" in path for path in both["trained"]) == 2 * 7


def test_models_larger_than_any_machine_are_changed_without_memory(found):
    assert found["huge int8"]["params"] > 10**12
    assert found["huge lora"]["trainable"] < 10**8
