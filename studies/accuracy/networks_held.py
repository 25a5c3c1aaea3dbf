"""Networks of the held half: for checking only; no prediction is adjusted to them and no miss of theirs is explained.

One or two of every family that Keras users train, in the shapes of the papers named, at sizes where one step
peaks between 50 MB and 1.5 GB.  Each function is built by name through ``networks_held.py:function``, as a
user's own file would be; so this file imports nothing of ours.
"""

from __future__ import annotations

_SPARSE = "sparse_categorical_crossentropy"


def squeezenet():
    """Fire modules: a 1x1 squeeze, then 1x1 and 3x3 side by side (Iandola et al. 2016, arXiv:1602.07360)."""
    import keras
    from keras import layers

    def fire(x, squeeze, expand):
        x = layers.Conv2D(squeeze, 1, activation="relu")(x)
        ones = layers.Conv2D(expand, 1, activation="relu")(x)
        threes = layers.Conv2D(expand, 3, padding="same", activation="relu")(x)
        return layers.Concatenate()([ones, threes])

    image = keras.Input((128, 128, 3))
    x = layers.Conv2D(64, 3, strides=2, activation="relu")(image)
    x = layers.MaxPooling2D(3, 2)(x)
    for squeeze, expand in ((16, 64), (16, 64)):
        x = fire(x, squeeze, expand)
    x = layers.MaxPooling2D(3, 2)(x)
    for squeeze, expand in ((32, 128), (32, 128)):
        x = fire(x, squeeze, expand)
    x = layers.MaxPooling2D(3, 2)(x)
    for squeeze, expand in ((48, 192), (48, 192), (64, 256), (64, 256)):
        x = fire(x, squeeze, expand)
    x = layers.Conv2D(200, 1, activation="relu")(layers.Dropout(0.5)(x))
    return keras.Model(image, layers.Softmax()(layers.GlobalAveragePooling2D()(x)))


def wide_resnet():
    """WRN-16-4 on 32x32 images (Zagoruyko & Komodakis 2016, arXiv:1605.07146)."""
    import keras
    from keras import layers

    def block(x, filters, strides):
        y = layers.ReLU()(layers.BatchNormalization()(x))
        short = x if x.shape[-1] == filters else layers.Conv2D(filters, 1, strides=strides, use_bias=False)(y)
        y = layers.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False)(y)
        y = layers.Dropout(0.3)(layers.ReLU()(layers.BatchNormalization()(y)))
        return layers.Add()([short, layers.Conv2D(filters, 3, padding="same", use_bias=False)(y)])

    image = keras.Input((32, 32, 3))
    x = layers.Conv2D(16, 3, padding="same", use_bias=False)(image)
    for filters, strides in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1)):
        x = block(x, filters, strides)
    x = layers.GlobalAveragePooling2D()(layers.ReLU()(layers.BatchNormalization()(x)))
    return keras.Model(image, layers.Dense(100, activation="softmax")(x))


def detector():
    """One-stage detector: leaky convolutions and box maps at three scales, one output each (arXiv:1804.02767)."""
    import keras
    from keras import layers

    def convolution(x, filters, strides=1):
        x = layers.Conv2D(filters, 3, strides=strides, padding="same", use_bias=False)(x)
        return layers.LeakyReLU(0.1)(layers.BatchNormalization()(x))

    image = keras.Input((128, 128, 3))
    x = convolution(image, 16)
    scales = []
    for filters in (32, 64, 128, 256):
        x = convolution(convolution(x, filters, 2), filters)
        scales.append(x)
    top = scales[-1]
    maps = [layers.Conv2D(75, 1, name="boxes_8")(top)]
    for name, skip in (("boxes_16", scales[-2]), ("boxes_32", scales[-3])):
        top = layers.UpSampling2D(2)(layers.Conv2D(64, 1)(top))
        top = convolution(layers.Concatenate()([top, skip]), 96)
        maps.append(layers.Conv2D(75, 1, name=name)(top))
    return keras.Model(image, maps), ["mean_squared_error"] * 3


def convmixer():
    """ConvMixer-256/8: patches, then depthwise 9x9 with a residual and pointwise (arXiv:2201.09792)."""
    import keras
    from keras import layers

    image = keras.Input((64, 64, 3))
    x = layers.Conv2D(256, 4, strides=4, activation="gelu")(image)
    x = layers.BatchNormalization()(x)
    for _ in range(8):
        y = layers.DepthwiseConv2D(9, padding="same", activation="gelu")(x)
        x = layers.Add()([x, layers.BatchNormalization()(y)])
        x = layers.BatchNormalization()(layers.Conv2D(256, 1, activation="gelu")(x))
    return keras.Model(image, layers.Dense(100, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


def wavenet():
    """Gated causal 1-D convolutions, dilated 1 to 128, with summed skips over 2,048 samples (arXiv:1609.03499)."""
    import keras
    from keras import layers

    sound = keras.Input((2048, 1))
    x = layers.Conv1D(32, 2, padding="causal")(sound)
    skips = []
    for power in range(8):
        gate = layers.Conv1D(32, 2, padding="causal", dilation_rate=2**power, activation="sigmoid")(x)
        value = layers.Conv1D(32, 2, padding="causal", dilation_rate=2**power, activation="tanh")(x)
        y = layers.Multiply()([gate, value])
        skips.append(layers.Conv1D(64, 1)(y))
        x = layers.Add()([x, layers.Conv1D(32, 1)(y)])
    x = layers.Conv1D(64, 1, activation="relu")(layers.ReLU()(layers.Add()(skips)))
    return keras.Model(sound, layers.Conv1D(256, 1, activation="softmax")(x)), _SPARSE


def unet3d():
    """3-D U-Net over a 32x32x32 volume, with transposed convolutions (Cicek et al. 2016, arXiv:1606.06650)."""
    import keras
    from keras import layers

    def pair(x, filters):
        for _ in range(2):
            x = layers.Conv3D(filters, 3, padding="same")(x)
            x = layers.ReLU()(layers.BatchNormalization()(x))
        return x

    volume = x = keras.Input((32, 32, 32, 1))
    skips = []
    for filters in (16, 32):
        x = pair(x, filters)
        skips.append(x)
        x = layers.MaxPooling3D(2)(x)
    x = pair(x, 64)
    for filters in (32, 16):
        x = layers.Conv3DTranspose(filters, 2, strides=2)(x)
        x = pair(layers.Concatenate()([x, skips.pop()]), filters)
    return keras.Model(volume, layers.Conv3D(3, 1, activation="softmax")(x)), _SPARSE


def unet_transposed():
    """U-Net of three levels with batch normalisation, dropout and transposed convolutions (arXiv:1505.04597)."""
    import keras
    from keras import layers

    def pair(x, filters):
        for _ in range(2):
            x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
            x = layers.ReLU()(layers.BatchNormalization()(x))
        return x

    image = x = keras.Input((96, 96, 3))
    skips = []
    for filters in (32, 64, 128):
        x = pair(x, filters)
        skips.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = layers.Dropout(0.3)(pair(x, 256))
    for filters in (128, 64, 32):
        x = layers.Conv2DTranspose(filters, 2, strides=2)(x)
        x = pair(layers.Concatenate()([skips.pop(), x]), filters)
    return keras.Model(image, layers.Conv2D(1, 1, activation="sigmoid")(x))


def dcgan_generator():
    """DCGAN's generator: noise to a 64x64 image through transposed convolutions (arXiv:1511.06434)."""
    import keras
    from keras import layers

    noise = keras.Input((100,))
    x = layers.Reshape((4, 4, 512))(layers.Dense(4 * 4 * 512, use_bias=False)(noise))
    x = layers.ReLU()(layers.BatchNormalization()(x))
    for filters in (256, 128, 64):
        x = layers.Conv2DTranspose(filters, 5, strides=2, padding="same", use_bias=False)(x)
        x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.Conv2DTranspose(3, 5, strides=2, padding="same", activation="tanh")(x)
    return keras.Model(noise, x), "mean_absolute_error"


def vae():
    """Variational autoencoder: a layer that samples and adds its own loss, transposed decoder (arXiv:1312.6114)."""
    import keras
    from keras import layers, ops

    class Sampling(layers.Layer):
        def __init__(self):
            super().__init__()
            self.seeds = keras.random.SeedGenerator(1)

        def call(self, mean, log_variance):
            divergence = -0.5 * ops.mean(1 + log_variance - ops.square(mean) - ops.exp(log_variance))
            self.add_loss(1e-3 * ops.cast(divergence, "float32"))
            noise = keras.random.normal(ops.shape(mean), dtype=self.compute_dtype, seed=self.seeds)
            return mean + ops.exp(0.5 * log_variance) * noise

    image = x = keras.Input((64, 64, 3))
    for filters in (32, 64, 128, 256):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="leaky_relu")(x)
    x = layers.Flatten()(x)
    x = Sampling()(layers.Dense(128)(x), layers.Dense(128)(x))
    x = layers.Reshape((4, 4, 256))(layers.Dense(4 * 4 * 256)(x))
    for filters in (256, 128, 64, 32):
        x = layers.Conv2DTranspose(filters, 3, strides=2, padding="same", activation="leaky_relu")(x)
    return keras.Model(image, layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)), "mean_squared_error"


def tabular_mlp():
    """400 numbers a row through three wide layers with normalisation and dropout; one number out."""
    import keras
    from keras import layers

    row = x = keras.Input((400,))
    for units in (2048, 2048, 1024):
        x = layers.BatchNormalization()(layers.Dense(units, activation="relu")(x))
        x = layers.Dropout(0.2)(x)
    return keras.Model(row, layers.Dense(1)(x))


def mlp_mixer():
    """MLP-Mixer: 64 patches of width 256, eight blocks over patches and channels (arXiv:2105.01601)."""
    import keras
    from keras import layers

    image = keras.Input((64, 64, 3))
    x = layers.Reshape((64, 256))(layers.Conv2D(256, 8, strides=8)(image))
    for _ in range(8):
        y = layers.Permute((2, 1))(layers.LayerNormalization(epsilon=1e-6)(x))
        y = layers.Dense(64)(layers.Dense(128, activation="gelu")(y))
        x = layers.Add()([x, layers.Permute((2, 1))(y)])
        y = layers.Dense(1024, activation="gelu")(layers.LayerNormalization(epsilon=1e-6)(x))
        x = layers.Add()([x, layers.Dense(256)(y)])
    return keras.Model(image, layers.Dense(50, activation="softmax")(layers.GlobalAveragePooling1D()(x)))


def text_encoder():
    """Four post-normalised encoder layers over 128 masked tokens, mean pooled (Vaswani et al. 2017)."""
    import keras
    from keras import layers

    tokens = keras.Input((128,), dtype="int32")
    x = layers.Embedding(20_000, 256, mask_zero=True)(tokens)
    x = layers.Dropout(0.1)(_positions(layers, 128, 256)(x))
    for _ in range(4):
        y = layers.MultiHeadAttention(8, 32, dropout=0.1)(x, x)
        x = layers.LayerNormalization()(layers.Add()([x, y]))
        y = layers.Dense(256)(layers.Dense(1024, activation="relu")(x))
        x = layers.LayerNormalization()(layers.Add()([x, layers.Dropout(0.1)(y)]))
    return keras.Model(tokens, layers.Dense(20, activation="softmax")(layers.GlobalAveragePooling1D()(x)))


def causal_lm():
    """Decoder as today's language models have it: RMS norm, grouped-query causal attention, gated feed-forward."""
    import keras
    from keras import layers

    tokens = keras.Input((128,), dtype="int32")
    x = layers.Embedding(8_000, 256)(tokens)
    for _ in range(3):
        y = layers.RMSNormalization()(x)
        y = layers.GroupQueryAttention(head_dim=32, num_query_heads=8, num_key_value_heads=2)(
            y, y, use_causal_mask=True
        )
        x = layers.Add()([x, y])
        y = layers.RMSNormalization()(x)
        y = layers.Multiply()([layers.Dense(704, activation="silu")(y), layers.Dense(704)(y)])
        x = layers.Add()([x, layers.Dense(256)(y)])
    logits = layers.Dense(8_000, use_bias=False)(layers.RMSNormalization()(x))
    return keras.Model(tokens, logits), keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def translator():
    """Encoder and decoder with cross-attention, two token inputs of 64, two layers each (arXiv:1706.03762)."""
    import keras
    from keras import layers

    def feed_forward(x):
        y = layers.Dense(192)(layers.Dense(768, activation="relu")(layers.LayerNormalization()(x)))
        return layers.Add()([x, y])

    source, target = (keras.Input((64,), dtype="int32", name=name) for name in ("source", "target"))
    x = layers.Embedding(6_000, 192)(source)
    for _ in range(2):
        y = layers.LayerNormalization()(x)
        x = feed_forward(layers.Add()([x, layers.MultiHeadAttention(6, 32)(y, y)]))
    memory = layers.LayerNormalization()(x)
    x = layers.Embedding(6_000, 192)(target)
    for _ in range(2):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(6, 32)(y, y, use_causal_mask=True)])
        y = layers.LayerNormalization()(x)
        x = feed_forward(layers.Add()([x, layers.MultiHeadAttention(6, 32)(y, memory)]))
    x = layers.Dense(6_000, activation="softmax")(layers.LayerNormalization()(x))
    return keras.Model([source, target], x), _SPARSE


def lstm_tagger():
    """A tag for each of 80 masked words: embedding, two LSTM layers, a classifier at every step."""
    import keras
    from keras import layers

    words = keras.Input((80,), dtype="int32")
    x = layers.Embedding(20_000, 128, mask_zero=True)(words)
    for _ in range(2):
        x = layers.LSTM(160, return_sequences=True)(x)
    return keras.Model(words, layers.TimeDistributed(layers.Dense(20, activation="softmax"))(x)), _SPARSE


def gru_forecaster():
    """96 hours of 32 sensors through three stacked GRU layers; the next 24 hours of one of them."""
    import keras
    from keras import layers

    hours = x = keras.Input((96, 32))
    for last in (False, False, True):
        x = layers.GRU(224, return_sequences=not last)(x)
    return keras.Model(hours, layers.Dense(24)(layers.Dropout(0.1)(x))), keras.losses.Huber()


def convlstm():
    """Next frames of 8 of 32x32: two convolutional LSTM layers, then a 3-D convolution (arXiv:1506.04214)."""
    import keras
    from keras import layers

    frames = x = keras.Input((8, 32, 32, 1))
    for kernel in (5, 3):
        x = layers.ConvLSTM2D(32, kernel, padding="same", return_sequences=True)(x)
        x = layers.BatchNormalization()(x)
    return keras.Model(frames, layers.Conv3D(1, 3, padding="same", activation="sigmoid")(x))


def dlrm():
    """Clicks: eight embedded categories and 13 numbers, pairwise products, a top perceptron (arXiv:1906.00091)."""
    import keras
    from keras import layers, ops

    numbers = keras.Input((13,))
    categories = [keras.Input((1,), dtype="int32", name=f"category_{n}") for n in range(8)]
    sizes = (5_000, 5_000, 10_000, 10_000, 20_000, 20_000, 40_000, 80_000)
    vectors = [layers.Dense(32, activation="relu")(layers.Dense(256, activation="relu")(numbers))]
    for size, category in zip(sizes, categories, strict=True):
        vectors.append(layers.Flatten()(layers.Embedding(size, 32)(category)))
    stacked = ops.stack(vectors, axis=1)
    products = layers.Flatten()(ops.matmul(stacked, ops.transpose(stacked, (0, 2, 1))))
    x = layers.Concatenate()([vectors[0], products])
    for units in (512, 256):
        x = layers.Dense(units, activation="relu")(x)
    return keras.Model([numbers, *categories], layers.Dense(1, activation="sigmoid")(x))


def triplet():
    """Anchor, like and unlike through one encoder; a custom layer and a custom triplet loss (arXiv:1503.03832)."""
    import keras
    from keras import layers, ops

    class UnitLength(layers.Layer):
        def call(self, x):
            return x * ops.rsqrt(ops.sum(ops.square(x), axis=-1, keepdims=True) + 1e-6)

    def triplet_loss(_, together):
        anchor, like, unlike = ops.split(together, 3, axis=-1)
        near, far = (ops.sum(ops.square(anchor - other), axis=-1) for other in (like, unlike))
        return ops.maximum(near - far + 0.2, 0.0)

    encoder = keras.Sequential([keras.Input((64, 64, 3))], name="encoder")
    for filters in (32, 64, 128):
        encoder.add(layers.Conv2D(filters, 3, padding="same"))
        encoder.add(layers.BatchNormalization())
        encoder.add(layers.ReLU())
        encoder.add(layers.MaxPooling2D(2))
    encoder.add(layers.Flatten())
    encoder.add(layers.Dense(128))
    encoder.add(UnitLength())
    images = [keras.Input((64, 64, 3)) for _ in range(3)]
    return keras.Model(images, layers.Concatenate()([encoder(image) for image in images])), triplet_loss


def arcface():
    """Unit-length class vectors in a custom layer, a custom margin loss, PReLU convolutions (arXiv:1801.07698)."""
    import keras
    import numpy as np
    from keras import layers, ops

    class Cosines(layers.Layer):
        def __init__(self, classes):
            super().__init__()
            self.classes = classes

        def build(self, shape):
            self.vectors = self.add_weight(shape=(shape[-1], self.classes), initializer="glorot_uniform")

        def call(self, x):
            return ops.matmul(ops.normalize(x, axis=-1), ops.normalize(self.vectors, axis=0))

    def margin_loss(labels, cosines):
        hot = ops.one_hot(ops.reshape(labels, (-1,)), 2000, dtype=cosines.dtype)
        angles = ops.arccos(ops.clip(cosines, -0.99, 0.99))
        logits = 32.0 * ops.where(hot > 0, ops.cos(angles + 0.5), cosines)
        return ops.categorical_crossentropy(hot, logits, from_logits=True)

    image = x = keras.Input((96, 96, 3))
    for filters in (32, 64, 128, 256):
        x = layers.Conv2D(filters, 3, strides=2, padding="same")(x)
        x = layers.PReLU(shared_axes=(1, 2))(layers.BatchNormalization()(x))
        x = layers.PReLU(shared_axes=(1, 2))(layers.Conv2D(filters, 3, padding="same")(x))
    x = layers.Dense(256)(layers.Flatten()(x))
    generator = np.random.default_rng(1)
    example = generator.random((2, 96, 96, 3), dtype=np.float32), np.array([0, 1999], dtype=np.int32)
    return keras.Model(image, Cosines(2000)(x)), margin_loss, example


def subclassed_attentive():
    """A subclass of ``keras.Model`` made of subclassed blocks: inverted bottlenecks with squeeze and excitation."""
    import keras
    import numpy as np
    from keras import layers

    class Block(layers.Layer):
        def __init__(self, filters, strides):
            super().__init__()
            self.wide = layers.Conv2D(4 * filters, 1, activation="swish")
            self.depthwise = layers.DepthwiseConv2D(3, strides=strides, padding="same")
            self.norm = layers.BatchNormalization()
            self.squeeze = layers.Dense(filters // 2, activation="relu")
            self.excite = layers.Dense(4 * filters, activation="sigmoid")
            self.narrow = layers.Conv2D(filters, 1)

        def call(self, x, training=None):
            y = keras.ops.silu(self.norm(self.depthwise(self.wide(x)), training=training))
            y = y * self.excite(self.squeeze(keras.ops.mean(y, axis=(1, 2), keepdims=True)))
            y = self.narrow(y)
            return x + y if x.shape == y.shape else y

    class Attentive(keras.Model):
        def __init__(self):
            super().__init__()
            self.stem = layers.Conv2D(32, 3, strides=2, padding="same")
            self.blocks = [Block(*b) for b in ((32, 1), (48, 2), (48, 1), (96, 2), (96, 1), (96, 1))]
            self.drop = layers.Dropout(0.2)
            self.head = layers.Dense(40, activation="softmax")

        def call(self, x, training=None):
            x = self.stem(x)
            for block in self.blocks:
                x = block(x, training=training)
            return self.head(self.drop(keras.ops.mean(x, axis=(1, 2)), training=training))

    generator = np.random.default_rng(1)
    example = generator.random((2, 96, 96, 3), dtype=np.float32), np.array([0, 39], dtype=np.int32)
    return Attentive(), _SPARSE, example


def transfer():
    """Transfer learning: a frozen EfficientNetB1 called in inference mode inside a new model, and a new head."""
    import keras
    from keras import layers

    backbone = keras.applications.EfficientNetB1(include_top=False, weights=None, input_shape=(128, 128, 3))
    backbone.trainable = False
    image = keras.Input((128, 128, 3))
    x = layers.RandomFlip("horizontal")(image)
    x = layers.GlobalAveragePooling2D()(backbone(x, training=False))
    x = layers.Dense(256, activation="relu")(layers.Dropout(0.3)(x))
    return keras.Model(image, layers.Dense(5, activation="softmax")(x))


def hub_bert():
    """keras-hub's BERT backbone from a small configuration, with a classifier on the pooled output."""
    import keras
    import keras_hub
    from keras import layers

    backbone = keras_hub.models.BertBackbone(
        vocabulary_size=8_000, num_layers=4, num_heads=4, hidden_dim=256, intermediate_dim=1024, max_sequence_length=128
    )
    names = ("padding_mask", "segment_ids", "token_ids")
    inputs = {name: keras.Input((128,), dtype="int32", name=name) for name in names}
    x = layers.Dropout(0.1)(backbone(inputs)["pooled_output"])
    return keras.Model(list(inputs.values()), layers.Dense(6, activation="softmax")(x))


def _positions(layers, length, width):
    """A custom layer that adds a learnt vector to each position and passes the mask on."""

    class Positions(layers.Layer):
        def __init__(self):
            super().__init__()
            self.supports_masking = True

        def build(self, _):
            self.vectors = self.add_weight(shape=(length, width), initializer="normal")

        def call(self, x):
            return x + self.vectors

    return Positions()
