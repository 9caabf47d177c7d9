"""The commands and examples of the how-to guides on disambiguation, on the real WordNets.

They need not be installed where other pages run.
"""

import ast
import doctest
import re
import shlex
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polyseme.cli import main

pytestmark = pytest.mark.usefixtures("wordnet_30", "wordnet_31")

PAGES = ("disambiguate", "train-a-disambiguator", "use-in-a-service")
VALUE_MARK = "  # → "


@pytest.fixture
def guide(root: Path) -> str:
    return read_page(root, "disambiguate")


def read_page(root: Path, name: str) -> str:
    return (root / "docs" / "how-to" / f"{name}.md").read_text("utf-8")


def list_statements(block: str) -> Iterator[tuple[str, str]]:
    """The statements of a block, each with the value that a comment shows, if any."""
    for statement in ast.parse(block).body:
        code = ast.get_source_segment(block, statement) or ""
        last_line = block.splitlines()[(statement.end_lineno or 0) - 1]
        yield code, last_line.partition(VALUE_MARK)[2]


def test_commands_of_the_guide(
    guide: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They print what is shown."""
    monkeypatch.chdir(root)
    commands = re.findall(r"```text\n\$ polyseme (.*)\n((?:.*\n)*?)```", guide)
    assert len(commands) >= 3
    for command, output in commands:
        monkeypatch.setattr("sys.argv", ["polyseme", *shlex.split(command)])
        with warnings.catch_warnings(action="default"), pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert not ended.value.code, err
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(output, out, flags), f"{command}\n{out}"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.filterwarnings("ignore:1 word is not in WordNet")
def test_examples_of_the_guides(
    page: str, root: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    names: dict[str, Any] = {}
    count = 0
    blocks = re.findall(r"```python\n(.*?)```", read_page(root, page), re.DOTALL)
    for block in (block for block in blocks if not block.startswith(">>>")):
        for code, value in list_statements(block):
            if value:
                assert repr(eval(code, names)) == value, code
                count += 1
            else:
                exec(code, names)
    assert count


def test_every_option_is_in_the_guide(guide: str) -> None:
    import typer

    from polyseme.cli import app

    command: Any = typer.main.get_command(app)
    options = {option.opts[0] for option in command.commands["disambiguate"].params if option.opts[0].startswith("-")}
    missing = [option for option in options - {"--processes", "--output"} if f"`{option}" not in guide]
    assert not missing
