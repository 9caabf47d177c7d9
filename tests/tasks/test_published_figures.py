"""The same digits as the original scorers, and as the papers' worked examples and tables."""

import csv
import warnings
from functools import cache, partial
from pathlib import Path

import pytest

from polyseme.baselines import ASE
from polyseme.datasets import load
from polyseme.errors import InputError, InputWarning
from polyseme.formats.answer_key import read_key
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.mapping import MostProbable
from polyseme.measures.bcubed import FuzzyBCubed
from polyseme.measures.nmi import FuzzyNMI
from polyseme.measures.partitions import PairedF, VMeasure
from polyseme.measures.perception import WNDCG
from polyseme.tasks import get_task, tasks_by_name
from polyseme.tasks.jurgens_2012 import Jurgens2012
from polyseme.tasks.published import ReproducedFigure, read_known_differences, read_printed_figures
from polyseme.tasks.reproduction import reproduce
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.tasks.senseval import Senseval

# The published keys hold usages outside gold, repeated and empty lines, and say so in warnings.
pytestmark = pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")

TASK_13, TASK_14 = "semeval-2013-task-13", "semeval-2010-task-14"
MEASURES = {
    "jaccard-index": "jaccard",
    "positional-tau": "ksim",
    "weighted-ndcg": "wndcg",
    "fuzzy-nmi": "fuzzy_nmi",
    "fuzzy-bcubed": "fuzzy_bcubed",
}
"""The scorers' names and ours."""
SETTINGS = {"yes": ("mapped",), "no": ("by-name",), "": ("mapped", "by-name")}

Row = dict[str, str]


def reproduce_task(name: str, data: Path, table: str | None = None) -> list[ReproducedFigure]:
    return list(reproduce(get_task(name)(), cache(partial(load, data=data)), table))


def read_rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: cell or "" for name, cell in row.items()} for row in csv.DictReader(file, delimiter="\t")]


def expected_figures(row: Row) -> dict[str, float]:
    """The figures of a row, by our names."""
    name = MEASURES[row["measure"]]
    if not row["f1"]:
        return {name: float(row["precision_or_score"])}
    columns = {"precision": "precision_or_score", "recall": "recall", "f1": "f1"}
    return {f"{name}.{figure}": float(row[column]) for figure, column in columns.items()}


# -- SemEval-2013 Task 13 ------------------------------------------------------------------------------------------


def test_every_figure_of_semeval_2013_agrees(data: Path, official: Path) -> None:
    """Every row of the scorers' output, every cell of Tables 3, 4 and 5, each key scored once, and the data's sizes."""
    cells = reproduce_task("semeval-2013", data)
    printed = [figure for figure in read_printed_figures("semeval-2013") if figure.key]
    check_known_differences("semeval-2013", cells)
    keyed = cells[: len(printed)]
    computed = {(p.gold, p.key, p.setting, p.figure): c.computed for p, c in zip(printed, keyed, strict=True)}
    rows = read_rows(official / f"{TASK_13}.tsv")
    assert len(rows) == 333
    for row in rows:
        gold = f"keys/gold/{row['gold']}.key"
        for figure, value in expected_figures(row).items():
            runs = [(gold, row["key"], setting, figure) for setting in SETTINGS[row["remapped"]]]
            values = [computed[run] for run in runs if run in computed]
            assert values, (row, figure)
            assert values == pytest.approx([value] * len(values), rel=0, abs=1e-9), (row, figure)


def test_edge_cases_score_as_by_the_scorer(official: Path) -> None:
    folder = official / "edge-cases"
    gold = read_key(folder / "gold.key", "semeval-2013")
    rows = read_rows(folder / "scores.tsv")
    assert len(rows) == 50
    for name in {row["key"] for row in rows}:
        rows_of_key = [row for row in rows if row["key"] == name]
        mapping = "no" not in {row["remapped"] for row in rows_of_key}
        figures = SemEval2013(mapping=mapping).score_file(gold, folder / name).figures()
        for row in rows_of_key:
            for figure, value in expected_figures(row).items():
                assert figures[figure] == pytest.approx(value, rel=0, abs=1e-9), (row, figure)


def test_later_versions_of_the_scorer_leave_out_usages_outside_gold(data: Path) -> None:
    keys = data / TASK_13 / "keys"
    gold = read_key(keys / "gold" / "all.key", "semeval-2013")
    system = read_key(keys / "systems" / "AI-KU" / "base" / "y-22-cluster-test.key", "semeval-2013")
    figures = [
        [
            round(FuzzyNMI(outside)(gold, system).figure(), 4),
            round(FuzzyBCubed(outside=outside)(gold, system).figure(), 4),
        ]
        for outside in (False, True)
    ]
    assert figures == [[0.0666, 0.3978], [0.0650, 0.3903]]


def test_gold_against_gold_scores_as_published(data: Path) -> None:
    gold = read_key(data / TASK_13 / "keys" / "gold" / "all.key", "semeval-2013")
    assert round(WNDCG()(gold, gold).figure(), 4) == 0.7464
    assert WNDCG("paper")(gold, gold).figure() == pytest.approx(1.0)
    assert round(FuzzyBCubed()(gold, gold).figure(), 4) == 0.9917


def test_one_warning_for_the_usages_outside_gold(data: Path) -> None:
    keys = data / TASK_13 / "keys"
    gold = read_key(keys / "gold" / "all.key", "semeval-2013")
    system = read_key(keys / "systems" / "AI-KU" / "base" / "y-22-cluster-test.key", "semeval-2013")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        SemEval2013().score(gold, system)
    assert [str(warning.message) for warning in caught] == ["142 usages of the system are not in the gold key"]
    assert caught[0].category is InputWarning


COLUMNS = {
    "Table 3": {"induced_clusters": "clusters", "wordnet_senses": "senses"},
    "Table 4": {"f1": "jaccard.f1", "nmi": "fuzzy_nmi", "bcubed": "fuzzy_bcubed.f1"},
    "Table 5": {},
}
COMMON = {"jaccard_f1": "jaccard.f1", "ksim_f1": "ksim.f1", "wndcg_f1": "wndcg.f1"}
COMMON |= {"fuzzy_nmi": "fuzzy_nmi", "fuzzy_bcubed": "fuzzy_bcubed.f1"}
FILES = {"Table 3": "table-3", "Table 4": "table-4-single-sense", "Table 5": "table-5-multiple-senses"}


@pytest.mark.parametrize("source", sorted(FILES))
def test_shipped_tables_are_the_published_ones(source: str, data: Path) -> None:
    """Every cell that the paper prints is among the figures that are computed again, #Cl and #S included."""
    table = data.parent / "published" / f"{TASK_13}-{FILES[source]}.tsv"
    if not table.is_file():
        pytest.skip("the papers' tables, published/, are not beside the data sets")
    shipped = {
        (figure.system.lower(), figure.figure): float(figure.value)
        for figure in read_printed_figures("semeval-2013")
        if figure.source == source
    }
    published = {
        (row["system"].lower(), (COMMON | COLUMNS[source])[column]): float(cell)
        for row in read_rows(table)
        for column, cell in row.items()
        if column != "system" and cell
    }
    assert shipped == published


# -- SemEval-2010 Task 14 ------------------------------------------------------------------------------------------


def test_every_figure_of_semeval_2010_agrees(data: Path, official: Path) -> None:
    cells = reproduce_task("semeval-2010", data)
    printed = [figure for figure in read_printed_figures("semeval-2010") if figure.source == "scorer"]
    check_known_differences("semeval-2010", cells)
    scorer = [cell for cell in cells if cell.source == "scorer"]
    computed = {(p.key.rpartition("/")[2], p.figure): c.computed for p, c in zip(printed, scorer, strict=True)}
    unsupervised = read_rows(official / f"{TASK_14}-unsupervised.tsv")
    supervised = read_rows(official / f"{TASK_14}-supervised.tsv")
    assert len(unsupervised) == len(supervised) == 24
    for row in unsupervised:
        for figure, column, tolerance in (
            ("paired_f", "F", 1e-9),
            ("v_measure", "V", 0.001),
            ("clusters",) * 2 + (0.005,),
        ):
            assert computed[row["system"], figure] == pytest.approx(float(row[column]), rel=0, abs=tolerance), (
                row,
                figure,
            )
    for row in supervised:
        for setting in ("80_20", "60_40"):
            recall = float(row[f"supervised_{setting}_recall"])
            value = computed[row["key"].rpartition("/")[2], f"supervised.{setting}"]
            assert value == pytest.approx(recall, rel=0, abs=1e-6), (row, setting)


def test_the_shipped_ranking_page_is_the_published_one(data: Path) -> None:
    """Adjusted mutual information, B-Cubed and clusters of every system whose key is there."""
    table = data.parent / "published" / f"{TASK_14}-ranking-page.tsv"
    if not table.is_file():
        pytest.skip("the papers' tables, published/, are not beside the data sets")
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    published = {row["system"]: row for row in csv.DictReader(lines, delimiter="\t")}
    shipped = [figure for figure in read_printed_figures("semeval-2010") if figure.source == "ranking page"]
    assert len(shipped) == 3 * len({figure.system for figure in shipped} & published.keys()) + 1  # B-Cubed of Random
    columns = {"adjusted_mutual_information": ("ami", 1), "clusters": ("clusters", 1), "bcubed.f1": ("b_cubed", 100)}
    for figure in shipped:
        if figure.system != "Random":
            column, scale = columns[figure.figure]
            assert float(figure.value) * scale == pytest.approx(float(published[figure.system][column])), figure


def test_totals_of_recall_lie_between_those_of_nouns_and_verbs(data: Path) -> None:
    cells = [cell for cell in reproduce_task("semeval-2010", data, "6") if isinstance(cell.computed, float)]
    computed = {(cell.system, cell.figure): float(cell.computed) for cell in cells}
    assert len(computed) == 80
    for system in {cell.system for cell in cells}:
        nouns, total, verbs = (computed[system, f"supervised.80_20{group}"] for group in (", nouns", "", ", verbs"))
        assert nouns < total < verbs


# -- known differences ---------------------------------------------------------------------------------------------


def check_known_differences(task: str, cells: list[ReproducedFigure]) -> None:
    """Every cell is as printed or known; every known difference is met, and names the figure that is printed."""
    assert not [cell for cell in cells if not (cell.agrees or cell.known_difference)]
    differing = {
        (cell.task, cell.source, cell.system, cell.figure): cell
        for cell in cells
        if not (cell.agrees or cell.other_data)
    }
    listed = {key: entry for key, entry in read_known_differences().items() if key[0] == task}
    assert differing.keys() == listed.keys()
    for key, entry in listed.items():
        assert entry["printed"] == differing[key].printed
        assert entry["reason"]


def test_figures_of_melamed_and_resnik_agree() -> None:
    cells = reproduce_task("senseval", Path())
    assert cells == list(Senseval().compute_worked_examples())
    check_known_differences("senseval", cells)


def test_one_table_needs_no_more_than_its_own_data() -> None:
    cells = reproduce_task("jurgens-2012", Path("nowhere"), "Figure 1")
    assert cells == list(Jurgens2012().compute_worked_examples())


@pytest.mark.usefixtures("wordnet_30")
def test_tables_of_jurgens_2012_agree(data: Path) -> None:
    """Table 1 and the ties exactly, Table 3 to rounding or within chance, but for what is known."""
    cells = reproduce_task("jurgens-2012", data)
    check_known_differences("jurgens-2012", cells)
    exact = [cell for cell in cells if cell.source != "Figure 1" and not cell.noise]
    assert len(exact) == 16 + 1 + 3 + 3 * 3 + 1  # Table 1, ties, sizes, MFS, ASF and ASE, and ASR's Detection
    assert [(cell.system, cell.figure) for cell in exact if not cell.agrees] == [("ASE", "perception")]
    assert all(cell.agrees for cell in cells if cell.noise)
    assert {cell.system for cell in cells if cell.noise} == {"RS", "ASR", "RSM"}


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no figures of '7'; there are Figure 1, Table 1, §2.2, §5.1, Table 3"):
        reproduce_task("jurgens-2012", Path(), "7")


def test_a_figure_that_depends_on_chance_agrees_within_two_deviations() -> None:
    assert ReproducedFigure("t", "Table 3", "RS", "ranking", "-0.036", -0.05, noise=0.01).agrees
    assert not ReproducedFigure("t", "Table 3", "RS", "ranking", "-0.036", -0.06, noise=0.01).agrees


def test_every_known_difference_belongs_to_a_task() -> None:
    assert {key[0] for key in read_known_differences()} <= set(tasks_by_name())


def test_a_figure_that_leaves_its_known_value_is_a_difference() -> None:
    (key, entry) = next(iter(read_known_differences().items()))
    assert ReproducedFigure(*key, entry["printed"], entry["ours"]).known_difference == entry["reason"]
    assert not ReproducedFigure(*key, entry["printed"], entry["ours"] + 0.001).known_difference
    assert not ReproducedFigure("semeval-2013", "Table 3", "unlisted", "jaccard.f1", "0.5", 0.6).known_difference


@pytest.mark.parametrize(
    "source, figure, printed, computed, agrees",
    [
        ("Table 3", "f1", "0.25", 0.2549, True),
        ("Table 3", "f1", "0.25", 0.2551, False),
        ("Table 3", "f1", "2/3", 2 / 3, True),
        ("Table 3", "f1", "2/3", 0.6667, False),
        ("Table 3", "sense", "G3", "G3", True),
        ("Table 3", "sense", "G3", "G1", False),
        ("scorer", "paired_f", "0.25", 0.25 + 1e-8, False),
        ("scorer", "v_measure", "0.25", 0.2509, True),
        ("scorer", "v_measure", "0.25", 0.2511, False),
    ],
)
def test_agreement_to_the_printed_digit(
    source: str, figure: str, printed: str, computed: float | str, agrees: bool
) -> None:
    assert ReproducedFigure("semeval-2013", source, "A", figure, printed, computed).agrees is agrees


# -- worked examples -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, detection, ranking, perception",
    [
        ({"win.v.1": 0.7, "win.v.2": 0.3}, 1.0, 1.0, 0.983),
        ({"win.v.1": 1.0}, 0.5, 1.0, 0.832),
        ({"win.v.2": 1.0}, 0.5, 0.333, 0.555),
        ({"win.v.3": 0.5, "win.v.1": 0.3, "win.v.4": 0.2}, 0.25, -0.2, 0.405),
    ],
)
def test_figure_1_of_jurgens_2012(
    answer: dict[str, float], detection: float, ranking: float, perception: float
) -> None:
    gold = Labelling.from_dict({"win.v.i": {"win.v.1": 0.6, "win.v.2": 0.4}}, lemma="win.v")
    inventory = Inventory(Sense(f"win.v.{number}", "win.v") for number in range(1, 5))
    system = Labelling.from_dict({"win.v.i": answer}, lemma="win.v")
    figures = Jurgens2012(mapping="none").score(gold, system, inventory=inventory).figures()
    values = [round(figures[name], 3) for name in ("detection", "ranking", "perception")]
    assert values == [detection, ranking, perception]
    if len(answer) == 3:
        assert round(figures["jensen_shannon"], 3) == 0.593


def test_table_3_of_semeval_2010() -> None:
    table = {"C1": (10, 10, 15), "C2": (20, 50, 0), "C3": (1, 10, 60), "C4": (5, 0, 0)}
    pairs = [(f"G{sense}", c) for c, row in table.items() for sense, count in enumerate(row, 1) for _ in range(count)]
    usages = [f"x.{number}" for number in range(len(pairs))]
    gold, system = (Labelling.hard(usages, [pair[side] for pair in pairs], lemma="x") for side in (0, 1))
    v = VMeasure()(gold, system).total()
    assert [round(v[name], 3) for name in ("homogeneity", "completeness", "score")] == [0.404, 0.370, 0.386]
    f = PairedF()(gold, system).total()
    assert f["precision"] == pytest.approx(3435 / 5505)
    assert f["recall"] == pytest.approx(3435 / 5820)
    assert round(f["f1"], 4) == 0.6066
    mapped = MostProbable().fit(system, gold)(
        Labelling.from_dict({"x.new": {"C1": 0.8, "C2": 0.1, "C3": 0.1, "C4": 0.0}}, lemma="x")
    )
    assert {sense: round(weight, 2) for sense, weight in mapped["x.new"].items()} == {"G3": 0.43}


def test_worked_examples_agree() -> None:
    by_task = {name: list(task().compute_worked_examples()) for name, task in tasks_by_name().items()}
    counts = {name: len(figures) for name, figures in by_task.items() if figures}
    assert counts == {"jurgens-2012": 13, "semeval-2010": 11, "senseval": 26}
    every = [figure for figures in by_task.values() for figure in figures]
    assert not [figure for figure in every if not (figure.agrees or figure.known_difference)]


# -- Jurgens 2012 --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def graded(data: Path) -> Labelling:
    """Mean ratings of the 400 usages; a mean of 1 is not listed."""
    key = data / "semeval-2013-task-13-trial" / "keys" / "gold-standard" / "trial.gold-standard.key"
    rows = read_key(key).rows()
    return Labelling((lemma, usage, {s: w for s, w in senses.items() if w > 1}) for lemma, usage, senses in rows)


def test_senses_per_usage_of_jurgens_2012(graded: Labelling) -> None:
    """Table 1, and the share of usages with tied senses (§2)."""
    printed = {"add.v": 4.18, "ask.v": 5.98, "win.v": 3.98, "argument.n": 5.18, "interest.n": 5.12, "paper.n": 5.54}
    printed |= {"different.a": 4.98, "important.a": 4.82}
    assert {lemma: round(float(graded.for_lemma(lemma).sizes.mean()), 2) for lemma in graded.lemmas} == printed
    tied = [len(set(senses.values())) < len(senses) for senses in graded.values()]
    assert sum(tied) / len(tied) == pytest.approx(0.65, abs=0.05)


def test_all_senses_equal_of_jurgens_2012(graded: Labelling) -> None:
    """Table 3, ASE: the only baseline that needs neither chance nor the dictionary's order of senses."""
    scores = Jurgens2012(mapping="none").score(graded, ASE()(graded)).figures()
    figures = tuple(round(scores[name], 4) for name in ("detection", "ranking", "perception"))
    assert figures == (0.8461, 0.0, 0.8626), "printed: .846, .000, .862"
