"""How similar usages of a word are, by any representation of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import combinations

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.passages import analyse_passages, passages_without_words
from polyseme.errors import InputError, InputWarning, TooLittleData
from polyseme.induction.inducer import Inducer, VectorInducer
from polyseme.induction.same_sense import SameSense
from polyseme.induction.substitution import Substitution
from polyseme.matrices import dot_products, unit_rows
from polyseme.usage import Usage, UsagePair
from polyseme.vectors.representation import Representation


def compare_usages(
    part: Representation | Inducer,
    usages: Iterable[Usage],
    analyser: Analyser | None = None,
    *,
    probability: bool = False,
) -> Iterator[UsagePair]:
    """Compute the cosine of each two usages of a lemma. (Erk, McCarthy & Gaylord 2013)

    Args:
        part: A representation, or an inducer that has one. It is fitted to the usages of each lemma.
        usages: The usages.
        analyser: Finds words in texts, for representations that use words.
        probability: Yield the probability that both usages have the same sense, instead of the cosine.

    Raises:
        InputError: The part has no vectors, needs an analyser, is not calibrated, or learns nothing from the usages of
            a lemma.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> from polyseme.vectors.bag_of_words import Bag
    >>> texts = ["the bank lends money", "a bank lends money", "the river bank floods"]
    >>> starts = [text.index("bank") for text in texts]
    >>> usages = [Usage(f"u{at}", "bank.n", texts[at], start, start + 4) for at, start in enumerate(starts)]
    >>> pairs = compare_usages(Bag(minimum=1), usages, Simple())
    >>> [(pair.first, pair.second, round(pair.similarity, 2)) for pair in pairs]
    [('u0', 'u1', 0.67), ('u0', 'u2', 0.33), ('u1', 'u2', 0.0)]
    """
    represent = get_representation(part)
    calibrated = _get_probabilities(part) if probability else None
    if not represent.reads_text and analyser is None:
        raise InputError(f"{represent!r} uses words; name an analyser that finds them")
    if analyser is None or represent.reads_text:
        passages_by_lemma = passages_without_words(usages)
    else:
        passages_by_lemma = analyse_passages(list(usages), analyser)
    for lemma, passages in passages_by_lemma.items():
        try:
            rows = unit_rows(represent.fit(passages)(passages))
        except TooLittleData as problem:
            raise InputError(f"the usages of {lemma} cannot be compared: {problem}") from None
        similarities = dot_products(rows, rows)
        if calibrated is not None:
            similarities = calibrated.probabilities(similarities, passages.usages)
        for one, other in combinations(range(len(passages)), 2):
            yield UsagePair(lemma, passages.usages[one].id, passages.usages[other].id, float(similarities[one, other]))


def get_representation(part: object) -> Representation:
    """Return a representation itself, or that of an inducer.

    Raises:
        InputError: The part is neither.
    """
    represent = part.steps().represent if isinstance(part, VectorInducer) else part
    if not isinstance(represent, Representation):
        raise InputError(f"{part!r} makes no vectors of usages; name a representation, such as TokenEncoder()")
    return represent


def _get_probabilities(part: object) -> SameSense:
    """Return what an inducer turns cosines into probabilities with."""
    clusterer = part.steps().cluster if isinstance(part, VectorInducer) else None
    if not isinstance(part, VectorInducer) or not isinstance(clusterer, SameSense):
        raise InputError(
            f"{part!r} has no probability of the same sense; name Substitution with a masked language model, without a"
            " number of senses"
        )
    if part.steps().represent != Substitution().representation():
        problem = f"the probability of the same sense is calibrated for Substitution(), not for {part!r}"
        warnings.warn(f"{problem}; read it as a rank", InputWarning, stacklevel=3)
    return clusterer
