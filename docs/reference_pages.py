"""The reference pages that are generated: Python modules, commands and parts, so that no list is kept by hand."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import polyseme
from polyseme.cli.help import HelpText, list_commands, list_parameters
from polyseme.parts import part_signature, parts_by_name

REFERENCE = Path(__file__).parent / "reference"
SOURCE = Path(__file__).parents[1] / "src"


def public_modules() -> list[str]:
    """The dotted names of all modules without a leading underscore."""
    names = []
    for path in sorted((SOURCE / "polyseme").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(part.startswith("_") for part in parts):
            names.append(".".join(parts))
    return names


def packages() -> dict[str, list[str]]:
    """The modules of each package, itself first; those beside the packages are of ``polyseme``.

    The commands in ``polyseme.cli`` have a page of their own.
    """
    modules: dict[str, list[str]] = {}
    for module in public_modules():
        if module.startswith("polyseme.cli"):
            continue
        is_package = (SOURCE / module.replace(".", "/")).is_dir()
        package = module if is_package else module.rpartition(".")[0]
        modules.setdefault(package, []).append(module)
    return modules


def page(package: str, modules: list[str]) -> str:
    """The page of one package, made from the docstrings of its modules."""
    title = f"{package}\n{'=' * len(package)}\n\n"
    if package == "polyseme":
        return f"{title}{public_names()}" + "\n".join(map(section, modules))
    return "\n".join([f"{title}{description(package)}", *map(section, modules[1:])])


def public_names() -> str:
    """What ``import polyseme as ps`` offers: functions and values with their summaries, then the parts by kind."""
    public = {name: getattr(polyseme, name) for name in dir(polyseme)}
    parts = {name: value for name, value in public.items() if name in parts_by_name()}
    rest = {name: value for name, value in public.items() if name not in parts and hasattr(value, "__module__")}
    kinds = sorted({part.kind for part in parts.values()})
    functions = [line for name, value in rest.items() if inspect.isroutine(value) for line in summary(name, value)]
    values = [line for name, value in rest.items() if inspect.isclass(value) for line in summary(name, value)]
    links = {kind: [link(name, part) for name, part in parts.items() if part.kind == kind] for kind in kinds}
    by_kind = [f"{kind}\n   {', '.join(names)}" for kind, names in links.items()]
    sections = {"Functions": functions, "Values": values, "Parts, by kind": by_kind}
    return "".join(f"{title}\n{'-' * len(title)}\n\n{chr(10).join(lines)}\n\n" for title, lines in sections.items())


def link(name: str, value: Any) -> str:
    """A link to the full description of a public name."""
    role = "func" if inspect.isroutine(value) else "class"
    return f":py:{role}:`{name} <{value.__module__}.{value.__qualname__}>`"


def summary(name: str, value: Any) -> list[str]:
    """A public name with the first line of its docstring."""
    return [link(name, value), f"   {(inspect.getdoc(value) or '').partition(chr(10))[0]}"]


def section(module: str) -> str:
    """A module on the page of its package."""
    return f"{module}\n{'-' * len(module)}\n\n{description(module)}"


def description(module: str) -> str:
    """What the docstrings of a module say."""
    options = "".join(f"   :{option}:\n" for option in ("members", "ignore-module-all", "show-inheritance"))
    return f".. automodule:: {module}\n{options}"


def commands_page() -> str:
    """The help of every command, as a section each."""
    sections = [command_section(words, command) for words, command in list_commands("polyseme") if command.callback]
    return "\n".join(
        [
            "# Commands",
            "",
            "Every command with its arguments and options, as `polyseme COMMAND --help` prints them. Every command has"
            " the option `--help`.",
            "",
            *sections,
        ]
    )


def command_section(words: str, command: Any) -> str:
    """What a command does, examples, then its arguments and options by group."""
    text = HelpText.parse(command.help or "")
    lines = [f"## {words}", "", escape(text.summary), ""]
    if text.examples:
        lines += ["```text", *text.examples, "```", ""]
    for group, parameters in list_parameters(command).items():
        if [names for names, _ in parameters] == ["--help"]:
            continue
        lines += [f"**{group}**", ""]
        lines += [line for names, description in parameters for line in (f"`{names}`", f": {escape(description)}", "")]
    return "\n".join([*lines, *(line for paragraph in text.details for line in (escape(paragraph), ""))])


def parts_page() -> str:
    """Every part by kind: its specification with defaults, and what it does."""
    lines = [
        "# Parts",
        "",
        "A *part* is an object that you can name in a command, a plan or Python: a model, a measure, a mapping, a task."
        " Each stands here with its options and their defaults. `polyseme parts` prints the same list.",
        "",
    ]
    kinds = sorted({part.kind for part in parts_by_name().values()})
    for kind in kinds:
        lines += [f"## {kind}", ""]
        for part in (part for part in parts_by_name().values() if part.kind == kind):
            summary = (inspect.getdoc(part) or "").partition("\n")[0]
            target = f"{part.__module__}.{part.__qualname__}"
            lines += [
                f"{{py:class}}`{part.__name__} <{target}>`",
                f": {escape(summary)}",
                "",
                f"  `{part_signature(part)}`",
                "",
            ]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Text that Markdown shows as it is, with options, and what stands in straight quotes, as code."""
    text = re.sub(r"(?<![`\w])('[^'`]+')(?!\w)", r"`\1`", text)
    pieces = re.split(
        r"(`[^`]*`)", re.sub(r"(?<![`\w-])(--[a-z][\w-]*)(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)", r"`\1`", text)
    )
    return "".join(piece if piece.startswith("`") else re.sub(r"([*_<|$\[\]])", r"\\\1", piece) for piece in pieces)


def generated_pages() -> dict[Path, str]:
    """The text of every generated page by its path."""
    modules = {REFERENCE / "modules" / f"{package}.rst": page(package, names) for package, names in packages().items()}
    return {**modules, REFERENCE / "commands.md": commands_page(), REFERENCE / "parts.md": parts_page()}


def write_pages() -> None:
    """Write the pages that have changed, and remove those of packages that are gone."""
    pages = generated_pages()
    (REFERENCE / "modules").mkdir(exist_ok=True)
    for path, text in pages.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for path in set((REFERENCE / "modules").glob("*.rst")) - set(pages):
        path.unlink()
