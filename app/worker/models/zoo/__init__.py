"""Builders of the catalog's networks.  No weights are downloaded; Keras is imported inside functions."""

from __future__ import annotations

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.zoo import applications, cases, hub, text, vision
from app.worker.models.zoo.recipe import Recipe


def recipes() -> dict[str, Recipe]:
    """All networks of the catalog by name."""
    return {**applications.RECIPES, **cases.RECIPES, **text.RECIPES, **vision.RECIPES, **hub.RECIPES}


def find_recipe(name: str) -> Recipe:
    """The recipe of a catalog network.

    Raises:
        BadModel: No network has this name.
    """
    found = recipes().get(name)
    if found is None:
        raise BadModel(phrase("unknown model"), expected=phrase("a name of `willittrain models`"), received=repr(name))
    return found
