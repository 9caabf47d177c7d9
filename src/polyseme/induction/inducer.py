"""The two kinds of inducers: those whose senses are sets of words, and those whose senses are vectors.

An inducer is a part: its options are stored, and fitting changes nothing in it. All are fitted by the same code.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.context_bags import ContextBags, read_context_bags
from polyseme.corpus.index import Index
from polyseme.corpus.passages import Passages, analyse_passages, passages_without_words
from polyseme.corpus.windows import Window
from polyseme.errors import InputWarning, count_noun
from polyseme.induction.fitting import INTERRUPTED, FitTask, FittingProgress, LemmaSenses, NothingInduced, ShowFitting
from polyseme.induction.graph_induction import GraphInduction, SenseFeatures, overlap, weigh_senses
from polyseme.induction.model import LemmaVectors, SenseModel, UsageSenses
from polyseme.induction.usage_sources import Corpus, list_lemmas, open_as_index
from polyseme.induction.vector_induction import VectorInduction, grade_in_batches
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

if TYPE_CHECKING:
    import scipy.sparse as sp

    from polyseme.induction.lemma_checkpoint import LemmaCheckpoint
    from polyseme.induction.pipeline import Pipeline


LemmaInduction = GraphInduction | VectorInduction
"""The work of an inducer on one corpus."""


class Inducer(ABC):
    """A specification of how senses are induced."""

    kind: ClassVar[str] = "inducer"

    def fit(
        self,
        corpus: Corpus,
        lemmas: Iterable[str] | None = None,
        *,
        usages: Iterable[Usage] = (),
        analyser: Analyser | None = None,
        processes: int | None = None,
        show: ShowFitting | None = None,
        checkpoint: LemmaCheckpoint | None = None,
    ) -> SenseModel:
        """Induce the senses of lemmas.

        Interrupted from the keyboard, an inducer of vectors returns the model of the lemmas that are complete, and a
        warning says how to go on.

        Args:
            corpus: An index, or usages, each of the lemma that it names.
            lemmas: The lemmas; by default those of ``usages``, or of a corpus of usages.
            usages: The usages that will be labelled. An inducer that clusters usages clusters these, and learns from
                them alone where the corpus has no usages of a lemma.
            analyser: Analyses the texts of usages; English by default. An index is analysed already.
            processes: How many processes work; by default as many as there are processors.
            show: Receives the progress after each lemma.
            checkpoint: Stores each complete lemma, and provides those of an earlier run; see :attr:`is_resumable`.

        Raises:
            NothingInduced: No lemma has senses.
        """
        source = corpus if isinstance(corpus, Index) else list(corpus)
        to_label = list(usages)
        names = list_lemmas(source, to_label) if lemmas is None else list(dict.fromkeys(lemmas))
        with self.open_corpus(FitTask(source, names, to_label, analyser, processes)) as work:
            names = [lemma for lemma in names if lemma not in work.missed]
            results = _induce_lemmas(work, names, checkpoint if self.is_resumable else None, show or (lambda _: None))
            missed = {**work.missed, **{lemma: reason for lemma, reason in results.items() if isinstance(reason, str)}}
            senses = {lemma: result for lemma, result in results.items() if not isinstance(result, str)}
            if not senses:
                raise NothingInduced(self, missed)
            if INTERRUPTED in missed.values():
                _warn_of_interruption(len(senses), len(names), checkpoint)
            complete = work.describe(senses)
        return SenseModel(
            self,
            work.analyser,
            Inventory(sense for lemma in complete.values() for sense in lemma.senses),
            missed,
            {**work.facts, "labelled": {name: lemma.labelled for name, lemma in complete.items()}},
            {name: lemma.vectors for name, lemma in complete.items() if lemma.vectors is not None},
        )

    @property
    def specification(self) -> str:
        """The specification that a saved model has."""
        return repr(self)

    @property
    def is_resumable(self) -> bool:
        """Whether lemmas are complete one by one, so that a checkpoint can store them."""
        return False

    @abstractmethod
    def open_corpus(self, task: FitTask) -> AbstractContextManager[LemmaInduction]:
        """Open a corpus for the induction of lemmas."""

    @abstractmethod
    def read_contexts(self, usages: Sequence[Usage], analyser: str, processes: int | None) -> Mapping[str, Any]:
        """Read the contexts of usages, by lemma."""

    @abstractmethod
    def label_contexts(self, senses: Sequence[Sense], vectors: LemmaVectors | None, contexts: Any) -> UsageSenses:
        """Label the usages of a lemma, from their contexts, with senses whose weights sum to 1."""


class GraphInducer(Inducer):
    """An inducer whose senses are sets of words, found in a graph of words.

    A subclass may have a class variable ``gathered_by``, which names the options that :meth:`gather` depends on. It may
    also have a method ``loosest(grid)``, which returns an inducer whose material serves all others of a grid. So a grid
    search gathers no more than it must.
    """

    @property
    @abstractmethod
    def context(self) -> Window:
        """The window of words around a usage in the corpus that is its context."""

    @abstractmethod
    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, Any]:
        """Count in a corpus what the senses of each word are made from, for all words at once."""

    @abstractmethod
    def induce(self, word: str, material: Any) -> list[SenseFeatures]:
        """Induce the senses of one word.

        Raises:
            TooLittleData: The material is too little.
        """

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """Weigh usages against senses; by default by the number of features that they share.

        Args:
            present: Usages × features, with ones.
            members: Senses × features, with weights.
            sizes: How many content words each context has.

        Returns:
            Usages × senses.
        """
        return overlap(present, members)

    @contextmanager
    def open_corpus(self, task: FitTask) -> Iterator[LemmaInduction]:
        """Open a corpus as an index."""
        with open_as_index(task.corpus, task.analyser, set(task.lemmas)) as index:
            yield GraphInduction(self, index, task)

    def read_contexts(self, usages: Sequence[Usage], analyser: str, processes: int | None) -> Mapping[str, ContextBags]:
        """Read the words around usages."""
        bags = read_context_bags(usages, as_analyser(analyser), processes=processes)
        return {lemma: bags.select_lemma(lemma) for lemma in dict.fromkeys(bags.lemmas)}

    def label_contexts(self, senses: Sequence[Sense], _: LemmaVectors | None, contexts: ContextBags) -> UsageSenses:
        """Label usages by the words that they share with senses."""
        weights = weigh_senses(self, [dict(sense.features) for sense in senses], contexts)
        labels, ids = UsageSenses(), [sense.id for sense in senses]
        for row, usage in enumerate(contexts.usages):
            start, stop = weights.indptr[row : row + 2]
            values = weights.data[start:stop]
            names = [ids[column] for column in weights.indices[start:stop].tolist()]
            if names:
                labels[usage] = dict(zip(names, (values / values.sum()).tolist(), strict=True))
        return labels


class VectorInducer(Inducer):
    """An inducer whose senses are vectors."""

    @abstractmethod
    def steps(self) -> Pipeline:
        """Return the steps that the options stand for."""

    @property
    def is_resumable(self) -> bool:
        """Whether lemmas are completed one by one: not if the model learns from all lemmas together."""
        return not self.steps().mixed

    @contextmanager
    def open_corpus(self, task: FitTask) -> Iterator[LemmaInduction]:
        """Open the usages of a corpus."""
        yield VectorInduction(self.steps(), task)

    def read_contexts(self, usages: Sequence[Usage], analyser: str, processes: int | None) -> Mapping[str, Passages]:
        """Read the passages of usages, without analysis if the representation reads texts itself."""
        if self.steps().represent.reads_text:
            return passages_without_words(usages)
        return analyse_passages(usages, as_analyser(analyser), processes=processes)

    def label_contexts(self, senses: Sequence[Sense], vectors: LemmaVectors | None, contexts: Passages) -> UsageSenses:
        """Label usages by their similarity to senses."""
        assert vectors is not None, "a model of vectors has those of each lemma"
        labels: UsageSenses = {}
        rows = grade_in_batches(self.steps(), vectors, contexts)
        for usage, weights in zip(contexts.usages, rows, strict=True):
            if columns := np.flatnonzero(weights).tolist():
                labels[usage.id] = {senses[column].id: float(weights[column]) for column in columns}
        return labels


def clusters_labelled_usages(inducer: object) -> bool:
    """Whether an inducer finds senses among the usages to label, and so needs them when it is fitted."""
    return isinstance(inducer, VectorInducer) and inducer.steps().on == "usages"


def _warn_of_interruption(done: int, lemmas: int, checkpoint: LemmaCheckpoint | None) -> None:
    """Say how many lemmas a model has, and how to go on."""
    advice = "running the same again makes the whole one"
    if checkpoint is not None:
        advice = f"running the same again resumes from {checkpoint.folder}, and completes it"
    problem = f"stopped: the model has the senses of {done:,} of {count_noun(lemmas, 'lemma')}; {advice}"
    warnings.warn(problem, InputWarning, stacklevel=3)


def _induce_lemmas(
    work: LemmaInduction, lemmas: Sequence[str], checkpoint: LemmaCheckpoint | None, show: ShowFitting
) -> dict[str, Any]:
    """Induce the lemmas that the checkpoint does not have; an interruption ends it early if a lemma is complete."""
    results: dict[str, Any] = {}
    if checkpoint is not None:
        stored = {lemma: checkpoint.get(lemma) for lemma in lemmas}
        results = {lemma: result for lemma, result in stored.items() if result is not None}
    try:
        new_results: Iterator[tuple[str, Any]] = work.induce([lemma for lemma in lemmas if lemma not in results])
        for lemma, result in new_results:
            results[lemma] = result
            if checkpoint is not None:
                checkpoint.put(lemma, result)
            show(FittingProgress(len(results), len(lemmas), lemma))
    except KeyboardInterrupt:
        if not any(isinstance(result, LemmaSenses) for result in results.values()):
            raise
    return {lemma: results.get(lemma, INTERRUPTED) for lemma in lemmas}
