"""The networks of ``keras.applications``, without weights.

Default sizes are those of the functions' own documentation (keras.io/api/applications).
"""

from __future__ import annotations

from typing import Any

from app.worker.models.zoo.recipe import Recipe, classifier_activation

_SIDES = {
    "ConvNeXtTiny": 224,
    "ConvNeXtSmall": 224,
    "ConvNeXtBase": 224,
    "ConvNeXtLarge": 224,
    "ConvNeXtXLarge": 224,
    "DenseNet121": 224,
    "DenseNet169": 224,
    "DenseNet201": 224,
    "EfficientNetB0": 224,
    "EfficientNetB1": 240,
    "EfficientNetB2": 260,
    "EfficientNetB3": 300,
    "EfficientNetB4": 380,
    "EfficientNetB5": 456,
    "EfficientNetB6": 528,
    "EfficientNetB7": 600,
    "EfficientNetV2B0": 224,
    "EfficientNetV2B1": 240,
    "EfficientNetV2B2": 260,
    "EfficientNetV2B3": 300,
    "EfficientNetV2S": 384,
    "EfficientNetV2M": 480,
    "EfficientNetV2L": 480,
    "InceptionResNetV2": 299,
    "InceptionV3": 299,
    "MobileNet": 224,
    "MobileNetV2": 224,
    "MobileNetV3Large": 224,
    "MobileNetV3Small": 224,
    "NASNetLarge": 331,
    "NASNetMobile": 224,
    "ResNet50": 224,
    "ResNet101": 224,
    "ResNet152": 224,
    "ResNet50V2": 224,
    "ResNet101V2": 224,
    "ResNet152V2": 224,
    "VGG16": 224,
    "VGG19": 224,
    "Xception": 299,
}
"""Function of `keras.applications` and the side of its square input in pixels."""

_FUNCTIONS = {name.lower(): name for name in _SIDES}


def build(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """Build a network of `keras.applications` with its classifier."""
    import keras

    function = getattr(keras.applications, _FUNCTIONS[name])
    return function(
        weights=None,
        include_top=True,
        input_shape=input_shape,
        classes=classes,
        classifier_activation=classifier_activation(classes),
    )


RECIPES: dict[str, Recipe] = {
    name.lower(): Recipe(
        build,
        task="image",
        input_shape=(side, side, 3),
        classes=1000,
        free_channels=False,
        follows_size=False,
        source=f"keras.applications.{name}, weights=None",
    )
    for name, side in _SIDES.items()
}
