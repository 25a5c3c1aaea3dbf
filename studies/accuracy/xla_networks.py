"""Networks for the compile-only truth of memory with XLA on, of every family.

Each function is built by name through ``xla_networks.py:function``, as a user's own file would be; so this
file imports nothing of ours.  Which of them may be looked at stands in ``xla_rows.py``.
"""

from __future__ import annotations


def cnn_plain():
    """Convolutions in pairs, pooling, a wide dense layer with dropout."""
    import keras
    from keras import layers

    i = x = keras.Input((64, 64, 3))
    for f in (32, 64, 128):
        x = layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        x = layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D(2)(x)
    x = layers.Dense(256, activation="relu")(layers.Flatten()(x))
    x = layers.Dropout(0.5)(x)
    return keras.Model(i, layers.Dense(10, activation="softmax")(x))


def cnn_bn():
    """A small residual network with batch normalisation."""
    import keras
    from keras import layers

    i = x = keras.Input((64, 64, 3))
    x = layers.Conv2D(32, 3, strides=2, padding="same", use_bias=False)(x)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    for f in (64, 128, 256):
        s = layers.Conv2D(f, 1, strides=2, padding="same", use_bias=False)(x)
        s = layers.BatchNormalization()(s)
        x = layers.Conv2D(f, 3, strides=2, padding="same", use_bias=False)(x)
        x = layers.ReLU()(layers.BatchNormalization()(x))
        x = layers.Conv2D(f, 3, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(layers.Add()([x, s]))
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(i, layers.Dense(10, activation="softmax")(x))


def depthwise():
    """Inverted residuals with depthwise convolutions."""
    import keras
    from keras import layers

    i = x = keras.Input((64, 64, 3))
    x = layers.Conv2D(16, 3, strides=2, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu6")(x)
    for f, s in ((24, 2), (24, 1), (48, 2), (48, 1)):
        y = layers.Conv2D(4 * x.shape[-1], 1, use_bias=False)(x)
        y = layers.Activation("relu6")(layers.BatchNormalization()(y))
        y = layers.DepthwiseConv2D(3, strides=s, padding="same", use_bias=False)(y)
        y = layers.Activation("relu6")(layers.BatchNormalization()(y))
        y = layers.Conv2D(f, 1, use_bias=False)(y)
        y = layers.BatchNormalization()(y)
        x = layers.Add()([x, y]) if s == 1 else y
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(i, layers.Dense(10, activation="softmax")(x))


def conv_1d():
    """Convolutions and pooling over a long row of samples, ELU."""
    import keras
    from keras import layers

    i = x = keras.Input((2000, 4))
    for f in (32, 64, 64):
        x = layers.Conv1D(f, 7, padding="same", activation="elu")(x)
        x = layers.MaxPooling1D(4)(x)
    x = layers.Flatten()(x)
    x = layers.Dense(128, activation="tanh")(x)
    return keras.Model(i, layers.Dense(5, activation="softmax")(x))


def conv_3d():
    """3-D convolutions with batch normalisation, both kinds of pooling."""
    import keras
    from keras import layers

    i = x = keras.Input((12, 32, 32, 1))
    for f in (16, 32, 48):
        x = layers.Conv3D(f, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
        x = layers.AveragePooling3D(2)(x) if f == 32 else layers.MaxPooling3D(2)(x)
    x = layers.GlobalAveragePooling3D()(x)
    return keras.Model(i, layers.Dense(4, activation="softmax")(x))


def generator():
    """From noise to an image by transposed convolutions."""
    import keras
    from keras import layers

    i = keras.Input((100,))
    x = layers.Reshape((8, 8, 128))(layers.Dense(8 * 8 * 128)(i))
    for f in (128, 64, 32):
        x = layers.Conv2DTranspose(f, 4, strides=2, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.LeakyReLU(negative_slope=0.2)(x)
    return keras.Model(i, layers.Conv2D(3, 3, padding="same", activation="tanh")(x)), "mean_squared_error"


def mlp():
    """Dense layers with dropout."""
    import keras
    from keras import layers

    i = x = keras.Input((784,))
    for n in (1024, 1024, 512):
        x = layers.Dropout(0.3)(layers.Dense(n, activation="relu")(x))
    return keras.Model(i, layers.Dense(10, activation="softmax")(x))


def encoder():
    """Three transformer blocks with dropout and GELU."""
    import keras
    from keras import layers

    t = keras.Input((128,), dtype="int32")
    x = layers.Embedding(8000, 256)(t)
    x = layers.Dropout(0.1)(x)
    for _ in range(3):
        y = layers.MultiHeadAttention(4, 64, dropout=0.1)(x, x)
        x = layers.LayerNormalization(epsilon=1e-6)(x + layers.Dropout(0.1)(y))
        y = layers.Dense(256)(layers.Dense(1024, activation="gelu")(x))
        x = layers.LayerNormalization(epsilon=1e-6)(x + layers.Dropout(0.1)(y))
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(t, layers.Dense(2, activation="softmax")(x))


def decoder():
    """An encoder block, two decoder blocks with cross attention, a word for each position."""
    import keras
    from keras import layers

    a = keras.Input((64,), dtype="int32")
    b = keras.Input((64,), dtype="int32")
    emb = layers.Embedding(4000, 128)
    x = emb(a)
    y = layers.MultiHeadAttention(4, 32)(x, x)
    mem = layers.LayerNormalization()(x + y)
    z = emb(b)
    for _ in range(2):
        z = layers.LayerNormalization()(z + layers.MultiHeadAttention(4, 32)(z, z, use_causal_mask=True))
        z = layers.LayerNormalization()(z + layers.MultiHeadAttention(4, 32)(z, mem))
        z = layers.LayerNormalization()(z + layers.Dense(128)(layers.Dense(512, activation="relu")(z)))
    return keras.Model([a, b], layers.Dense(4000)(z)), keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def lstm_two():
    """Two LSTM layers."""
    import keras
    from keras import layers

    i = keras.Input((50, 32))
    x = layers.LSTM(128, return_sequences=True)(i)
    x = layers.LSTM(128)(x)
    return keras.Model(i, layers.Dense(8, activation="softmax")(x))


def gru_text():
    """An embedding and a GRU with one answer."""
    import keras
    from keras import layers

    t = keras.Input((80,), dtype="int32")
    x = layers.Embedding(10000, 96)(t)
    x = layers.GRU(192)(x)
    x = layers.Dropout(0.4)(x)
    return keras.Model(t, layers.Dense(1, activation="sigmoid")(x)), "binary_crossentropy"


def bag():
    """The mean of word vectors."""
    import keras
    from keras import layers

    t = keras.Input((40,), dtype="int32")
    x = layers.GlobalAveragePooling1D()(layers.Embedding(50000, 100)(t))
    x = layers.Dense(128, activation="relu")(x)
    return keras.Model(t, layers.Dense(20, activation="softmax")(x))


def conv_auto():
    """Pooling down, upsampling back, binary cross-entropy for each pixel."""
    import keras
    from keras import layers

    i = x = keras.Input((64, 64, 1))
    for f in (16, 32, 64):
        x = layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D(2)(x)
    for f in (64, 32, 16):
        x = layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        x = layers.UpSampling2D(2)(x)
    return keras.Model(i, layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x)), "binary_crossentropy"


def unet_small():
    """A U-net of three levels with batch normalisation."""
    import keras
    from keras import layers

    i = x = keras.Input((96, 96, 3))
    skips = []

    def block(x, f):
        for _ in range(2):
            x = layers.Conv2D(f, 3, padding="same", use_bias=False)(x)
            x = layers.ReLU()(layers.BatchNormalization()(x))
        return x

    for f in (16, 32, 64):
        x = block(x, f)
        skips.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = block(x, 128)
    for f in (64, 32, 16):
        x = layers.Conv2DTranspose(f, 2, strides=2, padding="same")(x)
        x = layers.Concatenate()([x, skips.pop()])
        x = block(x, f)
    return keras.Model(i, layers.Conv2D(2, 1, activation="softmax")(x)), "sparse_categorical_crossentropy"


def multi():
    """An image, a row of numbers and categories; two outputs; layer normalisation and swish."""
    import keras
    from keras import layers

    im, num, cat = keras.Input((48, 48, 3)), keras.Input((16,)), keras.Input((4,), dtype="int32")
    x = im
    for f in (32, 64):
        x = layers.Conv2D(f, 5, strides=2, padding="same")(x)
        x = layers.Activation("swish")(layers.LayerNormalization()(x))
    x = layers.GlobalMaxPooling2D()(x)
    y = layers.Dense(64, activation="selu")(num)
    z = layers.Flatten()(layers.Embedding(1000, 24)(cat))
    j = layers.Concatenate()([x, y, z])
    j = layers.Dense(200, activation="relu")(j)
    return keras.Model([im, num, cat], [layers.Dense(3, activation="softmax")(j), layers.Dense(1)(j)])


def dense_blocks():
    """Densely connected blocks."""
    import keras
    from keras import layers

    i = x = keras.Input((32, 32, 3))
    x = layers.Conv2D(24, 3, padding="same", use_bias=False)(x)
    for b in range(3):
        for _ in range(5):
            y = layers.ReLU()(layers.BatchNormalization()(x))
            y = layers.Conv2D(12, 3, padding="same", use_bias=False)(y)
            x = layers.Concatenate()([x, y])
        if b < 2:
            x = layers.Conv2D(x.shape[-1] // 2, 1, use_bias=False)(layers.ReLU()(layers.BatchNormalization()(x)))
            x = layers.AveragePooling2D(2)(x)
    x = layers.GlobalAveragePooling2D()(layers.ReLU()(layers.BatchNormalization()(x)))
    return keras.Model(i, layers.Dense(10, activation="softmax")(x))


def se_net():
    """Separable convolutions with squeeze and excitation."""
    import keras
    from keras import layers

    i = x = keras.Input((64, 64, 3))
    x = layers.Conv2D(32, 3, strides=2, padding="same")(x)
    for f in (32, 64, 96):
        y = layers.SeparableConv2D(f, 3, padding="same")(x)
        y = layers.Activation("swish")(layers.BatchNormalization()(y))
        s = layers.GlobalAveragePooling2D(keepdims=True)(y)
        s = layers.Conv2D(f, 1, activation="sigmoid")(layers.Conv2D(8, 1, activation="relu")(s))
        y = layers.Multiply()([y, s])
        x = layers.MaxPooling2D(3, strides=2, padding="same")(y)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(i, layers.Dense(10, activation="softmax")(x))


def convlstm_like():
    """A bidirectional GRU, a convolution, an LSTM, an answer for each step."""
    import keras
    from keras import layers

    i = keras.Input((20, 64))
    x = layers.Bidirectional(layers.GRU(48, return_sequences=True))(i)
    x = layers.Conv1D(64, 3, padding="same", activation="relu")(x)
    x = layers.LSTM(64, return_sequences=True)(x)
    x = layers.TimeDistributed(layers.Dense(30, activation="softmax"))(x)
    return keras.Model(i, x), "sparse_categorical_crossentropy"


def blur_up():
    """Separable convolutions with group normalisation, average pooling down, bilinear upsampling back."""
    import keras
    from keras import layers

    image = x = keras.Input((64, 64, 3))
    for filters in (32, 48):
        x = layers.SeparableConv2D(filters, 3, padding="same")(x)
        x = layers.Activation("swish")(layers.GroupNormalization(8)(x))
        x = layers.AveragePooling2D(2)(x)
    for filters in (48, 24):
        x = layers.UpSampling2D(2, interpolation="bilinear")(x)
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return keras.Model(image, layers.Conv2D(5, 1, activation="softmax")(x)), "sparse_categorical_crossentropy"


def twins():
    """One encoder, used for two images."""
    import keras
    from keras import layers

    encoder = keras.Sequential([keras.Input((64, 64, 3))])
    for filters in (24, 48, 96):
        encoder.add(layers.Conv2D(filters, 3, padding="same", activation="relu"))
        encoder.add(layers.MaxPooling2D(2))
    encoder.add(layers.GlobalAveragePooling2D())
    first, second = keras.Input((64, 64, 3)), keras.Input((64, 64, 3))
    both = layers.Concatenate()([encoder(first), encoder(second)])
    return keras.Model([first, second], layers.Dense(1, activation="sigmoid")(both)), "binary_crossentropy"


def two_way():
    """Two bidirectional LSTM layers over 40 steps."""
    import keras
    from keras import layers

    frames = keras.Input((40, 24))
    x = layers.Bidirectional(layers.LSTM(72, return_sequences=True))(frames)
    x = layers.Bidirectional(layers.LSTM(72))(x)
    return keras.Model(frames, layers.Dense(9, activation="softmax")(x))


def video_flat():
    """3-D convolutions and pooling, flattened into dense layers."""
    import keras
    from keras import layers

    video = x = keras.Input((12, 40, 40, 3))
    for filters in (24, 48):
        x = layers.Conv3D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling3D(2)(x)
    x = layers.Dense(200, activation="relu")(layers.Flatten()(x))
    return keras.Model(video, layers.Dense(7, activation="softmax")(x))


def separable():
    """Depthwise and pointwise convolutions with batch normalisation, 13 blocks."""
    import keras
    from keras import layers

    image = x = keras.Input((96, 96, 3))
    x = layers.Conv2D(32, 3, strides=2, padding="same", use_bias=False)(x)
    x = layers.ReLU(6.0)(layers.BatchNormalization()(x))
    for filters, strides in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (384, 2), (384, 1)):
        x = layers.DepthwiseConv2D(3, strides=strides, padding="same", use_bias=False)(x)
        x = layers.ReLU(6.0)(layers.BatchNormalization()(x))
        x = layers.Conv2D(filters, 1, use_bias=False)(x)
        x = layers.ReLU(6.0)(layers.BatchNormalization()(x))
    return keras.Model(image, layers.Dense(50, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


def residual_sums():
    """Sums of everything that came before, each normalised: no result of a block is used once only."""
    import keras
    from keras import layers

    image = keras.Input((56, 56, 3))
    x = layers.Conv2D(48, 3, padding="same")(image)
    for _ in range(5):
        y = layers.BatchNormalization()(layers.Conv2D(48, 3, padding="same")(x))
        x = layers.Add()([x, layers.ReLU()(y)])
    return keras.Model(image, layers.Dense(8, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


def dilated_gates():
    """Causal dilated convolutions with gates and skip connections over 1,024 samples."""
    import keras
    from keras import layers

    sound = keras.Input((1024, 8))
    x = layers.Conv1D(32, 1)(sound)
    skips = []
    for rate in (1, 2, 4, 8, 16, 32):
        a = layers.Conv1D(32, 2, padding="causal", dilation_rate=rate, activation="tanh")(x)
        b = layers.Conv1D(32, 2, padding="causal", dilation_rate=rate, activation="sigmoid")(x)
        y = layers.Conv1D(32, 1)(layers.Multiply()([a, b]))
        skips.append(y)
        x = layers.Add()([x, y])
    x = layers.ReLU()(layers.Add()(skips))
    return keras.Model(sound, layers.Conv1D(64, 1, activation="softmax")(x)), "sparse_categorical_crossentropy"


def mixer():
    """An image in patches, mixed over tokens and over channels in turn."""
    import keras
    from keras import layers

    image = keras.Input((64, 64, 3))
    x = layers.Reshape((64, 128))(layers.Conv2D(128, 8, strides=8)(image))
    for _ in range(4):
        y = layers.Permute((2, 1))(layers.LayerNormalization()(x))
        y = layers.Dense(64)(layers.Dense(96, activation="gelu")(y))
        x = layers.Add()([x, layers.Permute((2, 1))(y)])
        y = layers.Dense(512, activation="gelu")(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Dense(128)(y)])
    x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
    return keras.Model(image, layers.Dense(100, activation="softmax")(x))


def pyramid():
    """Features at three scales, summed from the top down; a class and a mask."""
    import keras
    from keras import layers

    image = x = keras.Input((96, 96, 3))
    levels = []
    for filters in (32, 64, 128):
        x = layers.Conv2D(filters, 3, strides=2, padding="same")(x)
        x = layers.Activation("swish")(layers.BatchNormalization()(x))
        levels.append(x)
    top = layers.Conv2D(48, 1)(levels[-1])
    for level in levels[-2::-1]:
        top = layers.Add()([layers.UpSampling2D(2)(top), layers.Conv2D(48, 1)(level)])
    mask = layers.Conv2D(1, 3, padding="same", name="mask")(top)
    kind = layers.Dense(10, activation="softmax", name="kind")(layers.GlobalAveragePooling2D()(x))
    return keras.Model(image, [mask, kind])


def translator():
    """An LSTM reads, another one writes, starting from its state, with dot-product attention."""
    import keras
    from keras import layers

    source, target = keras.Input((30,), dtype="int32"), keras.Input((25,), dtype="int32")
    read, h, c = layers.LSTM(160, return_sequences=True, return_state=True)(layers.Embedding(3000, 80)(source))
    write = layers.LSTM(160, return_sequences=True)(layers.Embedding(3000, 80)(target), initial_state=[h, c])
    x = layers.Concatenate()([write, layers.Attention()([write, read])])
    return keras.Model([source, target], layers.Dense(3000, activation="softmax")(x)), "sparse_categorical_crossentropy"


def bottleneck_noise():
    """A convolutional autoencoder with a dense bottleneck and noise in the middle."""
    import keras
    from keras import layers

    image = x = keras.Input((32, 32, 3))
    for filters in (32, 64):
        x = layers.LeakyReLU()(layers.Conv2D(filters, 4, strides=2, padding="same")(x))
    x = layers.GaussianNoise(0.1)(layers.Dense(64)(layers.Flatten()(x)))
    x = layers.Reshape((8, 8, 64))(layers.Dense(8 * 8 * 64, activation="relu")(x))
    for filters in (64, 32):
        x = layers.Conv2DTranspose(filters, 4, strides=2, padding="same", activation="relu")(x)
    return keras.Model(image, layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)), "mean_squared_error"


def clips():
    """A small convolutional network on every frame, a GRU over the frames."""
    import keras
    from keras import layers

    frame = x = keras.Input((48, 48, 3))
    for filters in (16, 32, 64):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="relu")(x)
    encoder = keras.Model(frame, layers.GlobalAveragePooling2D()(x))
    clip = keras.Input((10, 48, 48, 3))
    x = layers.GRU(96)(layers.TimeDistributed(encoder)(clip))
    return keras.Model(clip, layers.Dense(6, activation="softmax")(x))


def factors():
    """Categories as vectors, their products two by two, and a deep part."""
    import keras
    from keras import layers

    inputs = [keras.Input((1,), dtype="int32") for _ in range(6)]
    vectors = [layers.Flatten()(layers.Embedding(20_000, 32)(i)) for i in inputs]
    products = [layers.Dot(1)([a, b]) for n, a in enumerate(vectors) for b in vectors[n + 1 :]]
    deep = layers.Concatenate()(vectors)
    for width in (512, 256):
        deep = layers.Dropout(0.2)(layers.BatchNormalization()(layers.Dense(width, activation="relu")(deep)))
    both = layers.Concatenate()([*products, deep])
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(both)), "binary_crossentropy"


def branches():
    """Parallel convolutions and poolings, joined, three times."""
    import keras
    from keras import layers

    image = x = keras.Input((64, 64, 3))
    x = layers.MaxPooling2D(3, strides=2, padding="same")(layers.Conv2D(32, 3, padding="same", activation="relu")(x))
    for filters in (16, 32, 48):
        a = layers.Conv2D(filters, 1, padding="same", activation="relu")(x)
        b = layers.Conv2D(filters, 3, padding="same", activation="relu")(a)
        c = layers.Conv2D(filters, 5, padding="same", activation="relu")(a)
        d = layers.Conv2D(filters, 1, activation="relu")(layers.AveragePooling2D(3, strides=1, padding="same")(x))
        x = layers.BatchNormalization()(layers.Concatenate()([a, b, c, d]))
        x = layers.MaxPooling2D(2)(x)
    x = layers.Dropout(0.4)(layers.GlobalAveragePooling2D()(x))
    return keras.Model(image, layers.Dense(30, activation="softmax")(x))


def grouped():
    """Residual blocks whose middle convolution has groups."""
    import keras
    from keras import layers

    image = keras.Input((48, 48, 3))
    x = layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(64, 3, strides=2, padding="same")(image)))
    for filters in (64, 128):
        y = layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(filters, 1)(x)))
        y = layers.Conv2D(filters, 3, strides=2, padding="same", groups=8)(y)
        y = layers.BatchNormalization()(layers.Conv2D(2 * filters, 1)(layers.ReLU()(layers.BatchNormalization()(y))))
        x = layers.ReLU()(layers.Add()([y, layers.Conv2D(2 * filters, 1, strides=2)(x)]))
    return keras.Model(image, layers.Dense(12, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


def causal_words():
    """A language model: four blocks of causal attention of width 128 over 96 words."""
    import keras
    from keras import layers

    words = keras.Input((96,), dtype="int32")
    x = layers.Dropout(0.1)(layers.Embedding(6000, 128)(words))
    for _ in range(4):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(8, 16, dropout=0.1)(y, y, use_causal_mask=True)])
        y = layers.Dense(512, activation="silu")(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Dropout(0.1)(layers.Dense(128)(y))])
    return keras.Model(words, layers.Dense(6000)(x)), keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def volume():
    """A U-net over volumes: 3-D convolutions, pooling and transposed convolutions."""
    import keras
    from keras import layers

    scan = x = keras.Input((32, 32, 32, 1))
    skips = []
    for filters in (8, 16):
        x = layers.Conv3D(filters, 3, padding="same", activation="relu")(x)
        x = layers.Conv3D(filters, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = layers.MaxPooling3D(2)(x)
    x = layers.Conv3D(32, 3, padding="same", activation="relu")(x)
    for filters in (16, 8):
        x = layers.Conv3DTranspose(filters, 2, strides=2, padding="same")(x)
        x = layers.Conv3D(filters, 3, padding="same", activation="relu")(layers.Concatenate()([x, skips.pop()]))
    return keras.Model(scan, layers.Conv3D(3, 1, activation="softmax")(x)), "sparse_categorical_crossentropy"
