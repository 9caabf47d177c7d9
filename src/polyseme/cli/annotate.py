"""``polyseme annotate``: studies in which people judge usages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.annotate_exchange import export, import_, token
from polyseme.cli.annotate_serve import StoreOption, serve
from polyseme.cli.output import JsonOption
from polyseme.errors import InputError, MissingExtra, count_noun

if TYPE_CHECKING:
    from polyseme.studio.study.checks import StudyOutline
    from polyseme.studio.study.settings import Study

annotate = typer.Typer(no_args_is_help=True, help="Let people judge usages in the browser: write a study, serve it.")
annotate.command()(serve)
annotate.command()(export)
annotate.command("import")(import_)
annotate.command()(token)

StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help="A study, as `polyseme annotate new` writes it.")]


@contextmanager
def require_annotate_extra() -> Iterator[None]:
    """Where a library of the extra is not installed, say how it is."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] == "polyseme":
            raise
        raise MissingExtra("annotate", error.name) from None


@annotate.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="The file to write.")] = Path("study.toml"),
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing: write the answers that are offered.")
    ] = False,
) -> None:
    """Ask what a study needs, and write it, with instructions beside it to be edited."""
    from polyseme.formats.files import write_text
    from polyseme.studio.study.checks import check_study as checked
    from polyseme.studio.study.questionnaire import INSTRUCTIONS, ask_questions, format_study_toml
    from polyseme.studio.study.settings import read_study

    instructions = file.with_name("instructions.md")
    if file.exists():
        raise InputError("there is a file already; name another, or move it away", path=file)
    if not file.parent.is_dir():
        raise InputError("there is no such folder; make it first", path=file.parent)

    def ask(question: str, default: str) -> str:
        return default if defaults else str(typer.prompt(question, default=default, show_default=bool(default)))

    source = format_study_toml(ask_questions(ask, lambda problem: typer.echo(problem, err=True)))
    if not instructions.exists():
        write_text(instructions, INSTRUCTIONS)
    write_text(file, source)
    study = read_study(file)
    _say(file, study, *checked(study))
    typer.echo(f"{file} and {instructions} are written. Edit them, and then type: polyseme annotate check {file}")


@annotate.command()
def check(file: StudyArgument, as_json: JsonOption = False) -> None:
    """Say what is wrong with a study, and end with exit code 2; or if nothing is, what it amounts to."""
    import json

    from polyseme.studio.study.checks import check_study as checked
    from polyseme.studio.study.settings import read_study

    problems, outline = checked(study := read_study(file))
    if as_json:
        typer.echo(json.dumps(_json(problems, outline), ensure_ascii=False, indent=2))
    else:
        _say(file, study, problems, outline)
    raise typer.Exit(2 if problems else 0)


def _say(file: Path, study: Study, problems: list[str], outline: StudyOutline | None) -> None:
    if outline is not None:
        typer.echo("\n".join(_lines(study, outline)))
        return
    typer.echo(f"{file}: {count_noun(len(problems), 'problem')}", err=True)
    typer.echo("\n".join(f"- {problem}" for problem in problems), err=True)


def _json(problems: list[str], outline: StudyOutline | None) -> dict[str, Any]:
    from dataclasses import asdict

    return {"problems": problems, **(asdict(outline) if outline else {})}


def _lines(study: Study, outline: StudyOutline) -> Iterator[str]:
    """What a study amounts to, in words."""
    yield f"{study.title}: nothing is wrong with it."
    yield f"It shows {count_noun(outline.usages, 'usage')} of {count_noun(outline.lemmas, 'lemma')}:"
    for each in outline.tasks:
        yield f"- {each.task}: {count_noun(each.pages, 'page')}, {count_noun(each.judgements, 'judgement')} each time"
    hidden = {"training": outline.training, "control": outline.controls}
    yield from (f"- {count_noun(count, f'{name} page')}" for name, count in hidden.items() if count)
    for group, amount in outline.groups.items():
        who = f"An annotator of group {group}" if len(outline.groups) > 1 else "An annotator"
        most = "up to " if study.overlap.design == "per item" and not study.annotators else ""
        judged = f"{count_noun(amount.pages, 'page')}, {count_noun(amount.judgements, 'judgement')}"
        yield f"{who} sees {most}{judged}: some {_hours(amount.hours)}."
    if any(each.items.pairs == "triangle" for each in study.rounds):
        yield "Pairs that others imply are left out, so that there will be fewer."


def _hours(hours: float) -> str:
    return f"{hours:.1f} hours" if hours >= 1 else f"{max(1, round(hours * 60))} minutes"


@annotate.command()
def invite(
    file: StudyArgument,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Who takes part.")],
    group: Annotated[str, typer.Option(help="Their group; the smallest, if this is left out.")] = "",
    manager: Annotated[bool, typer.Option("--manager", help="They manage the study, and do not annotate.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="A new link for those who are there; the old one ends.")
    ] = False,
    address: Annotated[
        str, typer.Option(metavar="URL", help="How browsers reach the studio: https://….")
    ] = "http://127.0.0.1:8000",
    store: StoreOption = "",
    as_json: JsonOption = False,
) -> None:
    """Add people to a study, and print their personal links, which are shown this once."""
    import json

    with require_annotate_extra():
        from polyseme.studio.store.accounts import Accounts
        from polyseme.studio.store.startup import start_study

        opened = start_study(file, store)
    try:
        kind = "manager" if manager else "annotator"
        links = {}
        for name in names:
            token = (
                Accounts(opened).invite(name)
                if again
                else opened.add_annotator(name, group="" if manager else group, kind=kind)
            )
            links[name] = f"{address.rstrip('/')}/invitation/{token}"
            if not as_json:
                typer.echo(f"{name}: {links[name]}")
    finally:
        opened.close()
    if as_json:
        typer.echo(json.dumps(links, ensure_ascii=False, indent=2))
