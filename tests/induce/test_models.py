"""Models: what they learn from a corpus with two senses, and that they stay what they are."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from induce.corpora import MONEY, RIVER, background, usages
from polyseme.corpus.bags import Bags, bags
from polyseme.corpus.english import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple import Simple
from polyseme.errors import InputError
from polyseme.induce.fitting import Progress
from polyseme.induce.link import Link
from polyseme.induce.model import SenseModel
from polyseme.induce.squares import Squares
from polyseme.induce.uos import UoS
from polyseme.induce.uoy import UoY
from polyseme.usage import Usage

MODELS: list[Any] = [
    Squares(delta=0.2, sigma=0.3),
    Link(tau=30.0),
    UoY(p1=5, p2=5.0, p3=0.2, p4=0.9, sentences=1),
    UoS(senses=2, separable=2.0),
]
each = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index([*usages(), *background()], tmp_path_factory.mktemp("index") / "i", English())


def fields(sense: Any) -> set[str]:
    """Which of the two fields the words of a sense are of."""
    words = {part[:-2] for name, _ in sense.features for part in name.split(" ")}
    return {name for name, field in (("river", RIVER), ("money", MONEY)) if words & set(field)}


@each
def test_the_two_senses_are_found(model: Any, index: Index) -> None:
    made = model.fit(index, ["bank.n"], processes=1)
    senses = made.inventory["bank.n"]
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


@each
def test_usages_get_the_sense_of_their_words(model: Any, index: Index) -> None:
    made = model.fit(index, ["bank.n"], processes=1)
    new = usages(60, seed=9)
    found = made.label(new)
    assert set(found) == {usage.id for usage in new}
    field = {sense.id: fields(sense) for sense in made.inventory["bank.n"]}
    for usage in new:
        assert sum(found[usage.id].values()) == pytest.approx(1.0)
        best = max(found[usage.id], key=found[usage.id].__getitem__)
        assert field[best] == {("river", "money")[int(usage.id.rpartition(".")[2]) % 2]}


@each
def test_several_senses_or_none(model: Any, index: Index) -> None:
    made = model.fit(index, ["bank.n"], processes=1)
    both = Usage("both", "bank.n", "The bank had a river and a boat and money and a loan.", 4, 8)
    none = Usage("none", "bank.n", "The bank slept.", 4, 8)
    unknown = Usage("other", "tree.n", "The tree by the river.", 4, 8)
    found = made.label([both, none, unknown])
    assert list(found) == ["both"]
    assert len(found["both"]) > 1


@each
def test_saved_and_loaded_it_gives_the_same_answers(model: Any, index: Index, tmp_path: Path) -> None:
    made = model.fit(index, ["bank.n", "unheard.n"], processes=1)
    made.save(tmp_path / "model")
    again = SenseModel.load(tmp_path / "model")
    assert (again.inducer, again.analyser, dict(again.missed)) == (model, "English()", dict(made.missed))
    assert dict(again.inventory) == dict(made.inventory)
    assert again.label(usages(40, seed=2)) == made.label(usages(40, seed=2))
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    again.save(tmp_path / "again")
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == before


@each
def test_processes_do_not_matter(model: Any, index: Index) -> None:
    lemmas = ["bank.n", "garden.n", "house.n"]
    one, two = (model.fit(index, lemmas, processes=count) for count in (1, 2))
    assert dict(one.inventory) == dict(two.inventory)
    assert one.missed == two.missed


def test_from_a_list_of_usages(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as from an index of them."""
    monkeypatch.setattr("polyseme.induce.fitting.STOP", 5)
    model = Squares(delta=0.2, sigma=0.3)
    made = model.fit([*usages(), *background()], ["bank.n"], processes=1)
    assert dict(made.inventory) == dict(model.fit(index, ["bank.n"], processes=1).inventory)
    simple = model.fit([*usages(), *background()], ["bank.n"], analysed_by=Simple(lemmatise=False), processes=1)
    assert simple.analyser == "Simple(language='en', lemmatise=False)"


def test_adjectives_by_another_letter(index: Index) -> None:
    """Task 13 writes common.j."""
    made = Squares(delta=0.1, sigma=0.1).fit(index, ["old.a", "old.j"], processes=1)
    ours, theirs = made.inventory["old.a"], made.inventory["old.j"]
    assert [sense.features for sense in ours] == [sense.features for sense in theirs]
    assert theirs[0].id == "old.j.s1"
    usage = Usage("old.j.1", "old.j", "The old garden was there.", 4, 7)
    assert made.label([usage])["old.j.1"]


def test_without_parts_of_speech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.induce.fitting.STOP", 5)
    index = build_index([*usages(), *background()], tmp_path / "i", Simple(lemmatise=False), processes=1)
    made = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n"], processes=1)
    words = {word for sense in made.inventory["bank.n"] for word, _ in sense.features}
    assert {"river", "money"} <= words
    assert made.label(usages(4, seed=5))


def test_lemmas_that_cannot_be_induced_are_reported(index: Index) -> None:
    seen: list[Progress] = []
    model = UoY(p1=40, p2=5.0, p3=0.1, p4=0.9, sentences=1)
    made = model.fit(index, ["unheard.n", "bank.n", "boat.n"], processes=1, show=seen.append)
    assert list(made.inventory) == ["bank.n"]
    assert made.missed["unheard.n"] == "it does not occur in the corpus"
    assert made.missed["boat.n"].startswith("fewer than two nouns are in more than 40 of its contexts")
    assert [(done.done, done.lemmas) for done in seen] == [(1, 2), (2, 2)]
    with pytest.raises(InputError, match=r"finds no senses \(unheard\.n: it does not occur"):
        Squares().fit(index, ["unheard.n"])
    with pytest.raises(InputError, match="no lemmas were given"):
        Squares().fit(index, [])


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"this is not a model\. Type: polyseme induce"):
        SenseModel.load(tmp_path)
    (tmp_path / "model.json").write_text('{"layout": 0}')
    with pytest.raises(InputError, match="made by another version"):
        SenseModel.load(tmp_path)


# -- weights -------------------------------------------------------------------------------------------------------


def test_the_weight_of_link() -> None:
    """|F| · |C ∩ F| / |C ∪ F|: a context of four content words, two of them in a sense of three."""
    given = Bags(("u",), ("x.n",), ("a.n", "b.n", "c.n", "d.n", "the"), sp.csr_array(np.array([[1, 2, 1, 1, 3]])))
    present = given.present(["a.n", "b.n", "e.n"])
    members = sp.csr_array(np.array([[5.0, 1.0, 2.0]]))
    assert Link().weigh(present, members, given.sizes()).toarray().tolist() == [[3 * 2 / (4 + 3 - 2)]]


def test_pairs_count_when_both_words_are_there() -> None:
    given = Bags(("u", "v"), ("x.n",) * 2, ("a.n", "b.n"), sp.csr_array(np.array([[1, 1], [1, 0]])))
    present = given.present(["a.n", "a.n b.n"])
    members = sp.csr_array(np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert UoY().weigh(present, members, given.sizes()).toarray().tolist() == [[1, 2], [1, 1]]


def test_the_target_is_not_in_its_context() -> None:
    usage = Usage("u", "bank.n", "A bank is no river bank.", 2, 6)
    found = bags([usage], English())
    counts = dict(zip(found.words, found.matrix.toarray()[0].tolist(), strict=True))
    assert counts["bank.n"] == 1
    many = bags([usage] * 3, English(), processes=2)
    assert many.matrix.toarray().tolist() == [list(counts.values())] * 3
    assert many.of("bank.n").usages == ("u",) * 3


def test_the_best_senses_of_a_usage() -> None:
    """By the words shared over the root of the sense's: 2/√2, 2/√4, 1/√1, 1/√9; three of these, or all."""
    present = sp.csr_array(np.array([[1, 1, 1, 1, 1, 1] + [0] * 10, [0] * 16]))
    members = sp.csr_array(
        np.array(
            [
                [0.5, 2, *[0] * 14],
                [0, 0, 3, 1, 0, 0, 1, 1, *[0] * 8],
                [*[0] * 4, 7, *[0] * 11],
                [*[0] * 5, *[1] * 9, 0, 0],
            ]
        )
    )
    sizes = np.array([6, 0])
    every = UoS(top="all").weigh(present, members, sizes).toarray()
    assert every[0] == pytest.approx([2 / 2**0.5, 1, 1, 1 / 3])
    assert UoS(top=3).weigh(present, members, sizes).toarray()[0] == pytest.approx([2 / 2**0.5, 1, 1, 0])
    assert UoS(top=2).weigh(present, members, sizes).toarray()[0] == pytest.approx([2 / 2**0.5, 1, 0, 0])
    assert not every[1].any()


def test_all_clusters_are_senses_unless_told_otherwise(index: Index) -> None:
    many, two = (UoS(senses=senses, separable=0.0).fit(index, ["bank.n"], processes=1) for senses in ("all", 2))
    assert len(many.inventory["bank.n"]) > 2 == len(two.inventory["bank.n"])


def test_as_many_senses_as_wordnet_has(index: Index, wordnet_31: Any) -> None:
    """Of *bank* ten; there are not so many clusters here, but more than one."""
    made = UoS(senses="wordnet", separable=0.0).fit(index, ["bank.n"], processes=1)
    assert 1 <= len(made.inventory["bank.n"]) <= 10
    assert wordnet_31
