"""What a model from a file or a function eats: shapes of its inputs, its targets, and a loss if it names none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase, verbatim
from app.worker.models.built import BuiltModel, InputSpec, Wishes, input_of, one_line, words
from app.worker.models.input_sizes import Input, declared, resized, resized_shape, told
from app.worker.models.limits import check_shape
from app.worker.models.own.first_call import input_structure
from app.worker.models.own.own_step import batch_of_step, check_compiled, has_own_call, has_own_step, own_loss
from app.worker.models.own.targets import DEFAULT_LENGTH, assumed_loss, targets_of

DEFAULT_SIDE = 224


def describe(
    model: Any, *, loss: Any, wishes: Wishes, assumptions: list[str], source: str, example: Any = None
) -> BuiltModel:
    """Find out what batches of ``model`` look like; build it symbolically if it is not built.

    Args:
        model: A Keras model of any kind.
        loss: What ``compile`` takes, or None: then one is assumed from the output.
        wishes: The user's shape is that of the first input; the data fills what the model leaves open.
        assumptions: Grows by what was assumed.
        source: Where the model comes from, in words.
        example: One batch of the user's own, as ``fit`` would hand it to the step; it decides then.

    Raises:
        BadModel: The shapes cannot be known or do not suit the model.
    """
    own_step = has_own_step(model)
    if own_step:
        check_compiled(model)
    if example is None:
        inputs = _inputs(model, wishes, assumptions)
        given = _packed(input_structure(model), inputs)
    else:
        given = _specs_of_arrays(input_of(example))
        inputs = tuple(_flat(given))
        _check_example(inputs, wishes)
    outputs = _outputs(model, given, may_fail=own_step)
    loss = loss or (own_loss(model) if own_step else None)
    if loss is None and not (own_step and (model.compiled or not _flat(outputs))):
        loss = assumed_loss(model, _flat(outputs), wishes.data_classes, assumptions)
    if example is not None:
        batch = _specs_of_arrays(example)
    elif own_step:
        batch = batch_of_step(model, given, outputs, loss, wishes, assumptions)
    else:
        batch = given, targets_of(model, loss, outputs)
    leaves = _flat(batch)
    built = BuiltModel(model, loss, inputs, tuple(leaves[len(inputs) :]), tuple(assumptions), source, batch=batch)
    if example is not None:
        arrays = _flat(example)
        built = replace(built, example=(arrays[: len(inputs)], arrays[len(inputs) :]))
    return built


def _flat(structure: Any) -> list[Any]:
    """The leaves of nested inputs, in Keras's order."""
    import keras

    leaves: list[Any] = keras.tree.flatten(structure)
    return leaves


def _packed(structure: Any, inputs: tuple[InputSpec, ...]) -> Any:
    """Specifications in the structure in which the model takes its inputs; a single one without its list."""
    import keras

    if len(inputs) == 1 and not isinstance(structure, dict):
        return inputs[0]
    return keras.tree.pack_sequence_as(structure, inputs)


def _specs_of_arrays(structure: Any) -> Any:
    """Shapes and types of the arrays of a batch."""
    import keras

    return keras.tree.map_structure(_spec_of_array, structure)


def _spec_of_array(array: Any) -> InputSpec:
    """Shape and type of one array of a batch."""
    import numpy as np

    values = np.asarray(array)
    if values.ndim == 0 or values.size == 0:
        raise BadModel(
            phrase("the batch that the function returns is empty"),
            expected=phrase("arrays with the batch as first axis"),
        )
    whole = np.issubdtype(values.dtype, np.integer)
    dtype = "string" if values.dtype.kind in "OSU" else str(values.dtype)
    return InputSpec(values.shape[1:], dtype, high=int(values.max()) + 1 if whole else None)


def _check_example(inputs: tuple[InputSpec, ...], wishes: Wishes) -> None:
    """Refuse a batch of the user's own that has another size than the plan asks for."""
    have = [spec.shape for spec in inputs]
    wanted = resized([Input(spec.shape, spec.dtype, spec.name) for spec in inputs], wishes)
    if wanted != have:
        raise BadModel(
            phrase("the batch that the function returns fixes the input size"),
            expected=", ".join(map(words, wanted)),
            received=", ".join(map(words, have)),
            hint=phrase("let the function take input_shape, sequence_length or image_size"),
        )


def _inputs(model: Any, wishes: Wishes, assumptions: list[str]) -> tuple[InputSpec, ...]:
    """Specifications of all inputs, every dimension known."""
    structure = input_structure(model)
    tensors = _flat(structure)
    given, data = wishes.input_shape, wishes.data_shape
    if tensors[0] is None:
        shape = given or (data if data and None not in data else None) or _largest_of_parts(model, assumptions)
        if shape is None:
            raise BadModel(
                phrase("the model does not say what its input looks like"),
                expected=phrase("an input shape"),
                received=type(model).__name__,
                hint=phrase("add --input-shape, for example 224x224x3, or --dataset my_data.py:function"),
            )
        shape = resized_shape(tuple(n for n in shape if n is not None), wishes)
        assumptions.append(phrase("input {words}", words=words(shape)))
        return (InputSpec(shape, "float32"),)
    specs, assumed = [], dict[int, list[str]]()
    free = declared(structure)
    if given is not None and not getattr(model, "inputs", None):
        free[0] = free[0]._replace(shape=given)  # one call says what the model takes, not that it takes nothing else
    shapes = resized(free, wishes)
    assumptions += told([one.shape for one in free], shapes)
    for index, (tensor, shape, one) in enumerate(zip(tensors, shapes, free, strict=True)):
        wish = given if index == 0 else None
        known = _close(shape, wish, data if index == 0 else None, assumptions)
        if len(known) < 3 and known != shape and wish is None:
            assumed.setdefault(known[0], []).append(one.name)
        high = _vocabulary(model, tensor) if "int" in one.dtype else None
        specs.append(InputSpec(known, one.dtype, high=high, name=str(tensor.name)))
    assumptions += [_assumed_length(length, names if len(free) > 1 else ()) for length, names in assumed.items()]
    return tuple(specs)


def _assumed_length(length: int, names: Sequence[str]) -> str:
    """What an author left open, and how it is said."""
    if not names:
        return phrase("sequence length {found}", found=length)
    how = ",".join(f"{name}=N" for name in names)
    return phrase(
        "sequence length {found} of {names}, which their author left open (--sequence-length {how})",
        found=length,
        names=", ".join(names),
        how=how,
    )


def _largest_of_parts(model: Any, assumptions: list[str]) -> tuple[int, ...] | None:
    """What a model that only trains others is most likely given: the largest that one of them takes."""
    parts = [part for part in model._flatten_layers(include_self=False) if getattr(part, "inputs", None)]
    shapes = [tuple(tensor.shape[1:]) for part in parts for tensor in part.inputs]
    known = [shape for shape in shapes if None not in shape]
    if not known or not has_own_step(model):
        return None
    assumptions.append(phrase("the model trains others: a batch is what the largest of their inputs takes"))
    return max(known, key=math.prod)


def _close(
    shape: tuple[int | None, ...],
    given: tuple[int, ...] | None,
    data: tuple[int | None, ...] | None,
    assumptions: list[str],
) -> tuple[int, ...]:
    """Fill open dimensions from the user, the data, or by custom."""
    if not shape:
        return ()  # one value for each sample
    if given is not None:
        fits = len(given) == len(shape) and all(have in (None, want) for have, want in zip(shape, given, strict=True))
        if not fits:
            raise BadModel(
                phrase("the input shape does not suit the model"), expected=words(shape), received=words(given)
            )
        return check_shape(given)
    if data is not None and len(data) != len(shape):
        data = (*data, 1) if len(data) == 2 and len(shape) == 3 else None
    custom = (DEFAULT_SIDE, DEFAULT_SIDE, 3) if len(shape) == 3 else (DEFAULT_LENGTH,) * len(shape)
    found = tuple(have or ((data[i] if data is not None else None) or custom[i]) for i, have in enumerate(shape))
    if found != shape and len(found) >= 3:
        assumptions.append(phrase("input {words}", words=words(found)))
    if data is not None and len(found) == 3 and tuple(data) != found:
        assumptions.append(phrase("images resized to {words}", words=words(found)))
    return check_shape(found)


def _vocabulary(model: Any, tensor: Any) -> int:
    """Number of tokens that an input of whole numbers may hold: that of the smallest embedding, else 2."""
    import keras

    sizes = [layer.input_dim for layer in model._flatten_layers() if isinstance(layer, keras.layers.Embedding)]
    return min(sizes) if sizes and "mask" not in str(tensor.name) else 2


def _outputs(model: Any, given: Any, *, may_fail: bool) -> Any:
    """Symbolic outputs, as the model gives them; builds it if need be.

    Args:
        model: A Keras model.
        given: Specifications of its inputs, as it takes them.
        may_fail: It is trained by a step of its own, which may call it otherwise or not at all.
    """
    import keras

    if may_fail and not has_own_call(model):
        return []
    try:
        return model(keras.tree.map_structure(lambda spec: keras.Input(spec.shape, dtype=spec.dtype), given))
    except (ValueError, TypeError) as error:
        if may_fail:
            return []
        shapes = ", ".join(words(spec.shape) for spec in _flat(given))
        raise BadModel(
            phrase("the model does not accept this input"), received=shapes, hint=verbatim(one_line(error))
        ) from error
