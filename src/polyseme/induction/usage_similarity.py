"""How similar usages of a word are, by any representation of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.passages import analyse_passages, passages_without_words
from polyseme.errors import InputError, TooLittleData
from polyseme.matrices import dot_products, unit_rows
from polyseme.usage import Usage, UsagePair
from polyseme.vectors.representation import Representation


def compare_usages(part: Any, usages: Iterable[Usage], analyser: Analyser | None = None) -> Iterator[UsagePair]:
    """The cosine of each two usages of a lemma, in a model's own vectors of them. (Erk, McCarthy & Gaylord 2013)

    ``part`` is a representation, or an inducer that has one; it is fitted to the usages of each lemma. An ``analyser``
    is needed where vectors are made of the words around usages.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> from polyseme.vectors.bag_of_words import Bag
    >>> texts = ["the bank lends money", "a bank lends money", "the river bank floods"]
    >>> starts = [text.index("bank") for text in texts]
    >>> given = [Usage(f"u{at}", "bank.n", texts[at], start, start + 4) for at, start in enumerate(starts)]
    >>> [(pair.first, pair.second, round(pair.similarity, 2)) for pair in compare_usages(Bag(minimum=1), given, Simple())]
    [('u0', 'u1', 0.67), ('u0', 'u2', 0.33), ('u1', 'u2', 0.0)]
    """
    represent = get_representation(part)
    given = list(usages)
    if not represent.reads_text and analyser is None:
        raise InputError(f"{represent!r} looks at words; name an analyser that finds them")
    read = (
        passages_without_words(given) if analyser is None or represent.reads_text else analyse_passages(given, analyser)
    )
    for lemma, each in read.items():
        try:
            rows = unit_rows(represent.fit(each)(each))
        except TooLittleData as problem:
            raise InputError(f"the usages of {lemma} cannot be compared: {problem}") from None
        cosines = dot_products(rows, rows)
        for one, other in combinations(range(len(each)), 2):
            yield UsagePair(lemma, each.usages[one].id, each.usages[other].id, float(cosines[one, other]))


def get_representation(part: Any) -> Representation:
    """A representation itself, or that of an inducer."""
    found = part.steps().represent if hasattr(part, "steps") else part
    if not isinstance(found, Representation):
        raise InputError(f"{part!r} makes no vectors of usages; name a representation, such as TokenEncoder()")
    return found
