"""A whole folder in the layout of PhiTag: a folder for each task, with a folder of four tables for each lemma."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import make_folder
from polyseme.formats.phitag import write_phitag_senses, write_phitag_uses
from polyseme.formats.phitag_judgments import write_phitag_judgments
from polyseme.inventory import Inventory
from polyseme.rating import Item, Rating, Scale
from polyseme.usage import Usage

FOLDER_BY_TASK = {"WSsim": "wssim", "WSbest": "wsbest", "SYNbest": "lexsub", "Usim": "urel"}
"""Task → name of its folder, as in the public collections in this layout."""


def write_phitag_folder(
    folder: str | os.PathLike[str],
    usages: Iterable[Usage],
    ratings: Iterable[Rating] = (),
    inventory: Inventory | None = None,
    *,
    items: Iterable[Item] = (),
    scale: Scale | None = None,
) -> None:
    """Write usages, senses and ratings for PhiTag and the tools of its family.

    ``read_usages``, ``read_inventory`` and ``read_ratings`` read the folder, or any folder in it, again.

    Args:
        folder: The folder for tables such as ``wssim/lead.n/uses.tsv``; it is created if necessary.
        usages: The usages of the items; others are left out.
        ratings: The judgements; their items are written as instances.
        inventory: The senses, for WSsim and WSbest.
        items: Further items, so that a study can continue in another tool. They become instances without judgements,
            which ``read_ratings`` does not return.
        scale: The scale of WSsim and Usim; by default from 1 to 5.

    Raises:
        polyseme.errors.InputError: A usage is missing, or something would not be read back unchanged.
    """
    usages_by_id = {usage.id: usage for usage in usages}
    lemma_ratings: dict[tuple[str, str], list[Rating]] = {}
    lemma_items: dict[tuple[str, str], dict[Item, None]] = {}
    for rating in ratings:
        lemma_ratings.setdefault((rating.task, rating.lemma), []).append(rating)
    for item in [*items, *(rating.item for rows in lemma_ratings.values() for rating in rows)]:
        lemma_items.setdefault((item.task, item.lemma), {})[item] = None
    for (task, lemma), items_of_lemma in lemma_items.items():
        subfolder = _lemma_folder(Path(folder), task, lemma)
        write_phitag_uses(_judged_usages(items_of_lemma, usages_by_id, subfolder), subfolder / "uses.tsv")
        if task in ("WSsim", "WSbest") and inventory is not None and lemma in inventory:
            write_phitag_senses(Inventory(inventory[lemma]), subfolder / "senses.tsv")
        judgments = lemma_ratings.get((task, lemma), ())
        write_phitag_judgments(judgments, subfolder / "judgments.tsv", scale, items_of_lemma)


def _lemma_folder(folder: Path, task: str, lemma: str) -> Path:
    if task not in FOLDER_BY_TASK:
        raise InputError(
            f"PhiTag has no task {quote_value(task)}; allowed are {', '.join(FOLDER_BY_TASK)}", path=folder
        )
    if not lemma or lemma.startswith(".") or set(lemma) & set('/\\:*?"<>|\0'):
        raise InputError(f"the lemma {quote_value(lemma)} cannot be the name of a folder; rename it", path=folder)
    subfolder = folder / FOLDER_BY_TASK[task] / lemma
    make_folder(subfolder)
    _check_case(subfolder)
    return subfolder


def _check_case(subfolder: Path) -> None:
    """Check that a folder is not also that of another lemma, which the file system of Windows or macOS takes for it."""
    for path in subfolder.parent.iterdir():
        same_letters = path.name != subfolder.name and path.name.casefold() == subfolder.name.casefold()
        if same_letters and path.samefile(subfolder):
            problem = f"the lemma {quote_value(path.name)} has the same folder on this file system; rename one"
            raise InputError(problem, path=subfolder)


def _judged_usages(items: Iterable[Item], usages: Mapping[str, Usage], folder: Path) -> list[Usage]:
    pairs = ((item.usage, item.target) if item.task == "Usim" else (item.usage,) for item in items)
    names = dict.fromkeys(name for pair in pairs for name in pair)
    if missing := [name for name in names if name not in usages]:
        problem = f"usage {quote_value(missing[0])} is judged, but not among the usages"
        raise InputError(f"{problem}; give its text", path=folder)
    return [usages[name] for name in names]
