"""Models whose senses are vectors: what they learn from a corpus with two senses, and that they stay what they are."""

import random
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.mixture import GaussianMixture

from induction.corpora import MONEY, OTHERS, RIVER, background, usages
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.graders import Nearest, Softmax
from polyseme.clustering.number_of_clusters import Fixed, Silhouette, Sizeable
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.passages import analyse_passages
from polyseme.errors import InputError
from polyseme.induction.duluth import Duluth
from polyseme.induction.fitting import INTERRUPTED, FittingProgress, NothingInduced
from polyseme.induction.ksu import KSU
from polyseme.induction.multi_prototype import MultiPrototype
from polyseme.induction.pipeline import Pipeline, cluster_means
from polyseme.induction.sense_descriptions import describe_senses
from polyseme.induction.unimelb import Unimelb
from polyseme.induction.vector_induction import _induce_lemma
from polyseme.models import load_model
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.context_vectors import SVD, SecondOrder

TOPICS = pytest.mark.skipif(
    find_spec("tomotopy") is None, reason="topics need tomotopy: pip install 'polyseme[topics]'"
)
BAG = Bag(minimum=3)
PIPELINE = Pipeline(BAG, number=Fixed(2), sentences=1)
MODELS: list[Any] = [
    PIPELINE,
    Pipeline(SecondOrder(BAG), Agglomerative(), Silhouette(4), Softmax(), on="usages", smallest=3),
    MultiPrototype(clusters=2),
    Unimelb(iterations=100),
]
each = pytest.mark.parametrize("model", MODELS, ids=repr)
DULUTH = [Duluth(), Duluth("WSI-Co-Gap"), Duluth("WSI-SVD"), Duluth("Mix-Uni-PK2")]
KSU_SMALL = pytest.param(KSU(topics=5, clusters=4, iterations=50), marks=TOPICS)
of_all = pytest.mark.parametrize("model", [*MODELS, *DULUTH, KSU_SMALL], ids=repr)


OWN_NUMBERS: list[Any] = [
    (AgglomerativeClustering(n_clusters=2), None, 2),
    (AgglomerativeClustering(n_clusters=2), 5, 5),
    (AgglomerativeClustering(n_clusters=2), Fixed(3), 3),
    (AgglomerativeClustering(n_clusters=None, distance_threshold=1e9), None, 1),
    (AgglomerativeClustering(n_clusters=None, distance_threshold=1e9), 4, 4),
    (GaussianMixture(n_components=3, random_state=0), None, 3),
    (DBSCAN(eps=1e9), None, 1),
    (DBSCAN(eps=1e9), 5, 1),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index([*usages(), *background()], tmp_path_factory.mktemp("index") / "i", English())


def purity(labelling: Any) -> float:
    """How many usages have the sense that most usages of their kind, even or odd, have; over both kinds."""
    best: dict[int, list[str]] = {0: [], 1: []}
    for usage, senses in labelling.items():
        best[int(usage.rpartition(".")[2]) % 2].append(max(senses, key=senses.get))
    clusters = {sense for each in best.values() for sense in each}
    return sum(max(kind.count(sense) for kind in best.values()) for sense in clusters) / max(len(labelling), 1)


@each
def test_the_two_senses_are_found(model: Any, index: Index) -> None:
    asked = usages(60, seed=5)
    made = model.fit(index, ["bank.n"], usages=asked, processes=1)
    labelling = made.label(asked)
    assert len(labelling) == len(asked)
    assert purity(labelling) > 0.9
    assert all(sum(senses.values()) == pytest.approx(1) for _, senses in labelling.items())
    senses = made.inventory["bank.n"]
    shares = [sense.frequency for sense in senses]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    words = [{name.removesuffix(".n") for name, _ in sense.features[:5]} for sense in senses[:2]]
    assert all(each <= {*RIVER} or each <= {*MONEY} for each in words if each)


def test_with_options_of_numpy_it_can_be_loaded(index: Index, tmp_path: Path) -> None:
    made = Pipeline(BAG, number=np.int64(2), share=np.float64(0.5), sentences=1).fit(index, ["bank.n"], processes=1)
    made.save(tmp_path / "model")
    assert len(made.inventory["bank.n"]) == 2
    assert load_model(tmp_path / "model").inducer == Pipeline(BAG, number=2, share=0.5, sentences=1)


@of_all
def test_saved_and_loaded(model: Any, index: Index, tmp_path: Path) -> None:
    made = model.fit(index, ["bank.n"], processes=1)
    made.save(tmp_path / "model")
    again = load_model(tmp_path / "model")
    assert again.inventory == made.inventory
    assert again.inducer == model
    asked = usages(20, seed=5)
    assert again.label(asked) == made.label(asked)
    assert repr(again) == repr(made)
    vectors = tmp_path / "model" / "vectors" / "0.npz"
    for damaged in (b"PK", b"", vectors.read_bytes()[:-40]):
        vectors.write_bytes(damaged)
        with pytest.raises(InputError, match="this model is damaged"):
            load_model(tmp_path / "model")
    with pytest.raises(InputError, match="this is an index"):
        made.save(index.folder)


@of_all
def test_parts_of_their_own(model: Any) -> None:
    assert build(repr(model), "inducer") == model
    assert build(repr(model.steps())) == model.steps()


def inflected(count: int = 40) -> list[Usage]:
    """Usages of *bank*: the singular in even ones, the plural in odd ones, each with words of its own behind it."""
    dice = random.Random(0)
    verbs = (("lends", "pays", "owns"), ("flood", "erode", "freeze"))
    made = []
    for number in range(count):
        form, plural = ("bank", "banks")[number % 2], number % 2
        text = f"{dice.choice(OTHERS)} {form} {dice.choice(verbs[plural])} {dice.choice((MONEY, RIVER)[plural])}."
        start = text.index(form)
        made.append(Usage(f"bank.n.{number}", "bank.n", text, start, start + len(form)))
    return made


@pytest.mark.parametrize("variant", ["WSI", "WSI-Co", "Mix-PK2", "Mix-Narrow-PK2"])
def test_forms_of_the_target_are_told_apart(variant: Any, index: Index) -> None:
    """As in the submitted keys of Duluth, which know no lemmas."""
    asked = inflected()
    made = Duluth(variant).fit(index, ["bank.n"], usages=asked, processes=1)
    labelling = made.label(asked)
    assert len(labelling) == len(asked)
    assert purity(labelling) == 1


def test_words_are_learnt_from_what_is_said(index: Index) -> None:
    """The usages to be labelled, those of the corpus, or both."""
    asked = inflected()
    words = {}
    for learn in ("usages", "corpus", "both"):
        pipeline = Pipeline(Bag(minimum=2), on="usages", learn=learn, sentences=1)
        made = pipeline.fit(index, ["bank.n"], usages=asked, processes=1)
        words[learn] = set(made.vectors["bank.n"].fitted.state["names"].tolist())
    assert "erode.v" in words["usages"] - words["corpus"]
    assert words["corpus"] - words["usages"]
    assert words["both"] >= words["usages"] | words["corpus"]


@TOPICS
def test_nouns_and_verbs_have_as_many_clusters_as_in_the_key_of_ksu() -> None:
    verbs = [Usage(each.id.replace(".n", ".v"), "bank.v", each.text, each.start, each.end) for each in usages(60, 7)]
    asked = [*usages(60, seed=5), *verbs]
    made = KSU(topics=30, iterations=20).fit(usages(), ["bank.n", "bank.v", "absent.v"], usages=asked, processes=1)
    assert {lemma: len(senses) for lemma, senses in made.inventory.items()} == {"bank.n": 23, "bank.v": 12}
    assert set(made.missed) == {"absent.v"}
    assert made.vectors["bank.n"].fitted is not made.vectors["bank.v"].fitted
    assert len(made.label(asked)) == 120
    with pytest.raises(NothingInduced, match=r"absent\.v: none of the usages is of this lemma"):
        KSU(topics=5).fit(usages(), ["absent.v"])


def test_lots_find_nothing(index: Index) -> None:
    asked = usages(200, seed=5)
    made = Duluth("R-12").fit(index, ["bank.n"], usages=asked, processes=1)
    assert 0.5 <= purity(made.label(asked)) < 0.65
    assert len(made.inventory["bank.n"]) == 2


def test_estimators_of_scikit_learn_plug_in(index: Index) -> None:
    from sklearn.cluster import BisectingKMeans

    made = Pipeline(BAG, BisectingKMeans(random_state=0), Fixed(2), Nearest()).fit(index, ["bank.n"], processes=1)
    assert purity(made.label(usages(40, seed=5))) > 0.9


@pytest.mark.parametrize("estimator", [AgglomerativeClustering(), GaussianMixture(random_state=0)], ids=repr)
def test_estimators_that_take_no_sparse_rows(estimator: Any, index: Index, tmp_path: Path) -> None:
    """And a model with one can be loaded: labelling does not need it."""
    made = Pipeline(BAG, estimator, 2, Nearest()).fit(index, ["bank.n"], processes=1)
    assert len(made.inventory["bank.n"]) == 2
    made.save(tmp_path / "model")
    asked = usages(10, seed=5)
    assert load_model(tmp_path / "model").label(asked) == made.label(asked)


@pytest.mark.parametrize("estimator, number, senses", OWN_NUMBERS, ids=repr)
def test_an_estimator_that_knows_its_number_is_believed(
    estimator: Any, number: Any, senses: int, index: Index, tmp_path: Path
) -> None:
    """Unless a number is asked for; and so is its model, loaded again."""
    rows = SVD(Bag(minimum=3, weighting="tfidf"), 4)
    made = Pipeline(rows, estimator, number, Nearest(), sentences=1).fit(index, ["bank.n"], processes=1)
    assert len(made.inventory["bank.n"]) == senses
    made.save(tmp_path / "model")
    asked = usages(10, seed=5)
    assert load_model(tmp_path / "model").label(asked) == made.label(asked)


def test_seven_senses_where_no_number_is_known(index: Index) -> None:
    assert len(Pipeline(BAG, sentences=1).fit(index, ["bank.n"], processes=1).inventory["bank.n"]) == 7
    assert Pipeline(cluster=AgglomerativeClustering(n_clusters=5)).senses(np.eye(3)).shape == (3, 3)


def test_too_little_of_corpus_and_usages(index: Index) -> None:
    with pytest.raises(NothingInduced, match="it does not occur in the corpus"):
        Duluth("Mix-PK2").fit(index, ["zebra.n"])
    few = [Usage(f"u{number}", "bank.n", "The bank.", 4, 8) for number in range(3)]
    with pytest.raises(NothingInduced, match="no two words"):
        Duluth("Mix-PK2").fit(few, ["bank.n"], usages=few)


def test_a_sense_that_no_usage_has() -> None:
    given = analyse_passages(usages(4), English())["bank.n"]
    assert describe_senses(given, np.array([[1, 0]] * 4, float))[1] == {}


@pytest.mark.parametrize(
    "wrong",
    [
        "Pipeline(on='usage')",
        "SecondOrder(by='x')",
        "Bag(weighting='x')",
        "HDP(gamma=0)",
        "Unimelb(seed=-1)",
        "KSU(seed=-1)",
    ],
)
def test_options_out_of_range(wrong: str) -> None:
    with pytest.raises(InputError, match=r"must be|allowed"):
        build(wrong)


def test_from_usages_alone() -> None:
    """Without an index; and a lemma of which the corpus has nothing, from the usages that are to be labelled."""
    made = PIPELINE.fit(usages(), ["bank.n"], processes=1)
    assert purity(made.label(usages(40, seed=5))) > 0.9
    shores = [Usage(each.id, "shore.v", each.text, each.start, each.end) for each in usages(60)]
    both = PIPELINE.fit(usages(), ["bank.n", "shore.v"], usages=shores, processes=1)
    assert set(both.inventory) == {"bank.n", "shore.v"}
    assert purity(both.label(shores)) > 0.9


def test_some_of_the_corpus_with_what_is_to_be_labelled(index: Index) -> None:
    asked = usages(30, seed=5)
    for add in (0, 50):
        made = Pipeline(BAG, number=Fixed(2), on="usages", add=add).fit(index, ["bank.n"], usages=asked, processes=1)
        assert len(made.label(asked)) == 30
    assert purity(made.label(asked)) > 0.9


def test_what_is_missed_is_said(index: Index) -> None:
    made = PIPELINE.fit(index, ["bank.n", "absent.n", "teacher.n"], processes=1)
    assert set(made.missed) == {"absent.n"}
    with pytest.raises(NothingInduced, match=r"absent\.n: it does not occur"):
        PIPELINE.fit(index, ["absent.n"], processes=1)
    with pytest.raises(NothingInduced, match="no word is in 9999"):
        Pipeline(Bag(minimum=9999)).fit(index, ["bank.n"], processes=1)


def test_stopped_from_the_keyboard(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done is a model; with nothing done, it is an interrupt."""
    done: list[str] = []

    def stopping(work: Any) -> Any:
        if len(done) == stop:
            raise KeyboardInterrupt
        done.append(work[1])
        return _induce_lemma(work)

    monkeypatch.setattr("polyseme.induction.vector_induction._induce_lemma", stopping)
    seen: list[FittingProgress] = []
    stop = 1
    made = PIPELINE.fit(index, ["bank.n", "teacher.n"], processes=1, show=seen.append)
    assert set(made.inventory) == {"bank.n"}
    assert made.missed == {"teacher.n": INTERRUPTED}
    assert [(each.done, each.lemmas, each.lemma) for each in seen] == [(1, 2, "bank.n")]
    stop, done[:] = 0, []
    with pytest.raises(KeyboardInterrupt):
        PIPELINE.fit(index, ["bank.n"], processes=1)


def test_any_number_of_processes(index: Index) -> None:
    asked = usages(20, seed=5)
    one, two = (PIPELINE.fit(index, ["bank.n", "house.n"], processes=number) for number in (1, 2))
    assert one.inventory == two.inventory
    assert one.label(asked) == two.label(asked)


def test_small_clusters_are_merged() -> None:
    matrix = np.array([[1.0, 0], [1, 0], [1, 0.1], [0, 1], [0, 1], [5, 5]])
    pipeline = Pipeline(cluster=Agglomerative("average", "euclidean"), number=Fixed(3), smallest=2)
    assert pipeline.senses(matrix).shape == (2, 2)
    assert Pipeline(cluster=Agglomerative(), number=Fixed(6), smallest=2).senses(np.eye(6)).shape == (6, 6)


def test_means_of_clusters() -> None:
    assert cluster_means(np.eye(3), np.array([-1, -1, -1])).shape == (0, 3)
    assert cluster_means(np.eye(3), np.array([1, -1, 1])).tolist() == [[0.5, 0, 0.5]]


def test_nothing_tells_senses_without_words() -> None:
    from polyseme.corpus.passages import passages_without_words

    given = passages_without_words([Usage("u", "bank", "bank", 0, 4)])["bank"]
    assert describe_senses(given, np.ones((1, 2))) == [{}, {}]


def test_what_is_too_small_to_count_is_merged() -> None:
    """Also where a share of few usages is less than two of them."""
    rows = np.vstack([np.repeat(np.eye(2, 8), 4, axis=0), np.eye(8)[2:]])
    steps = Pipeline(cluster=Agglomerative("average", "cosine"), number=Sizeable(2), smallest=0.01)
    assert steps.senses(rows).shape == (2, 8)
    assert replace(steps, number=8).senses(rows).shape == (8, 8)
