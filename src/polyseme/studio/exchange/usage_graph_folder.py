"""A study as a word usage graph: a folder with ``uses.csv``, ``senses.csv`` and ``judgments.csv``.

It contains the current answers of Usim and WSsim, without repeats, control items, training, order and times. The
tables have no quotes, so blanks replace tabs and line breaks.
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
    """Collect the usages and judgements of a study at this moment.

    Raises:
        InputError: A usage graph cannot contain the tasks or the scale of the study.
    """
    study = store.study
    if not set(GRAPH_TASKS) & set(study.tasks):
        tasks = f"{' and '.join(GRAPH_TASKS)}, but the study has {', '.join(study.tasks)}"
        raise InputError(f"a usage graph contains {tasks}; export csv instead")
    if not (JUDGMENT_SCALE.allows(study.scale.lowest) and JUDGMENT_SCALE.allows(study.scale.highest)):
        problem = f"the scale goes from {study.scale.lowest} to {study.scale.highest}"
        allowed = f"within {JUDGMENT_SCALE.lowest} to {JUDGMENT_SCALE.highest}"
        raise InputError(f"{problem}, but a usage graph needs values {allowed}; export csv instead")
    pages = [page for page in store.pages() if page.task in GRAPH_TASKS and not page.role]
    ratings = store.ratings().filter(lambda rating: rating.task in GRAPH_TASKS and not rating.role)
    senses = collect_shown_senses(page for page in pages if page.task == "WSsim")
    return UsageGraphTables(collect_shown_usages(pages), senses, Ratings(map(_strip_rating, ratings)))


def collect_shown_usages(pages: Iterable[Page]) -> tuple[Usage, ...]:
    """Collect the usages that pages display, with blanks for tabs and line breaks."""
    usages: dict[str, Usage] = {}
    for page in pages:
        pos = split_lemma(page.lemma).pos
        for passage in page.passages:
            text = _BREAK.sub(" ", passage.text)
            usage = Usage(passage.usage, page.lemma, text, passage.start, passage.end, pos)
            usages.setdefault(passage.usage, usage)
    return tuple(usages.values())


def collect_shown_senses(pages: Iterable[Page]) -> Inventory:
    """Collect the senses that pages display, with glosses in one line and nothing else."""
    senses = {(sense.lemma, sense.id): sense for page in pages for sense in page.senses}
    return Inventory(Sense(sense.id, sense.lemma, replace_line_breaks(sense.gloss)) for sense in senses.values())


def replace_line_breaks(text: str) -> str:
    """Replace tabs and line breaks by blanks, and strip blanks at either end."""
    return _BREAK.sub(" ", text).strip()


def _strip_rating(rating: Rating) -> Rating:
    return rating._replace(comment=replace_line_breaks(rating.comment), group="", order=None, milliseconds=None)


def write_usage_graph_folder(graph: UsageGraphTables, folder: Path) -> None:
    """Write the tables; the senses first, because the judgements refer to them."""
    if len(graph.senses):
        write_wug_senses(graph.senses, folder / "senses.csv")
    write_wug_uses(graph.uses, folder / "uses.csv")
    write_wug_judgments(graph.judgments, folder / "judgments.csv")
