"""The command line: one command a stage."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from typing import Annotated

import typer

from polyseme.cli.agreement import agreement_command
from polyseme.cli.annotate import annotate_commands
from polyseme.cli.compare import compare_command
from polyseme.cli.data import data_commands
from polyseme.cli.demo import demo_command
from polyseme.cli.disambiguate import disambiguate_command
from polyseme.cli.explore import explore_command
from polyseme.cli.gold import gold_command
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

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None, add_completion=False)
app.add_typer(score_commands, name="score")
app.add_typer(data_commands, name="data")
app.add_typer(annotate_commands, name="annotate")
app.add_typer(report_commands, name="report")
app.command("index")(index_command)
app.command("explore")(explore_command)
app.command("kwic")(kwic_command)
app.command("induce")(induce_command)
app.command("senses")(senses_command)
app.command("label")(label_command)
app.command("disambiguate")(disambiguate_command)
app.command("similar")(similar_command)
app.command("substitutes")(substitutes_command)
app.command("map")(map_command)
app.command("gold")(gold_command)
app.command("run")(run_command)
app.command("compare")(compare_command)
app.command("agreement")(agreement_command)
app.command("reproduce")(reproduce_command)
app.command("parts")(parts_command)
app.command("demo")(demo_command)


def _print_version(requested: bool) -> None:
    if requested:
        from polyseme import __version__

        typer.echo(f"polyseme {__version__}")
        raise typer.Exit


@app.callback()
def polyseme(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Graded word senses: induce them from text, label usages, score labellings, reproduce published figures."""


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
