"""The default inducer: the small language model if it is installed and the text is English, otherwise contexts.

It is the same in Python, in ``polyseme induce``, ``demo``, ``report senses`` and the explorer.
"""

from __future__ import annotations

import importlib.util
import re
from typing import Any

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.index import Index
from polyseme.errors import MissingExtra
from polyseme.induction.substitution import READ_USAGES
from polyseme.vectors.representation import needs_one_process

SUBSTITUTE_INDUCER = "Substitution()"
"""Clusters usages that probably have the same sense. They are also labelled, so they are read once."""

CONTEXT_INDUCER = (
    "Pipeline(represent=SVD(of=Bag(minimum=3, pos='nva', positions=2, weighting='tfidf'), dimensions=60),"
    " cluster=KMeans(restarts=20, metric='cosine'), number=5, grade=Top(Softmax(temperature=0.08), 3), sentences=1)"
)
"""Divides usages with similar words in the sentence and next to the target into five clusters; it needs no extra."""

SMALL_MODEL_PACKAGES = ("polyseme_small",)
"""The Python packages that the small language model needs beside polyseme itself."""

ENGLISH_ANALYSER = re.compile(r"English\(|Simple\(language='en'|Spacy\(model='en_")
"""The analysers of English, the only language of the small model."""


def missing_small_model() -> MissingExtra | None:
    """The error that names a missing package of the small model and the command to type; ``None`` if all are there."""
    missing = next((name for name in SMALL_MODEL_PACKAGES if importlib.util.find_spec(name) is None), None)
    return MissingExtra("small", missing) if missing else None


def is_english(source: Index | Analyser) -> bool:
    """Whether an index was built by an analyser of English; or whether an analyser reads English.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> is_english(Simple("en")), is_english(Simple("de"))
    (True, False)
    """
    analyser = source.manifest.get("analyser", "") if isinstance(source, Index) else repr(source)
    return bool(ENGLISH_ANALYSER.match(str(analyser)))


def default_inducer(source: Index | Analyser) -> str:
    """The specification of the default inducer for an index, or for texts that an analyser reads."""
    return SUBSTITUTE_INDUCER if is_english(source) and missing_small_model() is None else CONTEXT_INDUCER


def get_inducer(inducer_or_model: Any) -> Any:
    """The inducer that a model was fitted with; an inducer itself is returned as it is.

    >>> get_inducer("an inducer")
    'an inducer'
    """
    return inducer_or_model.inducer if is_fitted(inducer_or_model) else inducer_or_model


def is_fitted(inducer_or_model: Any) -> bool:
    """Whether the value is a fitted model."""
    return hasattr(inducer_or_model, "inventory")


def uses_language_model(inducer: Any) -> bool:
    """Whether an inducer reads usages with a language model, which is slow and uses several threads.

    >>> from polyseme.parts import build
    >>> [uses_language_model(build(inducer)) for inducer in (SUBSTITUTE_INDUCER, CONTEXT_INDUCER, "UoY")]
    [True, False, False]
    """
    return hasattr(inducer, "steps") and needs_one_process(inducer.steps().represent)


def default_usage_limit(inducer: Any) -> int | None:
    """The default size of the sample of usages: as many as a language model clusters, all for others.

    >>> from polyseme.parts import build
    >>> [default_usage_limit(build(inducer)) for inducer in ("Substitution", "Substitution(most=50)", "UoY")]
    [300, 50, None]
    """
    return min(READ_USAGES, inducer.steps().most) if uses_language_model(inducer) else None
