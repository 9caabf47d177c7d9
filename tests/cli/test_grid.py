"""``polyseme induce --grid``: options chosen on some lemmas, and tested on others."""

import shutil
import sys
from pathlib import Path

import pytest

from cli.conftest import Ran, Run
from experiment.made import key, of_two_words, trees
from induce.corpora import background
from polyseme.corpus.english import English
from polyseme.corpus.indexing import build_index
from polyseme.formats import write_usages
from polyseme.induce.model import SenseModel
from polyseme.induce.squares import Squares

GRID = {"delta": (0.9, 0.2, 0.35), "sigma": (0.3,)}
"""The first labels nothing, the second all; what the third does depends on luck."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    build_index([*of_two_words(80, seed=0), *background(60)], folder / "my.index", English(), processes=1)
    return folder


@pytest.fixture(autouse=True)
def _beside_it(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run where the index is, and usages of two lemmas with gold."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    given = of_two_words(12, seed=9)
    write_usages(given, tmp_path / "new.jsonl")
    (tmp_path / "gold.key").write_text(key(given))
    (tmp_path / "others.key").write_text(key(trees(2)))
    monkeypatch.setattr(Squares, "grid", GRID)
    monkeypatch.setattr("polyseme.workers.available", lambda: 1)


def grid(cli: Run, criterion: str, *options: str, gold: str = "gold.key") -> Ran:
    files = ("--usages", "new.jsonl", *(("--gold", gold) if gold else ()))
    return cli("induce", "my.index", "bank.n", "crane.n", "-o", "mine", "--grid", criterion, *files, *options)


@pytest.mark.parametrize("criterion", ["semeval-2013:jaccard.f1", "jurgens-2012:perception*recall"])
def test_the_best_options_make_the_model(cli: Run, tmp_path: Path, criterion: str) -> None:
    ran = grid(cli, criterion)
    best = "Squares(delta=0.2, sigma=0.3, minimum=5)"
    assert (ran.code, ran.out) == (0, f"mine: 4 senses of 2 lemmas by {best}\n")
    assert repr(SenseModel.load(tmp_path / "mine").inducer) == best
    title, heading, _, first, *_, last, note = ran.err.splitlines()
    figure = criterion.partition(":")[2]
    assert title == "The best of 3"
    assert heading.split() == ["Options", figure, "Labelled"]
    assert first.split() == [*best.split(), "1.000", "1.000"]
    assert last.split()[-2:] == ["–", "0.000"]
    assert note == f"{figure} 1.000 on lemmas on which the options were not chosen, in 2 folds"


def test_other_options_are_kept(cli: Run, tmp_path: Path) -> None:
    assert grid(cli, "semeval-2013:jaccard.f1", "--model", "squares(minimum=4)", "--folds", "2").code == 0
    assert SenseModel.load(tmp_path / "mine").inducer == Squares(delta=0.2, sigma=0.3, minimum=4)


def test_how_far_it_is_on_a_terminal(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    ran = grid(cli, "semeval-2013:jaccard.f1")
    assert ran.code == 0
    assert "Trying options of Squares" in ran.err


@pytest.mark.parametrize(
    "criterion, gold, said",
    [
        ("jurgens-2012", "gold.key", "--grid is 'jurgens-2012'; it names a task and a figure, as semeval-2013:"),
        ("usim:spearman", "gold.key", "task is 'usim'; allowed are semeval-2013, semeval-2010, jurgens-2012"),
        ("jurgens-2012:f1", "gold.key", "there is no figure 'f1' to choose by; there are detection, ranking, percep"),
        ("jurgens-2012:recall*f1", "gold.key", "there is no figure 'f1' to choose by"),
        ("semeval-2013:senses", "gold.key", "there is no figure 'senses' to choose by"),
        ("jurgens-2012:recall", "", "--grid needs usages with gold: add --usages and a data set's name, or a file and"),
        ("jurgens-2012:recall", "others.key", "new.jsonl: none of its usages is in others.key"),
    ],
)
def test_errors(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, criterion: str, gold: str, said: str
) -> None:
    """All of them before anything is counted."""
    monkeypatch.delattr(Squares, "gather")
    ran = grid(cli, criterion, gold=gold)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("polyseme: ")
    assert said in ran.err
    assert not (tmp_path / "mine").exists()


def test_options_that_label_nothing(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Squares, "grid", {"delta": (0.9, 0.95)})
    ran = grid(cli, "jurgens-2012:perception")
    assert (ran.code, ran.out) == (2, "")
    assert "perception is undefined for 2 variants of Squares(delta=0.037, sigma=0.55, minimum=5): none" in ran.err


def test_lemmas_and_usages_must_be_named(cli: Run) -> None:
    for arguments, said in (((), "name the lemmas"), (("bank.n",), "--grid needs usages with gold")):
        ran = cli("induce", "my.index", *arguments, "-o", "mine", "--grid", "jurgens-2012:perception")
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
