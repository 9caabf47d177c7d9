"""The English model of HanTa: lemmas, and tags of the British National Corpus (C5)."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

MODEL = "morphmodel_en.pgz"

LENGTH_LIMIT = 60
"""Longer forms, such as a line of signs, are not tagged: the time grows faster than the length."""

NOUN = "NN1"

CACHED_FORMS = 1 << 17
"""The number of forms in the cache: more than nine of ten words of a text have occurred before."""


class Tagger:
    """A loaded model, with a cache of the analysis of single forms."""

    def __init__(self, model: Any) -> None:
        model.analyze_viterbi = lru_cache(CACHED_FORMS)(model.analyze_viterbi)
        self._model = model

    def tag(self, forms: Sequence[str]) -> list[tuple[str, str]]:
        """The lemma, in lower case, and the tag of each form of a sentence."""
        words = [form if len(form) <= LENGTH_LIMIT else "thing" for form in forms]
        tagged = self._model.tag_sent(words)
        return [
            (str(lemma).lower(), str(tag)) if form == word else (form.lower(), NOUN)
            for form, word, (_, lemma, tag) in zip(forms, words, tagged, strict=True)
        ]


@lru_cache(maxsize=1)
def load_tagger() -> Tagger:
    """Load the model, once in a process."""
    return Tagger(importlib.import_module("HanTa.HanoverTagger").HanoverTagger(MODEL))
