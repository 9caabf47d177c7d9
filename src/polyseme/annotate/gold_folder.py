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

from polyseme.annotate.outcome import ratings as ratings_of
from polyseme.annotate.store import Store
from polyseme.annotate.study import Study
from polyseme.annotate.tasks import NOTHING, TASKS
from polyseme.errors import InputError
from polyseme.formats.answer_key import write_key
from polyseme.formats.files import write_text
from polyseme.formats.json_lines import write_json_lines
from polyseme.formats.usage_graph import write_clusters
from polyseme.gold.clusters import UsageClusters
from polyseme.gold.record import Made, clusters_of_ratings, gold_of_ratings
from polyseme.gold.rule import Gold
from polyseme.labelling import Labelling
from polyseme.rating import Rating, Ratings


def decided(given: Ratings, adjudicated: Ratings) -> Ratings:
    """The ratings, with a manager's instead of the annotators' where there is one; the others are left out.

    A choice is one of a whole usage; a rating is one of its target alone.
    """
    about = {_about(rating) for rating in adjudicated}
    kept = [rating for rating in given if not rating.role and _about(rating) not in about]
    return Ratings([*kept, *adjudicated])


def _about(rating: Rating) -> tuple[str, ...]:
    whole = (rating.task, rating.lemma, rating.usage)
    return whole if TASKS[rating.task].chooses else (*whole, rating.target)


@dataclass(frozen=True)
class _Way:
    """How the gold of a task is made, and written."""

    name: str
    make: Callable[[Study, Ratings], Made]
    write: Callable[[Made, Path], None]


def golds_of(store: Store) -> dict[str, Made]:
    """File name → the gold of a task, of all tasks of which there are answers at this moment."""
    with store.database.read() as connection:
        given = decided(ratings_of(connection), ratings_of(connection, kind="adjudication"))
    by_task: dict[str, list[Rating]] = {}
    for rating in given:
        by_task.setdefault(rating.task, []).append(rating)
    if not by_task:
        raise InputError("nobody has answered anything yet, so that there is nothing to make gold of")
    study = store.study
    return {WAYS[task].name: WAYS[task].make(study, Ratings(by_task[task])) for task in WAYS if task in by_task}


def write_golds(golds: Mapping[str, Made], folder: Path) -> None:
    """Write the gold of each task, and FILE.json beside it, which says how it was made."""
    for way in WAYS.values():
        if way.name in golds:
            made = golds[way.name]
            way.write(made, folder / way.name)
            record = _finite({**made.record, "notes": list(made.notes)})
            write_text(folder / f"{way.name}.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def _finite(value: Any) -> Any:
    """The same with null for what is not a finite number, which JSON does not know."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _substitutes(_: Study, given: Ratings) -> Made:
    """The substitutes of each usage, with how many gave them; that there is none is no substitute."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for rating in given:
        found = counts.setdefault((rating.lemma, rating.usage), Counter())
        if rating.target != NOTHING:
            found[rating.target] += 1
    rows = [(*usage, dict(found)) for usage, found in counts.items() if found]
    usages = {"rated": len(counts), "labelled": len(rows), "unlabelled": len(counts) - len(rows)}
    record = {"rule": "how many annotators gave a substitute", "task": "SYNbest", "judgements": len(given)}
    return Made(Labelling(rows), {**record, "usages": usages})


WAYS: Mapping[str, _Way] = {
    "WSsim": _Way(
        "WSsim.key",
        lambda study, given: gold_of_ratings(Gold(lowest=float(study.scale.lowest)), given),
        lambda made, path: write_key(made.labelling, path),
    ),
    "WSbest": _Way(
        "WSbest.key",
        lambda _, given: gold_of_ratings(Gold("mode"), given),
        lambda made, path: write_key(made.labelling, path),
    ),
    "Usim": _Way(
        "clusters.csv",
        lambda study, given: clusters_of_ratings(
            UsageClusters(threshold=(study.scale.lowest + study.scale.highest) / 2), given
        ),
        lambda made, path: write_clusters(made.labelling, path, made.noise),
    ),
    "SYNbest": _Way("SYNbest.jsonl", _substitutes, lambda made, path: write_json_lines(made.labelling, path)),
}
"""Task → how its gold is made."""
