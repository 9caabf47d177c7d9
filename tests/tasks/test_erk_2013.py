"""The figures of Erk, McCarthy & Gaylord 2013."""

import json
import tomllib
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

import pytest

import polyseme
from cli.conftest import Run
from polyseme.errors import InputError
from polyseme.experiments.corpora import Load
from polyseme.reports.reproduction_tables import verdict
from polyseme.sentence import Sentence, Token
from polyseme.tasks.erk_2013 import SECTIONS, describe_erk_2013, reproduce_erk_2013
from polyseme.tasks.erk_2013_data import TASK, ErkData, semcor_tags
from polyseme.tasks.published import MISSING, ReproducedFigure, known_differences
from polyseme.tasks.reproduction import read_printed_figures
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet


@pytest.fixture(scope="module")
def loaded(data: Path, wordnet_30: WordNet) -> Load:
    assert wordnet_30.version == "3.0"
    return cache(partial(polyseme.load, data=data))


@pytest.fixture(scope="module")
def cells(loaded: Load) -> list[ReproducedFigure]:
    return list(reproduce_erk_2013(loaded))


def test_every_figure_is_there_and_none_differs_without_a_reason(cells: list[ReproducedFigure]) -> None:
    assert len(cells) == len(read_printed_figures(TASK))
    assert not [cell for cell in cells if verdict(cell) == "DIFFERS"]
    used = {(cell.task, cell.source, cell.system, cell.figure) for cell in cells if cell.known and not cell.elsewhere}
    assert used == {key for key in known_differences() if key[0] == TASK}, "no difference is listed that there is not"


def test_most_figures_are_found_again(cells: list[ReproducedFigure]) -> None:
    assert sum(cell.agrees for cell in cells) == 96


def test_what_needs_other_data_says_which(cells: list[ReproducedFigure]) -> None:
    silent = [cell for cell in cells if cell.ours == MISSING]
    assert len(silent) == sum(bool(each.setting) for each in read_printed_figures(TASK)) == 41
    assert all("known: needs " in verdict(cell) for cell in silent)
    assert {"0.548", "0.62", "0.638", "0.93"} <= {cell.printed for cell in silent}


def test_mixing_and_matching_is_found_again_to_the_usage(cells: list[ReproducedFigure]) -> None:
    """§5.3: the counts of both rounds are those that the paper prints, and so is ρ of two senses of paper.n."""
    ours = [cell.ours for cell in cells if cell.source == "§5.3" and not isinstance(cell.ours, str)]
    ratings = [pytest.approx(-0.6098, abs=1e-4), 3.25, 4.125]
    assert ours == [135, 29, 2, 185, 205, pytest.approx(-0.5233, abs=1e-4), 29, 7, *ratings]


def test_agreement_is_that_of_pooled_pairs(cells: list[ReproducedFigure]) -> None:
    """.604 and .258 are the means over usages."""
    ours = {(cell.system, cell.figure): cell.ours for cell in cells if cell.source in ("§4.4", "§4.5")}
    assert ours["WSbest", "agreement, where both chose one sense"] == pytest.approx(0.6259, abs=5e-5)
    assert ours["SYNbest", "agreement"] == pytest.approx(0.2607, abs=5e-5)


def test_tied_modes_are_no_mode(cells: list[ReproducedFigure], loaded: Load) -> None:
    (best,) = (cell.ours for cell in cells if (cell.system, cell.figure) == ("WSsim-2, WSbest", "ρ"))
    assert best == pytest.approx(0.4828, abs=5e-5)
    assert len(ErkData(loaded).modes) == 260 - 15


@pytest.mark.parametrize(
    "figure, ours",
    [
        ("ρ of two annotators, mean", [0.49916, 0.59656]),
        ("ρ of an annotator with the mean of the others, lowest", [0.55777, 0.57465]),
        ("ρ", [0.42575, 0.48279]),
        ("senses in a group", [1.91667]),
        ("ρ of distance and similarity", [-0.81814]),
    ],
)
def test_figures(cells: list[ReproducedFigure], figure: str, ours: list[float]) -> None:
    found = [cell.ours for cell in cells if cell.figure == figure and not isinstance(cell.ours, str)]
    assert found == pytest.approx(ours, abs=1e-5)


def test_what_else_is_found(loaded: Load) -> None:
    text = "\n".join(describe_erk_2013(loaded))
    assert "WSsim-1, ratings: 1: 42.3%, 2: 10.7%, 3: 14.1%, 4: 14.5%, 5: 18.4%" in text
    assert "ρ = 0.744 on 1,125 pairs" in text
    assert "46 senses of 8 lemmas in 24 groups" in text


def test_the_coverage_lists_every_section_with_no_fewer_figures_than_there_are() -> None:
    text = files("polyseme.tasks").joinpath("figures", f"coverage-{TASK}.toml").read_text(encoding="utf-8")
    listed = {entry["source"]: entry for entry in tomllib.loads(text)["cells"]}
    figures = read_printed_figures(TASK)
    assert {figure.source for figure in figures} == {source for source in listed if source.startswith("§")}
    for source in SECTIONS:
        mine = [figure for figure in figures if figure.source == source]
        assert listed[source]["printed"] >= len(mine)
        assert bool(listed[source]["reason"]) == (listed[source]["printed"] > sum(not each.setting for each in mine))


def test_one_section(loaded: Load) -> None:
    assert {cell.source for cell in reproduce_erk_2013(loaded, "§4.4")} == {"§4.4"}
    with pytest.raises(InputError, match=r"erk-2013 has no figures of '9'; there are §3, §4.2"):
        list(reproduce_erk_2013(loaded, "9"))


def test_every_section_that_can_be_computed_has_figures() -> None:
    assert set(SECTIONS) == {each.source for each in read_printed_figures(TASK) if not each.setting}


def test_tags_of_sentences() -> None:
    """Only the lemma of the usage counts, and only sentences that usages are called after."""
    tokens = (Token("We", 0, 2), Token("won", 3, 6, "win", "v", senses=("w1", "w2")), Token("it", 7, 9, "it", "n"))
    sentences = [Sentence(name, "We won it", tokens) for name in ("s=1", "s=2")]
    usages = [Usage("s=1", "win.v", "We won it", 3, 6), Usage("s=3", "win.v", "We won it", 3, 6)]
    found = semcor_tags(usages, sentences)
    assert dict(found) == {"s=1": {"w1": 1.0, "w2": 1.0}}
    assert len(semcor_tags([Usage("s=2", "it.n", "We won it", 7, 9)], sentences)) == 0


@pytest.mark.usefixtures("wordnet_30")
def test_the_command(cli: Run, data: Path) -> None:
    ran = cli("reproduce", "erk-2013", "--table", "§5.3", "--data", data, "--json")
    assert ran.code == 0
    rows = json.loads(ran.out)
    assert {row["verdict"].partition(":")[0] for row in rows} == {"same", "known"}
    assert [row["difference"] for row in rows if row["ours"] == MISSING] == [None]
