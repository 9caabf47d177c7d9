"""Usages, labellings, ratings and senses from whatever people have: one function for each, for every command."""

from __future__ import annotations

from collections.abc import Sequence

from polyseme.datasets.opening import (
    InventorySource,
    LabellingSource,
    RatingsSource,
    UsagesSource,
    open_inventory,
    open_labelling,
    open_usages,
)
from polyseme.interface.rating_sources import open_rating_source
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.usage import Usage


def read_usages(source: UsagesSource, format: str | None = None) -> list[Usage]:
    """Read usages.

    Args:
        source: A file, folder or tar archive in any format; the name of a data set; usages; or a table with the columns
            id, lemma, text, start and end. A table is a data frame of pandas or polars, an Arrow table, a data set of
            Hugging Face, or a list of dictionaries.
        format: The name of the format of the file; by default each file is recognised.

    >>> row = {"id": "win.v.1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6}
    >>> [usage.target for usage in read_usages([row])]
    ['won']
    """
    return open_usages(source, format)


def read_labelling(source: LabellingSource, rule: str = "as-written") -> Labelling:
    """Read a labelling: usages with weighted senses.

    Args:
        source: A file: an answer key, JSON Lines or Parquet; a data set, for its gold standard; ``DATA-SET:NAME`` for
            one of its systems; usage → {sense: weight}; or a table with the columns usage, sense and weight.
        rule: The loading rule of answer keys: ``as-written``, or the name of a task that has its own.

    >>> read_labelling({"win.v.1": {"a": 0.6, "b": 0.4}})["win.v.1"]
    {'a': 0.6, 'b': 0.4}
    """
    return open_labelling(source, rule)


def read_ratings(source: RatingsSource | Sequence[RatingsSource], study: str | None = None) -> Ratings:
    """Read ratings: judgements of annotators, and decisions of managers with the role ``adjudication``.

    Args:
        source: A file or folder in any format; a data set; or a table with a row for each judgement. A study is named
            by its database (a SQLite file, or the address of a PostgreSQL database), its study file, or its export. A
            list of these is combined.
        study: The title of a study, where a database holds several.

    >>> row = {"annotator": "ann", "task": "WSsim", "lemma": "win.v", "usage": "win.v.1", "target": "a", "value": 5}
    >>> read_ratings([row])
    <Ratings: 1 judgement of 1 item by 1 annotator>
    """
    return open_rating_source(source, study).ratings


def read_inventory(source: InventorySource) -> Inventory:
    """Read the senses of lemmas.

    Args:
        source: A file in any format, a data set, a model, or a table with the columns lemma, id and gloss.

    >>> inventory = read_inventory([{"lemma": "bank.n", "id": "bank.n.1", "gloss": "sloping land"}])
    >>> inventory["bank.n"][0].gloss
    'sloping land'
    """
    return open_inventory(source)
