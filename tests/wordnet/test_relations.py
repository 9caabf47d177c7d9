"""Relations, one by one and as graphs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyseme import wordnet
from polyseme.errors import InputError
from polyseme.wordnet import RELATIONS, WordNet
from wordnet.tiny import ENTRIES, files, write

INVERSE = {
    "antonym": "antonym",
    "hypernym": "hyponym",
    "instance hypernym": "instance hyponym",
    "member holonym": "member meronym",
    "substance holonym": "substance meronym",
    "part holonym": "part meronym",
    "domain topic": "member of topic",
    "domain region": "member of region",
    "domain usage": "member of usage",
}


def test_relations_lead_to_synsets(tiny: WordNet) -> None:
    lamp = tiny.synset("lamp%1:06:00::")
    assert [synset.words for synset in tiny.related(lamp, "hypernym")] == [("thing",)]
    assert [synset.words for synset in tiny.related(lamp.id, ["hypernym", "part meronym"])] == [("thing",), ("wick",)]
    assert [synset.words for synset in tiny.related("lamp%1:06:00::", "derivation")] == [("shine", "glow")]
    assert tiny.related("goose%1:05:00::", RELATIONS) == ()


def test_a_synset_of_another_wordnet(tiny: WordNet, tmp_path: Path) -> None:
    other = wordnet.load(None, write(tmp_path / "other", files(ENTRIES[1:4] + ENTRIES[:1] + ENTRIES[4:])))
    lamp = other.synset("lamp%1:06:00::")
    assert lamp.row != tiny.synset("lamp%1:06:00::").row
    assert [synset.words for synset in tiny.related(lamp, "hypernym")] == [("thing",)]
    with pytest.raises(InputError, match=r"'.*-n' is not a synset of this WordNet, and its sense keys are not in it"):
        tiny.related(replace(lamp, keys=("none%1:06:00::",)), "hypernym")
    with pytest.raises(InputError, match="its sense keys belong to 2 synsets"):
        tiny.related(replace(lamp, keys=("lamp%1:06:00::", "wick%1:06:00::")), "hypernym")


def test_relations_between_words_lead_to_senses(tiny: WordNet) -> None:
    def keys(key: str, relation: str) -> list[str]:
        return [sense.id for sense in tiny.related_senses(key, relation)]

    assert keys("lamp%1:06:00::", "derivation") == ["shine%2:43:00::"]
    assert keys("oil_lamp%1:06:00::", "derivation") == []
    assert keys("lamp%1:06:00::", "hypernym") == []
    assert keys("dim%3:00:00::", "antonym") == ["bright%3:00:00::"]
    assert keys("brightly%4:02:00::", "pertainym") == ["bright%3:00:00::"]
    assert tiny.related_senses("dim%3:00:00::", "antonym")[0].lemma == "bright.a"


def test_relations_are_a_graph_of_synsets(tiny: WordNet) -> None:
    graph = tiny.graph()
    assert graph.shape == (len(ENTRIES), len(ENTRIES))
    rows = {entry.name: tiny.synset(next(key for _, key, _, _ in entry.words)).row for entry in ENTRIES}
    edges = {(rows[entry.name], rows[other]) for entry in ENTRIES for _, other, _ in entry.pointers}
    assert set(zip(*map(np.ndarray.tolist, graph.nonzero()), strict=True)) == edges
    assert (graph.data == 1).all()
    hypernyms = tiny.graph("hypernym")
    assert hypernyms[[rows["lamp"]], [rows["thing"]]] == 1
    assert hypernyms.nnz == 2


def test_relations_are_a_graph_of_senses(tiny: WordNet) -> None:
    graph = tiny.graph(["antonym", "derivation", "hypernym"], nodes="senses")
    assert graph.shape == (len(tiny.sense_keys), len(tiny.sense_keys))
    keys = tiny.sense_keys
    edges = {(keys[row], keys[column]) for row, column in zip(*map(np.ndarray.tolist, graph.nonzero()), strict=True)}
    assert edges == {
        ("lamp%1:06:00::", "shine%2:43:00::"),
        ("shine%2:43:00::", "lamp%1:06:00::"),
        ("bright%3:00:00::", "dim%3:00:00::"),
        ("dim%3:00:00::", "bright%3:00:00::"),
    }


def test_unknown_relations_are_errors(tiny: WordNet) -> None:
    with pytest.raises(
        InputError, match=r"there is no relation 'hyperonym'; did you mean 'hypernym'\? allowed are antonym"
    ):
        tiny.graph("hyperonym")
    with pytest.raises(InputError, match="there is no graph of 'words'; allowed are synsets, senses"):
        tiny.graph(nodes="words")  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_relations_have_their_inverse(version: str, request: pytest.FixtureRequest) -> None:
    real: WordNet = request.getfixturevalue(f"wordnet_{version.replace('.', '')}")
    for relation, inverse in INVERSE.items():
        forth, back = real.graph(relation), real.graph(inverse)
        assert forth.nnz
        assert abs(forth - back.T).sum() == 0, relation


def test_dog(wordnet_31: WordNet) -> None:
    above = wordnet_31.related("dog%1:05:00::", "hypernym")
    assert [synset.words[0] for synset in above] == ["canine", "domestic animal"]
    row = wordnet_31.synset("dog%1:05:00::").row
    hypernyms = wordnet_31.graph("hypernym")
    assert sorted(hypernyms.indices[hypernyms.indptr[row] : hypernyms.indptr[row + 1]]) == sorted(s.row for s in above)
    counts = {relation: wordnet_31.graph(relation).nnz for relation in RELATIONS}
    assert all(counts.values())
    assert counts["hypernym"] == 89172
