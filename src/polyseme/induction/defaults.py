"""What finds senses where nobody names a model: our own small language model, or without it, contexts alone."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

from polyseme.corpus.index import Index
from polyseme.errors import MissingExtra
from polyseme.vectors.representation import needs_one_process

READ_USAGES = 200
"""So many usages of a word a language model reads, drawn at random: it takes ten thousand tokens a second, not more."""

SUBSTITUTE_INDUCER = f"Substitution(number=Sizeable(4), smallest=0.03, most={READ_USAGES})"
"""Usages in whose place similar words could stand; those that are clustered are those that are labelled, read once."""

CONTEXT_INDUCER = (
    "Pipeline(represent=SVD(of=Bag(minimum=3, pos='nva', positions=2, weighting='tfidf'), dimensions=60),"
    " cluster=KMeans(restarts=20, metric='cosine'), number=5, grade=Top(Softmax(temperature=0.08), 3), sentences=1)"
)
"""Usages with similar words around them, and similar words next to them, in five clusters; it needs no more than us."""

SMALL_MODEL_PACKAGES = ("polyseme_small", "onnxruntime", "tokenizers")
"""The Python packages that our language model comes with."""

ENGLISH_ANALYSER = re.compile(r"English\(|Simple\(language='en'|Spacy\(model='en_")
"""The analysers of English, which is the only language that our model reads."""


def missing_small_model() -> MissingExtra | None:
    """What of our language model is not installed, as an error that says what to type; nothing if all is there."""
    absent = next((name for name in SMALL_MODEL_PACKAGES if importlib.util.find_spec(name) is None), None)
    return MissingExtra("small", absent) if absent else None


def is_english(index: Index) -> bool:
    """Whether the texts of an index are English, as far as its analyser tells."""
    return bool(ENGLISH_ANALYSER.match(str(index.manifest.get("analyser", ""))))


def default_inducer(index: Index) -> str:
    """The specification of what finds senses in an index."""
    return SUBSTITUTE_INDUCER if is_english(index) and missing_small_model() is None else CONTEXT_INDUCER


def get_inducer(inducer_or_model: Any) -> Any:
    """The inducer by which a model was learnt; an inducer is what it is.

    >>> get_inducer("an inducer")
    'an inducer'
    """
    return inducer_or_model.inducer if is_fitted(inducer_or_model) else inducer_or_model


def is_fitted(inducer_or_model: Any) -> bool:
    """Whether it is a model, which has senses already."""
    return hasattr(inducer_or_model, "inventory")


def uses_language_model(inducer: Any) -> bool:
    """Whether an inducer has a language model read usages, which takes long, and has threads of its own.

    >>> from polyseme.parts import build
    >>> uses_language_model(build(SUBSTITUTE_INDUCER)), uses_language_model(build(CONTEXT_INDUCER)), uses_language_model(build("UoY"))
    (True, False, False)
    """
    return hasattr(inducer, "steps") and needs_one_process(inducer.steps().represent)


def default_usage_limit(inducer: Any) -> int | None:
    """How many usages of a word are looked at where nobody says: of a language model some, of others all."""
    return READ_USAGES if uses_language_model(inducer) else None
