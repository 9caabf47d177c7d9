"""A disambiguator whose answers are known, and usages of the small WordNet."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyseme import wordnet
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import Disambiguator, SenseWeigher, SenseWeights
from polyseme.disambiguation.sources import Sources
from wordnet.tiny import write


@dataclass(frozen=True)
class Planted(Disambiguator):
    """Weighs the senses of a lemma 3, 1, 1 …, the last first where *geese* are near; of *wick* it can say nothing."""

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        keys = {lemma: [sense.id for sense in sources.wordnet[lemma]] for lemma in lemmas}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            return [_weights(each, keys[each.lemma]) for each in contexts]

        return weigh


def _weights(context: Context, keys: Sequence[str]) -> SenseWeights:
    if context.lemma == "wick.n":
        return {}
    order = keys[::-1] if "goose.n" in context.others else keys
    return {key: 1.0 if place else 3.0 for place, key in enumerate(order)}


def small(folder: Path) -> Sources:
    """The small WordNet as a source."""
    return Sources(wordnet.load(None, write(folder / "tiny")))
