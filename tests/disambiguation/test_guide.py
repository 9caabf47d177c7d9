"""The guide's commands and examples, on the real WordNets: these need not be installed where the other guides run."""

import doctest
import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import pytest

from polyseme.cli import main
from polyseme.parts import parts_by_name

pytestmark = pytest.mark.usefixtures("wordnet_30", "wordnet_31")


@pytest.fixture
def guide(root: Path) -> str:
    return (root / "docs" / "guides" / "disambiguation.md").read_text()


def test_commands_of_the_guide(
    guide: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They print what is shown."""
    monkeypatch.chdir(root)
    examples = re.findall(r"```text\n\$ polyseme (.*)\n((?:.*\n)*?)```", guide)
    assert len(examples) >= 4
    for command, count in examples:
        if "SemCor" not in command and "PPR" not in parts_by_name():
            continue
        monkeypatch.setattr("sys.argv", ["polyseme", *shlex.split(command)])
        with warnings.catch_warnings(action="default"), pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert not ended.value.code, err
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(count, out, flags), f"{command}\n{out}"


@pytest.mark.filterwarnings("ignore:1 word is not in WordNet")
def test_examples_of_the_guide(guide: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    names: dict[str, Any] = {}
    count = 0
    for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL):
        for line in filter(None, block.splitlines()):
            code, arrow, value = line.partition("  # → ")
            if arrow:
                assert repr(eval(code, names)) == value, code
                count += 1
            else:
                exec(code, names)
    assert count >= 7
    assert (tmp_path / "scale.json").is_file()


def test_every_option_is_in_the_guide(guide: str) -> None:
    import typer

    from polyseme.cli import app

    command: Any = typer.main.get_command(app)
    options = {option.opts[0] for option in command.commands["disambiguate"].params if option.opts[0].startswith("-")}
    missing = [option for option in options - {"--processes", "--output"} if f"`{option}" not in guide]
    assert not missing
