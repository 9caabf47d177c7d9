"""Help texts: what a command does in a line, examples that can be pasted, then arguments and options by group.

The docstring of a command has the same order: a summary, an ``Examples:`` block, and paragraphs with the details.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

Function = TypeVar("Function", bound=Callable[..., Any])

EXAMPLES = "Examples:"
ARGUMENTS, OPTIONS = "Arguments", "Options"
GROUPS = (
    *(ARGUMENTS, "Input", "Model", "Rule", "Clusters of usages", "Scores", "Statistics"),
    *("Training", "Server", "Output", "Resources", OPTIONS),
)
"""The groups of options, in the order of the help."""

input_option = partial(typer.Option, rich_help_panel="Input")
model_option = partial(typer.Option, rich_help_panel="Model")
rule_option = partial(typer.Option, rich_help_panel="Rule")
cluster_option = partial(typer.Option, rich_help_panel="Clusters of usages")
score_option = partial(typer.Option, rich_help_panel="Scores")
statistics_option = partial(typer.Option, rich_help_panel="Statistics")
training_option = partial(typer.Option, rich_help_panel="Training")
server_option = partial(typer.Option, rich_help_panel="Server")
output_option = partial(typer.Option, rich_help_panel="Output")
resource_option = partial(typer.Option, rich_help_panel="Resources")


class HelpText(NamedTuple):
    """The docstring of a command in its parts."""

    summary: str
    examples: tuple[str, ...]
    details: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> HelpText:
        r"""Split a docstring.

        >>> HelpText.parse("Count words.\n\nExamples:\n    count a.txt\n\nOnly once.")
        HelpText(summary='Count words.', examples=('count a.txt',), details=('Only once.',))
        """
        blocks = inspect.cleandoc(text).split("\n\n")
        examples = [block for block in blocks if block.startswith(EXAMPLES)]
        lines = [line.strip() for block in examples for line in block.splitlines()[1:]]
        prose = [" ".join(block.split()) for block in blocks if not block.startswith(EXAMPLES)]
        return cls(prose[0] if prose else "", tuple(lines), tuple(prose[1:]))


def list_commands(program: str) -> Iterator[tuple[str, Any]]:
    """Yield every command of the command line by the words that call it, hidden ones left out."""
    from polyseme.cli import app

    yield from _walk_commands(typer.main.get_command(app), program)


def _walk_commands(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    yield words, command
    context = typer.Context(command)
    for name in command.list_commands(context) if isinstance(command, TyperGroup) else ():
        child = command.get_command(context, name)
        if child is not None and not child.hidden:
            yield from _walk_commands(child, f"{words} {name}")


def list_parameters(command: Any, context: Any = None) -> dict[str, list[tuple[str, str]]]:
    """Return the arguments and options of a command by group: how each is written, and what it does."""
    context = context or typer.Context(command)
    groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        default = ARGUMENTS if parameter.param_type_name == "argument" else OPTIONS
        if record:
            names, description = record
            row = (_name_types(names), _name_ranges(description.replace("  [required]", "  Required.")))
            groups.setdefault(getattr(parameter, "rich_help_panel", None) or default, []).append(row)
    return {name: records for name, records in groups.items() if records}


def _name_ranges(text: str) -> str:
    """Write the range of an option in words.

    >>> _name_ranges("Pairs. [default: 5; x>=1]"), _name_ranges("Level. [0.5<=x<=0.999]")
    ('Pairs. [default: 5; at least 1]', 'Level. [0.5 to 0.999]')
    """
    return re.sub(r"([\d.]+)<=x<=([\d.]+)\]", r"\1 to \2]", re.sub(r"\bx>=([\d.]+)\]", r"at least \1]", text))


def _name_types(text: str) -> str:
    """Write the types of values as words, and none after an argument that says what it is.

    >>> _name_types("--seed <int range>"), _name_types("WORD … <list[str]>"), _name_types("--by <list[lemma|pos]>")
    ('--seed NUMBER', 'WORD …', '--by lemma|pos')
    """
    names = {"int": "NUMBER", "float": "NUMBER", "str": "TEXT", "path": "PATH"}
    if not text.startswith("-"):
        return re.sub(r" <.*>$", "", text)
    choices = re.sub(r"<(?:list\[)?([^<>\]]+\|[^<>\]]+)\]?>", r"\1", text)
    return re.sub(r"<(\w+)(?: range)?>", lambda match: names.get(match[1], match[0]), choices)


def _write_usage(command: Any, context: Any, formatter: Any) -> None:
    """Write how a command is called, an argument by its name."""
    pieces = [
        re.sub(r"^\{(.*)\}", r"\1", piece).removesuffix("...") if "…" in piece or "{" in piece else piece
        for piece in command.collect_usage_pieces(context)
    ]
    formatter.write_usage(context.command_path, " ".join(pieces))


class HelpCommand(TyperCommand):
    """A command whose help shows examples first, and options by group."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        text = HelpText.parse(self.help or "")
        formatter.write_text(text.summary)
        formatter.write_paragraph()
        _write_usage(self, ctx, formatter)
        if text.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in text.examples))
        for name, records in list_parameters(self, ctx).items():
            with formatter.section(name):
                formatter.write_dl(records)
        for paragraph in text.details:
            formatter.write_paragraph()
            formatter.write_text(paragraph)


class HelpGroup(TyperGroup):
    """A group of commands, each with its whole summary, by what people want to do; subgroups come first."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        text = HelpText.parse(self.help or "")
        formatter.write_text(text.summary)
        formatter.write_paragraph()
        _write_usage(self, ctx, formatter)
        for name, rows in self._summaries(ctx).items():
            with formatter.section(name):
                formatter.write_dl(rows)
        for name, records in list_parameters(self, ctx).items():
            with formatter.section(name):
                formatter.write_dl(records)
        for paragraph in text.details:
            formatter.write_paragraph()
            formatter.write_text(paragraph)

    def _summaries(self, context: Any) -> dict[str, list[tuple[str, str]]]:
        """Return the commands with their summaries by group, those with subcommands first."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(context):
            command = self.get_command(context, name)
            if command is not None and not command.hidden:
                rows = groups.setdefault(str(getattr(command, "rich_help_panel", None) or "Commands"), [])
                rows.insert(
                    0 if isinstance(command, TyperGroup) else len(rows),
                    (name, HelpText.parse(command.help or "").summary),
                )
        return groups


class CommandGroup(typer.Typer):
    """A Typer application whose commands have this kind of help.

    Args:
        summary: What the commands do, in a line.
        cls: The class of the group.
        options: Other options of Typer.
    """

    def __init__(self, summary: str | None = None, cls: type[TyperGroup] = HelpGroup, **options: Any) -> None:
        texts: dict[str, Any] = {"help": summary} if summary else {}
        super().__init__(cls=cls, rich_markup_mode=None, **texts, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Function], Function]:
        """Add a command; its class is ``HelpCommand``."""
        decorate: Callable[[Function], Function] = super().command(name, **({"cls": HelpCommand} | options))
        return decorate
