"""Words that point at one sense: its relatives in WordNet that have no other sense themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.synset import Synset

RELATIVE_RELATIONS = (
    *("hypernym", "instance hypernym", "hyponym", "instance hyponym", "similar to", "verb group", "also see"),
    *("member holonym", "part holonym", "substance holonym", "member meronym", "part meronym", "substance meronym"),
    *("domain topic", "member of topic", "derivation", "pertainym", "entailment", "cause", "attribute"),
)
"""The relations that lead to relatives."""


def find_monosemous_relatives(
    wordnet: WordNet, key: str, relations: Iterable[str] = RELATIVE_RELATIONS
) -> tuple[str, ...]:
    """The lemmas, as ``word.pos``, that stand in the sense's synset or in one related to it, and have only one sense.

    So the training data of SemEval-2010 Task 14 were queried for: a text that has the word and such a relative is
    likely to use the word in that sense. Many are expressions of several words, ``credit_union.n``, which texts have as
    several tokens. (Manandhar et al. 2010, §2; Leacock, Chodorow & Miller 1998)
    """
    synset = wordnet.synset(key)
    own = wordnet.by_key(key).lemma
    around = [synset, *(other for relation in relations for other in wordnet.related(synset, relation))]
    lemmas = dict.fromkeys(lemma for each in around for lemma in _synset_lemmas(each))
    return tuple(lemma for lemma in lemmas if lemma != own and len(wordnet[lemma]) == 1)


def _synset_lemmas(synset: Synset) -> Iterator[str]:
    pos = "a" if synset.pos == "s" else synset.pos
    return (f"{word.replace(' ', '_').lower()}.{pos}" for word in synset.words)
