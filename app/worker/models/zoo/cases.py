"""Networks of published comparisons: what people really trained on their own machines."""

from __future__ import annotations

from typing import Any

from app.core.types.text import phrase
from app.worker.models.zoo.recipe import Recipe, classifier_activation


def build_fashion_mnist_cnn(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """Four convolutions and three dense layers for 28×28 images; 562,474 parameters."""
    import keras
    from keras import layers

    model = keras.Sequential(name=name)
    model.add(keras.Input(input_shape))
    for filters, kernel in ((32, 3), (64, 3), (64, 3), (32, 1)):
        model.add(layers.Conv2D(filters, kernel, activation="relu"))
    model.add(layers.MaxPooling2D(2))
    model.add(layers.Flatten())
    model.add(layers.Dense(128, activation="relu"))
    model.add(layers.Dense(64, activation="relu"))
    model.add(layers.Dense(classes, activation=classifier_activation(classes)))
    return model


def build_cnn_58m(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """Five convolutions with batch normalisation and a wide dense layer; 58,091,396 parameters."""
    import keras
    from keras import layers

    model = keras.Sequential(name=name)
    model.add(keras.Input(input_shape))
    for filters, convolutions, pool in ((32, 1, 3), (64, 2, 2), (128, 2, 2)):
        for _ in range(convolutions):
            model.add(layers.Conv2D(filters, 3, padding="same", activation="relu"))
            model.add(layers.BatchNormalization())
        model.add(layers.MaxPooling2D(pool))
        model.add(layers.Dropout(0.25))
    model.add(layers.Flatten())
    model.add(layers.Dense(1024, activation="relu"))
    model.add(layers.BatchNormalization())
    model.add(layers.Dropout(0.5))
    model.add(layers.Dense(classes, activation=classifier_activation(classes)))
    return model


def build_srresnet(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """Super-resolution ResNet, ×4, 16 residual blocks (Ledig et al. 2017, fig. 4); ``classes`` is not used."""
    import keras
    from keras import layers

    image = keras.Input(input_shape)
    x = layers.Conv2D(64, 9, padding="same")(image)
    x = first = layers.PReLU(shared_axes=[1, 2])(x)
    for _ in range(16):
        x = _residual_block(x)
    x = layers.Conv2D(64, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Add()([x, first])
    for _ in range(2):
        x = layers.Conv2D(256, 3, padding="same")(x)
        x = _pixel_shuffle(x)
        x = layers.PReLU(shared_axes=[1, 2])(x)
    x = layers.Conv2D(input_shape[-1], 9, padding="same")(x)
    return keras.Model(image, x, name=name)


def _residual_block(x: Any) -> Any:
    """Two convolutions beside a shortcut."""
    from keras import layers

    shortcut = x
    x = layers.Conv2D(64, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.PReLU(shared_axes=[1, 2])(x)
    x = layers.Conv2D(64, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    return layers.Add()([x, shortcut])


def _pixel_shuffle(x: Any) -> Any:
    """Four channels become a square of 2×2 pixels (Shi et al. 2016, eq. 4)."""
    import keras
    from keras import layers

    if hasattr(keras.ops, "depth_to_space"):
        return keras.ops.depth_to_space(x, 2)
    # Keras before 3.14 has no such operation; the same by moving axes.
    height, width, channels = x.shape[1:]
    x = layers.Reshape((height, width, 2, 2, channels // 4))(x)
    x = layers.Permute((1, 3, 2, 4, 5))(x)
    return layers.Reshape((2 * height, 2 * width, channels // 4))(x)


RECIPES: dict[str, Recipe] = {
    "fashion_mnist_cnn": Recipe(
        build_fashion_mnist_cnn,
        task="image",
        input_shape=(28, 28, 1),
        classes=10,
        source=phrase("four convolutions and three dense layers, 562,474 parameters"),
    ),
    "cnn_58m": Recipe(
        build_cnn_58m,
        task="image",
        input_shape=(256, 256, 3),
        classes=4,
        source=phrase("CPU against GPU comparison of 2019, 58,091,396 parameters"),
    ),
    "srresnet": Recipe(
        build_srresnet,
        task="super_resolution",
        input_shape=(24, 24, 3),
        classes=1,
        source="Ledig et al. 2017, arXiv:1609.04802",
    ),
}
