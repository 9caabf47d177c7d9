"""Gold and system labellings, drawn by hypothesis; import them with ``from pairs import pairs``."""

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
    """Draw a gold labelling, and a system's labelling of the same usages in another order.

    Args:
        draw: Draws from strategies.
        complete: Label all usages; otherwise the system leaves usages out.
        outside: The most usages that the system labels outside the gold key.
        senses: Draws senses of the system.
        weights: Draws weights.
        min_size: The least number of usages.
        max_size: The most usages.
    """
    gold = draw(labellings(min_size=min_size, max_size=max_size, weights=weights))
    rows = draw(st.permutations([(lemma, usage) for lemma, usage, _ in gold.rows()]))
    if not complete:
        rows = [row for row in rows if draw(st.integers(0, 3))]
    more = draw(st.lists(st.sampled_from(LEMMAS), max_size=outside))
    rows += [(lemma, f"{lemma}.outside.{number}") for number, lemma in enumerate(more)]
    labels = sense_weights(senses, weights)
    return gold, Labelling((lemma, usage, draw(labels)) for lemma, usage in rows)


def above_zero(labelling: Labelling) -> Labelling:
    """Return the labelling with a weight above 0 for every usage."""
    return Labelling(
        (lemma, usage, senses if any(senses.values()) else dict.fromkeys(senses, 1.0))
        for lemma, usage, senses in labelling.rows()
    )


def without(labelling: Labelling, usage: str) -> Labelling:
    """Return the labelling without one usage."""
    return labelling.restrict(other for other in labelling if other != usage)
