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
from polyseme.reports.reproduction_tables import verdict
from polyseme.sentence import Sentence, Token
from polyseme.tasks.erk_2013 import Erk2013
from polyseme.tasks.erk_2013.data import ErkData, get_semcor_tags
from polyseme.tasks.published import MISSING, ReproducedFigure, read_known_differences, read_printed_figures
from polyseme.tasks.reproduction import reproduce
from polyseme.tasks.task import Load
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet

TASK = Erk2013()


@pytest.fixture(scope="module")
def loaded(data: Path, wordnet_30: WordNet) -> Load:
    assert wordnet_30.version == "3.0"
    return cache(partial(polyseme.load, data=data))


@pytest.fixture(scope="module")
def cells(loaded: Load) -> list[ReproducedFigure]:
    return list(reproduce(TASK, loaded))


def test_every_figure_is_there_and_none_differs_without_a_reason(cells: list[ReproducedFigure]) -> None:
    assert len(cells) == len(read_printed_figures(TASK.name))
    assert not [cell for cell in cells if verdict(cell) == "DIFFERS"]
    used = {
        (cell.task, cell.source, cell.system, cell.figure)
        for cell in cells
        if cell.known_difference and not cell.other_data
    }
    assert used == {key for key in read_known_differences() if key[0] == TASK.name}, (
        "no difference is listed that there is not"
    )


def test_most_figures_agree(cells: list[ReproducedFigure]) -> None:
    assert sum(cell.agrees for cell in cells) == 96


def test_figures_without_data_name_the_data(cells: list[ReproducedFigure]) -> None:
    silent = [cell for cell in cells if cell.computed == MISSING]
    assert len(silent) == sum(bool(figure.setting) for figure in read_printed_figures(TASK.name)) == 41
    assert all("known: needs " in verdict(cell) for cell in silent)
    assert {"0.548", "0.62", "0.638", "0.93"} <= {cell.printed for cell in silent}


def test_counts_of_mixed_senses_agree_to_the_usage(cells: list[ReproducedFigure]) -> None:
    """§5.3: the counts of both rounds are those that the paper prints, and so is ρ of two senses of paper.n."""
    computed = [cell.computed for cell in cells if cell.source == "§5.3" and not isinstance(cell.computed, str)]
    ratings = [pytest.approx(-0.6098, abs=1e-4), 3.25, 4.125]
    assert computed == [135, 29, 2, 185, 205, pytest.approx(-0.5233, abs=1e-4), 29, 7, *ratings]


def test_agreement_is_that_of_pooled_pairs(cells: list[ReproducedFigure]) -> None:
    """.604 and .258 are the means over usages."""
    computed = {(cell.system, cell.figure): cell.computed for cell in cells if cell.source in ("§4.4", "§4.5")}
    assert computed["WSbest", "agreement, where both chose one sense"] == pytest.approx(0.6259, abs=5e-5)
    assert computed["SYNbest", "agreement"] == pytest.approx(0.2607, abs=5e-5)


def test_tied_senses_have_no_mode(cells: list[ReproducedFigure], loaded: Load) -> None:
    (best,) = (cell.computed for cell in cells if (cell.system, cell.figure) == ("WSsim-2, WSbest", "ρ"))
    assert best == pytest.approx(0.4828, abs=5e-5)
    assert len(ErkData(loaded).modes) == 260 - 15


@pytest.mark.parametrize(
    "figure, values",
    [
        ("ρ of two annotators, mean", [0.49916, 0.59656]),
        ("ρ of an annotator with the mean of the others, lowest", [0.55777, 0.57465]),
        ("ρ", [0.42575, 0.48279]),
        ("senses in a group", [1.91667]),
        ("ρ of distance and similarity", [-0.81814]),
    ],
)
def test_figures_are_computed_to_five_digits(cells: list[ReproducedFigure], figure: str, values: list[float]) -> None:
    computed = [cell.computed for cell in cells if cell.figure == figure and not isinstance(cell.computed, str)]
    assert computed == pytest.approx(values, abs=1e-5)


def test_notes_have_figures_that_the_paper_does_not_print(loaded: Load) -> None:
    text = "\n".join(TASK.describe_data(loaded))
    assert "WSsim-1, ratings: 1: 42.3%, 2: 10.7%, 3: 14.1%, 4: 14.5%, 5: 18.4%" in text
    assert "ρ = 0.744 on 1,125 pairs" in text
    assert "46 senses of 8 lemmas in 24 groups" in text


def test_the_coverage_lists_every_section_with_no_fewer_figures_than_there_are() -> None:
    text = files("polyseme.tasks").joinpath("figures", f"coverage-{TASK.name}.toml").read_text(encoding="utf-8")
    listed = {entry["source"]: entry for entry in tomllib.loads(text)["cells"]}
    figures = read_printed_figures(TASK.name)
    assert {figure.source for figure in figures} == {source for source in listed if source.startswith("§")}
    for source in TASK.data_figures():
        of_section = [figure for figure in figures if figure.source == source]
        assert listed[source]["printed"] >= len(of_section)
        assert bool(listed[source]["reason"]) == (
            listed[source]["printed"] > sum(not figure.setting for figure in of_section)
        )


def test_one_section_is_computed_alone(loaded: Load) -> None:
    assert {cell.source for cell in reproduce(TASK, loaded, "§4.4")} == {"§4.4"}
    with pytest.raises(InputError, match=r"erk-2013 has no figures of '9'; there are §3, §4.2"):
        list(reproduce(TASK, loaded, "9"))


def test_every_section_that_can_be_computed_has_figures() -> None:
    assert set(TASK.data_figures()) == {
        figure.source for figure in read_printed_figures(TASK.name) if not figure.setting
    }


def test_semcor_tags_are_of_the_lemma_of_the_usage() -> None:
    """Only the lemma of the usage counts, and only sentences that usages are called after."""
    tokens = (Token("We", 0, 2), Token("won", 3, 6, "win", "v", senses=("w1", "w2")), Token("it", 7, 9, "it", "n"))
    sentences = [Sentence(name, "We won it", tokens) for name in ("s=1", "s=2")]
    usages = [Usage("s=1", "win.v", "We won it", 3, 6), Usage("s=3", "win.v", "We won it", 3, 6)]
    tags = get_semcor_tags(usages, sentences)
    assert dict(tags) == {"s=1": {"w1": 1.0, "w2": 1.0}}
    assert len(get_semcor_tags([Usage("s=2", "it.n", "We won it", 7, 9)], sentences)) == 0


@pytest.mark.usefixtures("wordnet_30")
def test_the_command_prints_figures_and_verdicts(cli: Run, data: Path) -> None:
    command = cli("reproduce", "erk-2013", "--table", "§5.3", "--data", data, "--json")
    assert command.code == 0
    rows = json.loads(command.out)
    assert {row["verdict"].partition(":")[0] for row in rows} == {"same", "known"}
    assert [row["difference"] for row in rows if row["ours"] == MISSING] == [None]
