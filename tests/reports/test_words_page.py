"""The page of word reports."""

from __future__ import annotations

import html.parser
import re
from dataclasses import replace

import numpy as np
import pytest

from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.reports.word_tables import senses_table
from polyseme.reports.words_page import words_page
from polyseme.words.certainty import Certainty
from polyseme.words.descriptions import cite_source, name_senses
from polyseme.words.dictionary import compare_with_dictionary
from polyseme.words.editing import rename_senses
from polyseme.words.periods import Period, detect_changes, detect_peaks, shares_by_period, year_span
from polyseme.words.profile import WordProfile
from polyseme.words.runs import DETERMINISTIC, ONE_SEED, SAVED_MODEL
from polyseme.words.views import view_usage
from polyseme.words.word_reports import WordReport
from word_profiles import bank_profile, changing_profile, usage

pytest.importorskip("altair", reason="plots need polyseme[plots]")

DICTIONARY = [Sense("slope", "bank.n", gloss="sloping land", synonyms=("side",)), Sense("row", "bank.n", gloss="a row")]


def bank_report(profile: WordProfile | None = None) -> WordReport:
    """The report of a word whose main sense changes."""
    profile = profile or changing_profile()
    changes = detect_changes(profile)
    labels = {"bank.n.s2": {"slope": 1.0}, "bank.n.s1": {"row": 0.1, "slope": 0.2}}
    return WordReport(
        profile,
        profile.labelled,
        np.random.default_rng(0).uniform(-1, 1, (len(profile.labelled), 2)),
        year_span(profile) or (0, 0),
        tuple(shares_by_period(profile, width=20)),
        None if changes is None else tuple(changes),
        tuple(detect_peaks(profile, width=20)),
        Certainty(3, 0.9, 0.8, 0.5, 0.4, (0.95, 0.004)),
        compare_with_dictionary(profile, Labelling.from_dict(labels, lemma="bank.n"), DICTIONARY),
    )


def page_of(report: WordReport) -> str:
    """A page of one word."""
    return words_page("Words", "", [report])


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


def test_the_page_is_self_contained() -> None:
    page = words_page("Words", "An introduction.", [bank_report()])
    assert page.startswith("<!doctype html>")
    assert not re.search(r"(src|href)=[\"'](?!#)", page)
    assert "script" not in Outline(page).tags
    assert len(page) < 400_000


def test_headings_descend_by_one_level_and_anchors_are_unique() -> None:
    reports = [bank_report(), bank_report(changing_profile(40, changes=False))]
    outline = Outline(words_page("Words", "An introduction.", reports))
    assert outline.headings[0] == 1
    levels = zip(outline.headings, outline.headings[1:], strict=False)
    assert all(after - before <= 1 for before, after in levels)
    single = Outline(page_of(bank_report()))
    assert len(single.ids) == len(set(single.ids))


def test_the_page_begins_with_the_finding() -> None:
    page = page_of(bank_report())
    finding = "The sense “money, loan, interest” rose from 20% of usages (before 1841) to 90% (after 1877)."
    assert f'<p class="finding">{finding}</p>' in page
    assert page.index(finding) < page.index("<h3>Senses</h3>") < page.index("How this was made")
    assert "WordNet lists two senses; one of them may resemble a sense of this corpus." in page


def test_a_page_of_several_words_begins_with_how_many_change() -> None:
    page = words_page("Words", "", [bank_report(), bank_report(changing_profile(40, changes=False))])
    assert "One of two words shows a clear change of sense between 1800 and 1918." in page
    assert 'class="gallery"' in page
    assert 'class="gallery"' not in page_of(bank_report())


def test_the_procedure_is_in_a_note_at_the_end() -> None:
    page = words_page("Words", "", [replace(bank_report(), total=999)], method="A model read <b>.")
    note = page[page.index('<details class="method"') :]
    assert "a random sample of the 999 in the corpus" in note
    assert "a random sample" not in page.removesuffix(note)
    assert page.index("How this page was made") < page.index("A model read &lt;b&gt;.")


def test_a_word_may_have_no_senses() -> None:
    profile = replace(changing_profile(), senses=(), labelling=Labelling([]))
    report = WordReport(profile, profile.labelled, np.zeros((0, 2)))
    page = page_of(report)
    assert "The model induces no senses from these usages." in page
    assert "Map of usages" not in page


def test_the_page_names_the_field_of_the_years() -> None:
    page = page_of(replace(bank_report(), time_field="<date>"))
    assert "Years come from the field <code>&lt;date&gt;</code> of the metadata" in page
    assert "Years come from the names of documents" in page_of(replace(bank_report(), time_field="document"))
    assert "Years come from" not in page_of(replace(bank_report(), time_field="date", periods=()))


def test_a_word_may_have_no_time_dictionary_and_certainty() -> None:
    command = "Type: polyseme data install wordnet-3.1"
    page = page_of(WordReport(changing_profile(), np.arange(2), np.zeros((2, 2)), dictionary_problem=command))
    assert "Shares over time" not in page
    assert command in page
    assert "the model was run once" in page
    assert "deterministic" not in page
    assert "from 0 to 0" not in page


EVIL = "<script>alert('x')</script>\"'&"


def test_all_texts_are_escaped() -> None:
    usages = [
        usage(number, f"{EVIL} {{}} {EVIL} {number}", document=EVIL, author=EVIL, date=f"{1900 + number}")
        for number in range(12)
    ]
    profile = rename_senses(bank_profile([(0.6, 0.4)] * 12, usages), {"bank.n.s1": EVIL})
    report = replace(bank_report(profile), dictionary=EVIL, dictionary_problem=EVIL, comparison=None)
    page = words_page(EVIL, EVIL, [report], EVIL)
    assert "script" not in Outline(page).tags
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_quotations_are_cut_around_the_target() -> None:
    text = "start " + "left " * 80 + "{}" + " right" * 80
    view = view_usage(usage(0, text, president="James K. Polk", date="1847-12-07"), [])
    quotation = view.quotation
    assert re.fullmatch(r"… (left )+", quotation.left)
    assert re.fullmatch(r"( right)+ …", quotation.right)
    assert len("".join(quotation)) < 270
    assert view.source == "James K. Polk, 1847"
    assert view_usage(usage(0, "{}\n\n is  here"), []).quotation == ("", "bank", " is here")
    assert len(view_usage(usage(0, "x" * 900 + "{}"), []).quotation.left) > 100, "a long word is cut, not dropped"


def test_quotations_mark_the_target_and_cite_the_source() -> None:
    page = page_of(bank_report())
    assert re.search(r"<q>[^<]*<mark>bank</mark>[^<]*</q> <cite>A. Smith, 18\d\d</cite>", page)


def test_senses_are_named_by_words_that_describe_no_other_sense() -> None:
    shared = [Sense(f"x.s{n}", "x", features=(("both.n", 9), ("be.v", 5), (f"own{n}.n", 3))) for n in (1, 2)]
    assert name_senses(shared) == ("own1", "own2")
    assert name_senses([Sense("x.s1", "x")]) == ("x.s1",)


def test_sources_are_cited_by_document() -> None:
    assert cite_source(usage(0, "{}")) == ""
    assert cite_source(usage(0, "{}", document="a.jsonl#speech-1")) == "speech-1"


def test_certainty_is_shown_in_figures() -> None:
    page = page_of(bank_report())
    assert "adjusted mutual information of 0.90" in page
    assert "under 1%" in page
    assert ">0.50<" in page


def test_the_page_explains_the_runs() -> None:
    assert "deterministic" in page_of(replace(bank_report(), certainty=None, run_note=DETERMINISTIC))
    assert "one seed only" in page_of(replace(bank_report(), certainty=None, run_note=ONE_SEED))
    saved = replace(bank_report(), run_note=SAVED_MODEL)
    assert SAVED_MODEL in page_of(saved)


def test_periods_with_few_usages_are_faded() -> None:
    periods = (Period(1800, 1809, 3, (0.5, 0.5)), Period(1810, 1819, 30, (0.2, 0.8)))
    page = page_of(replace(bank_report(), periods=periods))
    assert "Faded bars have fewer than 10 usages." in page
    assert 'opacity="0.4"' in page


def test_a_few_years_are_bars_side_by_side() -> None:
    years = tuple(Period(year, year, 20, (0.6, 0.4)) for year in (1970, 1985, 2000))
    page = page_of(replace(bank_report(), periods=years))
    assert "Each bar shows how the usages of a year divide among the senses." in page
    assert re.findall(r">(1970|1985|2000)<", page) == ["1970", "1985", "2000"]


def test_a_sense_of_the_dictionary_may_occur_without_resemblance() -> None:
    page = page_of(bank_report())
    assert "Senses in WordNet that resemble none of these (1)" in page
    assert "may still occur in the corpus" in page


def test_unsure_senses_are_marked() -> None:
    profile = changing_profile()
    assert "Unsure" not in page_of(bank_report(profile))
    senses = tuple(replace(sense, recurrence=share) for sense, share in zip(profile.senses, (0.3, 0.85), strict=True))
    report = bank_report(replace(profile, senses=senses))
    page = page_of(report)
    assert page.count(">unsure</b>: recurs in 30% of random halves") == 1
    assert "recurs in 85% of random halves" in page
    assert "<dt>Recurs, unsure</dt>" in page
    table = senses_table([report])
    assert [row[table.columns.index("Recurrence")] for row in table.rows] == [0.3, 0.85]
