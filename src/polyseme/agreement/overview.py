"""All agreement figures of each task in one call, overall and for parts of the judgements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from polyseme.agreement.alpha import alphas_without_annotators, compute_alphas
from polyseme.agreement.annotator_pairs import AnnotatorPairs
from polyseme.agreement.bootstrap import Bootstrap, Estimate
from polyseme.agreement.chosen_sets import (
    CREDIT_BY_TASK,
    PAIRS,
    POOLINGS,
    USAGES,
    Credit,
    collect_chosen_sets,
    compute_credits,
    compute_mean_credit,
    set_metrics,
)
from polyseme.agreement.correlation import Correlation, correlate_annotators, correlate_with_others
from polyseme.agreement.grouping import group_by
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.arrays import Floats, count_at
from polyseme.errors import InputError, quote_value
from polyseme.rating import Rating, Ratings

FIGURE_DESCRIPTIONS: Mapping[str, str] = {
    "rho": "Mean of Spearman's ρ over all pairs of annotators: do they rank the items in the same order?"
    " 1: exactly, 0: no connection, −1: the reverse",
    "alpha.nominal": "Krippendorff's α, values as categories: agreement beyond chance; 1: perfect, 0: chance",
    "alpha.ordinal": "Krippendorff's α, values as ranks: the usual choice for ratings on a scale",
    "alpha.interval": "Krippendorff's α, where the step from 1 to 2 is as large as that from 4 to 5",
    "alpha.ratio": "Krippendorff's α, values as multiples of one another, as counts are",
    "agreement": "What two answers to a usage have in common, on average; 1: always everything, 0: never anything",
    "agreement.pairs": "The same, pooled over pairs: each pair of answers has the same weight, not each usage",
    "agreement.single": "The same, only among answers that choose one target",
    "alpha.masi": "Krippendorff's α of sets, where those that overlap agree in part (MASI); 1: perfect, 0: chance",
}
"""A sentence about each figure."""

BREAKDOWNS: Mapping[str, Callable[[Rating], str]] = {
    "lemma": attrgetter("lemma"),
    "pos": attrgetter("item.pos"),
    "round": attrgetter("round"),
    "group": attrgetter("group"),
}
"""What judgements can be broken down by."""


class JudgementCounts(NamedTuple):
    """How many judgements are compared, and how many are excluded.

    Args:
        judgements: The number of judgements.
        items: The number of items.
        compared: The number of items that two or more annotators judged.
        annotators: The number of annotators.
        pairs: The number of pairs of annotators who can be compared.
        undecided: Judgements whose annotator could not decide.
        repeats: Hidden repeats, control items and training.
        changed: Judgements that the same annotator replaced later.
        nothing: Answers that choose nothing.
    """

    judgements: int
    items: int
    compared: int
    annotators: int
    pairs: int
    undecided: int
    repeats: int
    changed: int
    nothing: int = 0


class AgreementPart(NamedTuple):
    """The figures of all judgements or of a part.

    Args:
        counts: What is compared.
        figures: The figures, by the names of :data:`FIGURE_DESCRIPTIONS`.
    """

    counts: JudgementCounts
    figures: Mapping[str, Estimate]


class FigureWithout(NamedTuple):
    """A figure without an annotator.

    Args:
        value: The figure.
        change: How much higher it is than with the annotator.
    """

    value: float
    change: float


class AnnotatorAgreement(NamedTuple):
    """How an annotator agrees with the others.

    Args:
        annotator: The annotator.
        judgements: The number of judgements.
        mean: The mean of the figures with each other annotator.
        others: The correlation with the mean of the others; none for tasks in which annotators choose.
        without: All figures without the annotator.
    """

    annotator: str
    judgements: int
    mean: float
    others: Correlation | None
    without: Mapping[str, FigureWithout]


@dataclass(frozen=True, eq=False)
class TaskAgreement:
    """How the annotators of a task agree.

    Args:
        task: The task.
        whole: The figures of all judgements.
        pairs: A figure for each pair of annotators.
        annotators: Each annotator's agreement with the others.
        parts: Breakdown → name → figures of that part.
    """

    task: str
    whole: AgreementPart
    pairs: AnnotatorPairs
    annotators: tuple[AnnotatorAgreement, ...]
    parts: Mapping[str, Mapping[str, AgreementPart]] = field(default_factory=dict)

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {figure.value:.3f}" for name, figure in self.whole.figures.items())
        return f"<TaskAgreement on {self.task}: {figures}>"

    def _repr_html_(self) -> str:
        from polyseme.display.ratings import render_task_agreement

        return render_task_agreement(self)

    def summary(self) -> dict[str, Any]:
        """Return all figures as plain values for JSON."""
        return {
            **_part_to_json(self.whole),
            "pairs": [pair._asdict() for pair in self.pairs],
            "annotators": [_annotator_to_json(annotator) for annotator in self.annotators],
            "by": {by: {name: _part_to_json(part) for name, part in parts.items()} for by, parts in self.parts.items()},
        }


class Agreement(dict[str, TaskAgreement]):
    """Task → how its annotators agree."""

    def _repr_html_(self) -> str:
        from polyseme.display.ratings import render_agreement

        return render_agreement(self)


def _part_to_json(part: AgreementPart) -> dict[str, Any]:
    figures = {name: figure._asdict() for name, figure in part.figures.items()}
    return {"counts": part.counts._asdict(), "figures": figures}


def _annotator_to_json(agreement: AnnotatorAgreement) -> dict[str, Any]:
    fields = {name: value for name, value in agreement._asdict().items() if value is not None}
    if agreement.others is not None:
        fields["others"] = agreement.others._asdict()
    return {**fields, "without": {name: value._asdict() for name, value in agreement.without.items()}}


def measure_agreement(
    ratings: Ratings,
    by: Collection[str] = tuple(BREAKDOWNS),
    resamples: int = 1000,
    seed: int = 0,
    pooling: str = USAGES,
) -> Agreement:
    """Measure the agreement of annotators on each task.

    The result has figures for every pair of annotators, for each annotator against and without the others, and α with
    intervals. It has the same figures for parts of the judgements. WSbest and SYNbest are compared as sets of chosen
    targets, all other tasks by their values.

    Args:
        ratings: The ratings.
        by: The breakdowns: ``lemma``, ``pos``, ``round``, ``group``. Those with a single value are omitted.
        resamples: The number of bootstrap resamples; 0 computes no intervals.
        seed: The random seed.
        pooling: What has equal weight in choices, ``"usages"`` or ``"pairs"`` of answers
            (:func:`~polyseme.agreement.chosen_sets.compute_mean_credit`).

    >>> rows = [("ann", 1, 5), ("bob", 1, 4), ("ann", 2, 1), ("bob", 2, 2), ("ann", 3, 1), ("bob", 3, 1)]
    >>> ratings = Ratings(Rating(who, "WSsim", "win.v", f"u{n}", "s", value) for who, n, value in rows)
    >>> agreement = measure_agreement(ratings, resamples=0)["WSsim"]
    >>> round(agreement.whole.figures["rho"].value, 3), agreement.whole.counts.compared
    (0.866, 3)
    """
    if unknown := [name for name in by if name not in BREAKDOWNS]:
        raise InputError(f"judgements cannot be broken down by {unknown[0]!r}; allowed are {', '.join(BREAKDOWNS)}")
    bootstrap = Bootstrap(resamples, seed)
    bootstrap.check()
    if pooling not in POOLINGS:
        raise InputError(f"no pooling {quote_value(pooling)}; allowed are {', '.join(POOLINGS)}")
    tasks = group_by(ratings.annotations, attrgetter("task"))
    return Agreement({task: _measure_task(task, rows, by, bootstrap, pooling) for task, rows in tasks.items()})


def _measure_task(
    task: str, rows: list[Rating], by: Collection[str], bootstrap: Bootstrap, pooling: str
) -> TaskAgreement:
    credit = CREDIT_BY_TASK.get(task)
    comparison = ChoiceComparison(rows, credit, pooling) if credit else GradedComparison(rows)
    whole = comparison.measure(bootstrap)
    annotators = _measure_annotators(comparison, whole)
    splits = {name: split for name in by if len(split := comparison.split(name)) > 1}
    parts = {by: {name: part.measure(bootstrap) for name, part in split.items()} for by, split in splits.items()}
    return TaskAgreement(task, whole, comparison.pairs, annotators, parts)


def _measure_annotators(
    comparison: GradedComparison | ChoiceComparison, whole: AgreementPart
) -> tuple[AnnotatorAgreement, ...]:
    without, others = comparison.figures_without_annotators(), comparison.correlations_with_others()
    means = comparison.pairs.annotator_means().tolist()
    judgements = comparison.judgements
    counts = count_at(judgements.annotator, len(judgements.annotators)).tolist()
    annotators = []
    for number, (name, count, mean) in enumerate(zip(judgements.annotators, counts, means, strict=True)):
        values = {figure: column[number].item() for figure, column in without.items()}
        changes = {
            figure: FigureWithout(value, value - whole.figures[figure].value) for figure, value in values.items()
        }
        annotators.append(AnnotatorAgreement(name, count, mean, others.get(name), changes))
    return tuple(annotators)


# -- kinds of tasks ------------------------------------------------------------------------------------------------


def _count_judgements(judgements: Judgements, pairs: AnnotatorPairs, nothing: int = 0) -> JudgementCounts:
    return JudgementCounts(
        len(judgements),
        len(judgements.items),
        int((judgements.judged > 1).sum()),
        int((count_at(judgements.annotator, len(judgements.annotators)) > 0).sum()),
        pairs.defined,
        *judgements.left_out,
        nothing,
    )


def _group_rows(rows: list[Rating], by: str) -> list[tuple[str, list[Rating]]]:
    """Group ratings, without groups that have only repeats, control items or training."""
    groups = sorted(group_by(rows, BREAKDOWNS[by]).items())
    return [(name, part) for name, part in groups if not all(row.role for row in part)]


def _name_alphas(alphas: Mapping[str, Any]) -> dict[str, Any]:
    return {f"alpha.{name}": value for name, value in alphas.items()}


class GradedComparison:
    """Compares values on a scale: WSsim and Usim.

    Args:
        rows: The ratings.
        judgements: Their judgements, if they are known.
    """

    def __init__(self, rows: list[Rating], judgements: Judgements | None = None) -> None:
        self._rows = rows
        self.judgements = collect_judgements(Ratings(rows)) if judgements is None else judgements

    @cached_property
    def pairs(self) -> AnnotatorPairs:
        """Spearman's ρ of each pair of annotators."""
        return correlate_annotators(self.judgements)

    def measure(self, bootstrap: Bootstrap) -> AgreementPart:
        """Compute the mean ρ, and α by all metrics of a scale."""
        alphas = compute_alphas(self.judgements, bootstrap=bootstrap)
        figures = {"rho": self.pairs.mean, **_name_alphas(alphas)}
        return AgreementPart(_count_judgements(self.judgements, self.pairs), figures)

    def split(self, by: str) -> dict[str, GradedComparison]:
        """Split the judgements; parts of items are taken from the columns, not from the rows."""
        if by not in ("lemma", "pos"):
            return {name: GradedComparison(rows) for name, rows in _group_rows(self._rows, by)}
        parts = self.judgements.broken_down(attrgetter(by))
        if any(self.judgements.left_out):
            rows_by_name = group_by(self._rows, BREAKDOWNS[by])
            excluded = {name: collect_judgements(Ratings(rows_by_name[name])).left_out for name in parts}
            parts = {name: replace(part, left_out=excluded[name]) for name, part in parts.items()}
        return {name: GradedComparison([], part) for name, part in parts.items()}

    def correlations_with_others(self) -> dict[str, Correlation]:
        """Correlate each annotator with the mean of the others."""
        return correlate_with_others(self.judgements)

    def figures_without_annotators(self) -> dict[str, Floats]:
        """Compute the mean ρ and α without each annotator."""
        alphas = alphas_without_annotators(self.judgements)
        return {"rho": self.pairs.means_without_annotators(), **_name_alphas(alphas)}


class ChoiceComparison:
    """Compares sets of senses or of substitutes: WSbest and SYNbest.

    Args:
        rows: The ratings.
        credit: The credit of two sets.
        pooling: What has equal weight, ``"usages"`` or ``"pairs"`` of answers.
    """

    def __init__(self, rows: list[Rating], credit: Credit, pooling: str = USAGES) -> None:
        self._rows = rows
        self._credit = credit
        self._pooling = pooling
        self._chosen = collect_chosen_sets(Ratings(rows))
        self._credits = compute_credits(self._chosen, credit)
        self.judgements = self._chosen.judgements

    @cached_property
    def pairs(self) -> AnnotatorPairs:
        """The mean credit of each pair of annotators."""
        return self._credits.pairs()

    def measure(self, bootstrap: Bootstrap) -> AgreementPart:
        """Compute the agreement of all answers and of single choices, and α of sets."""
        single = compute_credits(self._chosen.single(), self._credit)
        pooled = compute_mean_credit(self._credits, Bootstrap(0), PAIRS)
        figures = {
            "agreement": compute_mean_credit(self._credits, bootstrap, self._pooling),
            "agreement.pairs": pooled._replace(reason="") if pooled.defined else pooled,
            "agreement.single": compute_mean_credit(single, bootstrap, self._pooling),
            **_name_alphas(compute_alphas(self.judgements, set_metrics(self._chosen), bootstrap)),
        }
        return AgreementPart(_count_judgements(self.judgements, self.pairs, self._chosen.nothing), figures)

    def split(self, by: str) -> dict[str, ChoiceComparison]:
        """Split the judgements."""
        parts = _group_rows(self._rows, by)
        return {name: ChoiceComparison(rows, self._credit, self._pooling) for name, rows in parts}

    def correlations_with_others(self) -> dict[str, Correlation]:
        """Return nothing: sets have no mean."""
        return {}

    def figures_without_annotators(self) -> dict[str, Floats]:
        """Compute the agreement and α without each annotator."""
        alphas = alphas_without_annotators(self.judgements, set_metrics(self._chosen))
        return {"agreement": self._credits.means_without_annotators(self._pooling), **_name_alphas(alphas)}
