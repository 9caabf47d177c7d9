"""The stories of words in an index: senses induced, usages labelled, and what can be said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme.corpus.index import Index
from polyseme.disambiguation.disambiguated_text import build_disambiguator
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, PolysemeError
from polyseme.parts import seed_variants
from polyseme.induction.defaults import get_inducer, is_fitted, uses_language_model
from polyseme.induction.fitting import match_lemmas
from polyseme.induction.vector_model import clusters_labelled_usages
from polyseme.inventory import Sense
from polyseme.usage import Usage
from polyseme.words.certainty import (
    DETERMINISTIC,
    FEWEST_HALVED,
    NO_SHARED_USAGES,
    ON_HALVES,
    ONE_SEED,
    SAVED_MODEL,
    TOO_FEW_USAGES,
    measure_certainty,
)
from polyseme.words.dictionary import (
    DictionaryComparison,
    compare_descriptions_with_dictionary,
    make_description_usages,
)
from polyseme.words.index_profiles import profile_in_index, sample_passages
from polyseme.words.layout import lay_out_usages, sample_rows
from polyseme.words.periods import (
    choose_period_width,
    detect_changes,
    detect_peaks,
    find_time_field,
    shares_by_period,
    year_span,
)
from polyseme.words.profile import WordProfile, profile_usages
from polyseme.words.word_report import WordReport
from polyseme.workers import parallel_map

DICTIONARY = "Lesk(extended=True, prior=0.3, smoothing=0.01)"
"""What looks induced senses up in WordNet, by the words that tell them: quick, and needs WordNet only."""
WORDNET = "3.1"
MAP_USAGES = 800
"""So many usages are on a map at most: more of them take long to place, and cannot be told apart."""

Show = Callable[[str], object]


def make_word_reports(
    index: Index,
    lemmas: Iterable[str],
    inducer_or_model: Any,
    *,
    seeds: int = 3,
    most: int | None = None,
    show: Show = lambda _: None,
    processes: int | None = None,
    wordnet: str = WORDNET,
) -> list[WordReport]:
    """The story of each lemma that has senses, by a model, or by one that an inducer first learns from the index.

    An inducer that draws lots is run with so many ``seeds``, of which the first is told, and the others say how sure
    that is; one that clusters what it is given, on other halves of the usages instead. Of each lemma
    ``most`` usages are told of, drawn at random; all, unless said. A model that clusters what it labels finds senses
    among these. It is an error if no lemma has senses. Senses are looked up in a version of WordNet, unless that is
    empty. ``show`` is told what is done.
    """
    named = list(dict.fromkeys(lemmas))
    work = [_WordTask(index.folder, lemma, inducer_or_model, seeds, most) for lemma in named]
    found: list[WordReport] = []
    missed: dict[str, str] = {}
    count = 1 if len(work) == 1 or uses_language_model(get_inducer(inducer_or_model)) else processes
    for lemma, each in zip(named, parallel_map(_report_word, work, processes=count), strict=True):
        show(f"{lemma}: {'senses found' if isinstance(each, WordReport) else each}")
        if isinstance(each, WordReport):
            found.append(each)
        else:
            missed[lemma] = each
    if not found:
        raise InputError("no senses: " + ("; ".join(f"{lemma}: {why}" for lemma, why in missed.items()) or "no lemmas"))
    show("looking senses up in WordNet")
    return add_dictionary(found, wordnet) if wordnet else found


class _WordTask(NamedTuple):
    """What a process is told to do: it opens the index itself."""

    folder: Path
    lemma: str
    model: Any
    seeds: int
    most: int | None


def _report_word(work: _WordTask) -> WordReport | str:
    """The story of one lemma, but for the dictionary; or why there is none."""
    try:
        index = Index(work.folder)
        runs = profile_runs(index, work.lemma, work.model, work.seeds, most=work.most)
        about = describe_runs(work.model, work.seeds, len(runs[0].usages))
        return replace(make_word_report(runs, about), count=_count_usages(index, work.lemma))
    except PolysemeError as problem:
        return str(problem)


def profile_runs(
    index: Index, lemma: str, inducer_or_model: Any, seeds: int = 3, *, most: int | None = None
) -> list[WordProfile]:
    """The word by the model with each seed, the first being the one that is told; or by other halves of the usages.

    There is one alone if the model draws no lots, and does not cluster what it is given either, or has too little of
    it. One that clusters what it is given is not run with other seeds as well: on other usages it draws other lots
    anyway.
    """
    inducer, fitted = get_inducer(inducer_or_model), is_fitted(inducer_or_model)
    halved = clusters_labelled_usages(inducer)
    variants = [inducer] if halved else seed_variants(inducer, seeds)
    others = [each for each in variants if each != inducer][: seeds - 1] if fitted else variants
    found = [profile_in_index(index, inducer_or_model, lemma, most=most)] if fitted else []
    # What is clustered is what is told of: another draw would be other usages, and a language model reads both.
    chosen = halved or (others and uses_language_model(inducer))
    usages = sample_passages(index, lemma, most=most).usages if chosen else None
    for each in others:
        if usages is None:
            found.append(profile_in_index(index, each.fit(index, [lemma], processes=1), lemma, most=most))
        else:
            found.append(profile_usages(each.fit(index, [lemma], usages=usages, processes=1), lemma, usages))
    if usages is not None and describe_runs(inducer_or_model, seeds, len(usages)) == ON_HALVES:
        halves = (_sample_half(usages, seed) for seed in range(1, seeds))
        models = (inducer.fit(index, [lemma], usages=half, processes=1) for half in halves)
        found += [profile_usages(model, lemma, usages) for model in models]
    return found


def describe_runs(inducer_or_model: Any, seeds: int, usages: int) -> str:
    """What there is to know of the runs that :func:`portraits` makes: why there is one only, or how they differ.

    ``usages`` is of how many they are.
    """
    inducer = get_inducer(inducer_or_model)
    if seeds > 1 and clusters_labelled_usages(inducer):
        return ON_HALVES if usages >= FEWEST_HALVED else TOO_FEW_USAGES
    if len(seed_variants(inducer, 2)) == 1:
        return DETERMINISTIC
    if seeds == 1:
        return ONE_SEED
    return SAVED_MODEL if is_fitted(inducer_or_model) else ""


def _sample_half(usages: Sequence[Usage], seed: int) -> list[Usage]:
    """Half of the usages, drawn at random."""
    drawn = np.random.default_rng(seed).permutation(len(usages))[: -(-len(usages) // 2)]
    return [usages[row] for row in np.sort(drawn).tolist()]


def _count_usages(index: Index, lemma: str) -> int:
    """How often a lemma occurs."""
    words, _ = match_lemmas(index, [lemma])
    return int(index.vocabulary.counts[index.vocabulary.number(words[lemma])])


def make_word_report(runs: Sequence[WordProfile], about: str = "") -> WordReport:
    """What there is to say of the first portrait; the others say how sure that is, and ``about`` what they are."""
    portrait = runs[0]
    width = choose_period_width(portrait)
    found, sure = detect_changes(portrait), measure_certainty(runs)
    return WordReport(
        portrait,
        sample_rows(portrait, MAP_USAGES),
        lay_out_usages(portrait, most=MAP_USAGES),
        year_span(portrait) or (0, 0),
        tuple(shares_by_period(portrait, width=width)),
        None if found is None else tuple(found),
        tuple(detect_peaks(portrait, width=width)),
        sure,
        runs=NO_SHARED_USAGES if sure is None and len(runs) > 1 else about,
        field=find_time_field(portrait.usages) or "",
    )


# -- the dictionary ------------------------------------------------------------------------------------------------


def add_dictionary(given: Sequence[WordReport], version: str = WORDNET) -> list[WordReport]:
    """The stories with what WordNet has beside the induced senses; without WordNet, with what to type to get it."""
    called = f"WordNet {version}"
    try:
        sources = Sources(version)
        sources.wordnet  # noqa: B018 (it is looked for here)
    except PolysemeError:
        missing = f"{called} is not here. Type: polyseme data install wordnet-{version}"
        return [replace(story, missing=missing) for story in given]
    model = DictionaryModel(build_disambiguator(DICTIONARY), sources)
    found = []
    for story in given:
        beside = _compare_with_dictionary(story.portrait, model)
        missing = "" if beside else f"{called} has no {story.word}."
        found.append(replace(story, beside=beside, missing=missing, dictionary=called))
    return found


def _compare_with_dictionary(portrait: WordProfile, model: DictionaryModel) -> DictionaryComparison | None:
    """The induced senses beside those of the dictionary, if it has the word."""
    senses = _dictionary_senses(portrait.lemma, model)
    if not senses:
        return None
    return compare_descriptions_with_dictionary(
        portrait, model.label(make_description_usages(portrait), processes=1), senses
    )


def _dictionary_senses(lemma: str, model: DictionaryModel) -> tuple[Sense, ...]:
    """The dictionary's senses of a lemma; without a part of speech, of all of them."""
    names = [lemma] if lemma in model.inventory else [f"{lemma}.{part}" for part in "nvar"]
    return tuple(sense for name in names for sense in model.inventory.get(name, ()))
