"""Every new import path in docs/reference/migration.md exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"


@cache
def list_definitions(module: str) -> dict[str, ast.stmt]:
    """The classes and functions of a module; empty if there is no such module."""
    path = SOURCE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    statements = ast.parse(file.read_text("utf-8")).body if file.is_file() else []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {statement.name: statement for statement in statements if isinstance(statement, kinds)}


def is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return (path / "__init__.py").is_file() or path.with_suffix(".py").is_file()


def is_defined(name: str) -> bool:
    """Whether a dotted name is a module, or a class, function or method in one."""
    if is_module(name):
        return True
    module, _, attribute = name.rpartition(".")
    if attribute in list_definitions(module):
        return True
    module, _, owner = module.rpartition(".")
    body = getattr(list_definitions(module).get(owner), "body", []) if module else []
    return any(getattr(statement, "name", "") == attribute for statement in body)


def test_every_new_import_path_exists() -> None:
    page = (ROOT / "docs" / "reference" / "migration.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \| (.+) \|$", page, re.M)
    assert len(rows) > 1000
    missing = [name for _, cell in rows for name in re.findall(r"`([\w.]+)`", cell) if not is_defined(name)]
    assert not missing, "\n".join(missing)
