"""The public interface from usages to figures, as the README and the tutorial show it."""

import shutil
from pathlib import Path

import pytest

import polyseme as ps

SENTENCE = "We sat on the bank of the river."


@pytest.fixture(autouse=True)
def _beside_examples(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(root / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


def test_usages_become_senses_labels_and_figures() -> None:
    usages = ps.read_usages("examples/two-words.jsonl")
    model = ps.induce(usages, "Pipeline(Bag(minimum=1, stop=0), number=2)")
    assert ps.induce(usages, ps.Pipeline(ps.Bag(minimum=1, stop=0), number=2)) == model
    labels = model.label(usages)
    assert ps.Labelling.from_frame(labels.to_frame()) == labels
    assert "<table" in labels._repr_html_()
    gold = "examples/two-words-gold.key"
    result = ps.score("semeval-2013", labels, gold=gold)
    assert set(result.per_lemma()) == {"note", "line"}
    assert len(result.to_frame()) == 3
    ps.write_labelling(labels, "labels.key")
    comparison = ps.compare(labels, "labels.key", gold=gold, task="semeval-2013", samples=100)
    assert all(row.difference == pytest.approx(0) for row in comparison)
    model.save("folder")
    assert ps.load_model("folder") == model


@pytest.mark.usefixtures("wordnet_31")
def test_a_sentence_gets_senses_and_substitutes() -> None:
    pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")
    words = ps.disambiguate(SENTENCE)
    assert "bank.n" in [word.lemma for word in words]
    assert len(ps.substitutes(SENTENCE, "bank")) == 20
    start = SENTENCE.index("bank")
    first = ps.Usage("1", "bank.n", SENTENCE, start, start + 4)
    shore = ps.Usage("2", "bank.n", "The bank of the lake was muddy.", 4, 8)
    money = ps.Usage("3", "bank.n", "I took money from the bank.", 22, 26)
    assert ps.similarity(first, shore) > 0.5 > ps.similarity(first, money)


def test_texts_become_an_index() -> None:
    Path("texts").mkdir()
    for number, text in enumerate(["The bank lends money. A bank takes money.", "We sat on the banks of the river."]):
        Path("texts", f"{number}.txt").write_text(text, "utf-8")
    index = ps.build_index("texts/", "texts.index")
    assert len(index.kwic("bank")) == 3
    assert index.count("Bank").total == 3
    model = index.induce("bank", ps.Pipeline(ps.Bag(minimum=1, stop=0), number=2))
    assert len(index.label(model)) == 3


def test_ratings_become_agreement_and_gold() -> None:
    ratings = ps.read_ratings("examples/ratings.csv")
    agreement = ps.measure_agreement(ratings, resamples=0)
    assert {"WSsim", "WSbest", "Usim"} <= set(agreement.to_dict())
    gold = ps.make_gold(ratings, task="WSsim")
    assert ps.score("jurgens-2012", gold, gold=gold, mapping="none").figures()["recall"] == 1


def test_the_version_and_data_sets(data: Path) -> None:
    assert ps.__version__
    assert len(ps.load("semeval-2013-task-13", data).gold) == 4664
