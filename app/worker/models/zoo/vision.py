"""Networks that look at images or rows of numbers: ViT-S/16, U-Net and a plain perceptron."""

from __future__ import annotations

import math
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.zoo.layers import add_positions
from app.worker.models.zoo.recipe import Recipe, classifier_activation

_PATCH = 16
_WIDTH = 384
_DEPTH = 12
_HEADS = 6
_UNET_FILTERS = (64, 128, 256, 512)
_UNET_BOTTOM = 1024


def build_vit(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """ViT-S/16: 12 blocks of width 384, 6 heads (Touvron et al. 2021, tab. 1); 22,050,664 parameters.

    Raises:
        BadModel: The image does not divide into patches of 16×16.
    """
    import keras
    from keras import layers

    _check_divides(input_shape, _PATCH, phrase("patches of 16×16 pixels"))
    image = keras.Input(input_shape)
    x = layers.Conv2D(_WIDTH, _PATCH, strides=_PATCH, name="patches")(image)
    x = layers.Reshape((math.prod(x.shape[1:3]), _WIDTH))(x)
    x = add_positions(x, class_token=True)
    for _ in range(_DEPTH):
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        y = layers.MultiHeadAttention(_HEADS, _WIDTH // _HEADS)(y, y)
        x = layers.Add()([x, y])
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        y = layers.Dense(4 * _WIDTH, activation="gelu")(y)
        y = layers.Dense(_WIDTH)(y)
        x = layers.Add()([x, y])
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    x = layers.Dense(classes, activation=classifier_activation(classes))(x[:, 0])
    return keras.Model(image, x, name=name)


def build_unet(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """U-Net with padding (Ronneberger et al. 2015, fig. 1): one class for each pixel.

    Raises:
        BadModel: The image cannot be halved four times.
    """
    import keras
    from keras import layers

    _check_divides(input_shape, 2 ** len(_UNET_FILTERS), phrase("four halvings"))
    image = x = keras.Input(input_shape)
    bridges = []
    for filters in _UNET_FILTERS:
        x = _double_convolution(x, filters)
        bridges.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = _double_convolution(x, _UNET_BOTTOM)
    for filters, bridge in zip(reversed(_UNET_FILTERS), reversed(bridges), strict=True):
        x = layers.Conv2DTranspose(filters, 2, strides=2)(x)
        x = layers.Concatenate()([bridge, x])
        x = _double_convolution(x, filters)
    x = layers.Conv2D(classes, 1, activation=classifier_activation(classes))(x)
    return keras.Model(image, x, name=name)


def build_mlp(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """Two hidden layers of 512 units on anything, flattened."""
    import keras
    from keras import layers

    model = keras.Sequential(name=name)
    model.add(keras.Input(input_shape))
    if len(input_shape) > 1:
        model.add(layers.Flatten())
    model.add(layers.Dense(512, activation="relu"))
    model.add(layers.Dense(512, activation="relu"))
    model.add(layers.Dense(classes, activation=classifier_activation(classes)))
    return model


def _double_convolution(x: Any, filters: int) -> Any:
    """Two 3×3 convolutions."""
    from keras import layers

    for _ in range(2):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return x


def _check_divides(input_shape: tuple[int, ...], step: int, why: str) -> None:
    """Refuse an image whose sides are no multiples of ``step``."""
    height, width = input_shape[:2]
    if height % step or width % step:
        raise BadModel(
            phrase("the image size does not suit this network"),
            expected=phrase("height and width divisible by {step} ({why})", step=step, why=why),
            received=f"{height}×{width}",
            hint=phrase(
                "try --input-shape {height}x{width}x{input_shape}",
                height=-(-height // step) * step,
                width=-(-width // step) * step,
                input_shape=input_shape[2],
            ),
        )


RECIPES: dict[str, Recipe] = {
    "vit_small": Recipe(
        build_vit,
        task="image",
        input_shape=(224, 224, 3),
        classes=1000,
        follows_size=False,
        source="ViT-S/16, Touvron et al. 2021, arXiv:2012.12877",
    ),
    "unet": Recipe(
        build_unet,
        task="segmentation",
        input_shape=(256, 256, 3),
        classes=2,
        follows_size=False,
        source="Ronneberger et al. 2015, arXiv:1505.04597, with padding",
    ),
    "mlp": Recipe(
        build_mlp, task="table", input_shape=(784,), classes=10, source=phrase("two hidden layers of 512 units")
    ),
}
