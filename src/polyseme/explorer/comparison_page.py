"""The page on which two models of a word stand side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from polyseme.arrays import Floats, Ints
from polyseme.errors import PolysemeError
from polyseme.explorer.models import build_inducer, model_title
from polyseme.explorer.views import UsageView, view_profile_usage, view_senses
from polyseme.explorer.word_view import SensesNotFound, open_word_view, render_word_page
from polyseme.labelling import Labelling
from polyseme.measures.partitions import AdjustedMutualInformation
from polyseme.words.profile import WordProfile

COMPARED_SENSES = 8
"""So many senses of each model are set beside each other."""
SHOWN_DIFFERENCES = 10
"""So many usages are shown that two models divide differently."""

RARE_SHARE = 1 / 3
"""Two senses do not go together if a smaller share of the first one's usages has the second."""

VERDICTS = (
    (0.7, "The two divide the usages in almost the same way."),
    (0.4, "The two divide the usages in similar ways."),
    (0.15, "The two agree on part of the usages only."),
    (-1.0, "The two hardly agree: each sees something else in this word."),
)


@dataclass(frozen=True)
class ModelComparison:
    """Two models on the usages that both label: how many those are, how far they agree, and which sense is which.

    ``table`` has, for each sense of the first, what share of its usages has each sense of the second.
    """

    usages: int
    agreement: float
    table: Floats
    different: tuple[tuple[UsageView, UsageView], ...]

    @property
    def words(self) -> str:
        """What the agreement means."""
        return next(words for least, words in VERDICTS if self.agreement >= least)


def comparison_page(request: Request) -> Response:
    """Two models side by side."""
    looked = open_word_view(request)
    other = looked.asked.other
    mine = repr(build_inducer(looked.here.named(looked.asked.model)))
    offered = [each for each in looked.here.offered if repr(build_inducer(each.specification)) != mine]
    if not other:
        return render_word_page(
            request, looked, "compare.html", second=None, compared=None, others=offered, other_model=""
        )
    looked.here.check(other)
    named = model_title(other)
    try:
        theirs = looked.here.portrait(looked.asked.word, other)
    except PolysemeError as error:
        raise SensesNotFound(replace(looked.asked, model=other), looked.word, error) from None
    ids = {usage.id for usage in looked.portrait.usages}
    shared = replace(theirs, usages=tuple(usage for usage in theirs.usages if usage.id in ids))
    return render_word_page(
        request,
        looked,
        "compare.html",
        others=offered,
        other_model=named,
        first=view_senses(looked.portrait, COMPARED_SENSES),
        second=view_senses(shared, COMPARED_SENSES),
        compared=compare_profiles(looked.portrait, shared),
    )


def compare_profiles(first: WordProfile, second: WordProfile) -> ModelComparison | None:
    """How two portraits of a word divide the usages that both label; nothing if there are none."""
    place = {usage.id: row for row, usage in enumerate(second.usages)}
    pairs = [
        (row, place[usage.id])
        for row, usage in enumerate(first.usages)
        if usage.id in place and first.main[row] >= 0 and second.main[place[usage.id]] >= 0
    ]
    if not pairs:
        return None
    ours, theirs = (np.array(each) for each in zip(*pairs, strict=True))
    one, two = first.weights[ours], second.weights[theirs]
    sizes = one.sum(axis=0)[:, None]
    table = np.divide(one.T @ two, sizes, out=np.zeros((one.shape[1], two.shape[1])), where=sizes > 0)
    names = [first.usages[row].id for row in ours.tolist()]
    hard = [Labelling.hard(names, each, lemma=first.lemma) for each in (first.main[ours], second.main[theirs])]
    agreement = AdjustedMutualInformation()(*hard).total()["score"]
    return ModelComparison(len(pairs), agreement, table, tuple(_differing_usages(first, second, ours, theirs, table)))


def _differing_usages(
    first: WordProfile, second: WordProfile, ours: Ints, theirs: Ints, table: Floats
) -> list[tuple[UsageView, UsageView]]:
    """Usages that are clearly of one sense by each model, but not of two that go together."""
    clear = first.weights[ours].max(axis=1) * second.weights[theirs].max(axis=1)
    usual = table[first.main[ours], second.main[theirs]]
    best = [at for at in np.argsort(usual - clear, kind="stable").tolist() if usual[at] < RARE_SHARE]
    return [
        (view_profile_usage(first, int(ours[at])), view_profile_usage(second, int(theirs[at])))
        for at in best[:SHOWN_DIFFERENCES]
    ]
