"""A study as a word usage graph: a folder with ``uses.csv``, ``senses.csv`` and ``judgments.csv``.

It holds the current answers of Usim and WSsim, without repeats, control items and training. Its tables know no quotes:
tabs and line ends in texts become blanks. Who answered in what order and how long it took is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from polyseme.errors import InputError
from polyseme.formats.word_usage_graph import JUDGMENT_SCALE, write_wug_judgments, write_wug_senses, write_wug_uses
from polyseme.inventory import Inventory, Sense
from polyseme.lemma import split_lemma
from polyseme.rating import Rating, Ratings
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page
from polyseme.usage import Usage

GRAPH_TASKS = ("WSsim", "Usim")
_BREAK = re.compile(r"[\t\n\r\0]")


@dataclass(frozen=True)
class UsageGraphTables:
    """The tables of a usage graph."""

    uses: tuple[Usage, ...]
    senses: Inventory
    judgments: Ratings


def collect_usage_graph(store: Store) -> UsageGraphTables:
    """The graph of the usages that are judged in a study, as it is at this moment."""
    study = store.study
    if not set(GRAPH_TASKS) & set(study.tasks):
        raise InputError(
            f"a usage graph holds {' and '.join(GRAPH_TASKS)}, and the study asks for {', '.join(study.tasks)}"
        )
    if not (JUDGMENT_SCALE.allows(study.scale.lowest) and JUDGMENT_SCALE.allows(study.scale.highest)):
        problem = f"the scale goes from {study.scale.lowest} to {study.scale.highest}"
        raise InputError(
            f"{problem}, and that of a usage graph from {JUDGMENT_SCALE.lowest} to {JUDGMENT_SCALE.highest} at most: export csv"
        )
    pages = [page for page in store.pages() if page.task in GRAPH_TASKS and not page.role]
    judged = store.ratings().filter(lambda rating: rating.task in GRAPH_TASKS and not rating.role)
    return UsageGraphTables(collect_shown_usages(pages), _collect_senses(pages), Ratings(map(_strip_rating, judged)))


def collect_shown_usages(pages: Iterable[Page]) -> tuple[Usage, ...]:
    """The usages that pages show, with blanks for tabs and line ends."""
    found: dict[str, Usage] = {}
    for page in pages:
        pos = split_lemma(page.lemma).pos
        for each in page.passages:
            text = _BREAK.sub(" ", each.text)
            found.setdefault(each.usage, Usage(each.usage, page.lemma, text, each.start, each.end, pos))
    return tuple(found.values())


def _collect_senses(pages: Iterable[Page]) -> Inventory:
    shown = {sense.id: sense for page in pages if page.task == "WSsim" for sense in page.senses}
    return Inventory(Sense(each.id, each.lemma, replace_line_breaks(each.gloss)) for each in shown.values())


def replace_line_breaks(text: str) -> str:
    """The text with blanks for tabs and line ends, and none around it."""
    return _BREAK.sub(" ", text).strip()


def _strip_rating(rating: Rating) -> Rating:
    return rating._replace(comment=replace_line_breaks(rating.comment), group="", order=None, milliseconds=None)


def write_usage_graph_folder(graph: UsageGraphTables, folder: Path) -> None:
    """Write the tables; that of the senses first, which says what in the judgements is one."""
    if len(graph.senses):
        write_wug_senses(graph.senses, folder / "senses.csv")
    write_wug_uses(graph.uses, folder / "uses.csv")
    write_wug_judgments(graph.judgments, folder / "judgments.csv")
