"""``polyseme annotate``: studies in which annotators judge usages."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.annotate_exchange import create_token, export_study, import_study
from polyseme.cli.annotate_serve import DEFAULT_ADDRESS, StoreOption, serve_study
from polyseme.cli.help import CommandGroup, input_option, server_option
from polyseme.cli.output import JsonOption, require_extra
from polyseme.errors import InputError

annotate_commands = CommandGroup(
    "Run an annotation study: annotators judge usages in the browser.", no_args_is_help=True
)

StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help="The study file.")]


@annotate_commands.command("new")
def write_study(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="The study file to write.")] = Path("study.toml"),
    defaults: Annotated[bool, input_option("--defaults", help="Use the defaults without asking.")] = False,
) -> None:
    """Ask for the settings of a new study, and write its file.

    Examples:
        polyseme annotate new my-study.toml --defaults

    Without --defaults, the command asks for each setting. It also writes instructions.md, the instructions for the
    annotators. You can edit both files.
    """
    from polyseme.formats.files import write_text
    from polyseme.interface.studies import check_study
    from polyseme.studio.study.questionnaire import INSTRUCTIONS, ask_questions, format_study_toml

    instructions = file.with_name("instructions.md")
    if file.exists():
        raise InputError("this file exists already; choose a new name", path=file)
    if not file.parent.is_dir():
        raise InputError("there is no such folder; create it first", path=file.parent)

    def ask(question: str, default: str) -> str:
        return default if defaults else str(typer.prompt(question, default=default, show_default=bool(default)))

    source = format_study_toml(ask_questions(ask, lambda problem: typer.echo(problem, err=True)))
    if not instructions.exists():
        write_text(instructions, INSTRUCTIONS)
    write_text(file, source)
    check = check_study(file)
    typer.echo(check, err=bool(check.problems))
    typer.echo(f"Written: {file} and {instructions}. Edit them, and then type: polyseme annotate check {file}")


@annotate_commands.command("check")
def check_study_file(file: StudyArgument, as_json: JsonOption = False) -> None:
    """Check a study, and estimate the work.

    Examples:
        polyseme annotate check study.toml

    If the study has problems, they are printed on stderr, and the exit code is 2.
    """
    from polyseme.interface.studies import check_study

    check = check_study(file)
    if as_json:
        typer.echo(json.dumps(check.to_dict(), ensure_ascii=False, indent=2))
    else:
        typer.echo(check, err=bool(check.problems))
    raise typer.Exit(2 if check.problems else 0)


annotate_commands.command("serve")(serve_study)


@annotate_commands.command("invite")
def invite_annotators(
    file: StudyArgument,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="The names of the annotators.")],
    group: Annotated[str, input_option(help="The group of the annotators. Default: the smallest.")] = "",
    manager: Annotated[bool, input_option("--manager", help="Add managers instead of annotators.")] = False,
    again: Annotated[bool, input_option("--again", help="Make a new link; the old one stops working.")] = False,
    address: Annotated[
        str,
        server_option(metavar="URL", help="The address of the studio. Default: the address of the last start."),
    ] = "",
    store: StoreOption = "",
    as_json: JsonOption = False,
) -> None:
    """Add annotators to a study, and print their personal links.

    Examples:
        polyseme annotate invite study.toml dora emil
        polyseme annotate invite study.toml dora --again

    Each link is shown only once.
    """
    with require_extra("annotate"):
        from polyseme.studio.store.accounts import Accounts
        from polyseme.studio.store.served_address import find_address
        from polyseme.studio.store.startup import start_study

        opened = start_study(file, store)
    kind, links = "manager" if manager else "annotator", {}
    with closing(opened):
        studio = (address or find_address(opened) or DEFAULT_ADDRESS).rstrip("/")
        for name in names:
            if again:
                token = Accounts(opened).invite(name)
            else:
                token = opened.add_annotator(name, group="" if manager else group, kind=kind)
            links[name] = f"{studio}/invitation/{token}"
            if not as_json:
                typer.echo(f"{name}: {links[name]}")
    if as_json:
        typer.echo(json.dumps(links, ensure_ascii=False, indent=2))


annotate_commands.command("export")(export_study)
annotate_commands.command("import")(import_study)
annotate_commands.command("token")(create_token)
