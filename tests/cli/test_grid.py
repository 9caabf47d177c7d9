"""``polyseme induce --grid``: options chosen on some lemmas, and tested on others."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Ran, Run
from experiments.banks import format_key, make_trees, make_usages, write_data
from induction.corpora import background
from polyseme.corpus.english_analyser import English
from polyseme.corpus.indexing import build_index
from polyseme.datasets import DataSet, load
from polyseme.errors import InputError
from polyseme.formats import write_usages
from polyseme.gold import Gold
from polyseme.induction.model import SenseModel
from polyseme.induction.squares import Squares
from polyseme.labelling import Labelling

GRID = {"delta": (0.9, 0.2, 0.35), "sigma": (0.3,)}
"""The first labels nothing, the second all; what the third does depends on luck."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    build_index([*make_usages(80, seed=0), *background(60)], folder / "my.index", English(), processes=1)
    return folder


@pytest.fixture(autouse=True)
def _beside_it(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run where the index is, and usages of two lemmas with gold."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    inputs = make_usages(12, seed=9)
    write_usages(inputs, tmp_path / "new.jsonl")
    (tmp_path / "gold.key").write_text(format_key(inputs))
    (tmp_path / "others.key").write_text(format_key(make_trees(2)))
    monkeypatch.setattr(Squares, "grid", GRID)
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)


def grid(cli: Run, criterion: str, *options: str, gold: str = "gold.key") -> Ran:
    files = ("--usages", "new.jsonl", *(("--gold", gold) if gold else ()))
    return cli("induce", "my.index", "bank.n", "crane.n", "-o", "mine", "--grid", criterion, *files, *options)


@pytest.mark.parametrize("criterion", ["semeval-2013:jaccard.f1", "jurgens-2012:perception*recall"])
def test_the_best_options_make_the_model(cli: Run, tmp_path: Path, criterion: str) -> None:
    ran = grid(cli, criterion)
    best = "Squares(delta=0.2, sigma=0.3, minimum=5)"
    assert (ran.code, ran.out) == (0, "mine: 4 senses of 2 lemmas by Squares(delta=0.2, sigma=0.3)\n")
    assert repr(SenseModel.load(tmp_path / "mine").inducer) == best
    title, heading, _, first, *_, last, note = ran.err.splitlines()
    figure = criterion.partition(":")[2]
    assert title == "The best of 3"
    assert heading.split() == ["Options", figure, "Labelled"]
    assert first.split() == [*best.split(), "1.000", "1.000"]
    assert last.split()[-2:] == ["–", "0.000"]
    assert note == f"{figure} 1.000 on held-out lemmas, in 2 folds"


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
    "criterion, gold, message",
    [
        ("jurgens-2012", "gold.key", "--grid is 'jurgens-2012'; it names a task and a figure, as semeval-2013:"),
        ("usim:spearman", "gold.key", "task is 'usim'; allowed are jurgens-2012, semcor-wsi, semeval-2010"),
        ("jurgens-2012:f1", "gold.key", "there is no figure 'f1' to choose by; there are detection, ranking, percep"),
        ("jurgens-2012:recall*f1", "gold.key", "there is no figure 'f1' to choose by"),
        ("semeval-2013:senses", "gold.key", "there is no figure 'senses' to choose by"),
        ("semeval-2010:clusters", "gold.key", "no figure 'clusters' to choose by; there are v_measure, homogeneity"),
        ("semeval-2010:supervised.80_20", "gold.key", "there is no figure 'supervised.80_20' to choose by"),
        ("jurgens-2012:recall", "", "--grid needs usages with gold: add --usages and a data set's name, or a file and"),
        ("jurgens-2012:recall", "others.key", "new.jsonl: none of its usages is in others.key"),
    ],
)
def test_wrong_inputs_are_refused(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, criterion: str, gold: str, message: str
) -> None:
    """All of them before anything is counted."""
    monkeypatch.delattr(Squares, "gather")
    ran = grid(cli, criterion, gold=gold)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("polyseme: ")
    assert message in ran.err
    assert not (tmp_path / "mine").exists()


@pytest.fixture
def banks(tmp_path: Path) -> DataSet:
    """A data set with gold, splits, and ratings that say more than gold."""
    (tmp_path / "data").mkdir()
    folder = write_data(tmp_path / "data")
    ratings = folder / "banks" / "ratings.csv"
    ratings.write_text(re.sub(",1$", ",2", ratings.read_text(), flags=re.MULTILINE))
    return load("banks", folder)


def of_data_set(cli: Run, criterion: str, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.setenv("POLYSEME_DATA", "data")
    return cli("induce", "my.index", "bank.n", "crane.n", "-o", "mine", "--grid", criterion, "--usages", "banks")


@pytest.mark.usefixtures("banks")
def test_options_by_the_splits_of_a_data_set(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = of_data_set(cli, "semeval-2010:supervised.80_20", monkeypatch)
    assert ran.code == 0, ran.err
    assert "supervised.80_20" in ran.err.splitlines()[1]
    assert "delta=0.2" in ran.out


def test_options_by_the_gold_of_an_experiment(cli: Run, banks: DataSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """For Jurgens 2012, the means of ratings, as `polyseme run` has it."""
    seen: list[Labelling] = []

    def tried(*inputs: Any, **_: Any) -> None:
        seen.append(inputs[3])
        raise InputError("that is enough")

    monkeypatch.setattr("polyseme.interface.senses.search_grid", tried)
    of_data_set(cli, "jurgens-2012:perception", monkeypatch)
    of_data_set(cli, "semeval-2013:fuzzy_nmi", monkeypatch)
    assert seen == [Gold("mean", "sum")(banks.ratings), banks.gold]
    assert seen[0] != seen[1]


def test_options_that_label_nothing(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Squares, "grid", {"delta": (0.9, 0.95)})
    ran = grid(cli, "jurgens-2012:perception")
    assert (ran.code, ran.out) == (2, "")
    assert "perception is undefined for 2 variants of Squares(delta=0.037, sigma=0.55, minimum=5): none" in ran.err


def test_lemmas_and_usages_must_be_named(cli: Run) -> None:
    for arguments, message in (((), "name the lemmas"), (("bank.n",), "--grid needs usages with gold")):
        ran = cli("induce", "my.index", *arguments, "-o", "mine", "--grid", "jurgens-2012:perception")
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err
