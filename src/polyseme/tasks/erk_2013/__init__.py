"""Erk, McCarthy & Gaylord (2013), "Measuring Word Meaning in Context": the published figures of graded annotation.

The figures are those of the paper's text, by section: the copy that they come from has lost most tables. Where a
figure needs data that are missing (:mod:`polyseme.tasks.erk_2013.data`), it says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar

from polyseme.tasks.published import DataFigures
from polyseme.tasks.task import Load, Task

if TYPE_CHECKING:
    from polyseme.tasks.erk_2013.data import ErkData, WssimRound


@dataclass(frozen=True)
class Erk2013(Task):
    """Published figures of the annotations WSsim, Usim, WSbest and SYNbest; this task scores no systems.

    (Erk, McCarthy & Gaylord 2013)
    """

    name: ClassVar[str] = "erk-2013"

    def data_figures(self) -> Mapping[str, Callable[[Load], DataFigures]]:
        """Return the function for each section that polyseme can compute figures of."""
        from polyseme.tasks.erk_2013 import annotation, comparison

        sections = {**annotation.SECTIONS, **comparison.SECTIONS}
        return {section: partial(_compute_section, compute) for section, compute in sections.items()}

    def describe_data(self, load: Load) -> list[str]:
        """Return what the data say of tables that are lost, and what the paper does not print."""
        data = _load_data(load)
        rounds = {"WSsim-1": data.first, "WSsim-2": data.second}
        lexsub, synonyms = data.overlap(data.load("lexsub").substitutes), data.overlap(data.synonyms)
        return [
            *(note for name, ratings in rounds.items() for note in _describe_ratings(name, ratings)),
            *(
                f"{name}, EAW, {conflict.question}: {conflict.share:.1%} of {conflict.total} usages"
                for name, ratings in rounds.items()
                for conflict in data.conflicts(ratings)
            ),
            f"EAW groups, of WordNet 2.1, and the senses of WSsim-1: {data.coverage(data.first).describe()}",
            f"EAW groups, of WordNet 2.1, and the senses of WSsim-2: {data.coverage(data.second).describe()}",
            f"LexSub's overlap of substitutes with Usim-2: ρ = {lexsub.rho:.3f} on {lexsub.items:,} pairs",
            f"SYNbest's overlap of substitutes with Usim-2: ρ = {synonyms.rho:.3f} on {synonyms.items:,} pairs",
            f"WSbest, agreement of all answers, pooled over pairs: {data.agreement(data.best_senses):.3f}",
        ]


@lru_cache(maxsize=1)
def _load_data(load: Load) -> ErkData:
    """Return the data that all sections share."""
    from polyseme.tasks.erk_2013.data import ErkData

    return ErkData(load)


def _compute_section(compute: Callable[[ErkData], DataFigures], load: Load) -> DataFigures:
    return compute(_load_data(load))


def _describe_ratings(name: str, ratings: WssimRound) -> list[str]:
    from polyseme.agreement.scale_use import count_several_senses

    shares = [f"{value:g}: {share:.1%}" for value, share in ratings.shares().items()]
    several = [
        f"{count.threshold:g}: {count.share_of_answers:.1%} (by some annotator {count.share:.1%}, by mean"
        f" {count.share_by_mean:.1%})"
        for count in count_several_senses(ratings.judgements)
    ]
    return [
        f"{name}, ratings: {', '.join(shares)}",
        f"{name}, answers with several senses rated at least {'; '.join(several)}",
    ]
