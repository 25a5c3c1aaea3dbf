"""Networks of the learning table alone: one of each kind, none of which any other table or study has.

Each function is built by name through ``networks_learning.py:function``, as a user's own file would be; so this file
imports nothing of ours.
"""

from __future__ import annotations

_SPARSE = "sparse_categorical_crossentropy"


def dense_stack():
    """Four wide dense layers over rows of 600 numbers, with dropout."""
    import keras
    from keras import layers

    row = x = keras.Input((600,))
    for width in (1536, 1024, 768, 384):
        x = layers.Dropout(0.2)(layers.Dense(width, activation="relu")(x))
    return keras.Model(row, layers.Dense(12, activation="softmax")(x))


def heartbeats():
    """1-D convolutions with shrinking windows over 2,400 samples of two leads, pooled between."""
    import keras
    from keras import layers

    leads = x = keras.Input((2400, 2))
    for filters, window in ((32, 15), (48, 11), (96, 7), (160, 5)):
        x = layers.Conv1D(filters, window, padding="same", activation="elu")(x)
        x = layers.MaxPooling1D(3)(x)
    x = layers.Dense(128, activation="elu")(layers.GlobalMaxPooling1D()(x))
    return keras.Model(leads, layers.Dense(5, activation="softmax")(x))


def plain_cnn():
    """Pairs of 3x3 convolutions with batch normalisation over images of 72x72, then two dense layers."""
    import keras
    from keras import layers

    image = x = keras.Input((72, 72, 3))
    for filters in (24, 48, 96):
        for _ in range(2):
            x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
            x = layers.ReLU()(layers.BatchNormalization()(x))
        x = layers.MaxPooling2D(2)(x)
    x = layers.Dense(256, activation="relu")(layers.Flatten()(x))
    return keras.Model(image, layers.Dense(40, activation="softmax")(x))


def small_unet():
    """U-Net of three levels over images of 80x80 with one channel, a mask for each pixel."""
    import keras
    from keras import layers

    def pair(x, filters):
        for _ in range(2):
            x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        return x

    image = x = keras.Input((80, 80, 1))
    kept = []
    for filters in (20, 40, 80):
        x = pair(x, filters)
        kept.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = pair(x, 160)
    for filters, beside in zip((80, 40, 20), reversed(kept), strict=True):
        x = layers.Conv2DTranspose(filters, 2, strides=2)(x)
        x = pair(layers.Concatenate()([x, beside]), filters)
    return keras.Model(image, layers.Conv2D(1, 1, activation="sigmoid")(x)), "binary_crossentropy"


def patch_transformer():
    """Vision transformer of four blocks and width 160 over images of 64x64 in patches of 8."""
    import keras
    from keras import layers

    image = keras.Input((64, 64, 3))
    x = layers.Reshape((64, 160))(layers.Conv2D(160, 8, strides=8)(image))
    for _ in range(4):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(5, 32)(y, y)])
        y = layers.Dense(480, activation="gelu")(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Dense(160)(y)])
    x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
    return keras.Model(image, layers.Dense(50, activation="softmax")(x))


def two_lstms():
    """A sentence of 60 words of 8,000 through two LSTM layers to one of four classes."""
    import keras
    from keras import layers

    words = keras.Input((60,), dtype="int32")
    x = layers.Embedding(8000, 96)(words)
    x = layers.LSTM(144, return_sequences=True)(x)
    return keras.Model(words, layers.Dense(4, activation="softmax")(layers.LSTM(96)(x))), _SPARSE


def frozen_resnet():
    """ResNet50 for images of 112x112 that stays as it is, with a new head of two dense layers."""
    import keras
    from keras import layers

    backbone = keras.applications.ResNet50(include_top=False, weights=None, input_shape=(112, 112, 3), pooling="avg")
    backbone.trainable = False
    image = keras.Input((112, 112, 3))
    x = layers.Dense(192, activation="relu")(backbone(image, training=False))
    return keras.Model(image, layers.Dense(7, activation="softmax")(x))


def clip_conv3d():
    """3-D convolutions over clips of 12 frames of 40x40, the first with a stride."""
    import keras
    from keras import layers

    clip = x = keras.Input((12, 40, 40, 3))
    x = layers.Conv3D(24, 3, strides=(1, 2, 2), padding="same", activation="relu")(x)
    for filters in (48, 96):
        x = layers.Conv3D(filters, 3, padding="same", activation="relu")(x)
        x = layers.AveragePooling3D(2)(x)
    return keras.Model(clip, layers.Dense(16, activation="softmax")(layers.GlobalAveragePooling3D()(x)))
