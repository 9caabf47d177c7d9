"""Learning from graded ratings, of which a lemma's own are never used for it; and how alike senses are."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import pytest
from scipy.stats import spearmanr

from disambiguation.planted import small
from polyseme import parts
from polyseme.corpus.analysers import as_analyser
from polyseme.datasets import load
from polyseme.disambiguation.contexts import Context, build_contexts
from polyseme.disambiguation.model import DictionaryModel, SenseWeigher, SenseWeights
from polyseme.disambiguation.regression import GradedRegression, sense_features
from polyseme.disambiguation.sense_similarity import SenseSimilarity
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.formats import write_usages
from polyseme.parts import build
from polyseme.tasks.wssim import Wssim
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

LEMMAS = ("bank.n", "paper.n", "line.n", "win.v", "ask.v")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven")
USAGES = tuple(
    Usage(f"{lemma}.{word}", lemma, f"{lemma[:-2]} {word} of the story", 0, len(lemma) - 2, lemma[-1])
    for lemma in LEMMAS
    for word in NUMBERS
)
INDEX = """
[mine]
title = "Mine"
inventory = "wordnet-3.1"
files = {usages = "usages.jsonl", ratings = "ratings.csv"}
"""


@dataclass(frozen=True)
class Numbered:
    """The sense whose number the text has weighs 3, every other 1; the sources it was made ready with are kept."""

    kind: ClassVar[str] = "disambiguator"
    seen_sources: ClassVar[list[Sources]] = []

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        self.seen_sources.append(sources)
        keys = {lemma: [sense.id for sense in sources.wordnet[lemma]] for lemma in lemmas}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            return [
                {key: 3.0 if place == number_of(context.usage, keys[context.lemma]) else 1.0 for place, key in result}
                for context in contexts
                for result in [list(enumerate(keys[context.lemma]))]
            ]

        return weigh


def number_of(usage: Usage, keys: Sequence[str]) -> int:
    return NUMBERS.index(usage.text.split()[1]) % len(keys)


def model() -> GradedRegression:
    return GradedRegression(of=("Numbered",), data="mine")


@pytest.fixture(scope="module")
def plain(wordnet_31: WordNet) -> Sources:
    """Sources with a quick analyser: what is around the targets does not matter."""
    return Sources(wordnet_31, analysed_by=as_analyser("simple"))


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: Sources) -> Sources:
    """WordNet, and a data folder where the sense whose number the text has is rated 5, others 1 or 2."""
    registry = {**parts.parts_by_name(), "Numbered": Numbered}
    monkeypatch.setattr("polyseme.parts.parts_by_name", lambda: registry)
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)
    Numbered.seen_sources.clear()
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    (tmp_path / "index.toml").write_text(INDEX)
    (tmp_path / "mine").mkdir()
    write_usages(USAGES, tmp_path / "mine" / "usages.jsonl")
    rate(tmp_path, plain.wordnet)
    return plain


def rate(folder: Path, dictionary: WordNet, contrary: str = "", lemmas: Collection[str] = LEMMAS) -> None:
    """Write the ratings, of one lemma the wrong way round."""
    rows = ["annotator,task,lemma,usage,target,value"]
    for usage in USAGES:
        keys = [sense.id for sense in dictionary[usage.lemma]]
        for place, key in enumerate(keys):
            best = (place == number_of(usage, keys)) != (usage.lemma == contrary)
            if usage.lemma in lemmas:
                rows += [
                    f"{who},WSsim,{usage.lemma},{usage.id},{key},{5 if best else low}"
                    for who, low in (("a", 1), ("b", 2))
                ]
    (folder / "mine" / "ratings.csv").write_text("\n".join([*rows, ""]))


def weighed(sources: Sources, by: GradedRegression, usages: Sequence[Usage]) -> list[SenseWeights]:
    result = build_contexts(usages, sources, processes=1)
    return list(by.prepare(sources, [context.lemma for context in result])(result))


@pytest.mark.parametrize("learner", ["boosting", "ridge"])
def test_what_is_learnt_from_other_lemmas_holds_for_one(
    sources: Sources, learner: Literal["boosting", "ridge"]
) -> None:
    result = weighed(sources, replace(model(), learner=learner), USAGES[:8])
    keys = [sense.id for sense in sources.wordnet["bank.n"]]
    for usage, weights in zip(USAGES[:8], result, strict=True):
        assert list(weights) == keys
        assert max(weights, key=lambda key: weights[key]) == keys[number_of(usage, keys)]
    planted = [float(place == number_of(usage, keys)) for usage in USAGES[:8] for place in range(len(keys))]
    learnt = [weight for weights in result for weight in weights.values()]
    assert spearmanr(planted, learnt).statistic > 0.4
    assert 0.0 <= min(learnt) < 0.3 < 0.4 < max(learnt) <= 1.3


def test_a_lemmas_own_ratings_do_not_matter(sources: Sources, tmp_path: Path) -> None:
    """Even if all lemmas are asked for at once."""
    before = dict(zip(USAGES, weighed(sources, model(), USAGES), strict=True))
    rate(tmp_path, sources.wordnet, contrary="bank.n")
    after = dict(zip(USAGES, weighed(sources, model(), USAGES), strict=True))
    changed = {usage.lemma for usage in USAGES if before[usage] != after[usage]}
    assert changed == set(LEMMAS) - {"bank.n"}
    assert weighed(sources, model(), USAGES[:1]) == [after[USAGES[0]]], "nor does what else is asked for"


def test_lemmas_that_nobody_rated_learn_from_all(sources: Sources, tmp_path: Path) -> None:
    usage = Usage("u", "card.n", "card two of the story", 0, 4, "n")
    (before,) = weighed(sources, model(), [usage])
    keys = [sense.id for sense in sources.wordnet["card.n"]]
    assert max(before, key=lambda key: before[key]) == keys[2]
    rate(tmp_path, sources.wordnet, contrary="bank.n")
    assert weighed(sources, model(), [usage]) != [before]


def test_others_do_not_learn_from_what_was_rated(sources: Sources) -> None:
    weighed(sources, model(), USAGES[:1])
    rated, seen_sources = Numbered.seen_sources
    assert seen_sources is sources
    assert rated.unseen == {"".join(filter(str.isalnum, usage.text)) for usage in USAGES}


def test_ratings_by_another_wordnet(sources: Sources, tmp_path: Path, wordnet_30: WordNet) -> None:
    """Their senses are carried to the keys of the WordNet that is asked for."""
    (tmp_path / "index.toml").write_text(INDEX.replace("3.1", "3.0"))
    rate(tmp_path, wordnet_30)
    usage = Usage("u", "card.n", "card two of the story", 0, 4, "n")
    (result,) = weighed(sources, model(), [usage])
    assert max(result, key=lambda key: result[key]) == sources.wordnet["card.n"][2].id


def test_too_few_ratings(sources: Sources, tmp_path: Path) -> None:
    rate(tmp_path, sources.wordnet, lemmas=("bank.n",))
    with pytest.raises(InputError, match=r"mine has ratings of bank\.n only; a lemma's own ratings do not train it"):
        weighed(sources, model(), USAGES[:1])
    assert weighed(sources, model(), USAGES[8:9]), "those of a lemma serve for others"


@pytest.mark.parametrize(
    "options, weights",
    [
        ("of='PPR'", "of is 'PPR'; it must be models in quotes"),
        ("of=(1,)", r"of is \(1,\); it must be models in quotes"),
        ("learner='forest'", "learner is 'forest'; allowed are 'boosting', 'ridge'"),
        ("seed=-1", "seed is -1"),
        ("of=('Squares',)", "'Squares' is not a disambiguator"),
        ("of=('Nobody',)", "there is no part 'Nobody'"),
    ],
)
def test_wrong_options_are_refused(options: str, weights: str) -> None:
    with pytest.raises(InputError, match=weights):
        build(f"GradedRegression({options})")


def test_a_specification_is_read_back() -> None:
    rated = GradedRegression(of=("GradedRegression(learner='ridge')",), seed=3)
    assert build(repr(rated)) == rated


# -- features ------------------------------------------------------------------------------------------------------


LAMPS = ["lamp%1:06:00::", "lamp%1:10:00::"]


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """The small WordNet."""
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return small(tmp_path)


def context(lemma: str, *others: str) -> Context:
    return Context(Usage("u", lemma, lemma[:-2], 0, len(lemma) - 2, lemma[-1]), lemma, (lemma, *others), 0)


def test_features_by_hand(lamps: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = {"lamp.n": np.array([[1.0, 0.25], [0.25, 1.0]]), "wick.n": np.ones((1, 1))}
    monkeypatch.setattr(SenseSimilarity, "__getitem__", lambda _, lemma: planted[lemma])
    monkeypatch.setattr(SenseSimilarity, "overlap", lambda _, lemma, __: np.array([0.5, 0.1])[: len(planted[lemma])])
    alike = SenseSimilarity(lamps)
    result = sense_features(lamps.wordnet, context("lamp.n"), [dict(zip(LAMPS, (3.0, 1.0), strict=True)), {}], alike)
    halves = [0.5, math.log(0.5)]  # each is tagged seven times
    expected = [
        [*halves, 1.0, 0.5, 0.25, 0.625, 0.5, 0.525, 0.75, 1.0, 0.8125, 0.5, 1.0, 0.625],
        [*halves, 0.5, 0.5, 0.25, 0.625, 0.1, 0.225, 0.25, 1 / 3, 0.4375, 0.5, 1.0, 0.625],
    ]
    assert result.tolist() == [pytest.approx(row) for row in expected]
    alone = sense_features(lamps.wordnet, context("wick.n"), [], alike)
    assert alone.tolist() == [pytest.approx([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.5, 0.5])]


def test_senses_with_shared_gloss_words_are_similar(lamps: Sources) -> None:
    alike = SenseSimilarity(lamps)
    result = alike["lamp.n"]
    assert np.allclose(result, result.T)
    assert result.diagonal().tolist() == [1.0, 1.0]
    assert 0.1 < result[0, 1] < 0.9, "both are things, so what is said of things is said of both"
    assert alike["goose.n"].tolist() == [[1.0]]
    assert alike["lamp.n"] is result


def test_what_a_context_has_in_common_with_glosses(lamps: Sources) -> None:
    """The second sense is *a look*; the first gives light, and its synset is related to that of *shine*."""
    alike = SenseSimilarity(lamps)
    look, light, shone = (alike.overlap("lamp.n", [word]) for word in ("look.v", "light.n", "shine.v"))
    assert look[0] == light[1] == shone[1] == 0.0
    assert min(look[1], light[0], shone[0]) > 0.1
    both = alike.overlap("lamp.n", ["look.v", "light.n", "lamp.n"])
    assert both == pytest.approx(alike.overlap("lamp.n", ["light.n", "look.v"])), "the lemma itself tells nothing"
    assert (both < np.maximum(look, light)).all()
    assert alike.overlap("lamp.n", ["zebra.n"]).tolist() == alike.overlap("lamp.n", []).tolist() == [0.0, 0.0]


def test_senses_of_one_kind_are_more_alike(plain: Sources) -> None:
    keys = [sense.id for sense in plain.wordnet["paper.n"]]
    result = SenseSimilarity(plain)["paper.n"]
    essay, article, newspaper, material = (
        keys.index(key) for key in ("paper%1:10:01::", "paper%1:10:03::", "paper%1:10:00::", "paper%1:27:00::")
    )
    assert result[essay, article] > result[essay, material]
    assert result[newspaper, article] > result[newspaper, material]


def test_words_whose_ratings_are_left_out(data: Path, monkeypatch: pytest.MonkeyPatch, wordnet_30: WordNet) -> None:
    """Without any other model it agrees with people on WSsim as well as they do with each other, which is .499."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    task = load("semeval-2013-task-13-trial", data)
    labelling = DictionaryModel(GradedRegression(of=()), Sources(wordnet_30)).label(task.usages, processes=1)
    figures = Wssim().score_ratings(task.ratings, labelling, wordnet_30).figures()
    assert figures["pooled"] > 0.5
    assert figures["spearman"] > 0.35
