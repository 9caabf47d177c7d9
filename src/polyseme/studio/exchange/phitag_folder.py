"""A study in the layout of PhiTag, to continue there or in a related tool.

``instances.tsv`` lists all pages, answered or not. ``judgments.tsv`` contains all current answers, with columns for
their time, order and duration. Blanks replace tabs and line breaks in texts, glosses and comments.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from polyseme.formats.phitag_folder import write_phitag_folder
from polyseme.inventory import Inventory
from polyseme.rating import Item, Rating, Ratings, Scale
from polyseme.studio.exchange.usage_graph_folder import (
    collect_shown_senses,
    collect_shown_usages,
    replace_line_breaks,
)
from polyseme.studio.store.store import Store
from polyseme.studio.study.tasks import NO_SUBSTITUTE
from polyseme.usage import Usage


@dataclass(frozen=True)
class PhitagTables:
    """The content of the tables."""

    usages: tuple[Usage, ...]
    senses: Inventory
    items: tuple[Item, ...]
    ratings: Ratings
    scale: Scale


def collect_phitag_tables(store: Store) -> PhitagTables:
    """Collect the pages and answers of a study at this moment."""
    pages = list(store.pages())
    items = [
        Item(page.task, page.lemma, page.usage, target) for page in pages for target in page.targets or (NO_SUBSTITUTE,)
    ]
    ratings = Ratings(map(_strip_phitag_rating, store.ratings()))
    usages, senses = collect_shown_usages(pages), collect_shown_senses(pages)
    return PhitagTables(usages, senses, tuple(items), ratings, store.study.scale)


def _strip_phitag_rating(rating: Rating) -> Rating:
    """Make a rating fit into cells; a comment of ``-`` alone is an empty cell."""
    comment = replace_line_breaks(rating.comment)
    target = replace_line_breaks(rating.target) if rating.task == "SYNbest" else rating.target
    return rating._replace(comment="" if comment == NO_SUBSTITUTE else comment, target=target)


def write_phitag_tables(tables: PhitagTables, folder: Path) -> None:
    """Write a folder for each task, with a folder for each lemma in it."""
    write_phitag_folder(folder, tables.usages, tables.ratings, tables.senses, items=tables.items, scale=tables.scale)
