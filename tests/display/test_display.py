"""Values in notebooks: every value renders, escapes what it holds, and stays small and quick whatever its size."""

from __future__ import annotations

import html.parser
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.agreement.overview import measure_agreement
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.concordance_lines import Concordance
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.disambiguation.disambiguated_text import DisambiguatedText, DisambiguatedWord, WeightedSense
from polyseme.display.scores import render_run
from polyseme.frames import read_rows
from polyseme.gold.record import gold_from_ratings
from polyseme.gold.rule import Gold
from polyseme.induction.model import SenseModel
from polyseme.induction.uoy import UoY
from polyseme.interface.reproduction import Reproduction
from polyseme.interface.scoring import score
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.lm.substitutes import Substitutes
from polyseme.rating import Rating, Ratings
from polyseme.reports.agreement_sections import AgreementSection
from polyseme.reports.tables import Table
from polyseme.reports.words_page import WordsReport
from polyseme.scores import Scores
from polyseme.tasks.comparison import SystemComparison, compare_results
from polyseme.tasks.published import ReproducedFigure
from polyseme.tasks.result import RunRow, TaskResult
from polyseme.tasks.semeval_2010 import SemEval2010
from polyseme.usage import Usage
from polyseme.words.word_reports import make_word_report
from word_profiles import LENDING, bank_profile, changing_profile, usage

ATTACK = '<script>alert("x")</script>'
LEMMA = f"{ATTACK}.n"
MANY = 30_000
LARGEST = 200_000
"""The greatest number of characters of a display."""


def make_usages(count: int) -> list[Usage]:
    return [Usage(f"{ATTACK}{number}", LEMMA, f"{ATTACK} bank {ATTACK}", 28, 32) for number in range(count)]


def make_labelling(count: int) -> Labelling:
    return Labelling.from_arrays(
        [f"{ATTACK}{number}" for number in range(count)],
        [LEMMA] * count,
        np.full(count, 2),
        [ATTACK, "b"] * count,
        np.tile([0.7, 0.3], count),
    )


def make_inventory(count: int) -> Inventory:
    usages = tuple(make_usages(1))
    return Inventory(
        Sense(f"{ATTACK}{number % 3}", f"{LEMMA}{number // 3}", ATTACK, (ATTACK,), (ATTACK,), 1.0, None, (), usages)
        for number in range(count)
    )


def make_model(count: int) -> SenseModel:
    return SenseModel(UoY(), "", make_inventory(count), {LEMMA: ATTACK})


def make_scores(count: int) -> Scores:
    units = [f"{ATTACK}{number}" for number in range(count)]
    return Scores.from_units(ATTACK, units, [f"{LEMMA}{number % 1000}" for number in range(count)], np.ones(count))


def make_result(count: int) -> TaskResult:
    return TaskResult({ATTACK: make_scores(count)}, extra={"pooled": 0.5}, absent=(ATTACK,))


def make_ratings(count: int) -> Ratings:
    return Ratings(
        Rating(f"{ATTACK}{number % 3}", ATTACK, LEMMA, f"u{number // 3}", ATTACK, number % 5 + 1)
        for number in range(count)
    )


def make_text(count: int) -> DisambiguatedText:
    senses = (WeightedSense(ATTACK, 0.8, ATTACK), WeightedSense("b", 0.2, ""))
    words = [DisambiguatedWord(usage, 28, 32, senses) for usage in make_usages(count)]
    return DisambiguatedText(tuple(words), (ATTACK,))


def make_substitutes(count: int) -> Substitutes:
    return Substitutes(tuple(f"{ATTACK}{number}" for number in range(count)), np.full(count, 1 / count))


MAKERS: list[Callable[[int], Any]] = [
    make_labelling,
    make_inventory,
    make_model,
    make_scores,
    make_result,
    make_ratings,
    make_text,
    make_substitutes,
    lambda count: Concordance(make_usages(count)),
    lambda count: measure_agreement(make_ratings(min(count, 30)), resamples=0),
    lambda count: gold_from_ratings(Gold(), make_ratings(min(count, 30))),
    lambda count: Table(ATTACK, (ATTACK,), ((ATTACK,),) * count),
    lambda count: AgreementSection(count, [Table(ATTACK, (ATTACK,), ((ATTACK,),))], ATTACK, ATTACK),
]


class Tags(html.parser.HTMLParser):
    """The elements of a page: all are closed, and none runs or fetches anything."""

    VOID = ("br", "circle", "path", "line", "rect")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe")
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def check_display(value: Any) -> str:
    """Render a value twice, and check the second, which needs no import."""
    value._repr_html_()
    start = time.perf_counter()
    page: str = value._repr_html_()
    assert time.perf_counter() - start < 0.5, "0.1 s on a quiet machine"
    assert Tags(page).open == []
    assert len(page) < LARGEST
    assert len(repr(value)) < 600
    return page


@pytest.mark.parametrize("make", MAKERS)
def test_values_escape_what_they_hold(make: Callable[[int], Any]) -> None:
    page = check_display(make(12))
    assert "&lt;script" in page


@pytest.mark.parametrize("make", MAKERS[3:])
def test_results_are_pickled(make: Callable[[int], Any]) -> None:
    value = make(12)
    assert pickle.loads(pickle.dumps(value))._repr_html_() == value._repr_html_()


@pytest.mark.parametrize("make", MAKERS[:9])
def test_large_values_are_cut(make: Callable[[int], Any]) -> None:
    page = check_display(make(MANY))
    assert "… and " in page or make in (make_result, make_ratings)


@pytest.mark.parametrize("make", MAKERS[:1] + MAKERS[3:4] + MAKERS[5:9])
def test_empty_values_are_rendered(make: Callable[[int], Any]) -> None:
    check_display(make(0) if make is not make_substitutes else Substitutes((), np.zeros(0)))


def test_weights_are_shaded() -> None:
    page = Labelling.from_dict({"win.v.1": {"a": 1.0, "b": 0.0}}, lemma="win.v")._repr_html_()
    assert '--shade: 0.50">a <b>1.00</b>' in page
    assert '--shade: 0.06">b <b>0.00</b>' in page


def test_scores_show_the_total_and_the_lemmas() -> None:
    page = Scores.from_units("Jaccard()", ["u1", "u2"], ["win.v", "ask.v"], [0.5, 0.0])._repr_html_()
    for text in ("Jaccard()", "2 usages of 2 lemmas", "win.v", "0.500", "0.250"):
        assert text in page


def test_a_result_has_the_columns_of_its_task() -> None:
    gold = Labelling.from_dict({"win.v.1": {"a": 1.0}, "win.v.2": {"b": 1.0}}, lemma="win.v")
    page = check_display(score("all-words", gold, gold))
    assert "all-words" in page
    assert "1.000" in page


def test_an_experiment_has_a_row_for_each_system() -> None:
    page = render_run("Run", SemEval2010(), [RunRow("<Squares>", "model", {"v_measure": 0.25}, {})])
    assert "&lt;Squares&gt;" in page
    assert "0.250" in page


def test_a_reproduction_begins_with_what_differs() -> None:
    figures = [ReproducedFigure("senseval", "Table 1", f"s{n}", "f1", "0.50", 0.5 if n else 0.6) for n in range(30)]
    page = check_display(Reproduction("senseval", tuple(figures)))
    assert page.index("DIFFERS</td>") < page.index("same</td>")
    assert "… and 10 more" in page


def test_a_comparison_has_intervals() -> None:
    first, second = (
        TaskResult({"jaccard": Scores.from_lemmas("J()", ["a", "b"], values)}) for values in ([0.1, 0.2], [0.3, 0.5])
    )
    rows = tuple(compare_results(first, second, samples=100))
    page = check_display(SystemComparison("<a>", "b.key", rows))
    assert "b.key (B) against &lt;a&gt; (A)" in page
    assert "0.250" in page


def test_words_of_a_text_can_be_focused() -> None:
    text = "We sat on the bank of the river."
    words = [
        DisambiguatedWord(Usage("1", "bank.n", text, 14, 18), 14, 18, (WeightedSense("k", 0.9, "sloping land"),)),
        DisambiguatedWord(Usage("2", "sit.v", text, 3, 6), 3, 6, ()),
    ]
    page = DisambiguatedText(tuple(words))._repr_html_()
    assert page.index(">sat<") < page.index(">bank<")
    assert page.count('tabindex="0"') == 2
    assert "sloping land" in page
    assert " of the river." in page


def test_a_word_report_has_cards_and_plots() -> None:
    pytest.importorskip("altair", reason="plots need polyseme[plots]")
    page = make_word_report([changing_profile()])._repr_html_()
    assert "<svg" in page
    assert "Shares over time" in page
    assert "<mark>bank</mark>" in page
    assert len(page) < LARGEST


def test_a_word_report_without_plots_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    page = make_word_report([changing_profile()])._repr_html_()
    assert "pip install &#39;polyseme[plots]&#39;" in page
    assert "<mark>bank</mark>" in page
    report = WordsReport("Words", "", (make_word_report([changing_profile()]),))._repr_html_()
    assert "pip install &#39;polyseme[plots]&#39;" in report
    timeless = make_word_report([bank_profile([(1.0, 0.0)], [usage(1, LENDING)])])._repr_html_()
    assert "The plot of shares over time is missing" not in timeless


def test_an_index_shows_its_counts_even_if_it_is_damaged(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("The bank lends money.")
    page = check_display(build_index([source], tmp_path / "index", as_analyser("simple"), processes=1))
    assert "a.txt" in page
    assert "this is not" not in page
    (tmp_path / "index" / "manifest.json").write_text("[]")
    assert "damaged" in Index(tmp_path / "index")._repr_html_()


def test_unsure_senses_are_marked() -> None:
    shares = (0.3, 0.85, None)
    senses = [Sense(f"bank.n.s{number}", "bank.n", recurrence=share) for number, share in enumerate(shares)]
    page = check_display(Inventory(senses))
    assert page.count(">unsure</span>") == 1
    assert page.count("of random halves</div>") == 2


def test_tables_of_senses_have_their_recurrence() -> None:
    inventory = Inventory([Sense("a", "x", recurrence=0.3), Sense("b", "x")])
    assert Inventory.from_records(read_rows(inventory.to_records())) == inventory
