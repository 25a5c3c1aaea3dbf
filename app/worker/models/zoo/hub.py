"""Transformers of keras-hub, built from their published sizes without a download.

keras-hub is an extra: it brings tensorflow-text, tokenizers and kagglehub with it.
"""

from __future__ import annotations

from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.zoo.recipe import Recipe

_BERT_VOCABULARY = 30_522
_GPT2_VOCABULARY = 50_257
_BERT_LENGTH = 512
_GPT2_LENGTH = 1024


def build_bert(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """BERT base, uncased, with a classifier (Devlin et al. 2019)."""
    import keras

    hub = _keras_hub()
    _check_length(input_shape, _BERT_LENGTH, "BERT")
    backbone = hub.models.BertBackbone(
        vocabulary_size=_BERT_VOCABULARY,
        num_layers=12,
        num_heads=12,
        hidden_dim=768,
        intermediate_dim=3072,
        max_sequence_length=_BERT_LENGTH,
    )
    inputs = {key: keras.Input(input_shape, dtype="int32", name=key) for key in sorted(backbone.input)}
    x = backbone(inputs)["pooled_output"]
    x = keras.layers.Dropout(0.1)(x)
    x = keras.layers.Dense(classes, name="logits")(x)
    return keras.Model(list(inputs.values()), x, name=name)


def build_gpt2(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """GPT-2 with 124 million parameters and its language head (Radford et al. 2019); ``classes`` is not used."""
    import keras

    hub = _keras_hub()
    _check_length(input_shape, _GPT2_LENGTH, "GPT-2")
    backbone = hub.models.GPT2Backbone(
        vocabulary_size=_GPT2_VOCABULARY,
        num_layers=12,
        num_heads=12,
        hidden_dim=768,
        intermediate_dim=3072,
        max_sequence_length=_GPT2_LENGTH,
    )
    inputs = {key: keras.Input(input_shape, dtype="int32", name=key) for key in sorted(backbone.input)}
    x = backbone.token_embedding(backbone(inputs), reverse=True)
    return keras.Model(list(inputs.values()), x, name=name)


def build_vit_b16(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """ViT-B/16 with a classifier (Dosovitskiy et al. 2021)."""
    import keras

    hub = _keras_hub()
    backbone = hub.models.ViTBackbone(
        image_shape=input_shape, patch_size=16, num_layers=12, num_heads=12, hidden_dim=768, mlp_dim=3072
    )
    image = keras.Input(input_shape)
    x = backbone(image)
    x = keras.layers.Dense(classes, name="logits")(x[:, 0])
    return keras.Model(image, x, name=name)


def _keras_hub() -> Any:
    """The package, or a clear word."""
    try:
        import keras_hub
    except ModuleNotFoundError as error:
        raise BadModel(
            phrase("this model needs keras-hub, and {error} is not installed", error=error.name),
            hint=phrase('pip install "willittrain[hub]"'),
        ) from error
    return keras_hub


def _check_length(input_shape: tuple[int, ...], longest: int, name: str) -> None:
    """Refuse sequences that have no position embedding."""
    if input_shape[0] > longest:
        raise BadModel(
            phrase("the sequence is too long"),
            expected=phrase("{longest} tokens at most for {name}", longest=longest, name=name),
            received=str(input_shape[0]),
        )


RECIPES: dict[str, Recipe] = {
    "bert_base": Recipe(
        build_bert,
        task="text",
        input_shape=(128,),
        classes=2,
        vocabulary=_BERT_VOCABULARY,
        from_logits=True,
        source="keras-hub BertBackbone, Devlin et al. 2019, arXiv:1810.04805",
    ),
    "gpt2": Recipe(
        build_gpt2,
        task="language",
        input_shape=(256,),
        classes=_GPT2_VOCABULARY,
        vocabulary=_GPT2_VOCABULARY,
        from_logits=True,
        source=phrase("keras-hub GPT2Backbone with language head, Radford et al. 2019"),
    ),
    "vit_b16": Recipe(
        build_vit_b16,
        task="image",
        input_shape=(224, 224, 3),
        classes=1000,
        free_channels=False,
        follows_size=False,
        from_logits=True,
        source="keras-hub ViTBackbone, Dosovitskiy et al. 2021, arXiv:2010.11929",
    ),
}
