"""``import polyseme`` offers every part, lists what it offers, and loads nothing before it is used."""

import subprocess
import sys
from importlib import import_module
from inspect import isfunction

import polyseme
import public_names
from polyseme.parts import own_parts_by_name


def test_the_stubs_name_every_part() -> None:
    stale = [
        str(path)
        for path, text in map(public_names.write_stub, public_names.list_packages())
        if path.read_text("utf-8") != text
    ]
    assert not stale, f"type: python tools/public_names.py ({', '.join(stale)})"


def test_every_public_name_can_be_loaded() -> None:
    for package in public_names.list_packages():
        module = import_module(package)
        assert all(hasattr(module, name) for name in module.__all__)


def test_every_part_is_a_public_name() -> None:
    assert own_parts_by_name().keys() <= set(dir(polyseme))


def test_every_public_function_has_an_example() -> None:
    functions = {name: getattr(polyseme, name) for name in import_module("polyseme").__all__}
    bare = [name for name, value in functions.items() if isfunction(value) and ">>>" not in (value.__doc__ or "")]
    assert not bare, f"no example: {', '.join(bare)}"


def test_importing_polyseme_loads_no_library() -> None:
    program = (
        "import polyseme, sys; print(*{name.partition('.')[0] for name in sys.modules} & {'numpy', 'scipy', 'pyarrow'})"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert output.stdout.strip() == ""
