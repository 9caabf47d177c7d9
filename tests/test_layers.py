"""Imports go one way, from values up to the command line, and importing polyseme loads nothing heavy."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "polyseme"

VALUES = {
    "_csr",
    "arrays",
    "compilation",
    "errors",
    "home",
    "inventory",
    "labelling",
    "lemma",
    "matrices",
    "morphology",
    "parts",
    "rating",
    "scores",
    "sentence",
    "settings",
    "usage",
    "workers",
}
ALGORITHMS = {"clustering", "graphs"}
STAGES = {
    "agreement",
    "baselines",
    "corpus",
    "datasets",
    "disambiguation",
    "formats",
    "gold",
    "induction",
    "lm",
    "mapping",
    "measures",
    "tasks",
    "vectors",
    "wordnet",
}
ABOVE = {"words": 3, "web": 3, "reports": 4, "experiments": 5, "studio": 5, "explorer": 5, "cli": 6}
LAYERS = {**dict.fromkeys(VALUES, 0), **dict.fromkeys(ALGORITHMS, 1), **dict.fromkeys(STAGES, 2), **ABOVE}

WITHIN_A_LAYER = {
    "datasets": {"wordnet"},
    "disambiguation": {"corpus", "datasets", "induction", "lm", "vectors", "wordnet"},
    "gold": {"agreement"},
    "induction": {"corpus", "datasets", "lm", "vectors"},
    "lm": {"corpus", "datasets"},
    "tasks": {"agreement", "baselines", "datasets", "gold", "induction", "mapping", "measures", "wordnet"},
    "vectors": {"corpus", "lm"},
}
"""Packages that may import another one of their layer, besides ``formats``, which every stage may import."""

HEAVY = {"scipy", "pyarrow", "sklearn", "pandas", "rich", "typer", "ibis", "duckdb", "torch", "numba"}


def modules() -> dict[str, Path]:
    """Every module's dotted name and file."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported(nodes: Iterator[ast.AST], module: str) -> Iterator[str]:
    """The dotted names that are imported; ``from x import y`` gives ``x.y`` where that is a module of ours."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                name = f"{source}.{alias.name}"
                yield name if name in MODULES else source


def at_import(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run when a module is imported: not those in functions, nor under ``TYPE_CHECKING``."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from at_import(node.orelse)
            continue
        yield node
        for block in ("body", "orelse", "finalbody", "handlers"):
            yield from at_import(getattr(node, block, []))


def place(module: str) -> str:
    """``polyseme.measures.fuzzy`` → ``evaluate``; ``polyseme`` itself → ``""``; a private module is of the values."""
    name = [*module.split("."), ""][1]
    return "errors" if name.startswith("_") else name


def allowed(here: str, there: str) -> bool:
    """Whether a module in ``here`` may import one in ``there``."""
    if here == "":
        return there == "" or LAYERS[there] < LAYERS["reports"]
    if there == "":
        return here == "cli"
    if here == there or LAYERS[there] < LAYERS[here]:
        return True
    if here in STAGES and there == "formats":
        return True
    return there in WITHIN_A_LAYER.get(here, ()) or (here in VALUES and there in VALUES)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_its_place(module: str) -> None:
    assert place(module) in {"", *LAYERS}, f"{module} is in no layer; docs/architecture.md names them"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text())
    ours = {name for name in imported(ast.walk(tree), module) if name.split(".")[0] == "polyseme"}
    wrong = sorted(name for name in ours if place(name) in {"", *LAYERS} and not allowed(place(module), place(name)))
    assert not wrong, f"{module} must not import {', '.join(wrong)}"


def test_the_layers_are_enforced() -> None:
    assert allowed("tasks", "measures")
    assert allowed("reports", "agreement")
    assert allowed("induction", "formats")
    assert not allowed("measures", "tasks")
    assert not allowed("measures", "induction")
    assert not allowed("labelling", "formats")
    assert not allowed("parts", "measures")
    assert not allowed("tasks", "reports")
    assert not allowed("measures", "")


def loaded_with(module: str) -> dict[str, set[str]]:
    """The modules that importing one of ours loads, each with the libraries that its import names."""
    found: dict[str, set[str]] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        names = set(imported(at_import(ast.parse(MODULES[name].read_text()).body), name))
        found[name] = {other.split(".")[0] for other in names}
        parts = [other.split(".") for other in names if other in MODULES]
        waiting += [".".join(part[: end + 1]) for part in parts for end in range(len(part))]
    return found


def test_import_of_polyseme_names_no_heavy_library() -> None:
    heavy = {name: libraries & HEAVY for name, libraries in loaded_with("polyseme").items() if libraries & HEAVY}
    assert not heavy, f"import these inside the functions that need them: {heavy}"


PRINT_MODULES = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
VERSION = f"""
import sys
sys.argv = ["polyseme", "--version"]
try:
    from polyseme.cli import main
    main()
except SystemExit as end:
    assert not end.code, end.code
{PRINT_MODULES}
"""


@pytest.mark.parametrize("program", [f"import polyseme; {PRINT_MODULES}", VERSION], ids=["import", "--version"])
def test_nothing_heavy_is_loaded(program: str) -> None:
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    loaded = set(run.stdout.splitlines()[-1].split())
    assert not loaded & {"scipy", "pyarrow", "sklearn", "pandas"}
