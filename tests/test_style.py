"""House rules that no linter knows: one test a rule, which lists every place that breaks it."""

import ast
import inspect
import re
import statistics
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from polyseme.parts import parts_by_name

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PYTHON = [*SOURCES, *(path for name in ("tests", "bench", "training") for path in sorted((ROOT / name).rglob("*.py")))]

# Written so that this file does not match itself.
HOSTS = ["pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\.(org|com)", "anaconda" + r"\.(org|com)"]
PLACES = r"(?<![\w.~}])/(work|root|home|Users)" + r"/\w"
NOT_OURS = re.compile("|".join([*HOSTS, PLACES, "index" + "-url", "find" + "-links"]))

FILE_LINES = 400
FUNCTION_LINES = 60
LONG_FUNCTION_LINES = 45
"""Nineteen functions of twenty are shorter."""
CODE_LINES = 39_025
"""The most lines of code in src; lower it when code goes."""

BANNED = {
    *("found", "made", "kept", "given", "asked", "said", "told", "shown", "known", "named", "wanted", "called"),
    *("some", "each", "there", "of", "what"),
}
"""Words that say nothing about what a name holds."""
SHORT_COMPREHENSION = 2
"""Lines of a comprehension in which ``each`` may be a variable."""

SAME_OPERATION = {"load", "read", "save", "write"}
"""Function names that several modules may have: the same operation on another value."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def list_project_files() -> list[Path]:
    """The files that are or may be committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("this is not a git repository, so it is unknown which files belong to it")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def read_text(path: Path) -> str:
    """The text of a file; empty if it is not UTF-8."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def locate(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_no_host_and_no_path_of_a_machine() -> None:
    places = [
        f"{locate(path, number)}: {line.strip()[:100]}"
        for path in list_project_files()
        for number, line in enumerate(read_text(path).splitlines(), start=1)
        if NOT_OURS.search(line)
    ]
    assert not places, "\n".join(places)


def test_patterns_of_hosts_and_paths() -> None:
    matches = ["/wo" + "rk/main", "see /ro" + "ot/x", "--index" + "-url=x", "https://pypi" + ".org"]
    assert all(map(NOT_OURS.search, matches))
    assert not any(map(NOT_OURS.search, ["src/work/file", "{home}/root/x", "a/work/b", "their work/life"]))


# -- names -------------------------------------------------------------------------------------------------------------


def list_exempt_names(tree: ast.Module) -> Iterator[ast.AST]:
    """The variables of short comprehensions, and the options of parts, which specifications name."""
    for node in ast.walk(tree):
        if isinstance(node, Comprehension) and (node.end_lineno or 0) - node.lineno < SHORT_COMPREHENSION:
            targets = (name for generator in node.generators for name in ast.walk(generator.target))
            yield from (name for name in targets if isinstance(name, ast.Name) and name.id == "each")
        if isinstance(node, ast.ClassDef) and node.name in parts_by_name():
            yield from (statement.target for statement in node.body if isinstance(statement, ast.AnnAssign))


def list_bound_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that a module binds, with its line, but for exempt ones."""
    exempt = set(list_exempt_names(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                if node not in exempt:
                    yield node.id, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name, node.lineno


def test_no_name_says_nothing() -> None:
    names = [
        f"{locate(path, line)}: {name}"
        for path in PYTHON
        for name, line in list_bound_names(parse(path))
        if name.strip("_").lower() in BANNED
    ]
    assert not names, f"{len(names)} names say nothing about what they hold:\n" + "\n".join(names)


def test_names_are_bound_in_every_way() -> None:
    program = (
        "import x as given\nfor each in y:\n    found = 1\ndef told(said): ...\n[each for each in z]\nclass Kept: ..."
    )
    names = {name for name, _ in list_bound_names(ast.parse(program))}
    assert names == {"given", "each", "found", "told", "said", "Kept"}
    assert "each" not in {name for name, _ in list_bound_names(ast.parse("[each for each in z]"))}


def test_public_names_occur_once() -> None:
    """A command, or a function of the public interface, may have the name of the function that it calls."""
    modules: dict[str, list[str]] = defaultdict(list)
    for path in SOURCES:
        for node in parse(path).body:
            if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
                continue
            is_caller = isinstance(node, Function) and path.parent.name in ("cli", "interface")
            if not is_caller and node.name not in SAME_OPERATION:
                modules[node.name].append(str(path.relative_to(ROOT)))
    repeated = [f"{name}: {', '.join(paths)}" for name, paths in modules.items() if len(paths) > 1]
    assert not repeated, "\n".join(repeated)


# -- docstrings --------------------------------------------------------------------------------------------------------


def test_every_option_of_a_part_is_documented() -> None:
    missing = [
        f"{name}.{field.name}"
        for name, part in parts_by_name().items()
        for field in fields(part)
        if not re.search(rf"^\s*{field.name}(?: \([^)]*\))?: ", inspect.getdoc(part) or "", re.M)
    ]
    assert not missing, f"not in `Args:` of the class: {', '.join(missing)}"


# -- sizes -------------------------------------------------------------------------------------------------------------


def test_files_and_functions_are_short() -> None:
    long, sizes = [], []
    for path in SOURCES:
        text = path.read_text("utf-8")
        if len(text.splitlines()) > FILE_LINES:
            long.append(f"{locate(path, 1)}: more than {FILE_LINES} lines: split it by what it is about")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, Function) and node.end_lineno is not None:
                docstring = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
                documented = (docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0
                sizes.append(node.end_lineno - node.lineno + 1 - documented)
                if sizes[-1] > FUNCTION_LINES:
                    long.append(f"{locate(path, node.lineno)}: {node.name} has {sizes[-1]} lines")
    assert not long, "\n".join(long)
    assert statistics.quantiles(sizes, n=20)[-1] < LONG_FUNCTION_LINES


def count_code_lines(text: str) -> int:
    """Lines without blank lines, comments, imports and docstrings of modules, classes and functions."""
    tree, skipped = ast.parse(text), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            skipped |= set(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node, clean=False) is not None:
            skipped |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate((line.strip() for line in text.splitlines()), start=1)
    return sum(number not in skipped and line != "" and not line.startswith("#") for number, line in lines)


def test_code_lines_are_counted() -> None:
    assert (
        count_code_lines('"""Module."""\n\nimport os\n# why\ndef f():\n    """Doc.\n\n    More."""\n    return 1\n')
        == 2
    )


def test_the_code_stays_small() -> None:
    assert sum(count_code_lines(path.read_text("utf-8")) for path in SOURCES) <= CODE_LINES


# -- the version -------------------------------------------------------------------------------------------------------


def test_the_version_is_the_same_everywhere() -> None:
    from polyseme import __version__

    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\n## [{__version__}] " in (ROOT / "CHANGELOG.md").read_text("utf-8")
