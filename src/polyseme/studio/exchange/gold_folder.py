"""Gold keys of a study: a folder with a file for each task, and beside it a record of how it was made.

=================  ===========================================================================================
``WSsim.key``      the mean rating of each sense, where it is above the lowest
``WSbest.key``     the sense that most annotators chose
``clusters.csv``   the usages of Usim in clusters, by correlation clustering
``SYNbest.jsonl``  the substitutes, with how many annotators gave each: whatever people write, JSON Lines can hold
=================  ===========================================================================================

Where a manager adjudicated, that decision stands for what the annotators said. Other rules: ``polyseme gold``.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyseme.errors import InputError
from polyseme.formats.answer_key import write_key
from polyseme.formats.files import write_text
from polyseme.formats.labelling_jsonl import write_labelling_jsonl
from polyseme.formats.word_usage_graph import write_wug_clusters
from polyseme.gold.record import GoldStandard, clusters_from_ratings, gold_from_ratings
from polyseme.gold.rule import Gold
from polyseme.gold.usage_clusters import UsageClusters
from polyseme.labelling import Labelling
from polyseme.rating import Rating, Ratings
from polyseme.studio.store.records import read_stored_ratings as ratings_of
from polyseme.studio.store.store import Store
from polyseme.studio.study.settings import Study
from polyseme.studio.study.tasks import NO_SUBSTITUTE, TASKS


def apply_adjudications(given: Ratings, adjudicated: Ratings) -> Ratings:
    """The ratings, with a manager's instead of the annotators' where there is one; the others are left out.

    A choice is one of a whole usage; a rating is one of its target alone.
    """
    about = {_judged_unit(rating) for rating in adjudicated}
    kept = [rating for rating in given if not rating.role and _judged_unit(rating) not in about]
    return Ratings([*kept, *adjudicated])


def _judged_unit(rating: Rating) -> tuple[str, ...]:
    whole = (rating.task, rating.lemma, rating.usage)
    return whole if TASKS[rating.task].is_choice else (*whole, rating.target)


@dataclass(frozen=True)
class _GoldRecipe:
    """How the gold of a task is made, and written."""

    name: str
    make: Callable[[Study, Ratings], GoldStandard]
    write: Callable[[GoldStandard, Path], None]


def make_golds(store: Store) -> dict[str, GoldStandard]:
    """File name → the gold of a task, of all tasks of which there are answers at this moment."""
    with store.database.read() as connection:
        given = apply_adjudications(ratings_of(connection), ratings_of(connection, kind="adjudication"))
    by_task: dict[str, list[Rating]] = {}
    for rating in given:
        by_task.setdefault(rating.task, []).append(rating)
    if not by_task:
        raise InputError("nobody has answered anything yet, so that there is nothing to make gold of")
    study = store.study
    return {
        GOLD_RECIPES[task].name: GOLD_RECIPES[task].make(study, Ratings(by_task[task]))
        for task in GOLD_RECIPES
        if task in by_task
    }


def write_golds(golds: Mapping[str, GoldStandard], folder: Path) -> None:
    """Write the gold of each task, and FILE.json beside it, which says how it was made."""
    for way in GOLD_RECIPES.values():
        if way.name in golds:
            made = golds[way.name]
            way.write(made, folder / way.name)
            record = _replace_non_finite({**made.record, "notes": list(made.notes)})
            write_text(folder / f"{way.name}.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def _replace_non_finite(value: Any) -> Any:
    """The same with null for what is not a finite number, which JSON does not know."""
    if isinstance(value, dict):
        return {name: _replace_non_finite(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _count_substitutes(_: Study, given: Ratings) -> GoldStandard:
    """The substitutes of each usage, with how many gave them; that there is none is no substitute."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for rating in given:
        found = counts.setdefault((rating.lemma, rating.usage), Counter())
        if rating.target != NO_SUBSTITUTE:
            found[rating.target] += 1
    rows = [(*usage, dict(found)) for usage, found in counts.items() if found]
    usages = {"rated": len(counts), "labelled": len(rows), "unlabelled": len(counts) - len(rows)}
    record = {"rule": "how many annotators gave a substitute", "task": "SYNbest", "judgements": len(given)}
    return GoldStandard(Labelling(rows), {**record, "usages": usages})


GOLD_RECIPES: Mapping[str, _GoldRecipe] = {
    "WSsim": _GoldRecipe(
        "WSsim.key",
        lambda study, given: gold_from_ratings(Gold(lowest=float(study.scale.lowest)), given),
        lambda made, path: write_key(made.labelling, path),
    ),
    "WSbest": _GoldRecipe(
        "WSbest.key",
        lambda _, given: gold_from_ratings(Gold("mode"), given),
        lambda made, path: write_key(made.labelling, path),
    ),
    "Usim": _GoldRecipe(
        "clusters.csv",
        lambda study, given: clusters_from_ratings(
            UsageClusters(threshold=(study.scale.lowest + study.scale.highest) / 2), given
        ),
        lambda made, path: write_wug_clusters(made.labelling, path, made.noise),
    ),
    "SYNbest": _GoldRecipe(
        "SYNbest.jsonl", _count_substitutes, lambda made, path: write_labelling_jsonl(made.labelling, path)
    ),
}
"""Task → how its gold is made."""
