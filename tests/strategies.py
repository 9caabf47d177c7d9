"""Labellings and answer keys made by hypothesis; import them with ``from strategies import labellings``."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.labelling import Labelling

Value = TypeVar("Value")

LEMMAS = ("add.v", "cat.n", "win.v")
SENSES = ("a", "b", "c", "d")
ASCII_SPACE = " \t\n\r\v\f"

ROWS = [
    ("win.v", "win.v.1", {"a": 0.6, "b": 0.4}),
    ("add.v", "add.v.1", {"a": 0.0}),
    ("win.v", "win.v.2", {"c": 1.0, "a": 0.0}),
]
"""A labelling that is small enough to check by hand: lemmas that are mixed, senses of one name, listed zeros."""

lemma_names = st.sampled_from(LEMMAS)
sense_names = st.sampled_from(SENSES)

finite = st.floats(0, allow_nan=False, allow_infinity=False)
"""Any weight that a labelling takes: zero, the smallest and the largest numbers included."""

tied = st.sampled_from([0.0, 0.25, 0.5, 0.5, 1.0, 1.0, 3.0])
"""Few distinct weights, so that ties and zeros are common."""

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
"""Any Unicode text, the empty one included."""

key_names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=ASCII_SPACE + "\0"), min_size=1, max_size=8
).filter(lambda name: "!!" not in name and not name.startswith("\ufeff"))
"""Names that can stand in an answer key."""


def sense_weights(
    senses: st.SearchStrategy[str] = sense_names, weights: st.SearchStrategy[float] = tied
) -> st.SearchStrategy[dict[str, float]]:
    """What one usage is labelled with: at least one sense."""
    return st.dictionaries(senses, weights, min_size=1, max_size=4)


@st.composite
def labellings(
    draw: st.DrawFn,
    *,
    lemmas: st.SearchStrategy[str] = lemma_names,
    senses: st.SearchStrategy[str] = sense_names,
    weights: st.SearchStrategy[float] = tied,
    usages: st.SearchStrategy[str] | None = None,
    min_size: int = 0,
    max_size: int = 12,
) -> Labelling:
    """Labellings of several lemmas that share names of senses, with listed zeros and ties, the lemmas mixed.

    A usage is called after its lemma and a number unless ``usages`` names them.
    """
    rows = draw(st.lists(st.tuples(lemmas, sense_weights(senses, weights)), min_size=min_size, max_size=max_size))
    names = [f"{lemma}.{number}" for number, (lemma, _) in enumerate(rows, start=1)]
    if usages is not None:
        names = draw(st.lists(usages, min_size=len(rows), max_size=len(rows), unique=True))
    return Labelling((lemma, usage, labels) for usage, (lemma, labels) in zip(names, rows, strict=True))


hard_labellings = labellings().map(lambda labelling: labelling.single())
"""Labellings of one sense each, with weight 1."""

any_labellings = labellings(lemmas=names, senses=names, usages=names, weights=finite)
"""Labellings with any names and any weights."""

key_labellings = labellings(lemmas=key_names, senses=key_names, usages=key_names, weights=finite)
"""Labellings that an answer key can hold, with any weights."""


def attempt(make: Callable[[], Value]) -> Value | InputError:
    """What is made, or the error that is meant to be read; any other exception is a failure."""
    try:
        return make()
    except InputError as error:
        return error


def as_rows(labelling: Labelling) -> list[tuple[str, str, list[tuple[str, float]]]]:
    """All that a labelling holds, order included: what a lossless round trip keeps."""
    return [(lemma, usage, list(senses.items())) for lemma, usage, senses in labelling.rows()]


def as_dict(labelling: Labelling) -> dict[str, tuple[str, Mapping[str, float]]]:
    """The same as plain dictionaries, to compute with in the plainest way."""
    return {usage: (lemma, senses) for lemma, usage, senses in labelling.rows()}


def is_consistent(labelling: Labelling) -> bool:
    """Whether the names and the arrays of a labelling fit together, nothing left over, in order of first appearance."""
    columns = [labelling.columns[column] for column in labelling.indices.tolist()]
    of_rows = [labelling.lemmas[number] for number in labelling.row_lemmas.tolist()]
    of_entries = [of_rows[row] for row in labelling.entry_rows.tolist()]
    return (
        tuple(dict.fromkeys(of_rows)) == labelling.lemmas
        and tuple(dict.fromkeys(columns)) == labelling.columns
        and [lemma for lemma, _ in columns] == of_entries
        and bool((labelling.sizes > 0).all())
        and labelling.indptr[0] == 0
        and labelling.indptr[-1] == len(labelling.weights) == len(labelling.indices)
        and {array.dtype for array in (labelling.indptr, labelling.indices, labelling.row_lemmas)}
        == {np.dtype(np.intp)}
    )
