"""Representations: they separate usages of two senses, and can be restored."""

import sys
from dataclasses import replace
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
import scipy.sparse as sp

from induction.corpora import MONEY, RIVER, usages
from polyseme.corpus.english_analyser import English
from polyseme.corpus.passages import Passages, analyse_passages, passages_without_words
from polyseme.errors import InputError, TooLittleData
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.context_vectors import SVD, FirstOrder, SecondOrder
from polyseme.vectors.random_vectors import Random
from polyseme.vectors.surface_forms import SurfaceForms
from polyseme.vectors.topics import HDP, LDA, infer_proportions

TOPICS = pytest.mark.skipif(
    find_spec("tomotopy") is None, reason="topics need tomotopy: pip install 'polyseme[topics]'"
)
BAG = Bag(minimum=3)
REPRESENTATIONS: list[Any] = [
    BAG,
    Bag(minimum=3, positions=2, weighting="tfidf"),
    Bag(minimum=3, weighting="binary"),
    FirstOrder(BAG, reach=9, association=0.0),
    SecondOrder(BAG),
    SecondOrder(BAG, by="bigram", association=0.0),
    SecondOrder(BAG, by="window", association=0.0, scale=False),
    SurfaceForms(),
    SurfaceForms(SVD(Bag(minimum=2), 3), stop=False),
    SVD(SecondOrder(BAG), 4),
    SVD(BAG, 500),
    pytest.param(LDA(BAG, topics=2, iterations=100), marks=TOPICS),
    pytest.param(LDA(BAG, topics=2, iterations=100, learn_alpha=False), marks=TOPICS),
    HDP(BAG, iterations=3),
    Random(3),
]
every_part = pytest.mark.parametrize("part", REPRESENTATIONS, ids=repr)


@pytest.fixture(scope="module")
def passages() -> Passages:
    return analyse_passages(usages(), English(), processes=1)["bank.n"]


def dense(matrix: Any) -> Any:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


@every_part
def test_representations_are_restored_and_reproducible(part: Any, passages: Passages) -> None:
    fitted = part.fit(passages)
    matrix = dense(fitted(passages))
    assert matrix.shape[0] == len(passages)
    assert np.isfinite(matrix).all()
    again = part.restore(fitted.state)
    assert np.array_equal(dense(again(passages)), matrix)
    assert np.array_equal(dense(part.fit(passages)(passages)), matrix)
    selected = dense(fitted(passages.select(np.array([5, 3]))))
    assert selected == pytest.approx(matrix[[5, 3]])
    assert build(repr(part)) == part


@pytest.mark.parametrize("part", REPRESENTATIONS[:-1], ids=repr)
def test_usages_of_one_sense_are_nearer(part: Any, passages: Passages) -> None:
    """Even usages are of one sense, odd ones of the other."""
    rows = dense(part.fit(passages)(passages))
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    near = rows @ rows.T
    even = np.arange(len(rows)) % 2 == 0
    within = (near[np.ix_(even, even)].mean() + near[np.ix_(~even, ~even)].mean()) / 2
    assert within > near[np.ix_(even, ~even)].mean() + 0.05


def test_bags_have_words_and_positions(passages: Passages) -> None:
    names = Bag(minimum=3, positions=1, pos="n").fit(passages).names
    assert {name.removesuffix(".n") for name in names if "#" not in name} >= {*RIVER, *MONEY}
    assert {name for name in names if "#" in name} == {"the#-1", "with#1"}


def test_wrong_options_of_a_bag_are_refused() -> None:
    with pytest.raises(InputError, match="pos is 'nx'; it must be one or more of the letters nvar"):
        Bag(pos="nx")
    with pytest.raises(InputError, match="minimum is 0; it must be 1 or more"):
        Bag(minimum=0)


def test_too_little_data_is_reported(passages: Passages) -> None:
    with pytest.raises(TooLittleData, match="no word is in 9999 of its 240 passages"):
        Bag(minimum=9999).fit(passages)
    with pytest.raises(TooLittleData, match="no word is near it"):
        FirstOrder(BAG, association=1e9).fit(passages)
    with pytest.raises(TooLittleData, match="no two words"):
        SecondOrder(BAG, association=1e9).fit(passages)


def test_hdp_finds_the_topics_that_were_planted(passages: Passages) -> None:
    """Two topics have nearly all words, each those of one field."""
    fitted = HDP(Bag(minimum=3, pos="n"), iterations=50).fit(passages)
    shares = fitted(passages)
    even, odd = shares[::2].mean(axis=0), shares[1::2].mean(axis=0)
    assert {int(even.argmax()), int(odd.argmax())} == {int(at) for at in np.argsort(-shares.sum(axis=0))[:2]}
    right = (shares[::2].argmax(axis=1) == even.argmax()).mean() + (shares[1::2].argmax(axis=1) == odd.argmax()).mean()
    assert right / 2 > 0.95


def test_proportions_sum_to_one() -> None:
    dice = np.random.default_rng(0)
    topics = dice.dirichlet(np.ones(8), 3)
    counts = sp.csr_array(dice.poisson(1.0, (20, 8)))
    assert infer_proportions(counts, topics, np.full(3, 0.1)).sum(axis=1) == pytest.approx(np.ones(20))


def test_the_rank_limits_the_dimensions(passages: Passages) -> None:
    fitted = SVD(BAG, 500).fit(passages)
    assert fitted(passages) @ fitted.axes.T == pytest.approx(dense(fitted.inner(passages)))


def test_random_vectors_depend_on_seed_and_usage(passages: Passages) -> None:
    one, other = (Random(3, seed).fit(passages)(passages) for seed in (0, 1))
    assert (one != other).any()
    assert one.sum(axis=0).min() > 40


def test_forms_of_words_and_of_the_target() -> None:
    texts = ["The bank lends.", "The banks lend.", "The banks lend."]
    passages = passages_without_words([Usage(f"u{number}", "bank.n", text, 4, 8) for number, text in enumerate(texts)])[
        "bank.n"
    ]
    fitted: Any = SurfaceForms(Bag(minimum=1, stop=0)).fit(passages)
    assert fitted.inner.names == ("bank", "banks", "lend", "lends")
    assert dense(fitted(passages)).tolist() == [[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0]]
    assert "the" in cast(Any, SurfaceForms(Bag(minimum=1, stop=0), stop=False).fit(passages)).inner.names
    assert fitted.spec.read(passages.select(np.array([], np.intp))).usages == ()


def test_stop_words_are_fetched_once_for_all_words(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = []

    class Text(ModuleType):
        @property
        def ENGLISH_STOP_WORDS(self) -> frozenset[str]:
            fetched.append(self)
            return frozenset({"the", "of"})

    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", Text("text"))
    unanalysed = passages_without_words([Usage("u", "bank.n", "The bank of the town lends money.", 4, 8)])["bank.n"]
    words = SurfaceForms().read(unanalysed).words
    assert {"·the", "·of", "bank", "town"} < set(words)
    assert len(fetched) == 1


def test_a_window_has_no_order() -> None:
    texts = ["old bank", "bank old", "old bank", "new shore", "shore new", "new shore"]
    passages = passages_without_words([Usage(f"u{number}", "bank.n", text, 0, 3) for number, text in enumerate(texts)])[
        "bank.n"
    ]
    words = SurfaceForms(SecondOrder(Bag(minimum=1, stop=0), by="window", minimum=3, scale=False))
    vectors = cast(Any, words.fit(passages)).inner.vectors.toarray()
    assert np.array_equal(vectors, vectors.T)
    assert vectors.max() > 1
    bigrams = replace(words, of=replace(cast(SecondOrder, words.of), by="bigram"))
    with pytest.raises(TooLittleData):
        bigrams.fit(passages)


@TOPICS
def test_a_prior_that_is_not_learnt_stays(passages: Passages) -> None:
    assert LDA(BAG, topics=2, alpha=3.0, iterations=20, learn_alpha=False).fit(passages).prior.tolist() == [3.0, 3.0]
    assert LDA(BAG, topics=2, alpha=3.0, iterations=20).fit(passages).prior.tolist() != [3.0, 3.0]
