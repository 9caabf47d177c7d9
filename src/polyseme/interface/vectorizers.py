"""Transformers of scikit-learn: usages become rows of weighted senses, or vectors of a representation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.passages import Passages, analyse_passages, concatenate_passages, passages_without_words
from polyseme.disambiguation.contexts import find_usage_entry
from polyseme.disambiguation.model import DICTIONARY_KINDS, DictionaryModel
from polyseme.disambiguation.text_usages import abbreviate_list
from polyseme.errors import InputError, quote_value
from polyseme.induction.model import SenseModel, usage_sense_matrix
from polyseme.interface.reading import read_usages
from polyseme.models import load_model
from polyseme.parts import build
from polyseme.usage import Usage
from polyseme.vectors.representation import Representation

FittedModel = SenseModel | DictionaryModel

NO_METADATA = {"usages": UNUSED}
"""Usages are the first argument of ``fit`` and ``transform``, and no metadata that scikit-learn passes on."""


class SenseVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Usages as rows of weighted senses, for pipelines of scikit-learn.

    Args:
        model: An inducer, which is fitted to the usages; a dictionary model or its specification, such as ``PPR``; or a
            fitted model or its folder, which is used as it is.
        processes: How many processes analyse texts; by default as many as there are processors.

    >>> from polyseme import Usage
    >>> texts = ["The bank lends money", "The bank lends money now", "A bank of the river", "The bank of a river"]
    >>> starts = [text.index("bank") for text in texts]
    >>> places = enumerate(zip(texts, starts, strict=True))
    >>> usages = [Usage(str(row), "bank.n", text, start, start + 4) for row, (text, start) in places]
    >>> senses = SenseVectorizer("Pipeline(Bag(minimum=1, stop=0), number=2)", processes=1)
    >>> senses.fit_transform(usages).shape
    (4, 2)
    >>> senses.get_feature_names_out().tolist()
    ['bank.n.s1', 'bank.n.s2']
    """

    __metadata_request__fit = NO_METADATA
    __metadata_request__transform = NO_METADATA

    def __init__(self, model: Any = "Substitution", processes: int | None = None) -> None:
        self.model = model
        self.processes = processes

    def fit(self, usages: Any, y: Any = None) -> Self:
        """Fit an inducer to usages; of other models, only the senses of the usages' lemmas are read.

        Raises:
            InputError: The model has senses of none of the lemmas.
        """
        rows = read_usages(usages)
        self.model_ = _fit_model(self.model, rows, self.processes)
        senses = (self.model_.inventory.get(lemma, ()) for lemma in sorted(_list_lemmas(self.model_, rows)))
        self.senses_ = [sense.id for group in senses for sense in group]
        if not self.senses_:
            names = abbreviate_list(sorted({usage.lemma for usage in rows}))
            raise InputError(f"the model has no senses of {names}; name lemmas such as 'bank.n'")
        return self

    def transform(self, usages: Any) -> Any:
        """Return a sparse matrix, usages × senses; a usage that fits no sense has a row of zeros."""
        check_is_fitted(self)
        rows = read_usages(usages)
        return usage_sense_matrix(self.model_.label(rows, processes=self.processes), rows, self.senses_)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the ids of the senses, the columns of the matrix."""
        check_is_fitted(self)
        return np.array(self.senses_, dtype=object)


def _fit_model(model: Any, usages: Sequence[Usage], processes: int | None) -> FittedModel:
    if isinstance(model, SenseModel | DictionaryModel):
        return model
    if isinstance(model, str | Path) and Path(model).is_dir():
        return load_model(model)
    part = build(str(model)) if isinstance(model, str | Path) else model
    kind = getattr(part, "kind", "")
    if kind in DICTIONARY_KINDS:
        return DictionaryModel(part)
    if kind != "inducer":
        problem = f"{quote_value(model)} gives usages no senses"
        raise InputError(f"{problem}; give a model, its folder, an inducer or a dictionary model, such as PPR")
    fitted: SenseModel = part.fit(usages, usages=usages, processes=processes)
    return fitted


def _list_lemmas(model: FittedModel, usages: Sequence[Usage]) -> Iterable[str]:
    """List the lemmas whose senses are columns; in a dictionary, the lemma *bank* of a usage is ``bank.n``."""
    if isinstance(model, SenseModel):
        return model.inventory
    return {find_usage_entry(usage, model.sources) for usage in usages}


class UsageVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Usages as vectors of a representation, for pipelines of scikit-learn.

    Args:
        represent: A representation or its specification, such as ``Bag``, ``SVD`` or ``TokenEncoder``.
        analyser: The analyser of texts, for representations that do not read them themselves.
        processes: How many processes analyse texts; by default as many as there are processors.

    >>> from polyseme import Usage
    >>> texts = ["The bank lends money", "A bank of the river"]
    >>> starts = [text.index("bank") for text in texts]
    >>> usages = [Usage(text, "bank.n", text, start, start + 4) for text, start in zip(texts, starts)]
    >>> UsageVectorizer("Bag(minimum=1, stop=0)", processes=1).fit_transform(usages).shape
    (2, 3)
    """

    __metadata_request__fit = NO_METADATA
    __metadata_request__transform = NO_METADATA

    def __init__(
        self, represent: Any = "Bag(weighting='tfidf')", analyser: str = "english", processes: int | None = None
    ) -> None:
        self.represent = represent
        self.analyser = analyser
        self.processes = processes

    def fit(self, usages: Any, y: Any = None) -> Self:
        """Fit the representation to usages, of all lemmas together."""
        part = build(self.represent, "representation") if isinstance(self.represent, str) else self.represent
        passages = self._read_passages(part, read_usages(usages))
        self.representation_, self.fitted_ = part, part.fit(passages)
        self._n_features_out = int(self.fitted_(passages).shape[1])
        return self

    def transform(self, usages: Any) -> Any:
        """Return a matrix, usages × dimensions, which is sparse for bags of words."""
        check_is_fitted(self)
        return self.fitted_(self._read_passages(self.representation_, read_usages(usages)))

    def _read_passages(self, part: Representation, usages: Sequence[Usage]) -> Passages:
        """Read the passages of usages, in their order."""
        if part.reads_text:
            groups = passages_without_words(usages)
        else:
            groups = analyse_passages(usages, as_analyser(self.analyser), processes=self.processes)
        numbers = {lemma: number for number, lemma in enumerate(groups)}
        order = np.argsort([numbers[usage.lemma] for usage in usages], kind="stable")
        return concatenate_passages(list(groups.values())).select(np.argsort(order))
