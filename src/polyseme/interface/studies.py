"""Annotation studies: their check and their ratings, in Python as by ``polyseme annotate``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyseme.datasets.opening import RatingsSource, is_name
from polyseme.errors import InputError, add_file_name, count_noun, require_extra
from polyseme.interface.reading import read_ratings

if TYPE_CHECKING:
    from polyseme.studio.exchange.rating_import import ImportCounts
    from polyseme.studio.study.checks import StudyOutline, Workload
    from polyseme.studio.study.settings import Study


@dataclass(frozen=True)
class StudyCheck:
    """The problems of a study; if there are none, its outline: pages, judgements and hours.

    Args:
        path: The study file.
        study: The settings of the study.
        problems: The problems.
        outline: The outline, if there are no problems.
    """

    path: Path
    study: Study
    problems: tuple[str, ...] = ()
    outline: StudyOutline | None = None

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the problems or the outline in words."""
        if self.outline is not None:
            yield from _outline_study(self.study, self.outline)
            return
        yield f"{self.path}: {count_noun(len(self.problems), 'problem')}"
        yield from (f"- {problem}" for problem in self.problems)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``polyseme annotate check --json`` prints."""
        return {"problems": list(self.problems), **(asdict(self.outline) if self.outline else {})}


def check_study(study: str | os.PathLike[str]) -> StudyCheck:
    """Check a study: its file, its usages and its senses.

    Args:
        study: The study file.

    Raises:
        InputError: The file cannot be read as a study.

    >>> check_study("examples/interest-study.toml")
    Interest: there are no problems.
    It shows 10 usages of 1 lemma, such as: The bank pays [interest] of three per cent on every loan and on …
    - WSsim: 10 pages with 30 judgements
    An annotator sees 10 pages with 30 judgements: about 3 minutes.
    """
    from polyseme.studio.study.checks import check_study as find_problems
    from polyseme.studio.study.settings import read_study

    settings = read_study(study)
    problems, outline = find_problems(settings)
    return StudyCheck(Path(study), settings, tuple(problems), outline)


def import_ratings(ratings: RatingsSource, study: str | os.PathLike[str], store: str = "") -> ImportCounts:
    """Import ratings into a study, which begins if it has not begun: all of them, or none.

    Args:
        ratings: What :func:`polyseme.read_ratings` takes. The annotators must be new to the study.
        study: The study file.
        store: The store of judgements: a SQLite file, or ``postgresql://…``. Default: the study's name with ``.db``.

    Returns:
        How many judgements of how many annotators were imported.

    Raises:
        InputError: A judgement is of no page of the study, or not on its scale; or an annotator has pages already.

    >>> import tempfile
    >>> store = str(Path(tempfile.mkdtemp()) / "interest.db")
    >>> import_ratings("examples/interest-ratings.csv", "examples/interest-study.toml", store)
    ImportCounts(judgements=90, annotators=3)
    """
    with require_extra("annotate"):
        from polyseme.studio.exchange.rating_import import import_ratings as add_ratings
        from polyseme.studio.store.startup import start_study

    if not Path(study).is_file():
        raise InputError(f"there is no such study; write it first: polyseme annotate new {study}", path=study)
    rows = read_ratings(ratings)
    with closing(start_study(study, store)) as opened, add_file_name(ratings if is_name(ratings) else "the ratings"):
        return add_ratings(opened, rows)


def _outline_study(study: Study, outline: StudyOutline) -> Iterator[str]:
    """Yield the outline of a study, in words."""
    yield f"{study.title}: {'the study can start, but look at this.' if outline.warnings else 'there are no problems.'}"
    yield from (f"- {warning}" for warning in outline.warnings)
    counts = f"{count_noun(outline.usages, 'usage')} of {count_noun(outline.lemmas, 'lemma')}"
    yield f"It shows {counts}, such as: {outline.example}"
    yield from (f"- {task.task}: {_describe_workload(task, task)}" for task in outline.tasks)
    hidden = {"training": outline.training, "control": outline.controls}
    yield from (f"- {count_noun(count, f'{name} page')}" for name, count in hidden.items() if count)
    for group, amount in outline.groups.items():
        annotator = "A second annotator" if study.overlap.design == "second" and study.annotators else "An annotator"
        of_group = f" of group {group}" if len(outline.groups) > 1 else ""
        most = "up to " if study.overlap.design == "per item" and not study.annotators else ""
        repeats = ", repeats included" if study.repeats else ""
        work = _describe_workload(amount, amount if most else outline.least[group])
        yield f"{annotator}{of_group} sees {most}{work}{repeats}: about {_format_hours(amount.hours)}."
    if (total := outline.total) and study.annotators > 1:
        judgements = count_noun(total.judgements, "judgement")
        people = count_noun(study.annotators, "annotator")
        most = "up to " if outline.groups != outline.least else ""
        yield f"{people} together: {most}{judgements} in about {_format_hours(total.hours)}."
    if any(part.items.pairs == "triangle" for part in study.rounds):
        yield "Pairs that others imply are skipped, so there will be fewer."


def _describe_workload(work: Workload, least: Workload) -> str:
    pages, judgements = count_noun(work.pages, "page"), count_noun(work.judgements, "judgement")
    if least.pages == work.pages:
        return f"{pages} with {judgements}"
    return f"{least.pages:,} to {pages} with {least.judgements:,} to {judgements}"


def _format_hours(hours: float) -> str:
    return f"{hours:.1f} hours" if hours >= 1 else count_noun(max(1, round(hours * 60)), "minute")
