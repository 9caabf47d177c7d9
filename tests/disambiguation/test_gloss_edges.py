"""The tagging of glosses."""

from pathlib import Path

import numpy as np
import pytest

from disambiguation.shores import FIRM, SHORE, TILT, shores
from polyseme import wordnet
from polyseme.datasets import load
from polyseme.disambiguation import gloss_edges
from polyseme.disambiguation.gloss_edges import (
    GlossReader,
    GlossTagging,
    build_gloss_edges,
    collect_gloss_words,
    tag_glosses,
    tagging_quality,
)
from polyseme.disambiguation.sources import Sources
from polyseme.formats.semcor import extract_tagged_usages
from polyseme.usage import Usage
from polyseme.wordnet import WordNet


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return shores(tmp_path)


def entries(reader: GlossReader, text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(text[word.start : word.end], word.entries) for word in reader.words(text)]


def test_words_in_any_form_and_of_any_part_of_speech(sources: Sources) -> None:
    reader = GlossReader(sources.wordnet)
    assert entries(reader, "Two Banks, paying tellers; for banking!") == [
        ("Banks", ("bank.n", "bank.v")),
        ("paying", ("pay.v",)),
        ("tellers", ("teller.n",)),
        ("banking", ("bank.v",)),
    ]


def test_several_words_that_are_one_entry(sources: Sources) -> None:
    reader = GlossReader(sources.wordnet)
    assert entries(reader, "river banks") == [("river banks", ("river_bank.n",))]
    assert entries(reader, "a river, banks") == [("river, banks", ("river_bank.n",))], "glosses are read fast"
    assert entries(reader, "river") == [("river", ("river.n",))]


def test_no_verb_follows_an_article(sources: Sources) -> None:
    reader = GlossReader(sources.wordnet)
    assert entries(reader, "the bank") == [("bank", ("bank.n",))]
    assert entries(reader, "the pay") == [("pay", ("pay.v",))], "there is nothing else that it could be"


def test_function_words_have_no_senses(wordnet_30: WordNet) -> None:
    reader = GlossReader(wordnet_30)
    assert entries(reader, "it is as a who in or") == [("is", ("be.v",))]
    assert reader.entries("has") == ("have.v",)
    assert reader.entries("parts") == ("parts.n", "part.n", "part.v")


def edges(sources: Sources, how: GlossTagging) -> dict[str, dict[str, float]]:
    """The first word of each synset → those of the synsets that its gloss leads to."""
    result = tag_glosses(sources.wordnet, collect_gloss_words(sources.wordnet), how)
    names: dict[str, dict[str, float]] = {}
    for source, target, weight in zip(*(each.tolist() for each in result), strict=True):
        from_key, to_key = (sources.wordnet.synset(row).keys[0] for row in (source, target))
        names.setdefault(from_key, {})[to_key] = weight
    return names


def test_the_most_frequent_sense(sources: Sources) -> None:
    result = edges(sources, "first")
    assert result["teller%1:18:00::"] == {SHORE: 1}
    assert result["river%1:17:00::"] == {SHORE: 1}
    assert result[SHORE] == {"land%1:17:00::": 1, "river%1:17:00::": 1, SHORE: 1}


def test_the_sense_that_a_walk_leads_to(sources: Sources) -> None:
    result = edges(sources, "walked")
    assert result["teller%1:18:00::"] == {FIRM: 1}, "a bank has tellers"
    assert result["river%1:17:00::"] == {SHORE: 1}, "in the same lexicographer's file"
    assert result["mud%1:27:00::"] == {"land%1:17:00::": 1}


def test_all_senses_by_their_shares(sources: Sources) -> None:
    result = edges(sources, "spread")
    assert result["teller%1:18:00::"] == pytest.approx({SHORE: 21 / 27, FIRM: 6 / 27}), "an article is before it"
    assert result["river%1:17:00::"] == pytest.approx({SHORE: 21 / 30, FIRM: 6 / 30, TILT: 3 / 30})


def test_edges_are_cached(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    every: tuple[GlossTagging, ...] = ("walked", "first", "spread")
    first = {how: build_gloss_edges(sources.wordnet, how) for how in every}

    def refuse(_: WordNet) -> None:
        raise AssertionError("glosses are read although their edges are kept")

    monkeypatch.setattr(gloss_edges, "collect_gloss_words", refuse)
    for how, edges_ in first.items():
        again = build_gloss_edges(sources.wordnet, how)
        assert all(np.allclose(one, other) for one, other in zip(again, edges_, strict=True))


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_damaged_edges_are_made_again(sources: Sources, damage: str) -> None:
    expected = build_gloss_edges(sources.wordnet, "spread")
    path = gloss_edges._cache_path(sources.wordnet, "spread")
    data = path.read_bytes()
    middle = len(data) // 3
    changed = data[:middle] + bytes(255 - byte for byte in data[middle : middle + 40]) + data[middle + 40 :]
    path.write_bytes({"cut": data[:-30], "changed": changed, "empty": b""}[damage])
    result = build_gloss_edges(sources.wordnet, "spread")
    assert all(np.allclose(one, other) for one, other in zip(result, expected, strict=True))
    assert path.read_bytes() == data


def test_other_content_has_other_edges(sources: Sources, tmp_path: Path) -> None:
    place = tmp_path / "shores" / "data.noun"
    before = gloss_edges._cache_path(sources.wordnet, "first")
    place.write_text(place.read_text().replace("works in a bank", "works in a land"))
    assert gloss_edges._cache_path(wordnet.load(None, tmp_path / "shores"), "first") != before


def test_a_cache_that_cannot_be_written(sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "file"))
    assert len(build_gloss_edges(sources.wordnet, "first").sources)


def test_quality_on_text_that_is_tagged(sources: Sources) -> None:
    text = "The teller left the bank to the hermit"
    arguments = [
        (Usage("u1", "teller.n", text, 4, 10), ("teller%1:18:00::",)),
        (Usage("u2", "bank.n", text, 20, 24), (FIRM,)),
        (Usage("u3", "leave.v", text, 11, 15), ("pay%2:40:00::",)),  # is not found
    ]
    assert tagging_quality(sources.wordnet, arguments, "first") == (3, 2, 1)
    assert tagging_quality(sources.wordnet, arguments, "walked") == (3, 2, 2)
    assert tagging_quality(sources.wordnet, [], "first").accuracy == 0


def test_quality_on_the_framework(wordnet_30: WordNet, data: Path) -> None:
    """Without part of speech or context, the most frequent sense is right for six words of ten."""
    framework = load("wsd-evaluation-framework", data)
    gold = framework.gold
    arguments = [(usage, tuple(gold[usage.id])) for usage in framework.usages]
    result = tagging_quality(wordnet_30, arguments, "first")
    assert result.words == 7253
    assert result.matched / result.words > 0.9
    assert 0.58 < result.accuracy < 0.63


def test_quality_on_semcor(wordnet_30: WordNet, data: Path) -> None:
    """On some sentences; see ``bench/pagerank.py`` for all."""
    sentences = load("semcor-3.0", data).sentences()
    arguments = [each for each, _ in zip(extract_tagged_usages(sentences), range(5000), strict=False)]
    every = frozenset(wordnet_30.sense_keys)
    listed = [(usage, keys) for usage, keys in arguments if every.issuperset(keys)]
    assert 0.6 < tagging_quality(wordnet_30, listed, "first").accuracy < 0.75
