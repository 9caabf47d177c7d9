"""From a corpus and lemmas to a model, lemma by lemma, for inducers of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.induction.model import SenseModel, SenseVectors
from polyseme.induction.usage_sources import Corpus, list_lemmas
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

if TYPE_CHECKING:
    from polyseme.induction.inducer import Inducer
    from polyseme.induction.lemma_checkpoint import LemmaCheckpoint

EXAMPLE_COUNT = 3
"""How many example usages a sense has."""

INTERRUPTED = "it was stopped before"
"""The reason why a lemma has no senses if the user interrupted the work."""


class NothingInduced(InputError):
    """No lemma has senses.

    Args:
        inducer: The inducer.
        missed: The reason for each lemma.
    """

    def __init__(self, inducer: object, missed: Mapping[str, str]) -> None:
        super().__init__(f"{inducer!r} finds no senses: {summarise_reasons(missed) or 'no lemmas were given'}")
        self.missed = missed


def summarise_reasons(missed: Mapping[str, str], limit: int = 5) -> str:
    """Say in words why lemmas have no senses.

    >>> summarise_reasons({"bank.n": "it is too rare", "tree.n": "it is nowhere"}, limit=1)
    'bank.n: it is too rare; and so on, 2 lemmas'
    """
    reasons = "; ".join(f"{lemma}: {reason}" for lemma, reason in list(missed.items())[:limit])
    return f"{reasons}; and so on, {len(missed)} lemmas" if len(missed) > limit else reasons


class LemmaSenses(NamedTuple):
    """The senses of a lemma, the most frequent first.

    Args:
        senses: The senses.
        labelled: The share of the lemma's usages in the corpus that have a sense.
        vectors: The vectors of the senses, if they are vectors.
    """

    senses: tuple[Sense, ...]
    labelled: float
    vectors: SenseVectors | None = None


class LemmaInduction(Protocol):
    """The work of an inducer on one corpus."""

    @property
    def analyser(self) -> str:
        """The specification of the corpus' analyser."""
        ...

    @property
    def facts(self) -> Mapping[str, Any]:
        """The sizes of the corpus."""
        ...

    @property
    def missed(self) -> Mapping[str, str]:
        """The lemmas without usages, with the reason."""
        ...

    def induce(self, lemmas: Sequence[str]) -> Iterator[tuple[str, Any]]:
        """Induce the senses of lemmas one by one; text instead of senses is the reason why a lemma has none."""
        ...

    def describe(self, senses: Mapping[str, Any]) -> Mapping[str, LemmaSenses]:
        """Complete the senses that were induced, with names, shares, descriptions and examples."""
        ...


class FittingProgress(NamedTuple):
    """How far fitting has come: lemmas done, all lemmas, and the last lemma."""

    done: int
    lemmas: int
    lemma: str


ShowFitting = Callable[[FittingProgress], object]


def fit_model(
    inducer: Inducer,
    corpus: Corpus,
    lemmas: Iterable[str] | None = None,
    *,
    usages: Iterable[Usage] = (),
    analyser: Analyser | None = None,
    processes: int | None = None,
    show: ShowFitting | None = None,
    checkpoint: LemmaCheckpoint | None = None,
) -> SenseModel:
    """Induce the senses of lemmas; the arguments are those of :meth:`.inducer.Inducer.fit`."""
    source = corpus if isinstance(corpus, Index) else list(corpus)
    to_label = list(usages)
    names = list_lemmas(source, to_label) if lemmas is None else list(dict.fromkeys(lemmas))
    with inducer.open_corpus(source, names, to_label, analyser, processes) as work:
        results = _induce_lemmas(
            work,
            [lemma for lemma in names if lemma not in work.missed],
            checkpoint if inducer.is_resumable else None,
            show or (lambda _: None),
        )
        missed = {**work.missed, **{lemma: reason for lemma, reason in results.items() if isinstance(reason, str)}}
        senses = {lemma: result for lemma, result in results.items() if not isinstance(result, str)}
        if not senses:
            raise NothingInduced(inducer, missed)
        described = work.describe(senses)
    return SenseModel(
        inducer,
        work.analyser,
        Inventory(sense for lemma in described.values() for sense in lemma.senses),
        missed,
        {**work.facts, "labelled": {name: lemma.labelled for name, lemma in described.items()}},
        {name: lemma.vectors for name, lemma in described.items() if lemma.vectors is not None},
    )


def _induce_lemmas(
    work: LemmaInduction, lemmas: Sequence[str], checkpoint: LemmaCheckpoint | None, show: ShowFitting
) -> dict[str, Any]:
    """Induce the lemmas that the checkpoint does not have; an interruption ends it early if a lemma is complete."""
    results: dict[str, Any] = {}
    if checkpoint is not None:
        stored = {lemma: checkpoint.get(lemma) for lemma in lemmas}
        results = {lemma: result for lemma, result in stored.items() if result is not None}
    try:
        for lemma, result in work.induce([lemma for lemma in lemmas if lemma not in results]):
            results[lemma] = result
            if checkpoint is not None:
                checkpoint.put(lemma, result)
            show(FittingProgress(len(results), len(lemmas), lemma))
    except KeyboardInterrupt:
        if not any(isinstance(result, LemmaSenses) for result in results.values()):
            raise
    return {lemma: results.get(lemma, INTERRUPTED) for lemma in lemmas}
