"""Networks of the package."""

from keras import Input, Model, layers


def residual(width, blocks):
    inputs = Input((32, 32, 3))
    x = layers.Conv2D(width, 3, padding="same")(inputs)
    for _ in range(blocks):
        y = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        y = layers.Conv2D(width, 3, padding="same")(y)
        x = layers.ReLU()(layers.add([x, y]))
    return Model(inputs, layers.Dense(10, activation="softmax")(layers.GlobalAveragePooling2D()(x)))
