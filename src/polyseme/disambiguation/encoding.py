"""Vectors of usages and of senses by an encoder; each text is encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.sources import Sources
from polyseme.inventory import Sense
from polyseme.lemma import replace_underscores, strip_pos
from polyseme.usage import Usage
from polyseme.vectors.encoders import SentenceEncoder, TokenEncoder


class SenseTextOptions(NamedTuple):
    """What describes a sense besides its definition.

    Args:
        word: Whether the word itself precedes the definition.
        examples: Whether the examples follow it.
        synonyms: Whether the synonyms precede it.
    """

    word: bool = True
    examples: bool = True
    synonyms: bool = False

    def text(self, sense: Sense) -> str:
        """Describe a sense as a line of a dictionary.

        >>> sense = Sense("bank%1:17:01::", "bank.n", "sloping land", ("riverbank",), ("on the bank",))
        >>> SenseTextOptions().text(sense), SenseTextOptions(word=False, examples=False, synonyms=True).text(sense)
        ('bank: sloping land; on the bank', 'riverbank: sloping land')
        """
        words = [replace_underscores(strip_pos(sense.lemma))] if self.word else []
        head = ", ".join([*words, *(sense.synonyms if self.synonyms else ())])
        definition = f"{head}: {sense.gloss}" if head else sense.gloss
        return "; ".join([definition, *(sense.examples if self.examples else ())])


def encode_usages(sources: Sources, encoder: TokenEncoder | SentenceEncoder, usages: Sequence[Usage]) -> Floats:
    """Encode usages as rows of length 1; usages that were encoded before are taken from a cache."""
    if not usages:
        return encoder.vectors(usages)
    cache: dict[tuple[str, int, int], Floats] = sources.cached(f"vectors of {encoder!r}", dict)
    keys = [(usage.text, usage.start, usage.end) for usage in usages]
    new = {key: usage for key, usage in zip(keys, usages, strict=True) if key not in cache}
    if new:
        cache |= zip(new, encoder.vectors(list(new.values())).astype(np.float32), strict=True)
    return np.array([cache[key] for key in keys], np.float64)


def encode_senses(
    sources: Sources, encoder: SentenceEncoder, senses: Iterable[Sense], options: SenseTextOptions
) -> Floats:
    """Encode the descriptions of senses, a row for each."""
    texts = [options.text(sense) for sense in senses]
    return encode_usages(sources, encoder, [Usage("", "", text, 0, len(text)) for text in texts])
