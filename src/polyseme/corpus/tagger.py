"""HanTa's English model, asked through its public interface: lemmas, and tags of the British National Corpus (C5)."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

MODEL = "morphmodel_en.pgz"

LENGTH_LIMIT = 60
"""A longer form, such as a line of signs, is not asked about: the time that takes grows faster than its length."""

NOUN = "NN1"





CACHED_FORMS = 1 << 17
"""How many forms the model's answers are kept for: more than nine of ten words of a text are forms met before."""


class Tagger:
    """A loaded model; what it finds out about a form on its own, without the sentence, is kept for the next time."""

    def __init__(self, model: Any) -> None:
        model.analyze_viterbi = lru_cache(CACHED_FORMS)(model.analyze_viterbi)
        self._model = model

    def tag(self, forms: Sequence[str]) -> list[tuple[str, str]]:
        """The lemma, in small letters, and the tag of each form of a sentence."""
        asked = [form if len(form) <= LENGTH_LIMIT else "thing" for form in forms]
        said = self._model.tag_sent(asked)
        return [
            (str(lemma).lower(), str(tag)) if form == word else (form.lower(), NOUN)
            for form, word, (_, lemma, tag) in zip(forms, asked, said, strict=True)
        ]


@lru_cache(maxsize=1)
def load_tagger() -> Tagger:
    """The model, loaded once in a process."""
    return Tagger(importlib.import_module("HanTa.HanoverTagger").HanoverTagger(MODEL))


