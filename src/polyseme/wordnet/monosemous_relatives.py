"""Monosemous relatives of a sense: words related to it in WordNet that have one sense themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polyseme.lemma import wordnet_pos
from polyseme.wordnet.lexicon import WordNet
from polyseme.wordnet.synset import Synset

RELATIVE_RELATIONS = (
    *("hypernym", "instance hypernym", "hyponym", "instance hyponym", "similar to", "verb group", "also see"),
    *("member holonym", "part holonym", "substance holonym", "member meronym", "part meronym", "substance meronym"),
    *("domain topic", "member of topic", "derivation", "pertainym", "entailment", "cause", "attribute"),
)
"""The relations to relatives."""


def find_monosemous_relatives(
    wordnet: WordNet, key: str, relations: Iterable[str] = RELATIVE_RELATIONS
) -> tuple[str, ...]:
    """Return the lemmas with one sense in the synset of a sense or in a related one.

    The training data of SemEval-2010 Task 14 were queried by such relatives: a text that has the word and a relative is
    likely to use the word in that sense. Many have several words, ``credit_union.n``, which are several tokens in
    texts. (Manandhar et al. 2010, §2; Leacock, Chodorow & Miller 1998)

    Args:
        wordnet: WordNet.
        key: The sense key.
        relations: The relations to follow.
    """
    synset = wordnet.synset(key)
    own = wordnet.by_key(key).lemma
    synsets = [synset, *(other for relation in relations for other in wordnet.related(synset, relation))]
    lemmas = dict.fromkeys(lemma for related in synsets for lemma in _synset_lemmas(related))
    return tuple(lemma for lemma in lemmas if lemma != own and len(wordnet[lemma]) == 1)


def _synset_lemmas(synset: Synset) -> Iterator[str]:
    pos = wordnet_pos(synset.pos)
    return (f"{word.replace(' ', '_').lower()}.{pos}" for word in synset.words)
