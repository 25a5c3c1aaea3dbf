"""Everything of a run or an answer that is shown to others: words, two pictures, and a file for programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.core.types.text import Text
from app.presentation.language import ENGLISH, Language
from app.services.reports.report import blocks_markdown
from app.services.sharing.picture import answer_line, picture
from app.services.sharing.shared_run import ENDING, shared_document
from app.services.sharing.shown import Shown
from app.services.sharing.words import shown_blocks, title_of
from app.services.whole_write import cannot_write, write_export

Draw = Callable[[str], bytes]
"""Makes a PNG of an SVG."""
_UNUSUAL = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Share:
    """What is shown, in memory until somebody has seen it.

    Attributes:
        name: What the files begin with.
        title: What it is about.
        alternative: What the picture shows, in words.
        markdown: For an issue or a chat; names the light picture beside it.
        light: The picture as SVG.
        dark: Likewise.
        document: For programs, JSON.
        ending: Of the pictures: ``.png``, or ``.svg`` as they are here.
    """

    name: str
    title: str
    alternative: str
    markdown: str
    light: str
    dark: str
    document: bytes
    ending: str


def share(shown: Shown, language: Language = ENGLISH, ending: str = ".png") -> Share:
    """What of a run or an answer is shown, in a language; ``ending`` is that of the pictures (`Share`)."""
    name, title = _name(shown), language.say(title_of(shown))
    answer = answer_line(shown)
    alternative = f"{title}: {language.say(answer.text)}{language.say(answer.rest)}"
    body = blocks_markdown(title, shown_blocks(shown), language, picture=(alternative, f"{name}-light{ending}"))
    light, dark = picture(shown, "light", language.say), picture(shown, "dark", language.say)
    return Share(name, title, alternative, body, light, dark, shared_document(shown), ending)


def write_share(made: Share, folder: Path, draw: Draw) -> tuple[Path, ...]:
    """Write the files into a folder, which is made if it is not there.

    Args:
        made: What is shown.
        folder: Where to.
        draw: Makes a PNG where one is wanted, before anything is written.

    Raises:
        StoreError: They cannot be written.
    """
    drawings = {"light": made.light, "dark": made.dark}
    contents = {
        **{
            f"{made.name}-{theme}{made.ending}": draw(one) if made.ending == ".png" else one.encode()
            for theme, one in drawings.items()
        },
        f"{made.name}.md": made.markdown.encode(),
        f"{made.name}{ENDING}": made.document,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    for name, content in contents.items():
        write_export(folder / name, content, named_by_us=True)
    return tuple(folder / name for name in contents)


def _name(shown: Shown) -> str:
    """Model, batch and number of the run, as every system takes it for a file's name."""
    model = shown.run.workload.model.name
    plain = "own-model" if isinstance(model, Text) else _UNUSUAL.sub("-", model).strip("-")
    number = f"run-{shown.number}" if shown.measured else "estimate"
    return f"{plain}-batch-{shown.run.workload.plan.batch_size}-{number}"
