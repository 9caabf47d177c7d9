"""Word reports: the profile of a word in an index with its change over time, certainty and dictionary senses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from polyseme.arrays import Floats, Ints
from polyseme.corpus.index import Index
from polyseme.disambiguation.definitions import SIMILARITY, GlossProbability
from polyseme.disambiguation.disambiguated_text import build_disambiguator
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, PolysemeError
from polyseme.induction.defaults import get_inducer, missing_small_model, uses_language_model
from polyseme.lemma import strip_pos
from polyseme.words.certainty import Certainty, measure_certainty
from polyseme.words.collocates import find_collocates
from polyseme.words.descriptions import name_senses
from polyseme.words.dictionary import (
    DISAMBIGUATOR,
    DictionaryComparison,
    add_examples,
    compare_with_dictionary,
    find_dictionary_senses,
    make_description_usages,
)
from polyseme.words.index_profiles import lemma_frequency
from polyseme.words.layout import lay_out_usages, sample_rows
from polyseme.words.periods import (
    Period,
    SenseChange,
    SensePeak,
    choose_period_width,
    detect_changes,
    detect_peaks,
    find_time_field,
    shares_by_period,
    year_span,
)
from polyseme.words.profile import WordProfile
from polyseme.words.runs import NO_SHARED_USAGES, describe_runs, profile_runs
from polyseme.workers import parallel_map

WORDNET = "3.1"
MAP_USAGES = 800
"""The number of usages on a map; more take long to place and cannot be distinguished."""

ShowStep = Callable[[str], object]


@dataclass(frozen=True, eq=False)
class WordReport:
    """The profile of a word, and all that is computed from it.

    Args:
        profile: The profile.
        map_rows: The rows of the usages on the map.
        map_positions: The positions of these usages, from −1 to 1.
        years: The first and the last year, if there are periods.
        periods: The shares of the senses in periods of time.
        changes: The trends of the senses; ``None`` if they cannot be tested.
        peaks: The periods in which senses stand out.
        certainty: The agreement of several runs; ``None`` if runs cannot be compared.
        comparison: The senses of a dictionary; ``None`` if there is no dictionary.
        dictionary: The name of the dictionary.
        dictionary_problem: Why there is no comparison, and what to do.
        run_note: How the runs differ, or why they cannot be compared.
        time_field: The field of the metadata that has the year.
        total: The number of usages in the index; the profile may have a sample of them.
        collocates: The collocates of each sense, by its id.
    """

    profile: WordProfile
    map_rows: Ints
    map_positions: Floats
    years: tuple[int, int] = (0, 0)
    periods: tuple[Period, ...] = ()
    changes: tuple[SenseChange, ...] | None = None
    peaks: tuple[SensePeak, ...] = ()
    certainty: Certainty | None = None
    comparison: DictionaryComparison | None = None
    dictionary: str = "WordNet"
    dictionary_problem: str = ""
    run_note: str = ""
    time_field: str = ""
    total: int = 0
    collocates: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<WordReport of {self.profile.lemma}: {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        from polyseme.display.words import render_word_report

        return render_word_report(self)

    @property
    def word(self) -> str:
        """The lemma without its part of speech."""
        return strip_pos(self.profile.lemma)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the senses."""
        return name_senses(self.profile.senses)

    def name(self, sense: str) -> str:
        """The name of a sense, by its id."""
        return self.names[self.profile.number(sense)]


def make_word_reports(
    index: Index,
    lemmas: Iterable[str],
    inducer_or_model: Any,
    *,
    seeds: int = 3,
    limit: int | None = None,
    show: ShowStep = lambda _: None,
    processes: int | None = None,
    wordnet: str = WORDNET,
) -> list[WordReport]:
    """Report the lemmas of an index that have senses.

    Args:
        index: The index.
        lemmas: The lemmas.
        inducer_or_model: An inducer, which is fitted on the index, or a fitted model.
        seeds: The number of runs of a stochastic model. The first is reported; the others measure its certainty.
        limit: Report a random sample of this many usages of each lemma; by default, all.
        show: Is called with the name of each step.
        processes: The number of processes; by default, the number of processors.
        wordnet: The version of WordNet that senses are looked up in; empty for none.

    Raises:
        InputError: No lemma has senses.
    """
    lemmas = list(dict.fromkeys(lemmas))
    report_word = partial(_report_word, index.folder, inducer_or_model, seeds, limit)
    reports: list[WordReport] = []
    problems: list[str] = []
    count = 1 if len(lemmas) == 1 or uses_language_model(get_inducer(inducer_or_model)) else processes
    for lemma, result in zip(lemmas, parallel_map(report_word, lemmas, processes=count), strict=True):
        if isinstance(result, WordReport):
            reports.append(result)
            show(f"{lemma}: senses induced")
        else:
            problems.append(f"{lemma}: {result}")
            show(problems[-1])
    if not reports:
        raise InputError("no senses: " + ("; ".join(problems) or "no lemmas"))
    if not wordnet:
        return reports
    show("comparing the senses with WordNet")
    return add_dictionary(reports, wordnet)


def _report_word(folder: Path, inducer_or_model: Any, seeds: int, limit: int | None, lemma: str) -> WordReport | str:
    """The report of one lemma without a dictionary, or the reason why it has none; each process opens the index."""
    try:
        index = Index(folder)
        runs = profile_runs(index, lemma, inducer_or_model, seeds, limit=limit)
        note = describe_runs(inducer_or_model, seeds, len(runs[0].usages))
        return replace(make_word_report(runs, note), total=lemma_frequency(index, lemma))
    except PolysemeError as problem:
        return str(problem)


def make_word_report(runs: Sequence[WordProfile], note: str = "") -> WordReport:
    """Report the first profile of several runs; the others measure its certainty.

    Args:
        runs: The profiles, one a run.
        note: How the runs differ.
    """
    profile = runs[0]
    width = choose_period_width(profile)
    changes, certainty = detect_changes(profile), measure_certainty(runs)
    return WordReport(
        profile,
        sample_rows(profile, MAP_USAGES),
        lay_out_usages(profile, limit=MAP_USAGES),
        year_span(profile) or (0, 0),
        tuple(shares_by_period(profile, width=width)),
        None if changes is None else tuple(changes),
        tuple(detect_peaks(profile, width=width)),
        certainty,
        run_note=NO_SHARED_USAGES if certainty is None and len(runs) > 1 else note,
        time_field=find_time_field(profile.usages) or "",
        collocates=find_collocates(profile),
    )


def add_dictionary(reports: Sequence[WordReport], version: str = WORDNET) -> list[WordReport]:
    """Compare the senses of reports with WordNet's; without WordNet, add the command that installs it."""
    name = f"WordNet {version}"
    try:
        sources = Sources(version)
        sources.wordnet  # noqa: B018 (an error if it is not installed)
    except PolysemeError:
        problem = f"{name} is not installed. Type: polyseme data install wordnet-{version}"
        return [replace(report, dictionary_problem=problem) for report in reports]
    matching = DictionaryModel(build_disambiguator(DISAMBIGUATOR), sources)
    similarity = None if missing_small_model() else DictionaryModel(build_disambiguator(SIMILARITY), sources)
    compared = []
    for report in reports:
        comparison = _compare_with_dictionary(report.profile, matching, similarity)
        problem = "" if comparison else f"{name} has no entry for {report.word}."
        compared.append(replace(report, comparison=comparison, dictionary_problem=problem, dictionary=name))
    return compared


def _compare_with_dictionary(
    profile: WordProfile, matching: DictionaryModel, similarity: DictionaryModel | None
) -> DictionaryComparison | None:
    """Compare the induced senses with those of the dictionary, if it has the word."""
    senses = find_dictionary_senses(profile.lemma, matching.inventory)
    if not senses:
        return None
    labelling = matching.weigh(make_description_usages(profile), processes=1)
    definitions = GlossProbability().define_by(similarity, add_examples(profile)) if similarity else ()
    return compare_with_dictionary(profile, labelling, senses, definitions)
