"""The command line: one command a stage."""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import Annotated

import typer

from polyseme.cli.agreement import agreement
from polyseme.cli.annotate import annotate
from polyseme.cli.compare import compare
from polyseme.cli.data import data
from polyseme.cli.demo import demo
from polyseme.cli.disambiguate import disambiguate
from polyseme.cli.explore import explore
from polyseme.cli.gold import gold
from polyseme.cli.index import index
from polyseme.cli.induce import induce
from polyseme.cli.kwic import kwic
from polyseme.cli.label import label
from polyseme.cli.map import map_senses
from polyseme.cli.parts import parts
from polyseme.cli.report import report
from polyseme.cli.reproduce import reproduce
from polyseme.cli.run import run
from polyseme.cli.score import score
from polyseme.cli.senses import senses
from polyseme.cli.similar import similar
from polyseme.cli.substitutes import substitutes
from polyseme.errors import InputWarning, PolysemeError

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None, add_completion=False)
app.add_typer(score, name="score")
app.add_typer(data, name="data")
app.add_typer(annotate, name="annotate")
app.add_typer(report, name="report")
app.command()(index)
app.command()(explore)
app.command()(kwic)
app.command()(induce)
app.command()(senses)
app.command()(label)
app.command()(disambiguate)
app.command()(similar)
app.command()(substitutes)
app.command("map")(map_senses)
app.command()(gold)
app.command()(run)
app.command()(compare)
app.command()(agreement)
app.command()(reproduce)
app.command()(parts)
app.command()(demo)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"polyseme {version('polyseme')}")
        raise typer.Exit


@app.callback()
def polyseme(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Graded word senses: induce them from text, label usages, score labellings, reproduce published figures."""


def _say(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as one line on stderr."""
    print(f"warning: {message}", file=sys.stderr)


def main() -> None:
    """Run a command; what the user can mend is said on one line of stderr and ends with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an old terminal shows '?' where it knows no '─'
    warnings.showwarning = _say
    warnings.simplefilter("always", InputWarning)
    try:
        app()
    except PolysemeError as error:
        print(f"polyseme: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone (as with `| head`): nothing is left to be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        print(f"polyseme: the output cannot be written: {error.strerror}", file=sys.stderr)
        os._exit(2)  # not sys.exit: Python would try once more to write what is left, and complain
