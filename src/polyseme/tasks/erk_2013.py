"""Erk, McCarthy & Gaylord (2013), "Measuring Word Meaning in Context": their figures beside ours.

The figures are those of the paper's text, by section: the copy that they were taken from has lost most tables. Where a
figure needs other data than there are (:mod:`polyseme.tasks.erk_2013_data`), it says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from polyseme.agreement.scale_use import count_several_senses
from polyseme.errors import InputError
from polyseme.experiments.corpora import Load
from polyseme.tasks import erk_2013_annotation, erk_2013_comparison
from polyseme.tasks.erk_2013_data import TASK, ErkData, Figures, WssimRound
from polyseme.tasks.published import MISSING, ReproducedFigure
from polyseme.tasks.reproduction import PrintedFigure, is_from_table, read_printed_figures

SECTIONS: dict[str, Callable[[ErkData], Figures]] = {**erk_2013_annotation.SECTIONS, **erk_2013_comparison.SECTIONS}
"""The sections of which something can be computed."""


def reproduce_erk_2013(load: Load, table: str | None = None) -> Iterator[ReproducedFigure]:
    """Every figure that the paper's text gives beside ours, or those of one section, as ``§5.3``."""
    printed = [figure for figure in read_printed_figures(TASK) if is_from_table(figure.source, table)]
    if not printed:
        sources = ", ".join(dict.fromkeys(figure.source for figure in read_printed_figures(TASK)))
        raise InputError(f"{TASK} has no figures of {table!r}; there are {sources}")
    study = ErkData(load)
    for source in dict.fromkeys(figure.source for figure in printed):
        cells = [figure for figure in printed if figure.source == source]
        ours = SECTIONS[source](study) if any(not figure.setting for figure in cells) else {}
        yield from (_cell(figure, ours) for figure in cells)


def count_erk_2013_figures(table: str | None = None) -> int:
    """How many figures :func:`reproduce` gives."""
    return sum(is_from_table(figure.source, table) for figure in read_printed_figures(TASK))


def _cell(printed: PrintedFigure, ours: Figures) -> ReproducedFigure:
    """A figure beside ours; or, if its data are not here, which these are."""
    name = (TASK, printed.source, printed.system, printed.figure, printed.value)
    if printed.setting:
        return ReproducedFigure(*name, MISSING, elsewhere=f"needs {printed.setting}")
    return ReproducedFigure(*name, ours[printed.system, printed.figure])


def describe_erk_2013(load: Load) -> list[str]:
    """What the same data say that stands in tables that are lost, or nowhere in the paper."""
    study = ErkData(load)
    rounds = {"WSsim-1": study.first, "WSsim-2": study.second}
    lexsub, own = study.overlap(study.load("lexsub").substitutes), study.overlap(study.synonyms)
    return [
        *(note for name, ratings in rounds.items() for note in _notes(name, ratings)),
        *(
            f"{name}, EAW, {conflict.question}: {conflict.share:.1%} of {conflict.of} usages"
            for name, ratings in rounds.items()
            for conflict in study.conflicts(ratings)
        ),
        f"EAW groups, of WordNet 2.1, and the senses of WSsim-1: {study.coverage(study.first).said()}",
        f"EAW groups, of WordNet 2.1, and the senses of WSsim-2: {study.coverage(study.second).said()}",
        f"LexSub's overlap of substitutes with Usim-2: ρ = {lexsub.rho:.3f} on {lexsub.items:,} pairs",
        f"SYNbest's overlap of substitutes with Usim-2: ρ = {own.rho:.3f} on {own.items:,} pairs",
        f"WSbest, agreement of all answers, pooled over pairs: {study.agreement(study.best_senses):.3f}",
    ]


def _notes(name: str, ratings: WssimRound) -> list[str]:
    shares = [f"{value:g}: {share:.1%}" for value, share in ratings.shares().items()]
    several = [
        f"{count.threshold:g}: {count.share_of_answers:.1%} (by some annotator {count.share:.1%}, by mean"
        f" {count.share_by_mean:.1%})"
        for count in count_several_senses(ratings.judged)
    ]
    return [
        f"{name}, ratings: {', '.join(shares)}",
        f"{name}, answers with several senses rated at least {'; '.join(several)}",
    ]
