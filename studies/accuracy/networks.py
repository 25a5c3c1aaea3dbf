"""Small networks of our own, none of which was looked at while the prediction was developed.

Each function is built by name through ``networks.py:function``, as a user's own file would be; so this
file imports nothing of ours.
"""

from __future__ import annotations


def conv1d():
    """Waveform classifier: five strided 1-D convolutions over 8,000 samples of sound."""
    import keras
    from keras import layers

    sound = x = keras.Input((8000, 1))
    for filters in (64, 64, 128, 128, 256):
        x = layers.Conv1D(filters, 9, strides=2, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(sound, layers.Dense(35, activation="softmax")(x))


def autoencoder():
    """Image autoencoder: strided convolutions down, transposed convolutions up, squared error."""
    import keras
    from keras import layers

    image = x = keras.Input((96, 96, 3))
    for filters in (32, 64, 128):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="relu")(x)
    for filters in (128, 64, 32):
        x = layers.Conv2DTranspose(filters, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(image, layers.Conv2D(3, 3, padding="same")(x)), "mean_squared_error"


def two_inputs():
    """An image and a row of numbers, joined before the classifier; two outputs."""
    import keras
    from keras import layers

    image, row = keras.Input((64, 64, 3)), keras.Input((40,))
    x = image
    for filters in (32, 64, 128):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D(2)(x)
    y = layers.Dense(256, activation="relu")(row)
    both = layers.Dense(512, activation="relu")(layers.Concatenate()([layers.Flatten()(x), y]))
    kind = layers.Dense(20, activation="softmax", name="kind")(both)
    price = layers.Dense(1, name="price")(both)
    return keras.Model([image, row], [kind, price])


def attention():
    """Two blocks of causal self-attention of width 192 over 256 tokens, and a word for each position."""
    import keras
    from keras import layers

    tokens = keras.Input((256,), dtype="int32")
    x = layers.Embedding(5000, 192)(tokens)
    for _ in range(2):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(6, 32)(y, y, use_causal_mask=True)])
        y = layers.Dense(768, activation="relu")(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Dense(192)(y)])
    return keras.Model(tokens, layers.Dense(5000, activation="softmax")(x)), "sparse_categorical_crossentropy"


def conv3d():
    """Video classifier: 3-D convolutions over 16 frames of 48x48."""
    import keras
    from keras import layers

    video = x = keras.Input((16, 48, 48, 3))
    for filters in (32, 64, 128):
        x = layers.Conv3D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling3D(2)(x)
    x = layers.Dense(256, activation="relu")(layers.Flatten()(x))
    return keras.Model(video, layers.Dense(10, activation="softmax")(x))


def siamese():
    """Two images through one shared encoder; the distance decides."""
    import keras
    from keras import layers

    encoder = keras.Sequential([keras.Input((80, 80, 3))])
    for filters in (32, 64, 128):
        encoder.add(layers.Conv2D(filters, 3, padding="same", activation="relu"))
        encoder.add(layers.MaxPooling2D(2))
    encoder.add(layers.GlobalAveragePooling2D())
    encoder.add(layers.Dense(128))
    first, second = keras.Input((80, 80, 3)), keras.Input((80, 80, 3))
    apart = layers.Subtract()([encoder(first), encoder(second)])
    return keras.Model([first, second], layers.Dense(1, activation="sigmoid")(apart))


def subclassed(input_shape=(64, 64, 3)):
    """A subclass of ``keras.Model`` with residual blocks written in ``call``."""
    import keras
    from keras import layers

    class Residual(keras.Model):
        def __init__(self):
            super().__init__()
            self.stem = layers.Conv2D(64, 3, padding="same")
            self.convolutions = [layers.Conv2D(64, 3, padding="same") for _ in range(6)]
            self.norms = [layers.BatchNormalization() for _ in range(6)]
            self.pool = layers.GlobalAveragePooling2D()
            self.head = layers.Dense(10, activation="softmax")

        def call(self, x, training=None):
            x = self.stem(x)
            for convolution, norm in zip(self.convolutions, self.norms, strict=True):
                x = x + keras.ops.relu(norm(convolution(x), training=training))
            return self.head(self.pool(x))

    return Residual(), "sparse_categorical_crossentropy", _example(input_shape, 10)


def wide_embedding():
    """Bag of words: an embedding of 200,000 words, mean over 100 of them, two dense layers."""
    import keras
    from keras import layers

    tokens = keras.Input((100,), dtype="int32")
    x = layers.GlobalAveragePooling1D()(layers.Embedding(200_000, 64)(tokens))
    x = layers.Dense(256, activation="relu")(x)
    return keras.Model(tokens, layers.Dense(5, activation="softmax")(x))


def bidirectional():
    """Two bidirectional LSTM layers over 60 steps of 40 features."""
    import keras
    from keras import layers

    frames = keras.Input((60, 40))
    x = layers.Bidirectional(layers.LSTM(96, return_sequences=True))(frames)
    x = layers.Bidirectional(layers.LSTM(96))(x)
    return keras.Model(frames, layers.Dense(12, activation="softmax")(x))


def simple_rnn():
    """Two plain recurrent layers over 80 steps of 16 features."""
    import keras
    from keras import layers

    frames = keras.Input((80, 16))
    x = layers.SimpleRNN(64, return_sequences=True)(frames)
    return keras.Model(frames, layers.Dense(4, activation="softmax")(layers.SimpleRNN(64)(x)))


def masked_gru():
    """A bidirectional GRU over 50 tokens, some of which are padding."""
    import keras
    from keras import layers

    tokens = keras.Input((50,), dtype="int32")
    x = layers.Bidirectional(layers.GRU(64))(layers.Embedding(3000, 64, mask_zero=True)(tokens))
    return keras.Model(tokens, layers.Dense(8, activation="softmax")(x))


def video():
    """Two convolutional LSTM layers over six frames."""
    import keras
    from keras import layers

    frames = keras.Input((6, 40, 40, 2))
    x = layers.ConvLSTM2D(12, 3, padding="same", return_sequences=True)(frames)
    x = layers.ConvLSTM2D(8, 3, padding="same")(x)
    return keras.Model(frames, layers.Dense(4, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


def sequence_tagger():
    """Two LSTM layers and a layer for each of 60 outputs, whose gradients are one sum."""
    import keras
    from keras import layers

    frames = keras.Input((60, 20))
    x = layers.LSTM(96, return_sequences=True)(layers.Dropout(0.2)(layers.LSTM(96, return_sequences=True)(frames)))
    outputs = layers.TimeDistributed(layers.Dense(20, activation="softmax"))(x)
    return keras.Model(frames, outputs), "sparse_categorical_crossentropy"


def segmenter():
    """Separable convolutions, group normalisation and upsampling to one class a pixel."""
    import keras
    from keras import layers

    image = x = keras.Input((96, 96, 3))
    for filters in (32, 64, 96):
        x = layers.SeparableConv2D(filters, 3, padding="same")(x)
        x = layers.Activation("swish")(layers.GroupNormalization(8)(x))
        x = layers.AveragePooling2D(2)(x)
    for filters in (64, 32, 16):
        x = layers.UpSampling2D(2, interpolation="bilinear")(x)
        x = layers.SeparableConv2D(filters, 3, padding="same", activation="relu")(x)
    return keras.Model(image, layers.Conv2D(4, 1, activation="softmax")(x)), "sparse_categorical_crossentropy"


def _example(input_shape, classes):
    """Two samples and their labels."""
    import numpy as np

    generator = np.random.default_rng(1)
    labels = np.array([0, classes - 1], dtype=np.int32)
    return generator.random((2, *input_shape), dtype=np.float32), labels
