"""Senseval: disambiguation with weighted answers and hierarchies of senses (Melamed & Resnik 2000)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from polyseme.baselines import SENSE_BASELINES
from polyseme.errors import InputError
from polyseme.labelling import Labelling
from polyseme.measures.alignment import check_and_order
from polyseme.measures.melamed_resnik import MelamedResnik, SenseHierarchy
from polyseme.parts import check_options
from polyseme.scores import Scores, ScoreSummary
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.published import ReproducedFigure, read_worked_example
from polyseme.tasks.result import TaskResult
from polyseme.tasks.senses_per_usage import count_senses_per_usage
from polyseme.tasks.task import BaselineGroup, LabellingTask


@dataclass(frozen=True)
class Senseval(LabellingTask):
    """Precision and recall of weighted answers, on flat or hierarchical senses.

    Args:
        granularity: How senses of a hierarchy are compared: ``fine``, ``mixed`` or ``coarse``.
        single: Score only usages with a single gold sense.
        hierarchy: The hierarchy of senses, which ``mixed`` and ``coarse`` need.

    (Melamed & Resnik 2000)

    >>> gold = Labelling.from_dict({"u": {"A": 1, "B": 1}}, lemma="x")
    >>> system = Labelling.from_dict({"u": {"A": 0.3, "B": 0.4, "C": 0.3}}, lemma="x")
    >>> Senseval().score(gold, system).figures()["recall"]
    0.7
    """

    granularity: Literal["fine", "mixed", "coarse"] = "fine"
    single: bool = False
    hierarchy: SenseHierarchy | None = field(default=None, repr=False, hash=False)

    name: ClassVar[str] = "senseval"
    key_rule: ClassVar[str] = "senseval"
    columns: ClassVar[tuple[ScoreColumn, ...]] = (
        ScoreColumn("Precision", "precision"),
        ScoreColumn("Recall", "recall"),
        ScoreColumn("F1", "f1"),
        ScoreColumn("Attempted", "attempted"),
        ScoreColumn("#Cl", "clusters"),
    )

    def __post_init__(self) -> None:
        check_options(self)

    def score(self, gold: Labelling, system: Labelling) -> TaskResult:
        """Score a system's labelling against gold."""
        gold, system = check_and_order(gold, system)
        if self.granularity != "fine" and self.hierarchy is None:
            raise InputError(f"{self.granularity} scoring needs a hierarchy of senses")
        scores = MelamedResnik(self.granularity, self.single, self.hierarchy or SenseHierarchy())(gold, system)
        if not len(scores):
            raise InputError("no usage of the gold key has a single sense")
        attempted = Scores("attempted", scores.units, scores.lemmas, scores.sums[:, 1:], ScoreSummary.mean)
        return TaskResult(
            {figure: scores.only(figure) for figure in ("precision", "recall", "f1")}
            | {"attempted": attempted, "clusters": count_senses_per_usage(system)}
        )

    def baselines(self) -> list[tuple[BaselineGroup, LabellingTask]]:
        """Return baselines that use the senses of gold."""
        return [(SENSE_BASELINES, self)]

    def compute_worked_examples(self) -> Iterator[ReproducedFigure]:
        """Yield the cases of §1, §3 and §4."""
        example = read_worked_example(self.name)
        hierarchy = SenseHierarchy(example["tree"])
        for case in example["cases"]:
            measure = MelamedResnik("mixed" if case["section"] == "4" else "fine", hierarchy=hierarchy)
            gold = Labelling.from_dict({"x.i": dict.fromkeys(case["gold"], 1.0)}, lemma="x")
            answer = _as_distribution(case["answer"])
            recall = measure(gold, Labelling.from_dict({"x.i": answer}, lemma="x")).total()["recall"]
            weighted = (f"{weight:.2g} {sense}" if len(answer) > 1 else sense for sense, weight in answer.items())
            name = case.get("name") or f"{' & '.join(case['gold'])} → {'; '.join(weighted)}"
            yield ReproducedFigure(self.name, f"§{case['section']}", name, "score", case["score"], recall)


def _as_distribution(answer: Mapping[str, float] | Sequence[str]) -> dict[str, float]:
    """Give senses without weights equal shares."""
    return dict(answer) if isinstance(answer, Mapping) else dict.fromkeys(answer, 1 / len(answer))
