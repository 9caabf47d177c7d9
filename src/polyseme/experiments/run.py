"""Running a plan: labels that are not in the folder of results are computed and written there; the rest are read."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polyseme.disambiguation.model import keep_strongest
from polyseme.errors import InputWarning
from polyseme.experiments.disambiguation import DisambiguationSetting
from polyseme.experiments.induction import InductionSetting
from polyseme.experiments.plan import BASELINE, Plan
from polyseme.experiments.results import RunResults, summarise_seeds
from polyseme.experiments.setting import ModelLabels, Setting, Show
from polyseme.experiments.substitution import SubstitutionSetting
from polyseme.labelling import Labelling
from polyseme.parts import build, short_specification
from polyseme.tasks.result import RunRow
from polyseme.tasks.task import Load, NothingMappedError
from polyseme.words.runs import seed_variants

SETTINGS: dict[str, type[Setting]] = {
    "induced": InductionSetting,
    "dictionary": DisambiguationSetting,
    "substitutes": SubstitutionSetting,
}
"""The setting for each kind of labels."""


def make_setting(plan: Plan, load: Load) -> Setting:
    """Load the data of a plan and its evaluation sets."""
    return SETTINGS[plan.family.labels](plan, load)


def run_plan(plan: Plan, folder: Path, load: Load, show: Show = lambda _: None) -> RunResults:
    """Run an experiment.

    Args:
        plan: The plan.
        folder: Where indexes, models and keys are stored for the next time.
        load: Gives a data set by its name.
        show: Receives the current step.
    """
    setting = make_setting(plan, load)
    setting.prepare(folder, show)
    missed, empty = setting.list_missed(), []
    rows: dict[str, list[RunRow]] = {"model": [], BASELINE: []}
    for model in map(build, plan.models):
        answers = [setting.label(variant, folder, show) for variant in seed_variants(model, plan.seeds)]
        rows[BASELINE if model.kind == BASELINE else "model"] += _score_model(setting, model, answers)
        if setting.maps_senses:
            missed[short_specification(model)] = answers[-1].missed
        empty += [short_specification(model)] * sum(answer.empty for answer in answers)
    annotators = [RunRow(name, "annotator", figures, {}) for name, figures in setting.evaluation_set.annotators.items()]
    baselines = [*rows[BASELINE], *_score_baselines(setting)]
    return RunResults(plan, (*rows["model"], *_score_systems(setting), *annotators, *baselines), missed, tuple(empty))


def _score_model(setting: Setting, model: Any, answers: list[ModelLabels]) -> Iterator[RunRow]:
    """Yield a row for each share of the greatest weight that a sense must have, and for each mapping.

    No sense of a baseline is left out.
    """
    kind, shares = (BASELINE, (0.0,)) if model.kind == BASELINE else ("model", setting.plan.keep)
    for keep in shares:
        name = f"{short_specification(model)}, keep {keep:g}" if keep else short_specification(model)
        by_seed = []
        for answer in answers:
            labelling = keep_strongest(answer.labelling, keep) if keep else answer.labelling
            keys = (answer.key,) if answer.key else ()
            by_seed.append([row._replace(keys=keys, keep=keep) for row in _score(setting, name, kind, labelling)])
        for rows in zip(*by_seed, strict=True):
            yield from summarise_seeds(rows)


def _score(setting: Setting, name: str, kind: str, labelling: Labelling) -> Iterator[RunRow]:
    """Yield the row of a labelling for each mapping; without figures if nothing is labelled, or can be mapped."""
    facts = setting.count(labelling)
    for mapping, evaluation_set in setting.evaluation_sets.items():
        try:
            figures = evaluation_set.score(labelling).figures() if facts["labelled"] else {}
        except NothingMappedError:
            figures = {}
        yield RunRow(name, kind, figures, facts, mapping)


def _score_systems(setting: Setting) -> list[RunRow]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # published keys have usages outside gold
        return [
            row for name in setting.list_systems() for row in _score(setting, name, "system", setting.read_system(name))
        ]


def _score_baselines(setting: Setting) -> Iterator[RunRow]:
    """Yield the baselines of the task."""
    evaluation_set = setting.evaluation_set
    for name, figures in evaluation_set.score_baselines().items():
        facts = setting.count(evaluation_set.baselines[name][0]()) if setting.describes_baselines else {}
        yield RunRow(name, BASELINE, figures, facts)
