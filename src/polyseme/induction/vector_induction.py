"""Senses as vectors: how a pipeline of steps fits a corpus, and how usages are graded by its senses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.passages import Passages, analyse_passages, concatenate_passages, passages_without_words
from polyseme.errors import TooLittleData, count_noun
from polyseme.induction.fitting import EXAMPLE_COUNT, FitTask, LemmaSenses
from polyseme.induction.model import LemmaVectors
from polyseme.induction.sense_descriptions import describe_by_substitutes, describe_senses
from polyseme.induction.sense_examples import select_examples
from polyseme.induction.usage_sources import needs_no_analysis, open_usage_source
from polyseme.inventory import Sense
from polyseme.vectors.representation import FittedRepresentation, needs_one_process
from polyseme.workers import parallel_map

if TYPE_CHECKING:
    from polyseme.induction.pipeline import Pipeline

LABEL_BATCH = 1000
"""How many usages are graded at a time: the output of a language model takes memory."""

READING_BATCH = 1000
"""How many usages of several lemmas a language model reads together: texts of one length, with little padding."""


class LemmaUsages(NamedTuple):
    """The usages of a lemma: those that its representation learns from, and those that are clustered."""

    training: Passages
    clustered: Passages


InductionTask = tuple["Pipeline", str, LemmaUsages, FittedRepresentation | None]
"""The steps, a lemma, its usages, and the representation if all lemmas share it."""


class VectorInduction:
    """The induction of senses from a corpus by a pipeline.

    ``analyser`` is the specification of the corpus' analyser, ``facts`` are its sizes, and ``missed`` has the lemmas
    without usages, with the reason.
    """

    def __init__(self, steps: Pipeline, task: FitTask) -> None:
        self.steps, self._processes = steps, task.processes
        self._source = open_usage_source(task, steps)
        self.analyser, self.facts = self._source.analyser, self._source.facts
        names = set(task.lemmas)
        to_label = [usage for usage in task.usages if usage.lemma in names]
        if needs_no_analysis(steps):
            self._to_label = passages_without_words(to_label)
        else:
            self._to_label = analyse_passages(to_label, as_analyser(self.analyser))
        self.missed = {lemma: reason for lemma, reason in self._source.missed.items() if lemma not in self._to_label}

    def induce(self, lemmas: Sequence[str]) -> Iterator[tuple[str, LemmaSenses | str]]:
        """Induce the senses of lemmas, some at a time unless all are learnt from together."""
        for steps, batch in self.steps.split_lemmas(lemmas):
            yield from self._induce_batch(steps, batch)

    def describe(self, senses: Mapping[str, LemmaSenses]) -> Mapping[str, LemmaSenses]:
        """Return the senses as they are: each lemma is described when it is induced."""
        return senses

    def _induce_batch(self, steps: Pipeline, lemmas: Sequence[str]) -> Iterator[tuple[str, LemmaSenses | str]]:
        usages, shared = self._gather_usages(lemmas), None
        if steps.mixed and usages:
            # Sorted, so that the order of the lemmas does not matter.
            training = concatenate_passages([usages[lemma].training for lemma in sorted(usages)])
            try:
                shared = steps.represent.fit(training)
            except TooLittleData as problem:
                yield from ((lemma, str(problem)) for lemma in usages)
                return
        tasks = [(steps, lemma, of_lemma, shared) for lemma, of_lemma in usages.items()]
        if not needs_one_process(steps.represent):
            yield from zip(usages, parallel_map(_induce_lemma, tasks, processes=self._processes), strict=True)
            return
        for group in _group_tasks(tasks):
            if steps.represent.reads_text and len(group) > 1:
                _fill_cache(steps, [task[2].clustered for task in group])
            yield from ((task[1], _induce_lemma(task)) for task in group)

    def _gather_usages(self, lemmas: Sequence[str]) -> dict[str, LemmaUsages]:
        """Gather the usages of lemmas from the corpus and from the usages to label.

        A representation that reads texts learns from the usages that are clustered, unless it learns from both: what
        it subtracts from their vectors should be what they have in common.
        """
        steps, to_label = self.steps, self._to_label
        learns_from_usages = steps.learn == "usages" or (steps.learn == "corpus" and steps.represent.reads_text)
        needs_corpus = steps.on != "usages" or bool(steps.add) or not learns_from_usages
        in_corpus = self._source.read([lemma for lemma in lemmas if needs_corpus or lemma not in to_label])
        gathered: dict[str, LemmaUsages] = {}
        for lemma in lemmas:
            corpus = [in_corpus[lemma]] if lemma in in_corpus else []
            labelled = [to_label[lemma].sample(steps.most)] if lemma in to_label else []
            if steps.on == "usages" and labelled:
                added = [others.sample(steps.add) for others in _exclude_usages(corpus, labelled) if steps.add]
                clustered = concatenate_passages([*labelled, *added])
            else:
                clustered = (corpus or labelled)[0]
            if steps.learn == "both":
                training = concatenate_passages([*_exclude_usages(corpus, labelled), *labelled])
            elif steps.represent.reads_text:
                training = clustered
            else:
                training = (labelled or corpus if steps.learn == "usages" else corpus or labelled)[0]
            gathered[lemma] = LemmaUsages(training, clustered)
        return gathered


def _exclude_usages(corpus: list[Passages], labelled: list[Passages]) -> list[Passages]:
    """Leave out the usages of a corpus that are also to be labelled."""
    contexts = {(usage.text, usage.start) for passages in labelled for usage in passages.usages}
    others = []
    for passages in corpus:
        is_other = [(usage.text, usage.start) not in contexts for usage in passages.usages]
        if any(is_other):
            others.append(passages.select(np.flatnonzero(is_other)))
    return others


def _group_tasks(tasks: Sequence[InductionTask]) -> Iterator[list[InductionTask]]:
    """Group lemmas whose usages a language model reads together."""
    group: list[InductionTask] = []
    for task in tasks:
        if group and sum(len(usages.clustered) for _, _, usages, _ in (*group, task)) > READING_BATCH:
            yield group
            group = []
        group.append(task)
    if group:
        yield group


def _fill_cache(steps: Pipeline, passages: Sequence[Passages]) -> None:
    """Let a language model read the usages of several lemmas; its answers are in the cache for each of them."""
    together = concatenate_passages(passages)
    with suppress(TooLittleData):
        steps.represent.fit(together)(together)


def _induce_lemma(task: InductionTask) -> LemmaSenses | str:
    """Induce the senses of a lemma, or explain why it has none."""
    steps, lemma, (training, clustered), shared = task
    try:
        fitted = steps.represent.fit(training) if shared is None else shared
        means, recurrence = steps.senses(fitted(clustered), clustered.usages)
        if not means.shape[0]:
            return f"none of its {count_noun(len(clustered), 'usage')} is in a cluster of {steps.cluster!r}"
        return _build_senses(steps, lemma, LemmaVectors(fitted, means), clustered, recurrence)
    except TooLittleData as problem:
        return str(problem)


def _build_senses(
    steps: Pipeline, lemma: str, vectors: LemmaVectors, passages: Passages, recurrence: Floats | None
) -> LemmaSenses:
    """Name the senses of a lemma, the most frequent first, with shares, descriptions and examples."""
    weights = grade_usages(steps, vectors, passages)
    totals = weights.sum(axis=0)
    order = np.argsort(-totals, kind="stable")
    labelled = max(int((weights.sum(axis=1) > 0).sum()), 1)
    name_features = getattr(vectors.fitted, "named_features", None) if steps.told == "substitutes" else None
    substitutes = name_features(passages) if name_features else None
    if substitutes is None:
        words = describe_senses(passages, weights[:, order])
    else:
        words = describe_by_substitutes(substitutes, weights[:, order], lemma)
    senses = []
    for number, sense in enumerate(order.tolist()):
        best = select_examples(passages.usages, weights[:, sense], words[number], EXAMPLE_COUNT)
        examples = tuple(replace(passages.usages[row], lemma=lemma) for row in best)
        name, share = f"{lemma}.s{number + 1}", float(totals[sense] / labelled)
        recurs = None if recurrence is None or np.isnan(recurrence[sense]) else float(recurrence[sense])
        features = tuple(words[number].items())
        senses.append(Sense(name, lemma, frequency=share, features=features, usages=examples, recurrence=recurs))
    ordered = LemmaVectors(vectors.fitted, vectors.senses[order])
    return LemmaSenses(tuple(senses), labelled / max(len(passages), 1), ordered)


def grade_usages(steps: Pipeline, vectors: LemmaVectors, passages: Passages) -> Floats:
    """Grade usages by senses: usages × senses, with rows that sum to 1, or are 0.

    If a lemma has one sense, every usage has it. A grader could not say so of centred vectors, whose mean is 0.
    """
    if vectors.senses.shape[0] == 1:
        return np.ones((len(passages), 1))
    weights = np.asarray(steps.grade(vectors.fitted(passages), vectors.senses), float)
    total = weights.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return shares


def grade_in_batches(steps: Pipeline, vectors: LemmaVectors, passages: Passages) -> Iterator[Floats]:
    """Yield the rows of :func:`grade_usages`, computed for some usages at a time."""
    for start in range(0, len(passages), LABEL_BATCH):
        rows = np.arange(start, min(start + LABEL_BATCH, len(passages)))
        yield from grade_usages(steps, vectors, passages.select(rows))
