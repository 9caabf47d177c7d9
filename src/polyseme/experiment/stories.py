"""The stories of words in an index: senses induced, usages labelled, and what can be said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme.corpus.index import Index
from polyseme.disambiguate.model import DictionaryModel
from polyseme.disambiguate.sensed import disambiguator
from polyseme.disambiguate.sources import Sources
from polyseme.errors import InputError, PolysemeError
from polyseme.experiment.run import seeded
from polyseme.experiment.usual import by_language_model, inducer_of, is_fitted
from polyseme.induce.fitting import words_of
from polyseme.induce.vector_model import clusters_usages
from polyseme.inventory import Sense
from polyseme.portrait.certainty import (
    DETERMINISTIC,
    LEAST_HALVED,
    NOTHING_SHARED,
    ON_HALVES,
    ONE_SEED,
    SAVED,
    TOO_FEW,
    certainty,
)
from polyseme.portrait.dictionary import Beside, beside_words, telling_usages
from polyseme.portrait.layout import drawn, places
from polyseme.portrait.of_index import passages_in, portrait_in
from polyseme.portrait.periods import changes, fitting_width, over_time, peaks, span, time_field
from polyseme.portrait.portrait import Portrait, portrait_of
from polyseme.report.word_story import WordStory
from polyseme.usage import Usage
from polyseme.workers import mapped

DICTIONARY = "Lesk(extended=True, prior=0.3, smoothing=0.01)"
"""What looks induced senses up in WordNet, by the words that tell them: quick, and needs WordNet only."""
WORDNET = "3.1"
ON_MAP = 800
"""So many usages are on a map at most: more of them take long to place, and cannot be told apart."""

Show = Callable[[str], object]


def stories(
    index: Index,
    lemmas: Iterable[str],
    inducer_or_model: Any,
    *,
    seeds: int = 3,
    most: int | None = None,
    show: Show = lambda _: None,
    processes: int | None = None,
    wordnet: str = WORDNET,
) -> list[WordStory]:
    """The story of each lemma that has senses, by a model, or by one that an inducer first learns from the index.

    An inducer that draws lots is run with so many ``seeds``, of which the first is told, and the others say how sure
    that is; one that clusters what it is given, on other halves of the usages instead. Of each lemma
    ``most`` usages are told of, drawn at random; all, unless said. A model that clusters what it labels finds senses
    among these. It is an error if no lemma has senses. Senses are looked up in a version of WordNet, unless that is
    empty. ``show`` is told what is done.
    """
    named = list(dict.fromkeys(lemmas))
    work = [_Work(index.folder, lemma, inducer_or_model, seeds, most) for lemma in named]
    found: list[WordStory] = []
    missed: dict[str, str] = {}
    count = 1 if len(work) == 1 or by_language_model(inducer_of(inducer_or_model)) else processes
    for lemma, each in zip(named, mapped(_one, work, processes=count), strict=True):
        show(f"{lemma}: {'senses found' if isinstance(each, WordStory) else each}")
        if isinstance(each, WordStory):
            found.append(each)
        else:
            missed[lemma] = each
    if not found:
        raise InputError("no senses: " + ("; ".join(f"{lemma}: {why}" for lemma, why in missed.items()) or "no lemmas"))
    show("looking senses up in WordNet")
    return with_dictionary(found, wordnet) if wordnet else found


class _Work(NamedTuple):
    """What a process is told to do: it opens the index itself."""

    folder: Path
    lemma: str
    model: Any
    seeds: int
    most: int | None


def _one(work: _Work) -> WordStory | str:
    """The story of one lemma, but for the dictionary; or why there is none."""
    try:
        index = Index(work.folder)
        runs = portraits(index, work.lemma, work.model, work.seeds, most=work.most)
        about = about_runs(work.model, work.seeds, len(runs[0].usages))
        return replace(told(runs, about), count=_count(index, work.lemma))
    except PolysemeError as problem:
        return str(problem)


def portraits(
    index: Index, lemma: str, inducer_or_model: Any, seeds: int = 3, *, most: int | None = None
) -> list[Portrait]:
    """The word by the model with each seed, the first being the one that is told; or by other halves of the usages.

    There is one alone if the model draws no lots, and does not cluster what it is given either, or has too little of
    it. One that clusters what it is given is not run with other seeds as well: on other usages it draws other lots
    anyway.
    """
    inducer, fitted = inducer_of(inducer_or_model), is_fitted(inducer_or_model)
    halved = clusters_usages(inducer)
    variants = [inducer] if halved else seeded(inducer, seeds)
    others = [each for each in variants if each != inducer][: seeds - 1] if fitted else variants
    found = [portrait_in(index, inducer_or_model, lemma, most=most)] if fitted else []
    # What is clustered is what is told of: another draw would be other usages, and a language model reads both.
    chosen = halved or (others and by_language_model(inducer))
    usages = passages_in(index, lemma, most=most).usages if chosen else None
    for each in others:
        if usages is None:
            found.append(portrait_in(index, each.fit(index, [lemma], processes=1), lemma, most=most))
        else:
            found.append(portrait_of(each.fit(index, [lemma], usages=usages, processes=1), lemma, usages))
    if usages is not None and about_runs(inducer_or_model, seeds, len(usages)) == ON_HALVES:
        halves = (_half(usages, seed) for seed in range(1, seeds))
        models = (inducer.fit(index, [lemma], usages=half, processes=1) for half in halves)
        found += [portrait_of(model, lemma, usages) for model in models]
    return found


def about_runs(inducer_or_model: Any, seeds: int, usages: int) -> str:
    """What there is to know of the runs that :func:`portraits` makes: why there is one only, or how they differ.

    ``usages`` is of how many they are.
    """
    inducer = inducer_of(inducer_or_model)
    if seeds > 1 and clusters_usages(inducer):
        return ON_HALVES if usages >= LEAST_HALVED else TOO_FEW
    if len(seeded(inducer, 2)) == 1:
        return DETERMINISTIC
    if seeds == 1:
        return ONE_SEED
    return SAVED if is_fitted(inducer_or_model) else ""


def _half(usages: Sequence[Usage], seed: int) -> list[Usage]:
    """Half of the usages, drawn at random."""
    drawn = np.random.default_rng(seed).permutation(len(usages))[: -(-len(usages) // 2)]
    return [usages[row] for row in np.sort(drawn).tolist()]


def _count(index: Index, lemma: str) -> int:
    """How often a lemma occurs."""
    words, _ = words_of(index, [lemma])
    return int(index.vocabulary.counts[index.vocabulary.number(words[lemma])])


def told(runs: Sequence[Portrait], about: str = "") -> WordStory:
    """What there is to say of the first portrait; the others say how sure that is, and ``about`` what they are."""
    portrait = runs[0]
    width = fitting_width(portrait)
    found, sure = changes(portrait), certainty(runs)
    return WordStory(
        portrait,
        drawn(portrait, ON_MAP),
        places(portrait, most=ON_MAP),
        span(portrait) or (0, 0),
        tuple(over_time(portrait, width=width)),
        None if found is None else tuple(found),
        tuple(peaks(portrait, width=width)),
        sure,
        runs=NOTHING_SHARED if sure is None and len(runs) > 1 else about,
        field=time_field(portrait.usages) or "",
    )


# -- the dictionary ------------------------------------------------------------------------------------------------


def with_dictionary(given: Sequence[WordStory], version: str = WORDNET) -> list[WordStory]:
    """The stories with what WordNet has beside the induced senses; without WordNet, with what to type to get it."""
    called = f"WordNet {version}"
    try:
        sources = Sources(version)
        sources.wordnet  # noqa: B018 (it is looked for here)
    except PolysemeError:
        missing = f"{called} is not here. Type: polyseme data install wordnet-{version}"
        return [replace(story, missing=missing) for story in given]
    model = DictionaryModel(disambiguator(DICTIONARY), sources)
    found = []
    for story in given:
        beside = _beside(story.portrait, model)
        missing = "" if beside else f"{called} has no {story.word}."
        found.append(replace(story, beside=beside, missing=missing, dictionary=called))
    return found


def _beside(portrait: Portrait, model: DictionaryModel) -> Beside | None:
    """The induced senses beside those of the dictionary, if it has the word."""
    senses = _senses(portrait.lemma, model)
    if not senses:
        return None
    return beside_words(portrait, model.label(telling_usages(portrait), processes=1), senses)


def _senses(lemma: str, model: DictionaryModel) -> tuple[Sense, ...]:
    """The dictionary's senses of a lemma; without a part of speech, of all of them."""
    names = [lemma] if lemma in model.inventory else [f"{lemma}.{part}" for part in "nvar"]
    return tuple(sense for name in names for sense in model.inventory.get(name, ()))
