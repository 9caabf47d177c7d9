"""The words that describe senses to people."""

from __future__ import annotations

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.association import G2
from polyseme.corpus.passages import Passages
from polyseme.errors import TooLittleData
from polyseme.induction.descriptive_lemmas import find_descriptive_lemmas
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.representation import NamedFeatures

DESCRIPTION_LENGTH = 30
"""How many words describe a sense."""


def describe_senses(passages: Passages, weights: Floats) -> list[dict[str, float]]:
    """Describe senses by the words that are more frequent in their usages than in the others, with their G².

    Args:
        passages: The usages of a lemma.
        weights: Usages × senses.

    >>> from polyseme.corpus.passages import analyse_passages
    >>> from polyseme.corpus.simple_analyser import Simple
    >>> from polyseme.usage import Usage
    >>> texts = ["the bank lends", "the bank lends", "the bank floods", "the bank floods"]
    >>> usages = [Usage(f"u{number}", "bank", text, 4, 8) for number, text in enumerate(texts)]
    >>> passages = analyse_passages(usages, Simple(lemmatise=False))["bank"]
    >>> [list(words) for words in describe_senses(passages, np.array([[1, 0], [1, 0], [0, 1], [0, 1]], float))]
    [['lends'], ['floods']]
    """
    try:
        words = Bag(minimum=2 if len(passages) > 1 else 1).fit(passages)
    except TooLittleData:
        return [{} for _ in range(weights.shape[1])]
    counts = (words.counts(passages) > 0).astype(float)
    joint, sizes = np.asarray(counts.T @ weights), weights.sum(axis=0)
    frequency, total = np.asarray(counts.sum(axis=0)).ravel(), float(max(weights.sum(), 1e-9))
    descriptions: list[dict[str, float]] = []
    for sense, size in enumerate(sizes.tolist()):
        shared = np.minimum(joint[:, sense], np.minimum(frequency, size))
        whole, second = np.full(len(frequency), size), np.minimum(frequency, total)
        association = G2(signed=True).compute(shared, whole, second, total) if size else shared
        descriptions.append(_select_highest(words.names, association))
    return descriptions


def describe_by_substitutes(substitutes: NamedFeatures, weights: Floats, lemma: str = "") -> list[dict[str, float]]:
    """Describe senses by the substitutes that they have more of than the other senses of the lemma.

    A substitute s of sense t counts p(s | t) · ln p(s | t) / p(s | ¬t), which is what it adds to the Kullback–Leibler
    divergence from the other senses (Kullback & Leibler 1951). So frequent substitutes of the sense come first, but not
    those of all senses. A substitute describes only the sense with the greatest share of it. Shares are smoothed with
    one usage that has all substitutes of the lemma. A single sense has the most frequent substitutes.

    Substitutes are counted by lemma; :func:`~polyseme.induction.descriptive_lemmas.find_descriptive_lemmas` says which.

    Args:
        substitutes: Usages × substitutes.
        weights: Usages × senses.
        lemma: The lemma; its own forms and derivations do not describe it.

    >>> substitutes = NamedFeatures(("lender", "shores", "shore"), np.array([[0.9, 0.0, 0.1], [0.0, 0.4, 0.6]]))
    >>> [list(words) for words in describe_by_substitutes(substitutes, np.eye(2), "bank.n")]
    [['lender'], ['shore']]
    """
    names, usages = _sum_by_lemma(substitutes, lemma)
    joint = np.asarray((usages.T @ weights).T, float)
    total = joint.sum(axis=0)
    if len(joint) == 1:
        return [_select_highest(names, total / max(total.sum(), 1e-12))]
    prior = total / max(total.sum(), 1e-12)
    shares, others = ((part + prior) / (part.sum(axis=1, keepdims=True) + 1) for part in (joint, total - joint))
    ratios = np.divide(shares, others, out=np.ones_like(shares), where=others > 0)
    terms = np.where(shares == shares.max(axis=0), shares * np.log(ratios), 0.0)
    return [_select_highest(names, row) for row in terms]


def _sum_by_lemma(substitutes: NamedFeatures, lemma: str) -> NamedFeatures:
    """Sum the weights of substitutes that describe a sense under the same lemma; leave out those that do not."""
    import scipy.sparse as sp

    lemmas = find_descriptive_lemmas(substitutes.names, lemma)
    names = tuple(dict.fromkeys(filter(None, lemmas)))
    column = {name: number for number, name in enumerate(names)}
    rows = [row for row, name in enumerate(lemmas) if name]
    entries = (np.ones(len(rows)), (rows, [column[lemmas[row]] for row in rows]))
    return NamedFeatures(names, substitutes.weights @ sp.csr_array(entries, shape=(len(lemmas), len(names))))


def _select_highest(names: tuple[str, ...], values: Floats) -> dict[str, float]:
    """Select the names with the highest positive values, the highest first."""
    order = np.argsort(-values, kind="stable")[:DESCRIPTION_LENGTH].tolist()
    return {names[number]: float(values[number]) for number in order if values[number] > 0}
