"""From a corpus and lemmas to a model of vectors: what all pipelines have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.analysers import Analyser, analyser
from polyseme.corpus.association import G2
from polyseme.corpus.passages import Passages, joined, passages, unread
from polyseme.induce.fitting import (
    EXAMPLES,
    Corpus,
    NothingInduced,
    Progress,
    Show,
    TooLittle,
)
from polyseme.induce.usage_sources import UsageSource, reads_no_words, usage_source
from polyseme.induce.vector_model import Learnt, Steps, VectorInducer, VectorModel, graded
from polyseme.induce.vectors.representation import Fitted, Telling, alone
from polyseme.induce.vectors.words import Bag
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage
from polyseme.workers import mapped

FEATURES = 30
"""How many words tell a sense."""

STOPPED = "it was stopped before"

AT_ONCE = 100
"""Of how many lemmas the usages are in memory."""


class Material(NamedTuple):
    """Of a lemma: the usages from which its representation is learnt, and those among which senses are found."""

    learnt_from: Passages
    clustered: Passages


class Found(NamedTuple):
    """A lemma's senses as vectors, the most frequent first, and what tells them to people."""

    learnt: Learnt
    senses: tuple[Sense, ...]
    labelled: float


class Kept(Protocol):
    """Where lemmas that are done are kept, with their senses or why they have none, for whoever begins again."""

    def get(self, lemma: str) -> Found | str | None:
        """What was found of a lemma; nothing if it is not done."""
        ...

    def put(self, lemma: str, found: Found | str) -> None:
        """Keep what was found of a lemma."""
        ...


def fitted_vectors(
    inducer: VectorInducer,
    corpus: Corpus,
    lemmas: Iterable[str],
    *,
    usages: Iterable[Usage] = (),
    analysed_by: Analyser | None = None,
    processes: int | None = None,
    show: Show | None = None,
    kept: Kept | None = None,
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
    source = usage_source(corpus, named, steps, analysed_by)
    names = set(named)
    to_label = [usage for usage in usages if usage.lemma in names]
    given = unread(to_label) if reads_no_words(steps) else passages(to_label, analyser(source.analyser))
    missed = {lemma: why for lemma, why in source.missed.items() if lemma not in given}
    found = _found(
        _Work(steps, lambda lemmas: gathered(steps, source, lemmas, given), processes),
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


def gathered(
    steps: Steps, source: UsageSource, lemmas: Sequence[str], given: Mapping[str, Passages]
) -> dict[str, Material]:
    """What is known of each lemma, of which there are usages in the corpus, or given ones.

    A representation that reads texts learns from the usages that are clustered, unless it learns from both: what it
    takes away from their vectors should be what they have in common.
    """
    in_corpus = source.passages([lemma for lemma in lemmas if _reads_corpus(steps) or lemma not in given])
    material: dict[str, Material] = {}
    for lemma in lemmas:
        known = [in_corpus[lemma]] if lemma in in_corpus else []
        mine = [given[lemma].sample(steps.most)] if lemma in given else []
        if steps.on == "usages" and mine:
            clustered = joined([*mine, *(each.sample(steps.add) for each in _besides(known, mine) if steps.add)])
        else:
            clustered = (known or mine)[0]
        material[lemma] = Material(_learnt_from(steps, known, mine, clustered), clustered)
    return material


def _reads_corpus(steps: Steps) -> bool:
    """Whether anything is learnt from the corpus about lemmas whose usages are given."""
    own = steps.learn == "usages" or (steps.learn == "corpus" and steps.represent.reads_text)
    return steps.on != "usages" or bool(steps.add) or not own


def _learnt_from(steps: Steps, known: list[Passages], mine: list[Passages], clustered: Passages) -> Passages:
    """The usages that the representation is learnt from."""
    if steps.learn == "both":
        return joined([*_besides(known, mine), *mine])
    if steps.represent.reads_text:
        return clustered
    return (mine or known if steps.learn == "usages" else known or mine)[0]


def _besides(known: list[Passages], mine: list[Passages]) -> list[Passages]:
    """The usages of the corpus without the given ones, which a corpus of usages may have too."""
    contexts = {(usage.text, usage.start) for passages in mine for usage in passages.usages}
    others = [
        passages.chosen(np.flatnonzero([(usage.text, usage.start) not in contexts for usage in passages.usages]))
        for passages in known
    ]
    return [passages for passages in others if len(passages)]


class _Work(NamedTuple):
    """What is done with lemmas, from which usages, and by how many processes."""

    steps: Steps
    material: Callable[[Sequence[str]], Mapping[str, Material]]
    processes: int | None

    def each(self, lemmas: Sequence[str]) -> Iterator[tuple[str, Found | str]]:
        """The senses of one lemma after the other, or why it has none."""
        steps, material = self.steps, self.material(lemmas)
        count, mixed = 1 if alone(steps.represent) else self.processes, steps.mixed and bool(material)
        try:
            # Sorted, so that the order in which lemmas are named does not matter.
            shared = (
                steps.represent.fit(joined([material[lemma].learnt_from for lemma in sorted(material)]))
                if mixed
                else None
            )
        except TooLittle as problem:
            yield from ((lemma, str(problem)) for lemma in material)
            return
        work = [(steps, lemma, each, shared) for lemma, each in material.items()]
        yield from zip(material, mapped(_one, work, processes=count), strict=True)


def _found(work: _Work, lemmas: Sequence[str], kept: Kept | None, show: Show) -> dict[str, Found | str]:
    """The senses of each lemma, or why it has none; some lemmas at a time, unless all are learnt from together."""
    found = {lemma: each for lemma in lemmas if kept is not None and (each := kept.get(lemma)) is not None}
    left = [lemma for lemma in lemmas if lemma not in found]
    size = max(len(left), 1) if work.steps.mixed else AT_ONCE
    try:
        for start in range(0, len(left), size):
            for lemma, each in work.each(left[start : start + size]):
                found[lemma] = each
                if kept is not None:
                    kept.put(lemma, each)
                show(Progress(len(found), len(lemmas), lemma))
    except KeyboardInterrupt:
        if not any(isinstance(each, Found) for each in found.values()):
            raise
    return {lemma: found.get(lemma, STOPPED) for lemma in lemmas}


def _one(work: tuple[Steps, str, Material, Fitted | None]) -> Found | str:
    """The senses of one lemma, or why it has none."""
    steps, lemma, (learnt_from, clustered), shared = work
    try:
        fitted = steps.represent.fit(learnt_from) if shared is None else shared
        senses = steps.senses(fitted(clustered))
        if not senses.shape[0]:
            return "no senses were found"
        return _described(steps, lemma, Learnt(fitted, senses), clustered)
    except TooLittle as problem:
        return str(problem)


# -- describing ----------------------------------------------------------------------------------------------------


def _described(steps: Steps, lemma: str, learnt: Learnt, given: Passages) -> Found:
    """The senses with names, the most frequent first, their shares, the words that tell them and their best usages."""
    weights = graded(steps, learnt, given)
    totals = weights.sum(axis=0)
    order = np.argsort(-totals, kind="stable")
    labelled = max(int((weights.sum(axis=1) > 0).sum()), 1)
    telling = (
        learnt.fitted.telling(given) if steps.told == "substitutes" and hasattr(learnt.fitted, "telling") else None
    )
    words = told(given, weights[:, order]) if telling is None else characteristic(telling, weights[:, order])
    senses = []
    for number, sense in enumerate(order.tolist()):
        best = np.argsort(-weights[:, sense], kind="stable")[:EXAMPLES].tolist()
        examples = tuple(replace(given.usages[row], lemma=lemma) for row in best if weights[row, sense])
        share = float(totals[sense] / labelled)
        name = f"{lemma}.s{number + 1}"
        senses.append(Sense(name, lemma, frequency=share, features=tuple(words[number].items()), usages=examples))
    return Found(Learnt(learnt.fitted, learnt.senses[order]), tuple(senses), labelled / max(len(given), 1))


def told(given: Passages, weights: Floats) -> list[dict[str, float]]:
    """The words that are more frequent in the usages of a sense than in the others, with their G².

    >>> from polyseme.corpus.simple import Simple
    >>> texts = ["the bank lends", "the bank lends", "the bank floods", "the bank floods"]
    >>> given = passages([Usage(f"u{n}", "bank", text, 4, 8) for n, text in enumerate(texts)], Simple(lemmatise=False))
    >>> [list(each) for each in told(given["bank"], np.array([[1, 0], [1, 0], [0, 1], [0, 1]], float))]
    [['lends'], ['floods']]
    """
    try:
        words = Bag(minimum=2 if len(given) > 1 else 1).fit(given)
    except TooLittle:
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
        best = [at for at in np.argsort(-value, kind="stable")[:FEATURES].tolist() if value[at] > 0]
        found.append({words.names[at]: float(value[at]) for at in best})
    return found


def characteristic(telling: Telling, weights: Floats) -> list[dict[str, float]]:
    """The names that a sense has more of than the lemma as a whole, by p(name | sense) · ln p(name | sense) / p(name).

    That is what each adds to the Kullback–Leibler divergence of the two (Kullback & Leibler 1951): frequent names of
    the sense come first, but not those that all senses have. Of a single sense they are the most frequent.

    >>> found = Telling(("lender", "shore", "place"), np.array([[0.5, 0.0, 0.5], [0.0, 0.4, 0.6]]))
    >>> [list(each) for each in characteristic(found, np.eye(2))]
    [['lender'], ['shore', 'place']]
    """
    joint = np.asarray((telling.weights.T @ weights).T, float)
    shares = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-12)
    whole = joint.sum(axis=0) / max(joint.sum(), 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(shares > 0, shares * np.log(shares / whole), 0.0) if len(shares) > 1 else shares
    return [
        {telling.names[at]: float(row[at]) for at in np.argsort(-row, kind="stable")[:FEATURES].tolist() if row[at] > 0}
        for row in value
    ]
