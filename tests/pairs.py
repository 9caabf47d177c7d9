"""Gold and system labellings made by hypothesis; import them with ``from pairs import pairs``."""

from hypothesis import strategies as st

from polyseme.labelling import Labelling
from strategies import LEMMAS, SENSES, labellings, sense_weights, tied

Pair = tuple[Labelling, Labelling]

shares = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0]) | st.floats(0, 1)
"""Weights between 0 and 1, edges of FuzzyNMI's bins among them."""

any_sense = st.sampled_from(SENSES)
weighty = tied | shares


@st.composite
def pairs(
    draw: st.DrawFn,
    *,
    complete: bool = False,
    outside: int = 0,
    senses: st.SearchStrategy[str] = any_sense,
    weights: st.SearchStrategy[float] = weighty,
    min_size: int = 1,
    max_size: int = 8,
) -> Pair:
    """A gold labelling, and a system's of the same usages in another order, some left out unless it is ``complete``.

    The system may also label up to ``outside`` usages that are not in the gold key.
    """
    gold = draw(labellings(min_size=min_size, max_size=max_size, weights=weights))
    given = draw(st.permutations([(lemma, usage) for lemma, usage, _ in gold.rows()]))
    if not complete:
        given = [row for row in given if draw(st.integers(0, 3))]
    more = draw(st.lists(st.sampled_from(LEMMAS), max_size=outside))
    given += [(lemma, f"{lemma}.outside.{number}") for number, lemma in enumerate(more)]
    labels = sense_weights(senses, weights)
    return gold, Labelling((lemma, usage, draw(labels)) for lemma, usage in given)


def above_zero(labelling: Labelling) -> Labelling:
    """The same labelling where every usage has a sense that weighs more than 0."""
    return Labelling(
        (lemma, usage, senses if any(senses.values()) else dict.fromkeys(senses, 1.0))
        for lemma, usage, senses in labelling.rows()
    )


def without(labelling: Labelling, usage: str) -> Labelling:
    """The same labelling with one usage left out."""
    return labelling.restrict(each for each in labelling if each != usage)
