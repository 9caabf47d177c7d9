"""How a labelling with induced senses is scored, by the name of the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from polyseme.errors import InputError, counted, shown
from polyseme.evaluate import tasks
from polyseme.evaluate.result import TaskResult
from polyseme.formats.splits import Split
from polyseme.labelling import Labelling
from polyseme.mapping import SenseMapping
from polyseme.parts import build

Score = Callable[[Labelling, Labelling], TaskResult]


class NothingMapped(InputError):
    """So few usages are labelled that no mapping could be learnt from them."""


TASKS = ("semeval-2013", "semeval-2010", "jurgens-2012")


def scorer(task: str, *, mapping: str = "Distribution", splits: Mapping[str, Sequence[Split]] | None = None) -> Score:
    """What scores a labelling (gold, system); Jurgens 2012 maps by ``mapping``, SemEval-2010 learns from ``splits``.

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"B": 1}}, lemma="x")
    >>> scorer("semeval-2010")(gold, gold).figures()["v_measure"]
    1.0
    """
    if task not in TASKS:
        raise InputError(f"task is {shown(task)}; allowed are {', '.join(TASKS)}")
    if task == "jurgens-2012":
        return partial(_mapped, build(mapping, "mapping"))
    return tasks.semeval_2013 if task == "semeval-2013" else partial(tasks.semeval_2010, splits=splits)


def _mapped(mapping: SenseMapping, gold: Labelling, system: Labelling) -> TaskResult:
    """The scores of Jurgens 2012 of a labelling that is mapped fold by fold."""
    found = tasks.jurgens_2012(gold, system, mapping=mapping)
    if not found.figures()["recall"]:
        labelled = counted(len(system), "usage")
        raise NothingMapped(f"{labelled} labelled, none of which can be mapped by {mapping!r} from what others teach")
    return found
