"""What models learn from, and that sentences on which they are tested are not learnt from."""

import pytest

from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.formats.semcor import SenseTaggedUsage
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

TAGGED: list[SenseTaggedUsage] = [
    (Usage("s1", "bank.n", "The bank 's money is gone .", 4, 8, "n"), ("bank%1:14:00::",)),
    (Usage("s2", "bank.n", "A bank of earth .", 2, 6, "n"), ("bank%1:17:00::",)),
]


def test_sentences_are_known_again_however_they_are_spaced(wordnet_31: WordNet) -> None:
    assert list(Sources(wordnet_31, tagged=TAGGED).tagged) == TAGGED
    assert list(Sources(wordnet_31, tagged=TAGGED, unseen=["The bank's money is gone."]).tagged) == TAGGED[1:]
    assert list(Sources(wordnet_31, tagged=TAGGED, unseen=["the Bank's money"]).tagged) == TAGGED, "this is another"


def test_sources_without_some_sentences(wordnet_31: WordNet) -> None:
    sources = Sources(wordnet_31, tagged=TAGGED, unseen=["The bank's money is gone."])
    other = sources.without(["A bank of earth."])
    assert (list(sources.tagged), list(other.tagged)) == (TAGGED[1:], [])
    assert other.wordnet is sources.wordnet
    assert other.without(["A bank of earth."]) is other
    assert sources.without([]) is sources


def test_a_long_sentence_by_its_start(wordnet_31: WordNet) -> None:
    """Some were cut off where they were copied."""
    text = "It is not too much to assume that you will have a more lasting interest in the bank."
    tagged: list[SenseTaggedUsage] = [(Usage("s", "bank.n", text, 79, 83, "n"), ("bank%1:14:00::",))]
    assert not Sources(wordnet_31, tagged=tagged, unseen=[text[:70] + "lemma=paper"]).tagged


@pytest.mark.parametrize("senses", [("money",), "bank%1:14:00::"])
def test_tagged_usages_without_a_sense_of_wordnet_are_an_error(wordnet_31: WordNet, senses: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"no tagged usage has a sense of WordNet 3\.1; the first has .*a tuple of"):
        Sources(wordnet_31, tagged=[(TAGGED[0][0], senses)])
