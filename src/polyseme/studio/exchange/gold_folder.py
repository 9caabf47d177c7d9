"""Gold keys of a study: a folder with a file for each task, and a record of how each was made.

- ``WSsim.key``: the mean rating of each sense, if it is above the lowest value.
- ``WSbest.key``: the sense that most annotators chose.
- ``clusters.csv``: the usages of Usim in clusters, by correlation clustering.
- ``SYNbest.jsonl``: the substitutes, with the number of annotators who wrote each. JSON Lines can hold any text.

A manager's decision replaces the annotators' answers. For other rules, use ``polyseme gold``.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyseme.agreement.grouping import group_by
from polyseme.errors import InputError
from polyseme.formats.answer_key import write_key
from polyseme.formats.files import write_text
from polyseme.formats.labelling_jsonl import write_labelling_jsonl
from polyseme.formats.word_usage_graph import write_wug_clusters
from polyseme.gold.adjudication import apply_adjudications
from polyseme.gold.record import GoldStandard, clusters_from_ratings, gold_from_ratings
from polyseme.gold.rule import Gold
from polyseme.gold.usage_clusters import UsageClusters
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.studio.store.store import Store
from polyseme.studio.study.settings import Study
from polyseme.studio.study.tasks import NO_SUBSTITUTE


@dataclass(frozen=True)
class _GoldRecipe:
    """The recipe for the gold of a task.

    Args:
        name: The name of the file.
        make: Makes the gold.
        write: Writes it.
    """

    name: str
    make: Callable[[Study, Ratings], GoldStandard]
    write: Callable[[GoldStandard, Path], None]


def make_golds(store: Store) -> dict[str, GoldStandard]:
    """Make the gold of all tasks that have answers at this moment, by file name.

    Raises:
        InputError: There are no answers.
    """
    by_task = group_by(store.ratings(adjudicated=True), lambda rating: rating.task)
    if not by_task:
        raise InputError("there are no answers yet, so gold cannot be made; export again later")
    recipes = {task: recipe for task, recipe in GOLD_RECIPES.items() if task in by_task}
    return {recipe.name: recipe.make(store.study, Ratings(by_task[task])) for task, recipe in recipes.items()}


def write_golds(golds: Mapping[str, GoldStandard], folder: Path) -> None:
    """Write the gold of each task, and beside it FILE.json, a record of how it was made."""
    for recipe in GOLD_RECIPES.values():
        if gold := golds.get(recipe.name):
            recipe.write(gold, folder / recipe.name)
            record = _replace_non_finite({**gold.record, "notes": list(gold.notes)})
            write_text(folder / f"{recipe.name}.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def _replace_non_finite(value: Any) -> Any:
    """Replace NaN and infinity, which JSON lacks, by ``None``."""
    if isinstance(value, dict):
        return {name: _replace_non_finite(item) for name, item in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _count_substitutes(_: Study, ratings: Ratings) -> GoldStandard:
    """Count the annotators who wrote each substitute of a usage."""
    adjudicated = apply_adjudications(ratings)
    answers = [rating for rating in adjudicated.merge() if not rating.role]
    by_usage = group_by(answers, lambda rating: (rating.lemma, rating.usage))
    counts = {
        usage: Counter(rating.target for rating in group if rating.target != NO_SUBSTITUTE)
        for usage, group in by_usage.items()
    }
    rows = [(*usage, dict(substitutes)) for usage, substitutes in counts.items() if substitutes]
    usages = {"rated": len(counts), "labelled": len(rows), "unlabelled": len(counts) - len(rows)}
    record = {"rule": "how many annotators gave a substitute", "task": "SYNbest", "judgements": len(answers)}
    record |= {"adjudicated": {"items": adjudicated.units, "judgements replaced": adjudicated.replaced}}
    return GoldStandard(Labelling(rows), {**record, "usages": usages})


def _cluster_usages(study: Study, ratings: Ratings) -> GoldStandard:
    """Cluster usages, with the middle of the scale as threshold."""
    return clusters_from_ratings(UsageClusters(threshold=(study.scale.lowest + study.scale.highest) / 2), ratings)


def _write_gold_key(gold: GoldStandard, path: Path) -> None:
    write_key(gold.labelling, path)


GOLD_RECIPES: Mapping[str, _GoldRecipe] = {
    "WSsim": _GoldRecipe(
        "WSsim.key",
        lambda study, ratings: gold_from_ratings(Gold(lowest=float(study.scale.lowest)), ratings),
        _write_gold_key,
    ),
    "WSbest": _GoldRecipe("WSbest.key", lambda _, ratings: gold_from_ratings(Gold("mode"), ratings), _write_gold_key),
    "Usim": _GoldRecipe(
        "clusters.csv", _cluster_usages, lambda gold, path: write_wug_clusters(gold.labelling, path, gold.noise)
    ),
    "SYNbest": _GoldRecipe(
        "SYNbest.jsonl", _count_substitutes, lambda gold, path: write_labelling_jsonl(gold.labelling, path)
    ),
}
"""Task → how its gold is made."""
