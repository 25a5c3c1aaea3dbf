"""The frameworks below Keras 3, and what of a plan each of them cannot obey.

An estimate is made from TensorFlow's traced step.  What it is worth for another backend stands in
`app.core.predict.other_backends`; what a run measures there, in `app.worker.backends`.
"""

from __future__ import annotations

from typing import Literal

from app.core.types.text import Text, phrase

Backend = Literal["tensorflow", "jax", "torch"]

BACKENDS: tuple[Backend, ...] = ("tensorflow", "jax", "torch")
TITLES: dict[str, str] = {"tensorflow": "TensorFlow", "jax": "JAX", "torch": "PyTorch"}

JAX_MEMORY_FRACTION = 0.75
"""JAX's allocator takes at most this share of a card, at once unless ``XLA_PYTHON_CLIENT_PREALLOCATE=false``
(docs.jax.dev, "GPU memory allocation")."""


def why_impossible(
    backend: str, *, data: str = "pipeline", cache: str = "none", threads: int | None = None, mode: str = "train"
) -> tuple[Text, Text] | None:
    """Why a backend cannot obey a plan, and what to do; None if it can.

    Args:
        backend: One of `BACKENDS`.
        data: How ``fit`` gets the data.  Only with TensorFlow does Keras keep an array of all data on the device;
            elsewhere it slices the array on the host (keras/src/trainers/data_adapters/array_data_adapter.py).
        cache: Where decoded samples are kept; on disk that is ``tf.data``'s own format.
        threads: Threads of the host.
        mode: What is done with the model.
    """
    if backend == "tensorflow":
        return None
    name = TITLES[backend]
    if data == "array":
        return phrase("with {name} Keras does not keep the data as one array on the device", name=name), phrase(
            "leave out --data array"
        )
    if cache == "disk":
        return phrase("decoded samples are cached on disk by TensorFlow, not with {name}", name=name), phrase(
            "use --cache none or ram"
        )
    if cache == "encoded":
        return phrase("encoded files are cached by TensorFlow's pipeline, not with {name}", name=name), phrase(
            "use --cache none or ram"
        )
    if mode == "evaluate":
        return phrase("an evaluation is followed with TensorFlow only, not with {name}", name=name), phrase(
            "use --mode train or inference"
        )
    if threads is not None:
        return phrase("the number of threads is set for TensorFlow only, not for {name}", name=name), phrase(
            "leave out --threads"
        )
    return None
