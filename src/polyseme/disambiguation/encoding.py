"""What an encoder makes of usages and of senses: each text is encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.sources import Sources
from polyseme.inventory import Sense
from polyseme.usage import Usage
from polyseme.vectors.encoders import SentenceEncoder, TokenEncoder


class SenseTextOptions(NamedTuple):
    """What is said of a sense besides its definition."""

    word: bool = True
    examples: bool = True
    synonyms: bool = False

    def text(self, sense: Sense) -> str:
        """The sense as a line of a dictionary.

        >>> sense = Sense("bank%1:17:01::", "bank.n", "sloping land", ("riverbank",), ("on the bank",))
        >>> SenseTextOptions().text(sense), SenseTextOptions(word=False, examples=False, synonyms=True).text(sense)
        ('bank: sloping land; on the bank', 'riverbank: sloping land')
        """
        own = [sense.lemma.rpartition(".")[0].replace("_", " ")] if self.word else []
        head = ", ".join([*own, *(sense.synonyms if self.synonyms else ())])
        said = f"{head}: {sense.gloss}" if head else sense.gloss
        return "; ".join([said, *(sense.examples if self.examples else ())])


def encode_usages(sources: Sources, encoder: TokenEncoder | SentenceEncoder, usages: Sequence[Usage]) -> Floats:
    """A row for each usage, of length 1; those that were asked for before are not encoded again."""
    if not usages:
        return encoder.vectors(usages)
    kept: dict[tuple[str, int, int], Floats] = sources.made.setdefault(f"vectors of {encoder!r}", {})
    places = [(usage.text, usage.start, usage.end) for usage in usages]
    new = {place: usage for place, usage in zip(places, usages, strict=True) if place not in kept}
    if new:
        kept |= zip(new, encoder.vectors(list(new.values())).astype(np.float32), strict=True)
    return np.array([kept[place] for place in places], np.float64)


def encode_senses(
    sources: Sources, encoder: SentenceEncoder, senses: Iterable[Sense], told: SenseTextOptions
) -> Floats:
    """A row for each sense: the vector of what is said of it."""
    texts = [told.text(sense) for sense in senses]
    return encode_usages(sources, encoder, [Usage("", "", text, 0, len(text)) for text in texts])
