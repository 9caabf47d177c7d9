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
    "_labelling_table",
    "arrays",
    "column_table",
    "compilation",
    "conversion",
    "errors",
    "frames",
    "frozen_dict",
    "home",
    "inventory",
    "labelling",
    "lemma",
    "matrices",
    "morphology",
    "origin",
    "packed_strings",
    "parts",
    "progress",
    "rating",
    "scores",
    "sentence",
    "settings",
    "tabular",
    "toml",
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
    "labelling_run",
    "lm",
    "mapping",
    "measures",
    "models",
    "tasks",
    "vectors",
    "wordnet",
}
ABOVE = {
    "words": 3,
    "web": 3,
    "reports": 4,
    "experiments": 5,
    "studio": 5,
    "explorer": 5,
    "display": 5,
    "interface": 6,
    "cli": 7,
    "__main__": 8,
}
LAYERS = {**dict.fromkeys(VALUES, 0), **dict.fromkeys(ALGORITHMS, 1), **dict.fromkeys(STAGES, 2), **ABOVE}

WITHIN_A_LAYER = {
    "datasets": {"wordnet"},
    "disambiguation": {"corpus", "datasets", "induction", "lm", "vectors", "wordnet"},
    "gold": {"agreement"},
    "induction": {"corpus", "datasets", "lm", "vectors"},
    "labelling_run": {"corpus", "datasets", "disambiguation", "induction", "lm", "models", "vectors"},
    "lm": {"corpus", "datasets"},
    "models": {"datasets", "disambiguation", "induction"},
    "tasks": {"agreement", "baselines", "datasets", "gold", "induction", "mapping", "measures", "wordnet"},
    "vectors": {"corpus", "lm"},
}
"""Packages that may import another one of their layer, besides ``formats``, which every stage may import."""

CALLED_BY_METHODS = {"display", "interface"}
"""Packages above that a method of a value may import when it is called, as ``Index.induce`` does."""

HEAVY = {"scipy", "pyarrow", "sklearn", "pandas", "rich", "typer", "ibis", "duckdb", "torch", "numba"}


def list_modules() -> dict[str, Path]:
    """Every module's dotted name and file."""
    paths = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


MODULES = list_modules()


def list_imports(nodes: Iterator[ast.AST], module: str) -> Iterator[str]:
    """The dotted names of imports; ``from x import y`` gives ``x.y`` if that is a module of ours."""
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


def walk_import_time(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run at import: not those in functions or under ``TYPE_CHECKING``."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from walk_import_time(node.orelse)
            continue
        yield node
        for block in ("body", "orelse", "finalbody", "handlers"):
            yield from walk_import_time(getattr(node, block, []))


def list_imports_by_methods(tree: ast.Module, module: str) -> set[str]:
    """What the methods of a module's classes import when they are called."""
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    methods = (node for each in classes for node in each.body if isinstance(node, ast.FunctionDef))
    return {name for method in methods for name in list_imports(ast.walk(method), module)}


def list_types(tree: ast.Module, module: str) -> set[str]:
    """What a module imports for its annotations only."""
    blocks = (node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    return {name for block in blocks for name in list_imports(ast.walk(block), module)}


def test_what_needs_pyarrow() -> None:
    """It takes 176 MB and is an extra; indexes, WordNet and scores do without."""
    trees = {module: ast.parse(path.read_text("utf-8")) for module, path in MODULES.items()}
    importers = {
        get_package(module)
        for module, tree in trees.items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import) and any(alias.name.startswith("pyarrow") for alias in node.names)
    }
    assert importers == {"formats", "frames"}


def get_package(module: str) -> str:
    """``polyseme.measures.fuzzy`` → ``measures``; ``polyseme`` itself → ``""``."""
    return [*module.split("."), ""][1]


def is_allowed(importer: str, imported: str) -> bool:
    """Whether a module in ``importer`` may import one in ``imported``."""
    if importer == "":
        return True  # names are loaded when they are used
    if imported == "":
        return importer in {"cli", "interface"}
    if importer == imported or LAYERS[imported] < LAYERS[importer]:
        return True
    if importer in STAGES and imported == "formats":
        return True
    return imported in WITHIN_A_LAYER.get(importer, ()) or (importer in VALUES and imported in VALUES)


def test_every_module_belongs_to_a_layer() -> None:
    homeless = [module for module in MODULES if get_package(module) not in {"", *LAYERS}]
    assert not homeless, f"in no layer (docs/explanation/architecture.md names them): {', '.join(homeless)}"


def test_imports_go_one_way() -> None:
    wrong = []
    for module, path in MODULES.items():
        tree = ast.parse(path.read_text("utf-8"))
        upward = {name for name in list_imports_by_methods(tree, module) if get_package(name) in CALLED_BY_METHODS}
        upward |= list_types(tree, module) if upward else set()  # what these methods take and return
        ours = {name for name in list_imports(ast.walk(tree), module) if name.split(".")[0] == "polyseme"} - upward
        wrong += [
            f"{module} must not import {name}"
            for name in sorted(ours)
            if not is_allowed(get_package(module), get_package(name))
        ]
    assert not wrong, "\n".join(wrong)


def test_the_layers_are_enforced() -> None:
    assert is_allowed("tasks", "measures")
    assert is_allowed("reports", "agreement")
    assert is_allowed("induction", "formats")
    assert not is_allowed("measures", "tasks")
    assert not is_allowed("measures", "induction")
    assert not is_allowed("labelling", "formats")
    assert not is_allowed("parts", "measures")
    assert not is_allowed("tasks", "reports")
    assert not is_allowed("measures", "")


def list_loaded_modules(module: str) -> dict[str, set[str]]:
    """The modules that an import of one of ours loads, with the libraries that they import."""
    libraries: dict[str, set[str]] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in libraries:
            continue
        names = set(list_imports(walk_import_time(ast.parse(MODULES[name].read_text()).body), name))
        libraries[name] = {other.split(".")[0] for other in names}
        parts = [other.split(".") for other in names if other in MODULES]
        waiting += [".".join(part[: end + 1]) for part in parts for end in range(len(part))]
    return libraries


def test_import_of_polyseme_names_no_heavy_library() -> None:
    heavy = {
        name: libraries & HEAVY for name, libraries in list_loaded_modules("polyseme").items() if libraries & HEAVY
    }
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
