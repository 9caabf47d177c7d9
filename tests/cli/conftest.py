"""Commands, run as a user types them, beside a copy of examples/."""

import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from polyseme.cli import main


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


def refused(ran: Ran, *message: str) -> None:
    """Exit code 2, nothing on stdout, and one line on stderr that says this."""
    assert (ran.code, ran.out) == (2, ""), ran
    assert ran.err.startswith("polyseme: ")
    assert ran.err.count("\n") == 1, ran.err
    for words in message:
        assert words in ran.err


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path) -> Run:
    """Runs ``polyseme …`` in a temporary folder; warnings go to stderr, as they do for users."""
    shutil.copytree(root / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("POLYSEME_DATA", raising=False)

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["polyseme", *map(str, arguments)])
        capsys.readouterr()
        with warnings.catch_warnings(action="default"), pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return Ran(code if isinstance(code, int) else 0, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def induced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index and a model of *bank* and *house*, of which *unheard* is missed."""
    from induction.corpora import background, usages
    from polyseme.corpus.english_analyser import English
    from polyseme.corpus.indexing import build_index
    from polyseme.induction.squares import Squares

    folder = tmp_path_factory.mktemp("induced")
    index = build_index([*usages(120), *background(100)], folder / "my.index", English(), processes=1)
    model = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n", "house.n", "unheard.n"], processes=1)
    model.save(folder / "model")
    return folder


@pytest.fixture
def _beside_a_model(induced: Path, tmp_path: Path) -> None:
    """Commands run in a folder that holds an index, a model of it, and usages that were not learnt from."""
    from induction.corpora import usages
    from polyseme.formats import write_usages

    shutil.copytree(induced, tmp_path, dirs_exist_ok=True)
    write_usages(usages(6, seed=9), tmp_path / "new.jsonl")
