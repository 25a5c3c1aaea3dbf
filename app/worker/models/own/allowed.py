"""What a stranger's model file may be made of: decided by the object that is found, whatever the file calls it.

A configuration names classes and functions, and each version of Keras so far had a name that found something harmful:
``os.system`` (CVE-2025-1550), a helper that writes files as the function of a ``layers.Lambda`` (CVE-2025-8747), a
download as an activation.  So the finding is ours while such a file is built: it imports nothing that the file names,
and what it finds must be one of the layers, initializers, losses … that Keras or KerasHub itself defines.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from app.core.types.errors import BadModel, NeedsConsent
from app.core.types.text import phrase

PACKAGES = ("keras", "keras_hub")
KINDS = (
    "Operation",
    "Layer",
    "initializers.Initializer",
    "regularizers.Regularizer",
    "constraints.Constraint",
    "losses.Loss",
    "metrics.Metric",
    "optimizers.Optimizer",
    "optimizers.schedules.LearningRateSchedule",
    "quantizers.Quantizer",
    "quantizers.QuantizationConfig",
    "dtype_policies.DTypePolicy",
    "random.SeedGenerator",
)
"""Classes of Keras whose kind a file may be made of."""
FUNCTIONS = ("activations", "losses", "metrics", "ops", "ops.nn", "ops.numpy", "ops.linalg", "ops.image")
"""Modules of Keras whose functions compute and do nothing else, but for those that resolve names."""
HUB_ACTIVATION = ("keras_hub.src.utils.keras_utils", "gelu_approximate")
"""The one function that KerasHub's networks are saved with; it registers every public one, downloads among them."""
RESOLVERS = ("get", "serialize", "deserialize")
CODE = ("Lambda", "TFSMLayer", "TorchModuleWrapper", "JaxLayer", "FlaxLayer")
"""Layers that run or load code of the file's author."""
FILES = ("vocabulary", "merges", "proto", "special_tokens", "language_tokens")
"""Arguments of lookups and tokenizers that are a file's path if they are text
(keras/src/layers/preprocessing/index_lookup.py; keras_hub/src/tokenizers, whisper/whisper_tokenizer.py)."""
FLOOR = (3, 13, 2)
"""The first Keras without a published way around its own ``safe_mode`` in a configuration (CVE-2026-1462,
GHSA-4f3f-g24h-fr8m).  We rely on its reading of what surrounds the names."""


@contextlib.contextmanager
def only_keras() -> Iterator[None]:
    """While it lasts, Keras builds what `AllowList` allows and nothing else.

    Raises:
        BadModel: This Keras is too old to read a stranger's file; or, within, the file names something else.
    """
    import keras
    from keras.src.legacy.saving import serialization
    from keras.src.saving import serialization_lib
    from keras.src.utils import python_utils

    check_floor(keras.__version__)
    allowed = AllowList()
    old = serialization.class_and_config_for_serialized_keras_object
    hooks: list[tuple[Any, str, Callable[..., Any]]] = [
        (serialization_lib, "_retrieve_class_or_fn", allowed.retrieve),
        (serialization, "class_and_config_for_serialized_keras_object", allowed.of_keras_2(old)),
        (python_utils, "func_load", _no_code),
    ]
    theirs = [getattr(module, name) for module, name, _ in hooks]
    try:
        for module, name, ours in hooks:
            setattr(module, name, ours)
        yield
    except (BadModel, TypeError, ValueError) as error:
        if (refusal := _refusal_in(error)) is None:
            raise
        raise refusal from error  # Keras wraps what is raised inside it
    finally:
        for (module, name, _), original in zip(hooks, theirs, strict=True):
            setattr(module, name, original)


class AllowList:
    """Finds what a configuration names, among what is loaded, and lets pass what is Keras's own and harmless."""

    def __init__(self) -> None:
        import keras

        self._kinds = tuple(kind for name in KINDS if isinstance(kind := _public(keras, name), type))
        self._code = tuple(getattr(keras.layers, name) for name in CODE if hasattr(keras.layers, name))
        rooms = [vars(room) for name in FUNCTIONS if (room := _public(keras, name)) is not None]
        functions = (found for room in rooms for name, found in room.items() if name not in RESOLVERS)
        self._functions = {id(found) for found in functions if inspect.isfunction(found)}

    def permits(self, found: object) -> bool:
        """May a file be made of this, whoever wrote it?"""
        if isinstance(found, type):
            return _is_at_home(found) and issubclass(found, self._kinds) and not issubclass(found, self._code)
        home, name = HUB_ACTIVATION
        of_hub = getattr(sys.modules.get(home), name, None)
        return id(found) in self._functions or (of_hub is not None and found is of_hub)

    def retrieve(
        self,
        name: Any,
        registered_name: Any,
        module: Any,
        obj_type: str,
        full_config: dict[str, Any],
        custom_objects: dict[str, Any] | None = None,
    ) -> Any:
        """In place of keras/src/saving/serialization_lib.py, ``_retrieve_class_or_fn``: the same order, no imports.

        Raises:
            BadModel: Nothing of Keras's is found, or something that is not allowed.
        """
        found = _found(name, registered_name, module, obj_type == "function", custom_objects)
        self._check(found, name, module, full_config.get("config"))
        return found

    def of_keras_2(self, theirs: Callable[..., Any]) -> Callable[..., Any]:
        """The class behind a bare name, as files of Keras 2 have them, found by ``theirs`` and then looked at."""
        from keras.src.saving.object_registration import get_registered_object

        def class_and_config(
            config: Any, module_objects: Any = None, custom_objects: Any = None, *rest: Any, **named: Any
        ) -> Any:
            name = config["class_name"]
            found = get_registered_object(name, custom_objects, module_objects)
            self._check(found, name, None, config["config"])
            as_written = config["config"] if isinstance(config["config"], list) else dict(config["config"])
            kind, inside = theirs(config, module_objects, custom_objects, *rest, **named)
            for key, value in inside.items() if isinstance(inside, dict) else ():
                if inspect.isfunction(value) and not self.permits(value):
                    inside[key] = as_written[key]  # a text that happens to be the name of a function
            return kind, inside

        return class_and_config

    def _check(self, found: object, name: Any, module: Any, config: Any) -> None:
        """Refuse what is not allowed, and what would read another file."""
        if found is None:
            raise BadModel(
                phrase("the file needs {name}, which is no part of Keras", name=str(name)),
                expected=phrase("a model made of Keras layers only"),
                received=str(module),
                hint=phrase("the model has layers of its own: use file.py:function, where they are defined"),
            )
        if not self.permits(found):
            raise NeedsConsent(
                phrase("the file holds code ({name})", name=str(name)),
                expected=phrase("a model made of Keras layers only"),
                hint=phrase("allow it to run code only if you trust its author (--trust)"),
            )
        for argument in FILES if isinstance(config, dict) else ():
            if isinstance(config.get(argument), str):
                raise BadModel(
                    phrase("the layer {name} would read another file", name=str(name)),
                    received=config[argument],
                    hint=phrase("save the model with its vocabulary inside"),
                )


def _found(name: Any, registered_name: Any, module: Any, is_function: bool, custom: dict[str, Any] | None) -> Any:
    """What Keras would find, among what is loaded; None for nothing."""
    from keras.src.api_export import get_symbol_from_name
    from keras.src.saving.object_registration import get_registered_object
    from keras.src.saving.serialization_lib import BUILTIN_MODULES

    if not isinstance(module, str):
        module = ""
    if module.split(".")[0] == "keras_hub":
        with contextlib.suppress(ImportError):
            importlib.import_module("keras_hub")
    places = [get_registered_object(name if is_function else registered_name, custom_objects=custom)]
    if module.split(".")[0] in PACKAGES:
        places.append(get_symbol_from_name(f"{module}.{name}"))
        places.append(vars(sys.modules[module]).get(name) if module in sys.modules else None)
    if is_function and module == "builtins":
        places += [get_symbol_from_name(f"keras.{room}.{name}") for room in sorted(BUILTIN_MODULES)]
    return next((found for found in places if found is not None), None)


def _is_at_home(found: Any) -> bool:
    """Is it what Keras or KerasHub has at the place that it says it is from?"""
    home = found.__module__
    if not isinstance(home, str) or home.split(".")[0] not in PACKAGES:
        return False
    return getattr(sys.modules.get(home), found.__name__, None) is found


def _public(keras: Any, name: str) -> Any:
    """What the public interface has under a dotted name; None if this version has not."""
    for part in name.split("."):
        keras = getattr(keras, part, None)
    return keras


def _no_code(*_arguments: Any, **_named: Any) -> Any:
    """In place of what turns text into code."""
    raise NeedsConsent(
        phrase("the file holds code ({name})", name="lambda"),
        expected=phrase("a model made of Keras layers only"),
        hint=phrase("allow it to run code only if you trust its author (--trust)"),
    )


def check_floor(version: str) -> None:
    """Refuse a Keras that is too old.

    Raises:
        NeedsConsent: It is older than `FLOOR`.
    """
    if tuple(map(int, re.findall(r"\d+", version)[:3])) < FLOOR:
        floor = ".".join(map(str, FLOOR))
        raise NeedsConsent(
            phrase("this Keras is too old to open a file of somebody else"),
            expected=phrase("Keras {floor} or newer, or your consent for this file", floor=floor),
            received=phrase("Keras {version}", version=version),
            hint=phrase("bring Keras up to date, or allow the file only if you trust its author (--trust)"),
        )


def _refusal_in(error: BaseException) -> BadModel | None:
    """Our own refusal, the first one, among an error and those behind it."""
    found = None
    behind: BaseException | None = error
    while behind is not None:
        found = behind if isinstance(behind, BadModel) else found
        behind = behind.__cause__ or behind.__context__
    return found
