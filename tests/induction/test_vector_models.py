"""Vector models: what they learn from a corpus with two senses, and that they stay the same in files."""

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
from polyseme.clustering.clusterer import one_hot_memberships
from polyseme.clustering.graders import Nearest, Softmax
from polyseme.clustering.number_of_clusters import Fixed, Silhouette, Sizeable
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.passages import analyse_passages
from polyseme.errors import InputError, InputWarning
from polyseme.induction.duluth import Duluth
from polyseme.induction.fitting import INTERRUPTED, FittingProgress, NothingInduced
from polyseme.induction.ksu import KSU
from polyseme.induction.model import SenseModel
from polyseme.induction.multi_prototype import MultiPrototype
from polyseme.induction.pipeline import Pipeline, cluster_means
from polyseme.induction.sense_descriptions import describe_senses
from polyseme.induction.unimelb import Unimelb
from polyseme.induction.vector_induction import _induce_lemma
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
for_main_models = pytest.mark.parametrize("model", MODELS, ids=repr)
DULUTH = [Duluth(), Duluth("WSI-Co-Gap"), Duluth("WSI-SVD"), Duluth("Mix-Uni-PK2")]
KSU_SMALL = pytest.param(KSU(topics=5, clusters=4, iterations=50), marks=TOPICS)
for_all_models = pytest.mark.parametrize("model", [*MODELS, *DULUTH, KSU_SMALL], ids=repr)


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
    """Compute the share of usages whose best sense is the main one of their kind, even or odd."""
    best: dict[int, list[str]] = {0: [], 1: []}
    for usage, senses in labelling.items():
        best[int(usage.rpartition(".")[2]) % 2].append(max(senses, key=senses.get))
    clusters = {sense for senses in best.values() for sense in senses}
    return sum(max(kind.count(sense) for kind in best.values()) for sense in clusters) / max(len(labelling), 1)


@for_main_models
def test_the_two_senses_of_the_corpus_are_induced(model: Any, index: Index) -> None:
    to_label = usages(60, seed=5)
    fitted = model.fit(index, ["bank.n"], usages=to_label, processes=1)
    labelling = fitted.label(to_label)
    assert len(labelling) == len(to_label)
    assert purity(labelling) > 0.9
    assert all(sum(senses.values()) == pytest.approx(1) for _, senses in labelling.items())
    senses = fitted.inventory["bank.n"]
    shares = [sense.frequency for sense in senses]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    words = [{name.removesuffix(".n") for name, _ in sense.features[:5]} for sense in senses[:2]]
    assert all(names <= {*RIVER} or names <= {*MONEY} for names in words if names)


def test_a_model_with_options_of_numpy_can_be_loaded(index: Index, tmp_path: Path) -> None:
    options: dict[str, Any] = {"number": np.int64(2), "share": np.float64(0.5)}
    fitted = Pipeline(BAG, sentences=1, **options).fit(index, ["bank.n"], processes=1)
    fitted.save(tmp_path / "model")
    assert len(fitted.inventory["bank.n"]) == 2
    assert SenseModel.load(tmp_path / "model").inducer == Pipeline(BAG, number=2, share=0.5, sentences=1)


@for_all_models
def test_a_loaded_model_gives_the_same_labels(model: Any, index: Index, tmp_path: Path) -> None:
    fitted = model.fit(index, ["bank.n"], processes=1)
    fitted.save(tmp_path / "model")
    again = SenseModel.load(tmp_path / "model")
    assert again.inventory == fitted.inventory
    assert again.inducer == model
    to_label = usages(20, seed=5)
    assert again.label(to_label) == fitted.label(to_label)
    assert repr(again) == repr(fitted)
    vectors = tmp_path / "model" / "vectors" / "0.npz"
    for damaged in (b"PK", b"", vectors.read_bytes()[:-40]):
        vectors.write_bytes(damaged)
        with pytest.raises(InputError, match="this model is damaged"):
            SenseModel.load(tmp_path / "model")
    with pytest.raises(InputError, match="this is an index"):
        fitted.save(index.folder)


@for_all_models
def test_specifications_of_models_and_their_steps_are_read_back(model: Any) -> None:
    assert build(repr(model), "inducer") == model
    steps = model.steps()
    assert type(steps) is not Pipeline or build(repr(steps)) == steps


def draw_inflected_usages(count: int = 40) -> list[Usage]:
    """Draw usages of *bank*: the singular in even ones, the plural in odd ones, with different words after it."""
    dice = random.Random(0)
    verbs = (("lends", "pays", "owns"), ("flood", "erode", "freeze"))
    drawn = []
    for number in range(count):
        form, plural = ("bank", "banks")[number % 2], number % 2
        text = f"{dice.choice(OTHERS)} {form} {dice.choice(verbs[plural])} {dice.choice((MONEY, RIVER)[plural])}."
        start = text.index(form)
        drawn.append(Usage(f"bank.n.{number}", "bank.n", text, start, start + len(form)))
    return drawn


@pytest.mark.parametrize("variant", ["WSI", "WSI-Co", "Mix-PK2", "Mix-Narrow-PK2"])
def test_forms_of_the_target_are_distinguished(variant: Any, index: Index) -> None:
    """As in the submitted keys of Duluth, which know no lemmas."""
    to_label = draw_inflected_usages()
    fitted = Duluth(variant).fit(index, ["bank.n"], usages=to_label, processes=1)
    labelling = fitted.label(to_label)
    assert len(labelling) == len(to_label)
    assert purity(labelling) == 1


def test_words_are_learnt_from_corpus_usages_or_both(index: Index) -> None:
    """The usages to be labelled, those of the corpus, or both."""
    to_label = draw_inflected_usages()
    words = {}
    for learn in ("usages", "corpus", "both"):
        pipeline = Pipeline(Bag(minimum=2), on="usages", learn=learn, sentences=1)
        fitted = pipeline.fit(index, ["bank.n"], usages=to_label, processes=1)
        words[learn] = set(fitted.vectors["bank.n"].fitted.state["names"].tolist())
    assert "erode.v" in words["usages"] - words["corpus"]
    assert words["corpus"] - words["usages"]
    assert words["both"] >= words["usages"] | words["corpus"]


@TOPICS
def test_nouns_and_verbs_have_as_many_clusters_as_in_the_key_of_ksu() -> None:
    verbs = [replace(usage, id=usage.id.replace(".n", ".v"), lemma="bank.v", pos="v") for usage in usages(60, 7)]
    to_label = [*usages(60, seed=5), *verbs]
    fitted = KSU(topics=30, iterations=20).fit(usages(), ["bank.n", "bank.v", "absent.v"], usages=to_label, processes=1)
    assert {lemma: len(senses) for lemma, senses in fitted.inventory.items()} == {"bank.n": 23, "bank.v": 12}
    assert set(fitted.missed) == {"absent.v"}
    assert fitted.vectors["bank.n"].fitted is not fitted.vectors["bank.v"].fitted
    assert len(fitted.label(to_label)) == 120
    with pytest.raises(NothingInduced, match=r"absent\.v: none of the usages is of this lemma"):
        KSU(topics=5).fit(usages(), ["absent.v"])


def test_random_clusters_find_no_senses(index: Index) -> None:
    to_label = usages(200, seed=5)
    fitted = Duluth("R-12").fit(index, ["bank.n"], usages=to_label, processes=1)
    assert 0.5 <= purity(fitted.label(to_label)) < 0.65
    assert len(fitted.inventory["bank.n"]) == 2


def test_estimators_of_scikit_learn_plug_in(index: Index) -> None:
    from sklearn.cluster import BisectingKMeans

    fitted = Pipeline(BAG, BisectingKMeans(random_state=0), Fixed(2), Nearest()).fit(index, ["bank.n"], processes=1)
    assert purity(fitted.label(usages(40, seed=5))) > 0.9


@pytest.mark.parametrize("estimator", [AgglomerativeClustering(), GaussianMixture(random_state=0)], ids=repr)
def test_estimators_without_sparse_rows_plug_in(estimator: Any, index: Index, tmp_path: Path) -> None:
    """And a model with one can be loaded: labelling does not need it."""
    fitted = Pipeline(BAG, estimator, 2, Nearest()).fit(index, ["bank.n"], processes=1)
    assert len(fitted.inventory["bank.n"]) == 2
    fitted.save(tmp_path / "model")
    to_label = usages(10, seed=5)
    assert SenseModel.load(tmp_path / "model").label(to_label) == fitted.label(to_label)


def test_a_loaded_model_names_the_estimator_and_can_be_fitted_again(tmp_path: Path) -> None:
    corpus, cluster = usages(40), GaussianMixture(2, random_state=0)
    fitted = Pipeline(BAG, cluster).fit(corpus, processes=1)
    fitted.save(tmp_path / "model")
    loaded = SenseModel.load(tmp_path / "model")
    assert "SklearnClusterer(estimator='GaussianMixture(n_components=2, random_state=0)'" in repr(loaded.inducer)
    assert loaded.inducer.fit(corpus, processes=1).label(corpus) == fitted.label(corpus)


class HalfAndHalf:
    """A clusterer of another library, without options."""

    def fit_predict(self, X: Any) -> Any:
        """Put rows into two clusters in turn."""
        return np.arange(X.shape[0]) % 2


def test_a_model_of_another_library_is_saved_but_not_fitted_again(tmp_path: Path) -> None:
    corpus = usages(40)
    fitted = Pipeline(BAG, HalfAndHalf()).fit(corpus, processes=1)
    fitted.save(tmp_path / "model")
    loaded = SenseModel.load(tmp_path / "model")
    assert loaded.label(corpus) == fitted.label(corpus)
    with pytest.raises(InputError, match=r"give the estimator itself, as in Pipeline\(cluster=HalfAndHalf\(\)\)"):
        loaded.inducer.fit(corpus, processes=1)


@pytest.mark.parametrize("estimator, number, senses", OWN_NUMBERS, ids=repr)
def test_the_number_of_clusters_of_an_estimator_is_the_default(
    estimator: Any, number: Any, senses: int, index: Index, tmp_path: Path
) -> None:
    """A number that is named comes first; and the model can be loaded."""
    rows = SVD(Bag(minimum=3, weighting="tfidf"), 4)
    fitted = Pipeline(rows, estimator, number, Nearest(), sentences=1).fit(index, ["bank.n"], processes=1)
    assert len(fitted.inventory["bank.n"]) == senses
    fitted.save(tmp_path / "model")
    to_label = usages(10, seed=5)
    assert SenseModel.load(tmp_path / "model").label(to_label) == fitted.label(to_label)


def test_seven_senses_are_the_default(index: Index) -> None:
    assert len(Pipeline(BAG, sentences=1).fit(index, ["bank.n"], processes=1).inventory["bank.n"]) == 7
    assert Pipeline(cluster=AgglomerativeClustering(n_clusters=5)).senses(np.eye(3)).means.shape == (3, 3)


def test_lemmas_with_too_little_text_have_no_senses(index: Index) -> None:
    with pytest.raises(NothingInduced, match="it does not occur in the corpus"):
        Duluth("Mix-PK2").fit(index, ["zebra.n"])
    few = [Usage(f"u{number}", "bank.n", "The bank.", 4, 8) for number in range(3)]
    with pytest.raises(NothingInduced, match="no two words"):
        Duluth("Mix-PK2").fit(few, ["bank.n"], usages=few)


def test_a_sense_without_usages_has_no_description() -> None:
    passages = analyse_passages(usages(4), English())["bank.n"]
    assert describe_senses(passages, np.array([[1, 0]] * 4, float))[1] == {}


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
def test_options_out_of_range_are_refused(wrong: str) -> None:
    with pytest.raises(InputError, match=r"must be|allowed"):
        build(wrong)


def test_usages_are_fitted_without_an_index() -> None:
    """A lemma that the corpus does not have is learnt from the usages to label."""
    fitted = PIPELINE.fit(usages(), ["bank.n"], processes=1)
    assert purity(fitted.label(usages(40, seed=5))) > 0.9
    shores = [replace(usage, lemma="shore.v", pos="v") for usage in usages(60)]
    both = PIPELINE.fit(usages(), ["bank.n", "shore.v"], usages=shores, processes=1)
    assert set(both.inventory) == {"bank.n", "shore.v"}
    assert purity(both.label(shores)) > 0.9


def test_usages_of_the_corpus_can_be_clustered_with_those_to_label(index: Index) -> None:
    to_label = usages(30, seed=5)
    for add in (0, 50):
        fitted = Pipeline(BAG, number=Fixed(2), on="usages", add=add).fit(
            index, ["bank.n"], usages=to_label, processes=1
        )
        assert len(fitted.label(to_label)) == 30
    assert purity(fitted.label(to_label)) > 0.9


def test_lemmas_without_senses_are_reported(index: Index) -> None:
    fitted = PIPELINE.fit(index, ["bank.n", "absent.n", "teacher.n"], processes=1)
    assert set(fitted.missed) == {"absent.n"}
    with pytest.raises(NothingInduced, match=r"absent\.n: it does not occur"):
        PIPELINE.fit(index, ["absent.n"], processes=1)
    with pytest.raises(NothingInduced, match="no word is in 9999"):
        Pipeline(Bag(minimum=9999)).fit(index, ["bank.n"], processes=1)


def test_an_interruption_returns_the_complete_lemmas(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a complete lemma, the interruption is raised."""
    done: list[str] = []

    def induce_or_stop(task: Any) -> Any:
        if len(done) == stop:
            raise KeyboardInterrupt
        done.append(task[1])
        return _induce_lemma(task)

    monkeypatch.setattr("polyseme.induction.vector_induction._induce_lemma", induce_or_stop)
    seen: list[FittingProgress] = []
    stop = 1
    with pytest.warns(InputWarning, match="stopped: the model has the senses of 1 of 2 lemmas; running the same again"):
        fitted = PIPELINE.fit(index, ["bank.n", "teacher.n"], processes=1, show=seen.append)
    assert set(fitted.inventory) == {"bank.n"}
    assert fitted.missed == {"teacher.n": INTERRUPTED}
    assert [(progress.done, progress.lemmas, progress.lemma) for progress in seen] == [(1, 2, "bank.n")]
    stop, done[:] = 0, []
    with pytest.raises(KeyboardInterrupt):
        PIPELINE.fit(index, ["bank.n"], processes=1)


def test_the_number_of_processes_does_not_matter(index: Index) -> None:
    to_label = usages(20, seed=5)
    one, two = (PIPELINE.fit(index, ["bank.n", "house.n"], processes=number) for number in (1, 2))
    assert one.inventory == two.inventory
    assert one.label(to_label) == two.label(to_label)


def test_small_clusters_are_merged() -> None:
    matrix = np.array([[1.0, 0], [1, 0], [1, 0.1], [0, 1], [0, 1], [5, 5]])
    pipeline = Pipeline(cluster=Agglomerative("average", "euclidean"), number=Fixed(3), smallest=2)
    assert pipeline.senses(matrix).means.shape == (2, 2)
    assert Pipeline(cluster=Agglomerative(), number=Fixed(6), smallest=2).senses(np.eye(6)).means.shape == (6, 6)


def test_rows_without_a_cluster_are_in_no_mean() -> None:
    assert cluster_means(np.eye(3), one_hot_memberships(np.array([-1, -1, -1]))).shape == (0, 3)
    assert cluster_means(np.eye(3), one_hot_memberships(np.array([1, -1, 1]))).tolist() == [[0.5, 0, 0.5]]


def test_usages_without_words_give_no_descriptions() -> None:
    from polyseme.corpus.passages import passages_without_words

    passages = passages_without_words([Usage("u", "bank", "bank", 0, 4)])["bank"]
    assert describe_senses(passages, np.ones((1, 2))) == [{}, {}]


def test_clusters_that_are_not_sizeable_are_merged() -> None:
    rows = np.vstack([np.repeat(np.eye(2, 8), 4, axis=0), np.eye(8)[2:]])
    steps = Pipeline(cluster=Agglomerative("average", "cosine"), number=Sizeable(2), smallest=0.01)
    assert steps.senses(rows).means.shape == (2, 8)
    assert replace(steps, number=8).senses(rows).means.shape == (8, 8)
