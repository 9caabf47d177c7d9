"""The page that compares two models of a word."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from polyseme.arrays import Floats, Ints
from polyseme.errors import PolysemeError
from polyseme.explorer.explorer import keep_usages
from polyseme.explorer.models import build_inducer, model_title
from polyseme.explorer.word_view import (
    SensesNotFound,
    open_word_view,
    render_word_page,
    view_page_senses,
    view_page_usage,
)
from polyseme.labelling import Labelling
from polyseme.measures.partitions import AdjustedMutualInformation
from polyseme.words.profile import WordProfile
from polyseme.words.views import UsageView

COMPARED_SENSES = 8
"""The number of senses of each model."""
SHOWN_DIFFERENCES = 10
"""The number of usages that two models label differently."""

RARE_SHARE = 1 / 3
"""Two senses do not correspond if a smaller share of the first one's usages has the second."""

VERDICTS = (
    (0.7, "The two models give almost the same senses."),
    (0.4, "The two models give similar senses."),
    (0.15, "The two models agree on only some of the senses."),
    (-1.0, "The two models give different senses."),
)
"""The meaning of an agreement, from this value upwards."""


@dataclass(frozen=True)
class ModelComparison:
    """Two models on the usages that both label.

    Args:
        usages: The number of these usages.
        agreement: The adjusted mutual information of the heaviest senses.
        table: For each sense of the first model, the share of its usages that has each sense of the second.
        differences: Usages that the models label differently.
    """

    usages: int
    agreement: float
    table: Floats
    differences: tuple[tuple[UsageView, UsageView], ...]

    @property
    def verdict(self) -> str:
        """The meaning of the agreement, as a sentence."""
        return next(sentence for least, sentence in VERDICTS if self.agreement >= least)


def comparison_page(request: Request) -> Response:
    """Two models side by side."""
    view = open_word_view(request)
    explorer, other = view.explorer, view.query.other
    inducer = build_inducer(explorer.model_or_default(view.query.model))
    offered = [model for model in explorer.offered if build_inducer(model.specification) != inducer]
    if not other:
        return render_word_page(
            request, view, "compare.html", others=offered, second=None, comparison=None, other_model=""
        )
    explorer.check_model(other)
    try:
        profile = explorer.profile(view.query.word, other)
    except PolysemeError as error:
        raise SensesNotFound(replace(view.query, model=other), view.word, error) from None
    shared = keep_usages(profile, [usage for usage in profile.usages if usage.id in view.profile.rows])
    return render_word_page(
        request,
        view,
        "compare.html",
        others=offered,
        other_model=model_title(other),
        first=view_page_senses(view.profile, COMPARED_SENSES),
        second=view_page_senses(shared, COMPARED_SENSES),
        comparison=compare_profiles(view.profile, shared),
    )


def compare_profiles(first: WordProfile, second: WordProfile) -> ModelComparison | None:
    """Compare two profiles of a word on the usages that both label; ``None`` if there are none."""
    pairs = [
        (row, second.rows[usage.id])
        for row, usage in enumerate(first.usages)
        if usage.id in second.rows and first.main[row] >= 0 and second.main[second.rows[usage.id]] >= 0
    ]
    if not pairs:
        return None
    first_rows, second_rows = np.array(pairs).T
    weights, other_weights = first.weights[first_rows], second.weights[second_rows]
    sizes, joint = weights.sum(axis=0)[:, None], weights.T @ other_weights
    table = np.divide(joint, sizes, out=np.zeros_like(joint), where=sizes > 0)
    ids = [first.usages[row].id for row in first_rows.tolist()]
    heaviest = (first.main[first_rows], second.main[second_rows])
    hard = [Labelling.hard(ids, senses, lemma=first.lemma) for senses in heaviest]
    agreement = AdjustedMutualInformation()(*hard).total()["score"]
    differences = _differing_usages(first, second, first_rows, second_rows, table)
    return ModelComparison(len(pairs), agreement, table, tuple(differences))


def _differing_usages(
    first: WordProfile, second: WordProfile, first_rows: Ints, second_rows: Ints, table: Floats
) -> list[tuple[UsageView, UsageView]]:
    """Usages that have a clear sense by each model, where the two senses do not correspond."""
    clarity = first.weights[first_rows].max(axis=1) * second.weights[second_rows].max(axis=1)
    shares = table[first.main[first_rows], second.main[second_rows]]
    order = [number for number in np.argsort(shares - clarity, kind="stable").tolist() if shares[number] < RARE_SHARE]
    return [
        (view_page_usage(first, int(first_rows[number])), view_page_usage(second, int(second_rows[number])))
        for number in order[:SHOWN_DIFFERENCES]
    ]
