"""Graph models: what they learn from a corpus with two senses, and that they stay the same in files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from induction.corpora import MONEY, OTHERS, RIVER, background, fields, usages
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.context_bags import ContextBags, read_context_bags
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError, InputWarning
from polyseme.formats import files
from polyseme.induction.fitting import FittingProgress
from polyseme.induction.link import Link
from polyseme.induction.model import SenseModel
from polyseme.induction.squares import Squares
from polyseme.induction.uos import UoS
from polyseme.induction.uoy import UoY
from polyseme.usage import Usage

MODELS: list[Any] = [
    Squares(delta=0.2, sigma=0.3),
    Link(tau=30.0),
    UoY(p1=5, p2=5.0, p3=0.2, p4=0.9, sentences=1),
    UoS(senses=2, separable=2.0),
]
for_all_models = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index([*usages(), *background()], tmp_path_factory.mktemp("index") / "i", English())


@for_all_models
def test_the_two_senses_of_the_corpus_are_induced(model: Any, index: Index) -> None:
    fitted = model.fit(index, ["bank.n"], processes=1)
    senses = fitted.inventory["bank.n"]
    assert all(len(fields(sense)) <= 1 for sense in senses)
    assert {field for sense in senses for field in fields(sense)} == {"river", "money"}
    assert [sense.id for sense in senses] == [f"bank.n.s{number}" for number in range(1, len(senses) + 1)]
    shares = [sense.frequency for sense in senses]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1.0)
    for sense in senses:
        weights = [weight for _, weight in sense.features]
        assert weights == sorted(weights, reverse=True)
        assert all(usage.target == "bank" and usage.lemma == "bank.n" for usage in sense.usages)
        assert sense.usages or not sense.frequency


@for_all_models
def test_usages_get_the_sense_of_their_words(model: Any, index: Index) -> None:
    fitted = model.fit(index, ["bank.n"], processes=1)
    new = usages(60, seed=9)
    labels = fitted.label(new)
    assert set(labels) == {usage.id for usage in new}
    field = {sense.id: fields(sense) for sense in fitted.inventory["bank.n"]}
    for usage in new:
        assert sum(labels[usage.id].values()) == pytest.approx(1.0)
        best = max(labels[usage.id], key=labels[usage.id].__getitem__)
        assert field[best] == {("river", "money")[int(usage.id.rpartition(".")[2]) % 2]}


@for_all_models
def test_usages_have_all_senses_that_match_or_none(model: Any, index: Index) -> None:
    fitted = model.fit(index, ["bank.n"], processes=1)
    both = Usage("both", "bank.n", "The bank had a river and a boat and money and a loan.", 4, 8)
    none = Usage("none", "bank.n", "The bank slept.", 4, 8)
    unknown = Usage("other", "tree.n", "The tree by the river.", 4, 8)
    labels = fitted.label([both, none, unknown])
    assert list(labels) == ["both"]
    assert len(labels["both"]) > 1


@for_all_models
def test_a_loaded_model_gives_the_same_labels(model: Any, index: Index, tmp_path: Path) -> None:
    fitted = model.fit(index, ["bank.n", "unheard.n"], processes=1)
    fitted.save(tmp_path / "model")
    again = SenseModel.load(tmp_path / "model")
    assert (again.inducer, again.analyser, dict(again.missed)) == (model, "English()", dict(fitted.missed))
    assert dict(again.inventory) == dict(fitted.inventory)
    assert again.label(usages(40, seed=2)) == fitted.label(usages(40, seed=2))
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    again.save(tmp_path / "again")
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == before


def test_a_model_with_options_of_numpy_can_be_loaded(index: Index, tmp_path: Path) -> None:
    fitted = Squares(delta=np.float64(0.2), sigma=np.float64(0.3)).fit(index, ["bank.n"], processes=1)
    fitted.save(tmp_path / "model")
    assert SenseModel.load(tmp_path / "model").inducer == Squares(delta=0.2, sigma=0.3)


@for_all_models
def test_processes_do_not_matter(model: Any, index: Index) -> None:
    lemmas = ["bank.n", "garden.n", "house.n"]
    one, two = (model.fit(index, lemmas, processes=count) for count in (1, 2))
    assert dict(one.inventory) == dict(two.inventory)
    assert one.missed == two.missed


def test_a_list_of_usages_is_fitted_like_an_index_of_them(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as from an index of them."""
    monkeypatch.setattr("polyseme.corpus.content_words.FREQUENT_WORDS", 5)
    model = Squares(delta=0.2, sigma=0.3)
    fitted = model.fit([*usages(), *background()], ["bank.n"], processes=1)
    assert dict(fitted.inventory) == dict(model.fit(index, ["bank.n"], processes=1).inventory)
    simple = model.fit([*usages(), *background()], ["bank.n"], analyser=Simple(lemmatise=False), processes=1)
    assert simple.analyser == "Simple(language='en', lemmatise=False)"


def test_adjectives_may_end_in_another_letter(index: Index) -> None:
    """Task 13 writes common.j."""
    fitted = Squares(delta=0.1, sigma=0.1).fit(index, ["old.a", "old.j"], processes=1)
    first, second = fitted.inventory["old.a"], fitted.inventory["old.j"]
    assert [sense.features for sense in first] == [sense.features for sense in second]
    assert second[0].id == "old.j.s1"
    usage = Usage("old.j.1", "old.j", "The old garden was there.", 4, 7)
    assert fitted.label([usage])["old.j.1"]


def test_a_corpus_without_parts_of_speech_is_fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.corpus.content_words.FREQUENT_WORDS", 5)
    index = build_index([*usages(), *background()], tmp_path / "i", Simple(lemmatise=False), processes=1)
    fitted = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n"], processes=1)
    words = {word for sense in fitted.inventory["bank.n"] for word, _ in sense.features}
    assert {"river", "money"} <= words
    assert fitted.label(usages(4, seed=5))


def test_lemmas_that_are_one_word_in_the_corpus_are_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without parts of speech, *bank.n* and *bank.v* are; each has examples of its own lemma, also when it is read."""
    monkeypatch.setattr("polyseme.corpus.content_words.FREQUENT_WORDS", 5)
    plain = [replace(usage, lemma=usage.lemma[:-2], pos="") for usage in [*usages(), *background()]]
    index = build_index(plain, tmp_path / "i", Simple(lemmatise=False), processes=1)
    with pytest.warns(InputWarning, match=r"bank\.n and bank\.v are one word in this corpus, bank, and have the same"):
        fitted = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n", "bank.v"], processes=1)
    for lemma, senses in fitted.inventory.items():
        assert {usage.lemma for sense in senses for usage in sense.usages} == {lemma}
    fitted.save(tmp_path / "model")
    assert dict(SenseModel.load(tmp_path / "model").inventory) == dict(fitted.inventory)


def test_usages_keep_their_lemma_where_words_have_no_part_of_speech(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """*bank.n* and *bank.v* are two words, from a list of usages and from an index that keeps lemmas."""
    monkeypatch.setattr("polyseme.corpus.content_words.FREQUENT_WORDS", 5)
    verbs = [replace(usage, id=f"v{usage.id}", lemma="bank.v", pos="v") for usage in usages()[1::2]]
    texts, analyser = [*usages()[::2], *verbs, *background()], Simple(lemmatise=False)
    model = UoS().fit(texts, ["bank.n", "bank.v"], analyser=analyser, processes=1)
    assert {lemma: [fields(sense) for sense in senses] for lemma, senses in model.inventory.items()} == {
        "bank.n": [{"river"}],
        "bank.v": [{"money"}],
    }
    index = build_index(texts, tmp_path / "i", analyser, processes=1, keep_lemmas=True)
    assert not index.vocabulary.has_pos
    again = UoS().fit(index, ["bank.n", "bank.v"], processes=1)
    assert dict(again.inventory) == dict(model.inventory)


@pytest.mark.parametrize("lemma, other", [("bank.v", "bank.n"), ("Bank.n", "bank.n"), ("boats.n", "boat.n")])
def test_similar_lemmas_are_suggested(index: Index, lemma: str, other: str) -> None:
    """Another part of speech, small letters, a singular."""
    fitted = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n", lemma], processes=1)
    assert fitted.missed == {lemma: f"it does not occur in the corpus ({other} does); write lemmas as the corpus does"}


def test_the_share_of_labelled_usages_is_recorded(index: Index, tmp_path: Path) -> None:
    """Of the corpus, which a labelling of the same usages finds again."""
    fitted = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n", "house.n"], processes=1)
    texts = usages()
    assert fitted.corpus["labelled"]["bank.n"] == len(fitted.label(texts)) / len(texts)
    assert 0 < fitted.corpus["labelled"]["house.n"] < 1
    fitted.save(tmp_path / "model")
    assert SenseModel.load(tmp_path / "model").corpus == fitted.corpus


def test_examples_differ_and_show_words_of_the_sense(tmp_path: Path) -> None:
    """Where a context is several sentences, those are shown that have a word of the sense; and no text twice."""
    fields_of_five = [field[:5] for field in (RIVER, MONEY) for _ in range(20)]
    texts = [
        f"The {', the '.join(words)} were there. The bank saw the {OTHERS[at % len(OTHERS)]}."
        for at, words in enumerate(fields_of_five)
    ]
    far = [Usage("far", "bank.n", text, text.index("bank"), text.index("bank") + 4) for text in texts]
    near = [usage for usage in usages(60) for _ in range(3)]
    numbered = [replace(usage, id=f"{usage.id}.{at}") for at, usage in enumerate([*far, *near])]
    index = build_index([*numbered, *background()], tmp_path / "i", English(), processes=1)
    fitted = UoY(p1=5, p2=1.0, p3=0.1, p4=0.9, sentences=3).fit(index, ["bank.n"], processes=1)
    for sense in fitted.inventory["bank.n"]:
        words = {part[:-2] for name, _ in sense.features for part in name.split(" ")}
        texts = [usage.text for usage in sense.usages]
        assert len(set(texts)) == len(texts) == 3
        assert all(words & set(text.rstrip(".").split()) for text in texts)


def test_lemmas_that_cannot_be_induced_are_reported(index: Index) -> None:
    seen: list[FittingProgress] = []
    model = UoY(p1=40, p2=5.0, p3=0.1, p4=0.9, sentences=1)
    fitted = model.fit(index, ["unheard.n", "bank.n", "boat.n"], processes=1, show=seen.append)
    assert list(fitted.inventory) == ["bank.n"]
    assert fitted.missed["unheard.n"] == "it does not occur in the corpus"
    assert fitted.missed["boat.n"].startswith("fewer than two nouns are in more than 40 of its contexts")
    assert [(done.done, done.lemmas) for done in seen] == [(1, 2), (2, 2)]
    with pytest.raises(InputError, match=r"finds no senses: unheard\.n: it does not occur"):
        Squares().fit(index, ["unheard.n"])
    with pytest.raises(InputError, match="no lemmas were given"):
        Squares().fit(index, [])


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"this is not a model\. Type: polyseme induce"):
        SenseModel.load(tmp_path)
    (tmp_path / "model.json").write_text('{"layout": 0}')
    with pytest.raises(InputError, match="another version of polyseme wrote this model"):
        SenseModel.load(tmp_path)


def test_an_interrupted_overwrite_is_noticed(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The senses of one model with the manifest of another are no model."""
    first, second = (Squares(delta=delta, sigma=0.3).fit(index, ["bank.n"], processes=1) for delta in (0.2, 0.3))
    first.save(tmp_path / "model")
    second.save(tmp_path / "model")
    assert SenseModel.load(tmp_path / "model").inducer == second.inducer

    write_text = files.write_text

    def stop_at_manifest(path: Path, text: str) -> None:
        if path.name == "model.json":
            raise KeyboardInterrupt
        write_text(path, text)

    monkeypatch.setattr("polyseme.induction.storage.write_text", stop_at_manifest)
    with pytest.raises(KeyboardInterrupt):
        first.save(tmp_path / "model")
    with pytest.raises(InputError, match=r"this model is damaged \(senses\.jsonl is not what model\.json was written"):
        SenseModel.load(tmp_path / "model")


def test_a_model_does_not_overwrite_files_and_indexes(index: Index, tmp_path: Path) -> None:
    fitted = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n"], processes=1)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="file: this is a file; a model is a folder: choose a new name"):
        fitted.save(tmp_path / "file")
    with pytest.raises(InputError, match="this is an index, which a model would damage: name a new folder"):
        fitted.save(index.folder)
    assert not (index.folder / "model.json").exists()


@pytest.mark.parametrize(
    "word, analyser", [("often.r", English()), ("zebra.n", English()), ("bank", Simple(lemmatise=False))]
)
def test_the_graph_of_link_has_all_targets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, analyser: Any
) -> None:
    """They include an adverb, a rare word, and, without parts of speech, one of the most frequent words."""
    monkeypatch.setattr("polyseme.corpus.content_words.FREQUENT_WORDS", 7)
    rest = "had a river, a boat, a fish, a shore"
    texts = [f"The bank {word.partition('.')[0]} {rest}. " * 4, f"The bank {rest}. " * 4, "A house was old. " * 50]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.txt").write_text(text)
    index = build_index(sorted(tmp_path.glob("*.txt")), tmp_path / "i", analyser, processes=1)
    others = select_content_words(index.vocabulary, minimum=5).numbers(index.vocabulary).tolist()
    assert word not in [index.vocabulary[number] for number in others]
    fitted = Link(tau=1.0).fit(index, [word], processes=1)
    assert "river" in {name.removesuffix(".n") for name, _ in fitted.inventory[word][0].features}
    with pytest.raises(InputError, match=r"it is in no community of more than three words with G² of 1000\.0 and more"):
        Link(tau=1000.0).fit(index, [word], processes=1)


# -- weights -------------------------------------------------------------------------------------------------------


def test_the_weight_of_link() -> None:
    """|F| · |C ∩ F| / |C ∪ F|: a context of four content words, two of them in a sense of three."""
    bags = ContextBags(("u",), ("x.n",), ("a.n", "b.n", "c.n", "d.n", "the"), sp.csr_array(np.array([[1, 2, 1, 1, 3]])))
    present = bags.present(["a.n", "b.n", "e.n"])
    members = sp.csr_array(np.array([[5.0, 1.0, 2.0]]))
    assert Link().weigh(present, members, bags.sizes()).toarray().tolist() == [[3 * 2 / (4 + 3 - 2)]]


def test_a_pair_counts_if_both_words_are_present() -> None:
    bags = ContextBags(("u", "v"), ("x.n",) * 2, ("a.n", "b.n"), sp.csr_array(np.array([[1, 1], [1, 0]])))
    present = bags.present(["a.n", "a.n b.n"])
    members = sp.csr_array(np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert UoY().weigh(present, members, bags.sizes()).toarray().tolist() == [[1, 2], [1, 1]]


def test_the_target_is_not_in_its_context() -> None:
    usage = Usage("u", "bank.n", "A bank is no river bank.", 2, 6)
    bags = read_context_bags([usage], English())
    counts = dict(zip(bags.words, bags.matrix.toarray()[0].tolist(), strict=True))
    assert counts["bank.n"] == 1
    many = read_context_bags([usage] * 3, English(), processes=2)
    assert many.matrix.toarray().tolist() == [list(counts.values())] * 3
    assert many.select_lemma("bank.n").usages == ("u",) * 3
