"""The contexts of a portrait's usages as vectors, for finding those that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from polyseme.usage import Usage

if TYPE_CHECKING:
    import scipy.sparse as sp

COMMON_WORD = 0.2
"""Words in more than this share of the usages are no part of a context: they tell nothing."""


def context_vectors(usages: Sequence[Usage]) -> sp.csr_array[Any]:
    """Usages × words: tf-idf of the words around the target, rows of length 1; of zeros where nothing is around."""
    import scipy.sparse as sp
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [f"{usage.left} {usage.right}" for usage in usages]
    most = COMMON_WORD if len(texts) >= 20 else 1.0
    try:
        found = TfidfVectorizer(max_df=most, min_df=1, sublinear_tf=True).fit_transform(texts)
    except ValueError:  # no text has a word
        return sp.csr_array((len(texts), 1))
    return sp.csr_array(found)
