"""``willittrain runtime``: which Python trains; choose one, or let one be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from app.core.types.text import phrase, verbatim
from app.presentation.layout import BLANK, Block, Line, Table

if TYPE_CHECKING:
    from app.services.runtimes.find import Runtime
    from app.services.settings import Settings

NONE_CAN = (
    phrase(
        "None of them can train. `willittrain runtime create` makes one (it downloads about 700 MB, with CUDA 3 GB),"
    ),
    phrase("or install TensorFlow into one of them: PYTHON -m pip install tensorflow"),
)
"""Estimates of networks of the catalog need none."""
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]

runtime = typer.Typer(
    help="Which Python trains: list what there is, use one, or create one.",
    invoke_without_command=True,
    no_args_is_help=False,
    rich_markup_mode=None,
)


@runtime.callback()
def which_trains(context: typer.Context, json: JsonFlag = False) -> None:
    """Which Python trains: list what there is, use one, or create one."""
    if context.invoked_subcommand is None:
        list_runtimes(json)


@runtime.command("list")
def list_runtimes(json: JsonFlag = False) -> None:
    """Show the Pythons on this machine and the frameworks in each."""
    from app.services.runtimes.find import find_runtimes
    from app.services.settings import Settings

    found = find_runtimes(Settings.load())
    if json:
        from app.cli.output import print_json

        print_json({"schema": 1, "runtimes": [_row(one) for one in found]})
    else:
        from app.cli.text import show

        show(*runtime_blocks(found))


def runtime_blocks(found: tuple[Runtime, ...]) -> tuple[Block, ...]:
    """The Pythons, the one in use first, and what to do if none can train."""
    rows = []
    for one in found:
        names = [f"{name} {version}".strip() for name, version in one.packages if name != "numpy"]
        words = ", ".join(names) if one.backends else (one.lacks or "")
        rows.append(("▶" if one.in_use else "", one.python_version, words, one.origin, one.path))
    columns = ("", "Python", phrase("Frameworks"), phrase("Found"), phrase("Path"))
    table = Table(columns, tuple(rows))
    if not any(one.backends for one in found):
        return (table, BLANK, *map(Line, NONE_CAN))
    used = next((one for one in found if one.in_use), None)
    if used is None or not used.backends:
        return (table, BLANK, Line(phrase("`willittrain runtime use PATH` chooses the one that trains.")))
    return (table,)


@runtime.command()
def use(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A Python, its environment's folder, or `own` for this program's own.")
    ],
) -> None:
    """Train with this Python from now on; --python of a command still counts for more."""
    from app.services.runtimes.find import checked_runtime
    from app.services.settings import Settings

    chosen = None if path == "own" else checked_runtime(path).path
    _choose(Settings.load(), chosen)


@runtime.command()
def create(
    cuda: Annotated[
        bool | None, typer.Option("--cuda/--no-cuda", help="With NVIDIA's libraries; else if a driver is there.")
    ] = None,
    hub: Annotated[bool, typer.Option("--hub", help="With keras-hub, for its models of the catalog.")] = False,
) -> None:
    """Make a Python environment with TensorFlow in the user's data folder and train with it from now on."""
    from app.cli.session import live, tell
    from app.core.types.messages import Progress
    from app.core.types.units import format_bytes
    from app.probes.machine import read_machine
    from app.services.runtimes.make import make_and_ask
    from app.services.runtimes.recipe import extras_for, plan_runtime
    from app.services.settings import Settings

    settings = Settings.load()
    driver = read_machine().nvidia_driver if cuda is None else "wanted" if cuda else None
    recipe = plan_runtime(settings, extras_for(driver, hub=hub))
    tell(
        phrase(
            "Making {folder} with {packages}: about {size} to fetch …",
            folder=recipe.folder,
            packages=", ".join(recipe.requirements),
            size=format_bytes(recipe.fetched_bytes),
        )
    )
    with live(phrase("making the environment")) as state:
        made = make_and_ask(
            recipe, lambda share, words: state.on_event(Progress(share or 0.0, verbatim(words))), state.cancel
        )
    _choose(settings, str(made))


def _choose(settings: Settings, path: str | None) -> None:
    """Remember the choice and say so."""
    from dataclasses import replace

    from app.cli.text import show_lines

    replace(settings, interpreter=path).save(settings)
    show_lines(phrase("From now on {python} trains.", python=path or phrase("this program’s own Python")))


def _row(found: Runtime) -> dict[str, object]:
    """One Python as JSON."""
    return {
        "path": found.path,
        "origin": found.origin,
        "in_use": found.in_use,
        "python_version": found.python_version,
        "packages": dict(found.packages),
        "backends": list(found.backends),
        "lacks": found.lacks,
    }
