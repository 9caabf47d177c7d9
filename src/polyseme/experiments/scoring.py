"""How a labelling with induced senses is scored, by the name of the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.splits import MappingSplit
from polyseme.labelling import Labelling
from polyseme.mapping import SenseMapping
from polyseme.parts import build
from polyseme.tasks import protocols
from polyseme.tasks.result import TaskResult

Scorer = Callable[[Labelling, Labelling], TaskResult]


class NothingMappedError(InputError):
    """So few usages are labelled that no mapping could be learnt from them."""


TASKS = ("semeval-2013", "semeval-2010", "jurgens-2012")


def make_scorer(
    task: str, *, mapping: str = "Distribution", splits: Mapping[str, Sequence[MappingSplit]] | None = None
) -> Scorer:
    """What scores a labelling (gold, system); Jurgens 2012 maps by ``mapping``, SemEval-2010 learns from ``splits``.

    >>> gold = Labelling.from_dict({"u1": {"A": 1}, "u2": {"B": 1}}, lemma="x")
    >>> make_scorer("semeval-2010")(gold, gold).figures()["v_measure"]
    1.0
    """
    if task not in TASKS:
        raise InputError(f"task is {quote_value(task)}; allowed are {', '.join(TASKS)}")
    if task == "jurgens-2012":
        return partial(_mapped, build(mapping, "mapping"))
    return protocols.semeval_2013 if task == "semeval-2013" else partial(protocols.semeval_2010, splits=splits)


def _mapped(mapping: SenseMapping, gold: Labelling, system: Labelling) -> TaskResult:
    """The scores of Jurgens 2012 of a labelling that is mapped fold by fold."""
    found = protocols.jurgens_2012(gold, system, mapping=mapping)
    if not found.figures()["recall"]:
        labelled = count_noun(len(system), "usage")
        raise NothingMappedError(
            f"{labelled} labelled, none of which can be mapped by {mapping!r} from what others teach"
        )
    return found
