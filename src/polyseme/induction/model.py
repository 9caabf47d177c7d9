"""Induced senses: the inventory, and the labels of usages.

A model is a folder. ``model.json`` names the inducer, the analyser and the lemmas without senses; ``senses.jsonl`` has
a line for each sense. Where senses are vectors, ``vectors/N.npz`` holds those of each lemma, and ``model.json`` the
versions of the Python packages whose language models were used: others would represent new usages in another way.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.conversion import are_usages
from polyseme.errors import InputWarning, count_noun
from polyseme.induction.storage import (
    StoredModel,
    check_specification,
    load_arrays,
    load_manifest,
    load_senses,
    save_model,
)
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.lm.language_model import package_versions
from polyseme.vectors.representation import (
    FittedRepresentation,
    Matrix,
    Representation,
    RepresentationState,
    inner_state,
    prefix_state,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from polyseme.corpus.context_bags import ContextBags
    from polyseme.datasets.opening import UsagesSource
    from polyseme.induction.inducer import Inducer
    from polyseme.usage import Usage


UsageSenses = dict[str, dict[str, float]]
"""The weighted senses of each usage."""


class LemmaVectors(NamedTuple):
    """The senses of a lemma as vectors.

    Args:
        fitted: The representation that was fitted to the usages of the lemma.
        senses: Senses × dimensions.
    """

    fitted: FittedRepresentation
    senses: Matrix

    def to_arrays(self) -> dict[str, Any]:
        """Return the vectors as named arrays; a sparse matrix becomes its parts."""
        if hasattr(self.senses, "tocsr"):
            rows = self.senses.tocsr()
            matrix = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "shape": rows.shape}
        else:
            matrix = {"dense": self.senses}
        return {**prefix_state(self.fitted.state, "of"), **prefix_state(matrix, "senses")}

    @classmethod
    def from_arrays(cls, arrays: RepresentationState, represent: Representation) -> LemmaVectors:
        """Restore the vectors that :meth:`to_arrays` gave."""
        import scipy.sparse as sp

        matrix = inner_state(arrays, "senses")
        fitted = represent.restore(inner_state(arrays, "of"))
        if "dense" in matrix:
            return cls(fitted, matrix["dense"])
        parts = (matrix["data"], matrix["indices"], matrix["indptr"])
        return cls(fitted, sp.csr_array(parts, shape=tuple(matrix["shape"].tolist())))


MANY_USAGES = 1000
"""The number of usages beyond which progress is shown."""


@dataclass(frozen=True, eq=False)
class SenseModel:
    """Senses that an inducer found.

    Args:
        inducer: The inducer.
        analyser: The specification of the analyser that reads new usages.
        inventory: The senses.
        missed: The lemmas without senses, with the reason.
        corpus: The size of the corpus, and the share of each lemma's usages there that have a sense (``labelled``).
        vectors: The vectors of each lemma's senses; empty where senses are sets of words.
        weights: The versions of the Python packages whose language models were used; by default the installed ones.
    """

    inducer: Inducer
    analyser: str
    inventory: Inventory
    missed: Mapping[str, str] = field(default_factory=dict)
    corpus: Mapping[str, Any] = field(default_factory=dict)
    vectors: Mapping[str, LemmaVectors] = field(default_factory=dict)
    weights: Mapping[str, str] | None = None

    def label(self, usages: UsagesSource, *, processes: int | None = None, progress: bool | None = None) -> Labelling:
        """Label usages with all senses that match them.

        Args:
            usages: The usages; those of other lemmas are skipped. A list, a data frame, a path, the name of a data set,
                or an index, of which all usages of the model's lemmas are labelled.
            processes: How many processes analyse the texts; by default as many as there are processors.
            progress: Whether a bar is shown for many usages. Default: on a terminal and in a notebook, not in a pipe.

        Returns:
            The senses with weights that sum to 1; a usage that matches none is left out, and is a ``KeyError``.

        Raises:
            InputError: The usages cannot be opened.
            ValueError: Two usages of a list have the same id.
        """
        if not are_usages(usages) or (len(usages) > MANY_USAGES and progress is not False):
            from polyseme.interface.senses import label

            return label(self, usages, processes=processes, progress=progress)
        to_label = [usage for usage in usages if usage.lemma in self.inventory]
        contexts = self.inducer.read_contexts(to_label, self.analyser, processes)
        return self._label([(usage.lemma, usage.id) for usage in to_label], contexts)

    def transform(self, usages: Iterable[Usage]) -> csr_array:
        """Return a sparse matrix, usages × senses, as transformers of scikit-learn do.

        :class:`~polyseme.interface.vectorizers.SenseVectorizer` is the transformer itself.
        """
        rows = list(usages)
        return usage_sense_matrix(self.label(rows), rows, self.get_feature_names_out().tolist())

    def get_feature_names_out(self) -> NDArray[np.object_]:
        """Return the ids of the senses, the columns of :meth:`transform`."""
        return np.array([sense.id for senses in self.inventory.values() for sense in senses], dtype=object)

    def label_bags(self, bags: ContextBags) -> Labelling:
        """Label usages whose contexts are bags of words."""
        lemmas = [lemma for lemma in dict.fromkeys(bags.lemmas) if lemma in self.inventory]
        contexts = {lemma: bags.select_lemma(lemma) for lemma in lemmas}
        return self._label(list(zip(bags.lemmas, bags.usages, strict=True)), contexts)

    def _label(self, usages: Sequence[tuple[str, str]], contexts: Mapping[str, Any]) -> Labelling:
        senses: UsageSenses = {}
        for lemma, group in contexts.items():
            senses |= self.label_contexts(lemma, group)
        return Labelling([(lemma, usage, senses[usage]) for lemma, usage in usages if usage in senses])

    def label_contexts(self, lemma: str, contexts: Any) -> UsageSenses:
        """Label usages of a lemma whose contexts are analysed already.

        Args:
            lemma: A lemma of the inventory.
            contexts: Passages, or bags of words, as :meth:`Inducer.read_contexts` gives them.

        Returns:
            The senses of each usage; a usage that matches none is left out.
        """
        return self.inducer.label_contexts(self.inventory[lemma], self.vectors.get(lemma), contexts)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder, which is created if it does not exist.

        Raises:
            InputError: An option is an object, which no specification can name.
        """
        specification = self.inducer.specification
        check_specification(specification)
        facts = {
            "analyser": self.analyser,
            "missed": dict(self.missed),
            "corpus": dict(self.corpus),
            "vectors": bool(self.vectors),
            "weights": package_versions(specification) if self.weights is None else dict(self.weights),
        }
        arrays = [self.vectors[lemma].to_arrays() for lemma in self.inventory] if self.vectors else []
        save_model(Path(folder), StoredModel(specification, facts), self.inventory, arrays)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> SenseModel:
        """Read a model that was saved; it gives the same labels."""
        path = Path(folder)
        manifest, inducer = load_manifest(path, "inducer")
        inventory, facts = load_senses(path), dict(manifest.facts)
        vectors = {}
        if facts.pop("vectors"):
            represent = inducer.steps().represent
            arrays = load_arrays(path, len(inventory), lambda state: LemmaVectors.from_arrays(state, represent))
            vectors = dict(zip(inventory, arrays, strict=True))
        _warn_of_other_versions(path, manifest.specification, facts["weights"])
        return cls(inducer, inventory=inventory, vectors=vectors, **facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SenseModel):
            return NotImplemented
        names = ("inducer", "analyser", "inventory", "missed", "corpus")
        same_fields = all(getattr(self, name) == getattr(other, name) for name in names)
        return same_fields and self._list_arrays() == other._list_arrays()

    __hash__ = None  # type: ignore[assignment]

    def _list_arrays(self) -> dict[str, dict[str, tuple[Any, ...]]]:
        """Return what the vectors of each lemma hold, as values that can be compared."""
        return {
            lemma: {name: (np.shape(array), np.asarray(array).tobytes()) for name, array in vectors.to_arrays().items()}
            for lemma, vectors in self.vectors.items()
        }

    def __repr__(self) -> str:
        senses = count_noun(sum(map(len, self.inventory.values())), "sense")
        return f"<SenseModel {self.inducer!r}: {senses} of {count_noun(len(self.inventory), 'lemma')}>"

    def _repr_html_(self) -> str:
        from polyseme.display.inventories import render_sense_model

        return render_sense_model(self)


def usage_sense_matrix(labelling: Labelling, usages: Sequence[Usage], senses: Sequence[str]) -> csr_array:
    """Return the weights of a labelling as a matrix with a row for each usage and a column for each sense.

    A usage that has no sense gets a row of zeros; senses that are not listed are left out.

    >>> from polyseme.usage import Usage
    >>> labelling = Labelling.from_dict({"u1": {"a": 0.75, "b": 0.25}}, lemma="x")
    >>> usages = [Usage("u2", "x", "x", 0, 1), Usage("u1", "x", "x", 0, 1)]
    >>> usage_sense_matrix(labelling, usages, ["b", "a"]).toarray().tolist()
    [[0.0, 0.0], [0.25, 0.75]]
    """
    import scipy.sparse as sp

    columns = {sense: column for column, sense in enumerate(senses)}
    weights = [(row, labelling.get(usage.id, {}).items()) for row, usage in enumerate(usages)]
    entries = [(row, columns[name], weight) for row, items in weights for name, weight in items if name in columns]
    rows, places, values = zip(*entries, strict=True) if entries else ((), (), ())
    return sp.csr_array((np.array(values, float), (rows, places)), shape=(len(usages), len(columns)))


def _warn_of_other_versions(folder: Path, specification: str, versions: Mapping[str, str]) -> None:
    """Warn if the language models of a saved model are not the installed ones."""
    differences = []
    for package, installed in package_versions(specification).items():
        version = versions.get(package, "")
        advice = f"fit it again, or install {package} {version}" if version else "fit it again"
        if version != installed:
            differences.append(f"with {package} {version or '(none)'} ({installed} is installed): {advice}")
    if differences:
        problem = f"{folder}: new usages may not fit its senses, as this model was made {', and '.join(differences)}"
        warnings.warn(problem, InputWarning, stacklevel=3)
