"""Vectors of the contexts of usages, for finding similar ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from polyseme.usage import Usage

if TYPE_CHECKING:
    import scipy.sparse as sp

COMMON_WORD = 0.2
"""Words in a larger share of the usages are ignored, as they distinguish nothing."""


def context_vectors(usages: Sequence[Usage]) -> sp.csr_array[Any]:
    """A matrix of usages × words: tf-idf of the words around the target, rows of length 1, or zero without context."""
    import scipy.sparse as sp
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [f"{usage.left} {usage.right}" for usage in usages]
    max_df = COMMON_WORD if len(texts) >= 20 else 1.0
    try:
        return sp.csr_array(TfidfVectorizer(max_df=max_df, min_df=1, sublinear_tf=True).fit_transform(texts))
    except ValueError:  # no text has a word
        return sp.csr_array((len(texts), 1))
