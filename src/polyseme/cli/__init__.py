"""The command line: one command per stage."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from typing import Annotated, Any

import typer

from polyseme.cli.agreement import agreement_command
from polyseme.cli.annotate import annotate_commands
from polyseme.cli.compare import compare_command
from polyseme.cli.data import data_commands
from polyseme.cli.demo import demo_command
from polyseme.cli.disambiguate import disambiguate_command
from polyseme.cli.explore import explore_command
from polyseme.cli.gold import gold_command
from polyseme.cli.help import CommandGroup
from polyseme.cli.index import index_command
from polyseme.cli.induce import induce_command
from polyseme.cli.kwic import kwic_command
from polyseme.cli.label import label_command
from polyseme.cli.map import map_command
from polyseme.cli.parts import parts_command
from polyseme.cli.report import report_commands
from polyseme.cli.reproduce import reproduce_command
from polyseme.cli.run import run_command
from polyseme.cli.score import score_commands
from polyseme.cli.senses import senses_command
from polyseme.cli.similar import similar_command
from polyseme.cli.substitutes import substitutes_command
from polyseme.errors import InputWarning, PolysemeError

IS_WINDOWS = os.name == "nt"

TEXTS, SYSTEMS, ANNOTATIONS = "I have texts", "I evaluate systems", "I run annotations"
"""What people come for; the help lists commands by these."""
EVERYONE = "For everyone"

COMMANDS: dict[str, dict[str, Any]] = {
    TEXTS: {
        "index": index_command,
        "kwic": kwic_command,
        "induce": induce_command,
        "senses": senses_command,
        "label": label_command,
        "explore": explore_command,
        "disambiguate": disambiguate_command,
        "substitutes": substitutes_command,
        "similar": similar_command,
    },
    SYSTEMS: {
        "score": score_commands,
        "compare": compare_command,
        "map": map_command,
        "run": run_command,
        "reproduce": reproduce_command,
        "data": data_commands,
    },
    ANNOTATIONS: {"annotate": annotate_commands, "agreement": agreement_command, "gold": gold_command},
    EVERYONE: {"demo": demo_command, "report": report_commands, "parts": parts_command},
}
"""The commands of each door, by name."""


def _create_app() -> CommandGroup:
    group = CommandGroup(pretty_exceptions_enable=False)
    for door, commands in COMMANDS.items():
        for name, command in commands.items():
            if isinstance(command, typer.Typer):
                group.add_typer(command, name=name, rich_help_panel=door)
            else:
                group.command(name, rich_help_panel=door)(command)
    return group


app = _create_app()


def _print_version(requested: bool) -> None:
    if requested:
        from polyseme import __version__

        typer.echo(f"polyseme {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def polyseme(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Find, label and evaluate the senses of words in context; a usage can have several senses, each with a weight.

    Type `polyseme COMMAND --help` for examples and options, or begin with `polyseme demo`.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line on stderr."""
    print(f"warning: {message}", file=sys.stderr)


def _prepare_stream(stream: io.TextIOWrapper) -> None:
    """Read and write UTF-8 in the pipes and files of Windows; an old terminal shows '?' where it has no '─'."""
    if IS_WINDOWS and not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
        stream.reconfigure(encoding="utf-8")
    if stream.writable():
        stream.reconfigure(errors="replace")


def main() -> None:
    """Run a command; an error that the user can correct is one line on stderr, with exit code 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            _prepare_stream(stream)
    warnings.showwarning = _print_warning
    warnings.simplefilter("always", InputWarning)
    try:
        app(prog_name="polyseme")
    except PolysemeError as error:
        print(f"polyseme: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        if isinstance(error, BrokenPipeError) or (IS_WINDOWS and error.errno == errno.EINVAL):
            # The reader of the output has gone, as with `| head`.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        if error.filename is not None:
            print(f"polyseme: {error.filename}: {error.strerror}; check this file or folder", file=sys.stderr)
            sys.exit(2)
        print(f"polyseme: the output cannot be written: {error.strerror}", file=sys.stderr)
        os._exit(2)  # not sys.exit: Python would try once more to write the rest, and complain
