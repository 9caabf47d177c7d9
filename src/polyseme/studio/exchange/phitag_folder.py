"""A study in the layout of PhiTag, to go on there, or in another tool of its family.

All pages are instances, answered or not, and all current answers are judgements, with when, in what order and how long
in columns of our own. The tables know no tabs and line ends: blanks stand for them, in texts, glosses and comments.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from polyseme.formats.phitag_folder import write_phitag_folder
from polyseme.inventory import Inventory, Sense
from polyseme.rating import Item, Rating, Ratings, Scale
from polyseme.studio.exchange.usage_graph_folder import collect_shown_usages, replace_line_breaks
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page
from polyseme.studio.study.tasks import NO_SUBSTITUTE
from polyseme.usage import Usage


@dataclass(frozen=True)
class PhitagTables:
    """What the tables hold."""

    usages: tuple[Usage, ...]
    senses: Inventory
    items: tuple[Item, ...]
    ratings: Ratings
    scale: Scale


def collect_phitag_tables(store: Store) -> PhitagTables:
    """The pages and the answers of a study at this moment."""
    pages = list(store.pages())
    senses = {(sense.lemma, sense.id): sense for page in pages for sense in page.senses}
    inventory = Inventory(Sense(sense.id, sense.lemma, replace_line_breaks(sense.gloss)) for sense in senses.values())
    items = tuple(item for page in pages for item in _page_items(page))
    answers = Ratings(map(_strip_phitag_rating, store.ratings()))
    return PhitagTables(collect_shown_usages(pages), inventory, items, answers, store.study.scale)


def _page_items(page: Page) -> list[Item]:
    targets = [page.other] if page.other else [sense.id for sense in page.senses] or [NO_SUBSTITUTE]
    return [Item(page.task, page.lemma, page.usage, target) for target in targets]


def _strip_phitag_rating(rating: Rating) -> Rating:
    """The rating as a cell can hold it: a comment of ``-`` alone says nothing."""
    comment = replace_line_breaks(rating.comment)
    target = replace_line_breaks(rating.target) if rating.task == "SYNbest" else rating.target
    return rating._replace(comment="" if comment == NO_SUBSTITUTE else comment, target=target)


def write_phitag_tables(tables: PhitagTables, folder: Path) -> None:
    """Write a folder for each task and, in it, for each lemma."""
    write_phitag_folder(folder, tables.usages, tables.ratings, tables.senses, items=tables.items, scale=tables.scale)
