"""The stories of words in an index: senses induced, usages labelled, and what can be said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.corpus.index import Index
from polyseme.disambiguate.model import DictionaryModel
from polyseme.disambiguate.sensed import disambiguator
from polyseme.disambiguate.sources import Sources
from polyseme.errors import InputError, PolysemeError
from polyseme.experiment.run import seeded
from polyseme.induce.loading import Model
from polyseme.inventory import Sense
from polyseme.portrait.certainty import DETERMINISTIC, NOTHING_SHARED, ONE_SEED, SAVED, certainty
from polyseme.portrait.dictionary import Beside, beside_words, telling_usages
from polyseme.portrait.layout import drawn, places
from polyseme.portrait.of_index import portrait_in
from polyseme.portrait.periods import changes, fitting_width, over_time, peaks, span, time_field
from polyseme.portrait.portrait import Portrait
from polyseme.report.word_story import WordStory
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
    show: Show = lambda _: None,
    processes: int | None = None,
    wordnet: str = WORDNET,
) -> list[WordStory]:
    """The story of each lemma that has senses, by a model, or by one that an inducer first learns from the index.

    An inducer that draws lots is run with so many ``seeds``, of which the first is told, and the others say how sure
    that is. It is an error if no lemma has senses. Senses are looked up in a version of WordNet, unless that is
    empty. ``show`` is told what is done.
    """
    named = list(dict.fromkeys(lemmas))
    work = [_Work(index.folder, lemma, inducer_or_model, seeds) for lemma in named]
    found: list[WordStory] = []
    missed: dict[str, str] = {}
    count = 1 if len(work) == 1 else processes
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


def _one(work: _Work) -> WordStory | str:
    """The story of one lemma, but for the dictionary; or why there is none."""
    try:
        runs = portraits(Index(work.folder), work.lemma, work.model, work.seeds)
        return told(runs, about_runs(work.model, work.seeds))
    except PolysemeError as problem:
        return str(problem)


def portraits(index: Index, lemma: str, inducer_or_model: Any, seeds: int = 3) -> list[Portrait]:
    """The word by the model with each seed, the first being the one that is told; one alone if it draws no lots."""
    fitted = hasattr(inducer_or_model, "inventory")
    inducer = inducer_or_model.inducer if fitted else inducer_or_model
    variants = seeded(inducer, seeds)
    first: list[Model] = [inducer_or_model] if fitted else []
    others = [each for each in variants if each != inducer][: seeds - 1] if fitted else variants
    return [
        *(portrait_in(index, model, lemma) for model in first),
        *(portrait_in(index, each.fit(index, [lemma], processes=1), lemma) for each in others),
    ]


def about_runs(inducer_or_model: Any, seeds: int) -> str:
    """What there is to know of the runs that :func:`portraits` makes: why there is one only, or how they differ."""
    fitted = hasattr(inducer_or_model, "inventory")
    inducer = inducer_or_model.inducer if fitted else inducer_or_model
    if len(seeded(inducer, 2)) == 1:
        return DETERMINISTIC
    if seeds == 1:
        return ONE_SEED
    return SAVED if fitted else ""


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
