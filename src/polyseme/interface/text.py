"""What models say of words in a text: their senses in a dictionary, their substitutes, and how similar usages are."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

from polyseme import wordnet as dictionaries
from polyseme.datasets.opening import InventorySource, UsagesSource, open_inventory, open_usages
from polyseme.disambiguation.calibration import Calibration, open_calibration
from polyseme.disambiguation.disambiguated_text import (
    DisambiguatedText,
    build_disambiguator,
    describe_usages,
    is_strict,
    label_text,
)
from polyseme.disambiguation.model import DictionaryModel, Disambiguator
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.text_inputs import read_text_inputs
from polyseme.errors import InputError, InputWarning, count_noun, quote_value
from polyseme.labelling_run import find_wordnet_version
from polyseme.progress import show_progress_bar
from polyseme.usage import Usage, UsagePair

if TYPE_CHECKING:
    from polyseme.corpus.analysers import Analyser
    from polyseme.induction.inducer import Inducer
    from polyseme.labelling import Labelling
    from polyseme.lm.substitutes import Substituter, Substitutes
    from polyseme.vectors.representation import Representation
    from polyseme.wordnet.lexicon import WordNet

DEFAULT_COUNT = 20
"""How many substitutes are listed by default."""
DEFAULT_SIMILARITY = "Substitution"
"""The part whose vectors are compared by default."""

TextSource = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""A text; or files and folders of texts or usages, or names of data sets."""


def disambiguate(
    text: TextSource,
    model: str | Disambiguator = "PPR",
    *,
    target: str = "",
    wordnet: str | WordNet | Sources | None = None,
    keep: float | None = None,
    scale: str | os.PathLike[str] | Calibration | None = None,
    top: int | None = None,
    processes: int | None = None,
    progress: bool | None = None,
) -> DisambiguatedText:
    """Weigh the senses that the words of a text have in WordNet.

    Args:
        text: A text; or files and folders of texts or usages, or names of data sets.
        model: A disambiguator or a baseline, or the specification of one.
        target: Only this word, in any form: ``bank`` or ``bank.n``. Default: all words.
        wordnet: A version of WordNet, a WordNet, or sources. Default: that of the data set, or the latest.
        keep: Senses with less than this share of a word's greatest weight are dropped.
        scale: Ratings instead of weights that sum to 1: ``"1-5"``, a calibration, or the file of one.
        top: How many senses of a word. Default: all.
        processes: How many processes analyse text. Default: the number of processors.
        progress: Whether a progress bar is shown. Default: on a terminal and in a notebook.

    Raises:
        InputError: The text is empty, or has no word of WordNet.

    >>> words = disambiguate("He sat on the bank of the river.", "SemCorRanked", target="bank")
    >>> words[0].lemma, words[0].senses[0].gloss.partition(" (")[0]
    ('bank.n', 'sloping land')
    """
    part = build_disambiguator(model) if isinstance(model, str) else model
    curve = open_calibration(os.fspath(scale)) if isinstance(scale, str | os.PathLike) else scale
    if curve and curve.model not in ("", repr(part)):
        warnings.warn(f"the scale was learnt for {curve.model}, and the model is {part!r}", InputWarning, stacklevel=2)
    inputs = [os.fspath(name) for name in ([text] if isinstance(text, str | os.PathLike) else text)]
    with show_progress_bar("Reading", progress) as show:
        opened = wordnet if isinstance(wordnet, Sources) else _open_sources(wordnet or find_wordnet_version(inputs))
        usages = read_text_inputs(inputs, opened, target, processes)
        show(f"Disambiguating {count_noun(len(usages.usages), 'word')}")
        labelling = label_text(DictionaryModel(part, opened, keep or 0.0), usages, processes)
    words = describe_usages(usages.usages, labelling, opened.wordnet, curve, usages.unknown, strict=is_strict(part))
    return words if top is None else words.keep_top(top)


def _open_sources(version: str | WordNet) -> Sources:
    return _cache_sources(dictionaries.load(version) if isinstance(version, str) else version)


@lru_cache(maxsize=2)
def _cache_sources(dictionary: WordNet) -> Sources:
    """Keep what models derive from a dictionary for the next call."""
    return Sources(dictionary)


@overload
def substitutes(
    source: str,
    target: str,
    *,
    model: str | Substituter | None = None,
    count: int | None = None,
    occurrence: int = 1,
    progress: bool | None = None,
) -> Substitutes: ...
@overload
def substitutes(
    source: UsagesSource,
    *,
    model: str | Substituter | None = None,
    count: int | None = None,
    candidates: InventorySource | None = None,
    progress: bool | None = None,
) -> Labelling: ...
def substitutes(
    source: str | UsagesSource,
    target: str | None = None,
    *,
    model: str | Substituter | None = None,
    count: int | None = None,
    occurrence: int = 1,
    candidates: InventorySource | None = None,
    progress: bool | None = None,
) -> Substitutes | Labelling:
    """Find the words that could replace a word in its context.

    Args:
        source: A text with the target. Without a target: usages, or what :func:`polyseme.read_usages` takes.
        target: The word to replace, as it is in the text.
        model: A substituter, its specification, the folder of a model, ``maskedlm:NAME`` or ``causallm:NAME``. Default:
            our small model, if it is installed; otherwise an n-gram model of the State of the Union addresses.
        count: How many words. Default: 20.
        occurrence: Which occurrence of the target in the text.
        candidates: Words to list besides, however unlikely, as senses of the usages' lemmas.
        progress: Whether a progress bar is shown. Default: on a terminal and in a notebook.

    Returns:
        Of one target the substitutes; of usages a labelling whose senses are the substitutes.

    >>> words = substitutes("We sat on the bank of the river.", "bank", model="NGramSubstitutes", count=2)
    >>> len(words)
    2
    """
    if target is not None and candidates is not None:
        raise InputError("candidates are for usages, not for a target in a text; drop one of the two")
    if target is None and occurrence != 1:
        raise InputError("occurrence is for a target in a text, not for usages; drop it")
    with show_progress_bar("Substituting", progress) as show:
        part = open_substituter(model, show)
        if target is not None:
            usage = find_target(str(source), target, occurrence)
            return part.substitutes([usage], count or DEFAULT_COUNT)[0]
        from polyseme.lm.substitute_labelling import label_with_substitutes

        usages = open_usages(source)
        words = None if candidates is None else open_inventory(candidates)
        return label_with_substitutes(
            part, usages, count or DEFAULT_COUNT, words, lambda done: show("Substituting", done, len(usages))
        )


def open_substituter(model: str | Substituter | None, show: Callable[[str], object]) -> Substituter:
    """Open a substituter; the default n-gram model is trained if it is not there yet.

    Args:
        model: A substituter, its specification, or ``None`` for the best that is installed.
        show: Receives the current step.
    """
    from polyseme.induction.defaults import missing_small_model
    from polyseme.lm.ngram_substitutes import NGramSubstitutes
    from polyseme.lm.ngrams.state_of_the_union import is_trained, load_state_of_the_union, state_of_the_union_folder
    from polyseme.lm.substitutes import build_substituter

    if model is None:
        model = "NGramSubstitutes" if missing_small_model() else "small"
    substituter = build_substituter(model) if isinstance(model, str) else model
    if isinstance(substituter, NGramSubstitutes) and not substituter.model and not is_trained():
        load_state_of_the_union(show)
        message = "an n-gram model of the State of the Union addresses was trained and is stored in"
        print(f"{message} {state_of_the_union_folder()}", file=sys.stderr)
    return substituter


def find_target(text: str, target: str, occurrence: int = 1) -> Usage:
    """Find a target in a text: as a whole word, in upper or lower case.

    >>> usage = find_target("A bank is no bank-note. Banks differ; the Bank does not.", "bank", 2)
    >>> usage.text[usage.start - 4 : usage.end]
    'the Bank'
    """
    from polyseme.corpus.tokenisation import find_words

    spans = list(find_words(text))
    forms = [text[start:end].lower() for start, end in spans]
    words = [target[start:end].lower() for start, end in find_words(target)]
    size = len(words)
    positions = [start for start in range(len(forms) - size + 1) if size and forms[start : start + size] == words]
    if not positions:
        problem = f"the target {quote_value(target)} is not a word of the text {quote_value(text)}"
        raise InputError(f"{problem}; name one that is")
    if not 1 <= occurrence <= len(positions):
        times = count_noun(len(positions), "time")
        raise InputError(f"occurrence is {occurrence}, and {quote_value(target)} occurs {times} in the text")
    first = positions[occurrence - 1]
    return Usage("1", target, text, spans[first][0], spans[first + size - 1][1])


@overload
def similarity(
    first: Usage,
    second: Usage,
    model: str | Representation | Inducer = ...,
    *,
    analyser: str | Analyser = ...,
    probability: bool = ...,
) -> float: ...
@overload
def similarity(
    first: UsagesSource,
    second: None = None,
    model: str | Representation | Inducer = ...,
    *,
    analyser: str | Analyser = ...,
    probability: bool = ...,
) -> list[UsagePair]: ...
def similarity(
    first: Usage | UsagesSource,
    second: Usage | None = None,
    model: str | Representation | Inducer = DEFAULT_SIMILARITY,
    *,
    analyser: str | Analyser = "simple",
    probability: bool = False,
) -> float | list[UsagePair]:
    """Compute how similar two usages of a word are, or each two usages of a lemma.

    It is the cosine of their vectors. A representation that learns from usages, as :class:`~polyseme.Bag` does, learns
    from those that are compared.

    Args:
        first: A usage; or usages, or what :func:`polyseme.read_usages` takes.
        second: Another usage of the same word. Default: all pairs of usages of a lemma are compared.
        model: A representation, or an inducer that has one, or its specification.
        analyser: The analyser, for representations by words.
        probability: Return the calibrated probability that both usages have the same sense, instead of the cosine.
            Only ``Substitution`` has it.

    >>> texts = ["the bank lends money", "a bank lends money"]
    >>> starts = [text.index("bank") for text in texts]
    >>> usages = [Usage("1", "bank.n", text, start, start + 4) for text, start in zip(texts, starts)]
    >>> round(similarity(usages[0], usages[1], "Bag(minimum=1)"), 2)
    0.67
    """
    from polyseme.corpus.analysers import as_analyser
    from polyseme.induction.usage_similarity import compare_usages, get_representation
    from polyseme.parts import build

    part: Any = build(model) if isinstance(model, str) else model
    reader: Analyser | None = None
    if not get_representation(part).reads_text:
        reader = as_analyser(analyser) if isinstance(analyser, str) else analyser
    if second is None:
        return list(compare_usages(part, open_usages(first), reader, probability=probability))
    if not (isinstance(first, Usage) and isinstance(second, Usage)) or first.lemma != second.lemma:
        one, other = (quote_value(getattr(value, "lemma", value)) for value in (first, second))
        raise InputError(f"{one} and {other} cannot be compared; give two usages of one lemma")
    both = [replace(first, id="1"), replace(second, id="2")]
    pairs = compare_usages(part, both, reader, probability=probability)
    return next(iter(pairs)).similarity
