"""The page about words."""

from __future__ import annotations

import html.parser
import re
from dataclasses import replace

import numpy as np
import pytest

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.reports.sense_cards import quoted, sureness
from polyseme.reports.words_page import words_page
from polyseme.words.certainty import DETERMINISTIC, ONE_SEED, SAVED_MODEL, Certainty
from polyseme.words.dictionary import compare_descriptions_with_dictionary
from polyseme.words.editing import rename_senses
from polyseme.words.periods import Period, SenseChange, detect_changes, detect_peaks, shares_by_period, year_span
from polyseme.words.profile import WordProfile
from polyseme.words.summary import headline, summarise_word
from polyseme.words.word_report import WordReport, cite_source, name_senses
from word_profiles import planted, portrait, usage

pytest.importorskip("altair", reason="plots need polyseme[plots]")

DICTIONARY = [Sense("slope", "bank.n", gloss="sloping land", synonyms=("side",)), Sense("row", "bank.n", gloss="a row")]


def story(given: WordProfile | None = None) -> WordReport:
    """What there is to say of a word that changed in the middle of its time."""
    found = given or planted()
    tested = detect_changes(found)
    said = {"bank.n.s2": {"slope": 1.0}, "bank.n.s1": {"row": 0.1, "slope": 0.2}}
    return WordReport(
        found,
        found.labelled,
        np.random.default_rng(0).uniform(-1, 1, (len(found.labelled), 2)),
        year_span(found) or (0, 0),
        tuple(shares_by_period(found, width=20)),
        None if tested is None else tuple(tested),
        tuple(detect_peaks(found, width=20)),
        Certainty(3, 0.9, 0.8, 0.5, 0.4, (0.95, 0.004)),
        compare_descriptions_with_dictionary(found, Labelling.from_dict(said, lemma="bank.n"), DICTIONARY),
    )


class Outline(html.parser.HTMLParser):
    """Headings and open elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note headings and names."""
        self.tags.add(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))


def test_one_page_that_needs_nothing_else() -> None:
    page = words_page("Words", "An introduction.", [story()])
    assert page.startswith("<!doctype html>")
    assert not re.search(r"(src|href)=[\"'](?!#)", page)
    assert "script" not in Outline(page).tags
    assert len(page) < 400_000


def test_headings_go_one_step_down_and_names_are_unique() -> None:
    found = Outline(words_page("Words", "An introduction.", [story(), story(planted(40, turned=False))]))
    assert found.headings[0] == 1
    assert all(after - before <= 1 for before, after in zip(found.headings, found.headings[1:], strict=False))
    one = Outline(words_page("Words", "", [story()]))
    assert len(one.ids) == len(set(one.ids))


def test_what_is_told() -> None:
    words = " ".join(summarise_word(story()))
    assert words.startswith(
        "The model divides 60 usages from 1800 to 1918 into two senses; the most common, “money, lo"
    )
    assert "“river, water” fell: 80% of the weight up to 1840, 10% from 1878 on." in words
    assert "“money, loan, interest” rose from 20% to 90%." in words
    assert "WordNet lists two senses, of which one resembles none that is found here." in words
    assert words.endswith("The runs find almost the same senses.")
    assert headline(story()) == "“money, loan, interest” rose from 20% to 90%"


def test_from_how_many_usages_some_were_drawn() -> None:
    some = replace(story(), count=9999)
    assert " 1918, drawn at random from 9,999, into two senses;" in summarise_word(some)[0]
    none = replace(some, changes=(), peaks=(), portrait=replace(some.portrait, senses=(), labelling=Labelling([])))
    assert (
        summarise_word(none)[0] == "There are 60 usages from 1800 to 1918, drawn at random from 9,999, and no senses."
    )


def test_what_is_not_significant_is_not_told() -> None:
    words = " ".join(summarise_word(story(planted(60, turned=False))))
    assert "rose:" not in words
    assert "None of the two senses has a significant trend." in words


def test_too_few_years_are_not_the_same_as_no_change() -> None:
    usages = [usage(n, f"the {{}} {n}", document=f"d{n}", year=1900 + 20 * (n % 2)) for n in range(40)]
    words = " ".join(summarise_word(story(portrait([(1.0, 0.0) if n % 2 else (0.0, 1.0) for n in range(40)], usages))))
    assert "There are too few years to test whether senses rise or fall: it takes five." in words
    assert "significant trend" not in words


def test_trends_that_are_small_or_contradicted_are_not_told() -> None:
    plain = replace(story(), peaks=())
    small = SenseChange("bank.n.s1", 0.5, 0.01, 0.30, 0.32, 1840, 1878)
    turned = SenseChange("bank.n.s2", 0.5, 0.01, 0.60, 0.40, 1840, 1878)
    words = " ".join(summarise_word(replace(plain, changes=(small, turned))))
    assert "No sense with a significant trend clearly rose or fell by 10% of the weight or more." in words
    assert "“" not in headline(replace(plain, changes=(turned,))).replace("mostly “money, loan, interest”", "")


def test_where_the_years_are_from() -> None:
    assert "Years are those in the field <code>&lt;date&gt;</code>" in words_page(
        "Words", "", [replace(story(), field="<date>")]
    )
    assert "Years are those" not in words_page("Words", "", [replace(story(), field="date", periods=())])


def test_a_word_without_time_dictionary_and_certainty() -> None:
    bare = WordReport(planted(), np.arange(2), np.zeros((2, 2)), missing="Type: polyseme data install wordnet-3.1")
    page = words_page("Words", "", [bare])
    assert "Shares over time" not in page
    assert "Type: polyseme data install wordnet-3.1" in page
    assert "There is one run only" in page
    assert "draws no lots" not in page
    assert "from 0 to 0" not in page


EVIL = "<script>alert('x')</script>\"'&"


def test_everything_is_escaped() -> None:
    usages = [
        usage(number, f"{EVIL} {{}} {EVIL} {number}", document=EVIL, author=EVIL, date=f"{1900 + number}")
        for number in range(12)
    ]
    found = portrait([(0.6, 0.4)] * 12, usages)
    evil = replace(
        story(rename_senses(found, {"bank.n.s1": EVIL})), dictionary=EVIL, missing=EVIL, beside=story(found).beside
    )
    evil = replace(evil, beside=None)
    page = words_page(EVIL, EVIL, [evil])
    assert "script" not in Outline(page).tags
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_quotations_are_cut_around_the_target() -> None:
    said = quoted(
        usage(0, "start " + "left " * 80 + "{}" + " right" * 80, president="James K. Polk", date="1847-12-07")
    )
    assert re.fullmatch(r"<q>… (left )+<mark>bank</mark>( right)+ …</q> <cite>James K. Polk, 1847</cite>", said)
    assert len(said) < 400
    assert quoted(usage(0, "{}\n\n is  here")) == "<q><mark>bank</mark> is here</q>"


def test_names_of_senses() -> None:
    shared = [Sense(f"x.s{n}", "x", features=(("both.n", 9), ("be.v", 5), (f"own{n}.n", 3))) for n in (1, 2)]
    assert name_senses(shared) == ("own1", "own2")
    assert name_senses([Sense("x.s1", "x")]) == ("x.s1",)


def test_sources() -> None:
    assert cite_source(usage(0, "{}")) == ""
    assert cite_source(usage(0, "{}", document="a.jsonl#speech-1")) == "speech-1"


def test_how_sure_in_figures() -> None:
    said = sureness(story())
    assert "Beyond chance they agree to 0.90" in said
    assert "under 1%" in said
    assert ">0.50<" in said


def test_why_runs_are_not_compared_and_what_they_are() -> None:
    assert "deterministic" in sureness(replace(story(), certainty=None, runs=DETERMINISTIC))
    assert "one seed only" in sureness(replace(story(), certainty=None, runs=ONE_SEED))
    saved = replace(story(), runs=SAVED_MODEL)
    assert "The first run is a saved model" in sureness(saved)
    assert summarise_word(saved)[-1] == SAVED_MODEL


def test_periods_with_few_usages_are_faint() -> None:
    few = replace(story(), periods=(Period(1800, 1809, 3, (0.5, 0.5)), Period(1810, 1819, 30, (0.2, 0.8))))
    page = words_page("Words", "", [few])
    assert "Faint bars stand for fewer than ten usages." in page
    assert 'opacity="0.35"' in page
