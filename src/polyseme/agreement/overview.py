"""How people agree, in one call: every figure for each task, overall and for parts of the judgements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from polyseme.agreement import alpha
from polyseme.agreement.annotator_pairs import AnnotatorPairs
from polyseme.agreement.bootstrap import Bootstrap, Estimate
from polyseme.agreement.chosen_sets import (
    CREDIT_BY_TASK,
    PAIRS,
    USAGES,
    ChosenSets,
    Credit,
    check_pooling,
    collect_chosen_sets,
    compute_credits,
    compute_mean_credit,
    set_metrics,
)
from polyseme.agreement.correlation import Correlation, correlate_annotators, correlate_with_others
from polyseme.agreement.judgements import ExcludedJudgements, Judgements, collect_judgements
from polyseme.arrays import Floats, count_at
from polyseme.errors import InputError
from polyseme.rating import Item, Rating, Ratings

FIGURE_DESCRIPTIONS: Mapping[str, str] = {
    "rho": "Mean of Spearman's ρ over all pairs of annotators: do they put the items in the same order?"
    " 1: exactly, 0: no connection, −1: the reverse",
    "alpha.nominal": "Krippendorff's α, where values are the same or not: agreement beyond chance;"
    " 1: perfect, 0: no more than chance",
    "alpha.ordinal": "Krippendorff's α, where values are ranks: the usual choice for ratings on a scale",
    "alpha.interval": "Krippendorff's α, where the step from 1 to 2 is as large as that from 4 to 5",
    "alpha.ratio": "Krippendorff's α, where values are multiples of one another, as counts are",
    "agreement": "What two answers to a usage have in common, on average: 1: always the same, 0: nothing ever",
    "agreement.pairs": "The same, pooled over pairs: each pair of answers has the same say, not each usage",
    "agreement.single": "The same, only among answers that choose one target",
    "alpha.masi": "Krippendorff's α of sets, where those that overlap agree in part (MASI); 1: perfect, 0: chance",
}
"""What each figure tells, in a sentence."""

BREAKDOWNS: Mapping[str, Callable[[Rating], str]] = {
    "lemma": lambda row: row.lemma,
    "pos": lambda row: row.item.pos,
    "round": lambda row: row.round,
    "group": lambda row: row.group,
}
"""What judgements can be broken down by."""
ITEM_BREAKDOWNS: Mapping[str, Callable[[Item], str]] = {"lemma": lambda item: item.lemma, "pos": lambda item: item.pos}
"""Those of them that are the same for all judgements of an item."""


class JudgementCounts(NamedTuple):
    """How much there is to compare, and what was left out."""

    judgements: int
    items: int
    compared: int
    """Items that two or more annotators judged."""
    annotators: int
    pairs: int
    """Pairs of annotators who can be compared."""
    undecided: int
    repeats: int
    changed: int
    nothing: int = 0
    """Answers that choose nothing."""


class AgreementPart(NamedTuple):
    """The figures of some judgements, by the names that :data:`MEANINGS` explains."""

    counts: JudgementCounts
    figures: Mapping[str, Estimate]


class FigureWithout(NamedTuple):
    """A figure without an annotator, and how much that is more than with them."""

    value: float
    change: float


class AnnotatorAgreement(NamedTuple):
    """How an annotator agrees with the others, and what all figures would be without them."""

    annotator: str
    judgements: int
    mean: float
    """The mean of the figures with each of the others."""
    others: Correlation | None
    """ρ with the mean of the others; none for tasks in which people choose."""
    without: Mapping[str, FigureWithout]


@dataclass(frozen=True, eq=False)
class TaskAgreement:
    """How the annotators of a task agree."""

    task: str
    whole: AgreementPart
    pairs: AnnotatorPairs
    annotators: tuple[AnnotatorAgreement, ...]
    parts: Mapping[str, Mapping[str, AgreementPart]] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """All of it as plain values, as JSON knows them."""
        return {
            **_part_to_json(self.whole),
            "pairs": [pair._asdict() for pair in self.pairs],
            "annotators": [_annotator_to_json(each) for each in self.annotators],
            "by": {by: {name: _part_to_json(part) for name, part in parts.items()} for by, parts in self.parts.items()},
        }


def _part_to_json(part: AgreementPart) -> dict[str, Any]:
    figures = {name: figure._asdict() for name, figure in part.figures.items()}
    return {"counts": part.counts._asdict(), "figures": figures}


def _annotator_to_json(each: AnnotatorAgreement) -> dict[str, Any]:
    others = {"others": each.others._asdict()} if each.others else {}
    without = {name: value._asdict() for name, value in each.without.items()}
    return {"annotator": each.annotator, "judgements": each.judgements, "mean": each.mean, **others, "without": without}


def measure_agreement(
    ratings: Ratings,
    by: Collection[str] = tuple(BREAKDOWNS),
    resamples: int = 1000,
    seed: int = 0,
    pooling: str = USAGES,
) -> dict[str, TaskAgreement]:
    """How people agree on each task: pairs, each against the others, without each, α with intervals, and parts.

    ``by`` names what the judgements are broken down by: ``lemma``, ``pos``, ``round``, ``group``; what has but one
    value is left out. WSbest and SYNbest are compared as sets of what was chosen, all other tasks by their values.
    ``pooling`` says whether usages or pairs of answers have the same say where people choose
    (:func:`~polyseme.agreement.chosen_sets.compute_mean_credit`).

    >>> rows = [("ann", 1, 5), ("bob", 1, 4), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> given = Ratings(Rating(who, "WSsim", "win.v", f"u{n}", "s", value) for who, n, value in rows)
    >>> found = measure_agreement(given, resamples=0)["WSsim"]
    >>> round(found.whole.figures["rho"].value, 3), found.whole.counts.compared
    (0.866, 3)
    """
    if unknown := [each for each in by if each not in BREAKDOWNS]:
        raise InputError(f"judgements cannot be broken down by {unknown[0]!r}; allowed are {', '.join(BREAKDOWNS)}")
    how = Bootstrap(resamples, seed)
    how.check()
    check_pooling(pooling)
    tasks = dict.fromkeys(map(attrgetter("task"), ratings))
    if len(tasks) == 1:
        return {task: _measure_task(task, list(ratings), by, how, pooling) for task in tasks}
    return {task: _measure_task(task, [row for row in ratings if row.task == task], by, how, pooling) for task in tasks}


def _group_ratings(rows: Iterable[Rating], key: Callable[[Rating], str]) -> dict[str, list[Rating]]:
    found: dict[str, list[Rating]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def _measure_task(task: str, rows: list[Rating], by: Collection[str], how: Bootstrap, pooling: str) -> TaskAgreement:
    credit = CREDIT_BY_TASK.get(task)
    study: JudgementComparison = ChoiceComparison(rows, credit, pooling) if credit else GradedComparison(rows)
    whole = study.part(how)
    parts = {each: study.split(each) for each in by}
    return TaskAgreement(
        task,
        whole,
        study.pairs,
        _measure_annotators(study, whole),
        {each: {name: some.part(how) for name, some in few.items()} for each, few in parts.items() if len(few) > 1},
    )


def _measure_annotators(study: JudgementComparison, whole: AgreementPart) -> tuple[AnnotatorAgreement, ...]:
    without, others = study.without_each(), study.others()
    means = study.pairs.of_each().tolist()
    return tuple(
        AnnotatorAgreement(
            name,
            count,
            means[place],
            others.get(name),
            {
                figure: FigureWithout(values[place].item(), values[place].item() - whole.figures[figure].value)
                for figure, values in without.items()
            },
        )
        for place, (name, count) in enumerate(study.judgements_by_annotator().items())
    )


# -- kinds of tasks ------------------------------------------------------------------------------------------------


class JudgementComparison(Protocol):
    """Judgements of one task, as they are compared there."""

    @property
    def pairs(self) -> AnnotatorPairs:
        """A figure for each pair of annotators."""

    def part(self, how: Bootstrap) -> AgreementPart:
        """The figures."""

    def split(self, by: str) -> Mapping[str, JudgementComparison]:
        """Parts of the judgements."""

    def others(self) -> Mapping[str, Correlation]:
        """Each annotator against the mean of the others, where there is such a thing."""

    def without_each(self) -> Mapping[str, Floats]:
        """The figures without each annotator in turn."""

    def judgements_by_annotator(self) -> Mapping[str, int]:
        """How much each annotator said."""


def _count_judgements(judged: Judgements, pairs: AnnotatorPairs, nothing: int = 0) -> JudgementCounts:
    undecided, repeats, changed = judged.left_out
    people = int((count_at(judged.annotator, len(judged.annotators)) > 0).sum())
    compared = int((judged.judged > 1).sum())
    return JudgementCounts(
        len(judged), len(judged.items), compared, people, pairs.defined, undecided, repeats, changed, nothing
    )


def _judgements_by_annotator(judged: Judgements) -> dict[str, int]:
    counts = count_at(judged.annotator, len(judged.annotators)).tolist()
    return dict(zip(judged.annotators, counts, strict=True))


class GradedComparison:
    """Values on a scale: WSsim and Usim."""

    def __init__(self, rows: list[Rating], judged: Judgements | None = None) -> None:
        self._rows = rows
        self._judged = collect_judgements(Ratings(rows)) if judged is None else judged

    @cached_property
    def pairs(self) -> AnnotatorPairs:
        """Spearman's ρ."""
        return correlate_annotators(self._judged)

    def part(self, how: Bootstrap) -> AgreementPart:
        """Mean ρ, and α by all metrics of a scale."""
        found = alpha.compute_alphas(self._judged, how=how)
        figures = {"rho": self.pairs.mean} | {f"alpha.{name}": figure for name, figure in found.items()}
        return AgreementPart(_count_judgements(self._judged, self.pairs), figures)

    def split(self, by: str) -> dict[str, GradedComparison]:
        """Parts of the judgements; those of lemmas are made of numbers, not of rows."""
        if by not in ITEM_BREAKDOWNS:
            return {
                name: GradedComparison(rows)
                for name, rows in sorted(_group_ratings(self._rows, BREAKDOWNS[by]).items())
            }
        missing = _excluded_by_part(self._rows, BREAKDOWNS[by]) if any(self._judged.left_out) else {}
        return {
            name: GradedComparison([], replace(part, left_out=missing.get(name, ExcludedJudgements())))
            for name, part in self._judged.broken_down(ITEM_BREAKDOWNS[by]).items()
        }

    def others(self) -> dict[str, Correlation]:
        """ρ with the mean of the others."""
        return correlate_with_others(self._judged)

    def without_each(self) -> dict[str, Floats]:
        """Mean ρ and α without each."""
        found = alpha.alphas_without_annotators(self._judged)
        return {"rho": self.pairs.without_each()} | {f"alpha.{name}": values for name, values in found.items()}

    def judgements_by_annotator(self) -> dict[str, int]:
        """How much each annotator judged."""
        return _judgements_by_annotator(self._judged)


def _excluded_by_part(rows: list[Rating], key: Callable[[Rating], str]) -> dict[str, ExcludedJudgements]:
    """What is left out of each part."""
    return {name: collect_judgements(Ratings(few)).left_out for name, few in _group_ratings(rows, key).items()}


class ChoiceComparison:
    """Sets of senses or of substitutes: WSbest and SYNbest."""

    def __init__(self, rows: list[Rating], credit: Credit, pooling: str = USAGES) -> None:
        self._rows = rows
        self._credit = credit
        self._pooling = pooling
        self._answers: ChosenSets = collect_chosen_sets(Ratings(rows))
        self._credits = compute_credits(self._answers, credit)

    @cached_property
    def pairs(self) -> AnnotatorPairs:
        """What two annotators have in common, on average."""
        return self._credits.pairs()

    def part(self, how: Bootstrap) -> AgreementPart:
        """Agreement of all answers and of single ones, and α of sets."""
        found = alpha.compute_alphas(self._answers.judged, set_metrics(self._answers), how)
        figures = {
            "agreement": compute_mean_credit(self._credits, how, self._pooling),
            "agreement.pairs": self._pooled(),
            "agreement.single": compute_mean_credit(
                compute_credits(self._answers.single(), self._credit), how, self._pooling
            ),
        } | {f"alpha.{name}": figure for name, figure in found.items()}
        return AgreementPart(_count_judgements(self._answers.judged, self.pairs, self._answers.nothing), figures)

    def _pooled(self) -> Estimate:
        """The agreement pooled over pairs, without an interval."""
        pooled = compute_mean_credit(self._credits, Bootstrap(0), PAIRS)
        return pooled._replace(reason="") if pooled.defined else pooled

    def split(self, by: str) -> dict[str, ChoiceComparison]:
        """Parts of the judgements."""
        return {
            name: ChoiceComparison(rows, self._credit, self._pooling)
            for name, rows in sorted(_group_ratings(self._rows, BREAKDOWNS[by]).items())
        }

    def others(self) -> dict[str, Correlation]:
        """Sets have no mean."""
        return {}

    def without_each(self) -> dict[str, Floats]:
        """Agreement and α without each."""
        found = alpha.alphas_without_annotators(self._answers.judged, set_metrics(self._answers))
        return {"agreement": self._credits.without_each(self._pooling)} | {
            f"alpha.{name}": each for name, each in found.items()
        }

    def judgements_by_annotator(self) -> dict[str, int]:
        """How many usages each annotator answered."""
        return _judgements_by_annotator(self._answers.judged)
