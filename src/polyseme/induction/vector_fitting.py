"""From a corpus and lemmas to a model of vectors: what all pipelines have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.association import G2
from polyseme.corpus.passages import Passages, analyse_passages, concatenate_passages, passages_without_words
from polyseme.errors import TooLittleData
from polyseme.induction.fitting import EXAMPLE_COUNT, Corpus, FittingProgress, NothingInduced, ShowFitting
from polyseme.induction.usage_sources import UsageSource, needs_no_analysis, open_usage_source
from polyseme.induction.vector_model import InductionSteps, SenseVectors, VectorInducer, VectorModel, grade_usages
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.representation import FittedRepresentation, NamedFeatures, needs_one_process
from polyseme.workers import parallel_map

DESCRIPTION_LENGTH = 30
"""How many words tell a sense."""

INTERRUPTED = "it was stopped before"

LEMMA_BATCH = 100
"""Of how many lemmas the usages are in memory."""


class LemmaUsages(NamedTuple):
    """Of a lemma: the usages from which its representation is learnt, and those among which senses are found."""

    learnt_from: Passages
    clustered: Passages


class LemmaSenses(NamedTuple):
    """A lemma's senses as vectors, the most frequent first, and what tells them to people."""

    learnt: SenseVectors
    senses: tuple[Sense, ...]
    labelled: float


class LemmaCache(Protocol):
    """Where lemmas that are done are kept, with their senses or why they have none, for whoever begins again."""

    def get(self, lemma: str) -> LemmaSenses | str | None:
        """What was found of a lemma; nothing if it is not done."""
        ...

    def put(self, lemma: str, found: LemmaSenses | str) -> None:
        """Keep what was found of a lemma."""
        ...


def fit_vector_model(
    inducer: VectorInducer,
    corpus: Corpus,
    lemmas: Iterable[str],
    *,
    usages: Iterable[Usage] = (),
    analysed_by: Analyser | None = None,
    processes: int | None = None,
    show: ShowFitting | None = None,
    kept: LemmaCache | None = None,
) -> VectorModel:
    """Induce the senses of lemmas from an index, or from a list of usages.

    Interrupted from the keyboard, it returns the model of the lemmas that are done.

    Args:
        inducer: Says which steps are taken.
        corpus: An index, or usages, each of which is of the lemma that it names.
        lemmas: Whose senses to induce.
        usages: The usages that will be labelled. An inducer that clusters usages clusters these, and learns from them
            alone where the corpus has nothing of a lemma.
        analysed_by: Analyses the texts of usages; English by default. An index is analysed already.
        processes: How many processes work; by default as many as there are processors.
        show: Receives the progress after each lemma.
        kept: A cache of lemmas that are done, read and written here; not used if all lemmas are learnt together.

    Raises:
        NothingInduced: No lemma has senses.
    """
    steps, named = inducer.steps(), list(dict.fromkeys(lemmas))
    source = open_usage_source(corpus, named, steps, analysed_by)
    names = set(named)
    to_label = [usage for usage in usages if usage.lemma in names]
    given = (
        passages_without_words(to_label)
        if needs_no_analysis(steps)
        else analyse_passages(to_label, as_analyser(source.analyser))
    )
    missed = {lemma: why for lemma, why in source.missed.items() if lemma not in given}
    found = _induce_lemmas(
        _LemmaInduction(steps, lambda lemmas: gather_usages(steps, source, lemmas, given), processes),
        [lemma for lemma in named if lemma not in missed],
        None if steps.mixed else kept,
        show or (lambda _: None),
    )
    missed |= {lemma: why for lemma, why in found.items() if isinstance(why, str)}
    done = {lemma: each for lemma, each in found.items() if not isinstance(each, str)}
    if not done:
        raise NothingInduced(inducer, missed)
    inventory = Inventory(sense for each in done.values() for sense in each.senses)
    facts = {**source.facts, "labelled": {lemma: each.labelled for lemma, each in done.items()}}
    learnt = {lemma: each.learnt for lemma, each in done.items()}
    return VectorModel(inducer, source.analyser, inventory, learnt, missed, facts)


def gather_usages(
    steps: InductionSteps, source: UsageSource, lemmas: Sequence[str], given: Mapping[str, Passages]
) -> dict[str, LemmaUsages]:
    """What is known of each lemma, of which there are usages in the corpus, or given ones.

    A representation that reads texts learns from the usages that are clustered, unless it learns from both: what it
    takes away from their vectors should be what they have in common.
    """
    in_corpus = source.passages([lemma for lemma in lemmas if _needs_corpus(steps) or lemma not in given])
    material: dict[str, LemmaUsages] = {}
    for lemma in lemmas:
        known = [in_corpus[lemma]] if lemma in in_corpus else []
        mine = [given[lemma].sample(steps.most)] if lemma in given else []
        if steps.on == "usages" and mine:
            clustered = concatenate_passages(
                [*mine, *(each.sample(steps.add) for each in _exclude_usages(known, mine) if steps.add)]
            )
        else:
            clustered = (known or mine)[0]
        material[lemma] = LemmaUsages(_choose_training_usages(steps, known, mine, clustered), clustered)
    return material


def _needs_corpus(steps: InductionSteps) -> bool:
    """Whether anything is learnt from the corpus about lemmas whose usages are given."""
    own = steps.learn == "usages" or (steps.learn == "corpus" and steps.represent.reads_text)
    return steps.on != "usages" or bool(steps.add) or not own


def _choose_training_usages(
    steps: InductionSteps, known: list[Passages], mine: list[Passages], clustered: Passages
) -> Passages:
    """The usages that the representation is learnt from."""
    if steps.learn == "both":
        return concatenate_passages([*_exclude_usages(known, mine), *mine])
    if steps.represent.reads_text:
        return clustered
    return (mine or known if steps.learn == "usages" else known or mine)[0]


def _exclude_usages(known: list[Passages], mine: list[Passages]) -> list[Passages]:
    """The usages of the corpus without the given ones, which a corpus of usages may have too."""
    contexts = {(usage.text, usage.start) for passages in mine for usage in passages.usages}
    others = [
        passages.chosen(np.flatnonzero([(usage.text, usage.start) not in contexts for usage in passages.usages]))
        for passages in known
    ]
    return [passages for passages in others if len(passages)]


class _LemmaInduction(NamedTuple):
    """What is done with lemmas, from which usages, and by how many processes."""

    steps: InductionSteps
    material: Callable[[Sequence[str]], Mapping[str, LemmaUsages]]
    processes: int | None

    def each(self, lemmas: Sequence[str]) -> Iterator[tuple[str, LemmaSenses | str]]:
        """The senses of one lemma after the other, or why it has none."""
        steps, material = self.steps, self.material(lemmas)
        count, mixed = 1 if needs_one_process(steps.represent) else self.processes, steps.mixed and bool(material)
        try:
            # Sorted, so that the order in which lemmas are named does not matter.
            shared = (
                steps.represent.fit(concatenate_passages([material[lemma].learnt_from for lemma in sorted(material)]))
                if mixed
                else None
            )
        except TooLittleData as problem:
            yield from ((lemma, str(problem)) for lemma in material)
            return
        work = [(steps, lemma, each, shared) for lemma, each in material.items()]
        yield from zip(material, parallel_map(_induce_lemma, work, processes=count), strict=True)


def _induce_lemmas(
    work: _LemmaInduction, lemmas: Sequence[str], kept: LemmaCache | None, show: ShowFitting
) -> dict[str, LemmaSenses | str]:
    """The senses of each lemma, or why it has none; some lemmas at a time, unless all are learnt from together."""
    found = {lemma: each for lemma in lemmas if kept is not None and (each := kept.get(lemma)) is not None}
    left = [lemma for lemma in lemmas if lemma not in found]
    size = max(len(left), 1) if work.steps.mixed else LEMMA_BATCH
    try:
        for start in range(0, len(left), size):
            for lemma, each in work.each(left[start : start + size]):
                found[lemma] = each
                if kept is not None:
                    kept.put(lemma, each)
                show(FittingProgress(len(found), len(lemmas), lemma))
    except KeyboardInterrupt:
        if not any(isinstance(each, LemmaSenses) for each in found.values()):
            raise
    return {lemma: found.get(lemma, INTERRUPTED) for lemma in lemmas}


def _induce_lemma(work: tuple[InductionSteps, str, LemmaUsages, FittedRepresentation | None]) -> LemmaSenses | str:
    """The senses of one lemma, or why it has none."""
    steps, lemma, (learnt_from, clustered), shared = work
    try:
        fitted = steps.represent.fit(learnt_from) if shared is None else shared
        senses = steps.senses(fitted(clustered))
        if not senses.shape[0]:
            return "no senses were found"
        return _build_senses(steps, lemma, SenseVectors(fitted, senses), clustered)
    except TooLittleData as problem:
        return str(problem)


# -- describing ----------------------------------------------------------------------------------------------------


def _build_senses(steps: InductionSteps, lemma: str, learnt: SenseVectors, given: Passages) -> LemmaSenses:
    """The senses with names, the most frequent first, their shares, the words that tell them and their best usages."""
    weights = grade_usages(steps, learnt, given)
    totals = weights.sum(axis=0)
    order = np.argsort(-totals, kind="stable")
    labelled = max(int((weights.sum(axis=1) > 0).sum()), 1)
    telling = (
        learnt.fitted.telling(given) if steps.told == "substitutes" and hasattr(learnt.fitted, "telling") else None
    )
    words = (
        describe_senses(given, weights[:, order])
        if telling is None
        else describe_by_substitutes(telling, weights[:, order])
    )
    senses = []
    for number, sense in enumerate(order.tolist()):
        best = np.argsort(-weights[:, sense], kind="stable")[:EXAMPLE_COUNT].tolist()
        examples = tuple(replace(given.usages[row], lemma=lemma) for row in best if weights[row, sense])
        share = float(totals[sense] / labelled)
        name = f"{lemma}.s{number + 1}"
        senses.append(Sense(name, lemma, frequency=share, features=tuple(words[number].items()), usages=examples))
    return LemmaSenses(SenseVectors(learnt.fitted, learnt.senses[order]), tuple(senses), labelled / max(len(given), 1))


def describe_senses(given: Passages, weights: Floats) -> list[dict[str, float]]:
    """The words that are more frequent in the usages of a sense than in the others, with their G².

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> texts = ["the bank lends", "the bank lends", "the bank floods", "the bank floods"]
    >>> given = analyse_passages([Usage(f"u{n}", "bank", text, 4, 8) for n, text in enumerate(texts)], Simple(lemmatise=False))
    >>> [list(each) for each in describe_senses(given["bank"], np.array([[1, 0], [1, 0], [0, 1], [0, 1]], float))]
    [['lends'], ['floods']]
    """
    try:
        words = Bag(minimum=2 if len(given) > 1 else 1).fit(given)
    except TooLittleData:
        return [{} for _ in range(weights.shape[1])]
    counts = (words.counts(given) > 0).astype(float)
    joint = np.asarray(counts.T @ weights)
    each, first, total = np.asarray(counts.sum(axis=0)).ravel(), weights.sum(axis=0), float(max(weights.sum(), 1e-9))
    found: list[dict[str, float]] = []
    for sense in range(weights.shape[1]):
        if not first[sense]:
            found.append({})
            continue
        there = np.minimum(joint[:, sense], np.minimum(each, first[sense]))
        value = G2(signed=True).of(there, np.full(len(each), first[sense]), np.minimum(each, total), total)
        best = [at for at in np.argsort(-value, kind="stable")[:DESCRIPTION_LENGTH].tolist() if value[at] > 0]
        found.append({words.names[at]: float(value[at]) for at in best})
    return found


def describe_by_substitutes(telling: NamedFeatures, weights: Floats) -> list[dict[str, float]]:
    """The names that a sense has more of than the lemma as a whole, by p(name | sense) · ln p(name | sense) / p(name).

    That is what each adds to the Kullback–Leibler divergence of the two (Kullback & Leibler 1951): frequent names of
    the sense come first, but not those that all senses have. Of a single sense they are the most frequent.

    >>> found = NamedFeatures(("lender", "shore", "place"), np.array([[0.5, 0.0, 0.5], [0.0, 0.4, 0.6]]))
    >>> [list(each) for each in describe_by_substitutes(found, np.eye(2))]
    [['lender'], ['shore', 'place']]
    """
    joint = np.asarray((telling.weights.T @ weights).T, float)
    shares = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-12)
    whole = joint.sum(axis=0) / max(joint.sum(), 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(shares > 0, shares * np.log(shares / whole), 0.0) if len(shares) > 1 else shares
    return [
        {
            telling.names[at]: float(row[at])
            for at in np.argsort(-row, kind="stable")[:DESCRIPTION_LENGTH].tolist()
            if row[at] > 0
        }
        for row in value
    ]
