"""A whole folder in the layout of PhiTag: for each task a folder, in it one for each lemma with its four tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.phitag import write_phitag_senses, write_phitag_uses
from polyseme.formats.phitag_judgments import write_phitag_judgments
from polyseme.inventory import Inventory
from polyseme.rating import Item, Rating, Scale
from polyseme.usage import Usage

FOLDER_BY_TASK = {"WSsim": "wssim", "WSbest": "wsbest", "SYNbest": "lexsub", "Usim": "urel"}
"""Task → the name of its folder, as in the public collections of this layout."""


def write_phitag_folder(
    folder: str | os.PathLike[str],
    usages: Iterable[Usage],
    ratings: Iterable[Rating] = (),
    inventory: Inventory | None = None,
    *,
    items: Iterable[Item] = (),
    scale: Scale | None = None,
) -> None:
    """Write usages, senses and ratings so that PhiTag, and tools of its family, can take them up.

    ``read_usages``, ``read_inventory`` and ``read_ratings`` read the folder, or any folder in it, again.

    Args:
        folder: Where the tables go, as ``wssim/lead.n/uses.tsv``; it is made if it is not there.
        usages: The usages that are judged; others are left out.
        ratings: The judgements; what they are of is written as instances.
        inventory: The senses, for WSsim and WSbest.
        items: What is to be judged besides, so that a study can go on in another tool. They are instances without
            judgements, which ``read_ratings`` does not give.
        scale: The scale of WSsim and Usim; by default from 1 to 5.

    Raises:
        polyseme.errors.InputError: A usage is missing, or something would be read back differently.
    """
    usages_by_id = {usage.id: usage for usage in usages}
    judged: dict[tuple[str, str], list[Rating]] = {}
    listed: dict[tuple[str, str], dict[Item, None]] = {}
    for rating in ratings:
        judged.setdefault((rating.task, rating.lemma), []).append(rating)
    for item in [*items, *(rating.item for rows in judged.values() for rating in rows)]:
        listed.setdefault((item.task, item.lemma), {})[item] = None
    for (task, lemma), lemma_items in listed.items():
        place = _lemma_folder(Path(folder), task, lemma)
        write_phitag_uses(_judged_usages(lemma_items, usages_by_id, place), place / "uses.tsv")
        if task in ("WSsim", "WSbest") and inventory is not None and lemma in inventory:
            write_phitag_senses(Inventory(inventory[lemma]), place / "senses.tsv")
        write_phitag_judgments(judged.get((task, lemma), ()), place / "judgments.tsv", scale, lemma_items)


def _lemma_folder(folder: Path, task: str, lemma: str) -> Path:
    if task not in FOLDER_BY_TASK:
        raise InputError(
            f"PhiTag has no task {quote_value(task)}; allowed are {', '.join(FOLDER_BY_TASK)}", path=folder
        )
    if not lemma or lemma.startswith(".") or set(lemma) & set('/\\:*?"<>|\0'):
        raise InputError(f"the lemma {quote_value(lemma)} cannot be the name of a folder; rename it", path=folder)
    place = folder / FOLDER_BY_TASK[task] / lemma
    place.mkdir(parents=True, exist_ok=True)
    return place


def _judged_usages(items: Iterable[Item], usages: Mapping[str, Usage], place: Path) -> list[Usage]:
    names = dict.fromkeys(
        name for item in items for name in (item.usage, *([item.target] if item.task == "Usim" else []))
    )
    if missing := [name for name in names if name not in usages]:
        raise InputError(
            f"usage {quote_value(missing[0])} is judged, but not among the usages; give its text", path=place
        )
    return [usages[name] for name in names]
