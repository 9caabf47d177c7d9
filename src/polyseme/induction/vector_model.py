"""Senses as vectors: what was learnt, and how strongly a usage has each of them.

A model is a folder: ``model.json`` and ``senses.jsonl`` as those of other models, and ``vectors/N.npz`` for each lemma,
with what its representation learnt and the vectors of its senses. Where language models of Python packages were asked,
``model.json`` has their versions, as others would represent new usages in another way.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from zipfile import BadZipFile

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.passages import Passages, analyse_passages, passages_without_words
from polyseme.errors import InputWarning, count_noun
from polyseme.induction.storage import (
    ModelManifest,
    check_model_folder,
    damaged_model_error,
    read_arrays,
    read_manifest,
    read_senses,
    write_arrays,
    write_manifest,
    write_senses,
)
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling, LabellingRow
from polyseme.lm.language_model import package_versions
from polyseme.usage import Usage
from polyseme.vectors.representation import FittedRepresentation, Matrix, Representation, inner_state, prefix_state

VECTOR_FOLDER = "vectors"

LABEL_BATCH = 1000
"""How many usages are labelled together."""


class InductionSteps(Protocol):
    """What an inducer does with usages: represent them, find senses among them, grade usages by these."""

    @property
    def represent(self) -> Representation:
        """How usages become vectors."""
        ...

    @property
    def grade(self) -> Any:
        """From vectors of usages and of senses to weights."""
        ...

    @property
    def on(self) -> str:
        """Whether senses are found among the usages of the corpus, or among those that are to be labelled."""
        ...

    @property
    def most(self) -> int:
        """From how many usages of a lemma is learnt; where there are more, they stand for all."""
        ...

    @property
    def share(self) -> float:
        """What share of them is drawn."""
        ...

    @property
    def sentences(self) -> int:
        """How far a passage of the corpus goes."""
        ...

    @property
    def add(self) -> int:
        """How many usages of the corpus are clustered with those that are to be labelled."""
        ...

    @property
    def mixed(self) -> bool:
        """Whether the representation is learnt from the usages of all lemmas together."""
        ...

    @property
    def learn(self) -> str:
        """What the representation is learnt from: ``corpus``, ``usages``, those to be labelled, or ``both``."""
        ...

    @property
    def told(self) -> str:
        """What tells senses to people: words around their usages, or substitutes."""
        ...

    def senses(self, matrix: Matrix) -> Matrix:
        """Senses × dimensions, from usages × dimensions."""
        ...


class VectorInducer(Protocol):
    """A specification whose steps make vectors."""

    def steps(self) -> InductionSteps:
        """What it does."""
        ...


def clusters_labelled_usages(inducer: object) -> bool:
    """Whether an inducer finds senses among the usages that are to be labelled, and so wants to know them."""
    return hasattr(inducer, "steps") and inducer.steps().on == "usages"


class SenseVectors(NamedTuple):
    """Of one lemma: its representation, and the vectors of its senses."""

    fitted: FittedRepresentation
    senses: Matrix


@dataclass(frozen=True, eq=False)
class VectorModel:
    """Induced senses as vectors; the same interface as :class:`~polyseme.induction.model.SenseModel`.

    ``weights`` are the versions of the packages whose language models were asked, if those may not be the installed.
    """

    inducer: VectorInducer
    analyser: str
    inventory: Inventory
    learnt: Mapping[str, SenseVectors]
    missed: Mapping[str, str] = field(default_factory=dict)
    corpus: Mapping[str, Any] = field(default_factory=dict)
    weights: Mapping[str, str] | None = None

    def label(self, usages: Iterable[Usage], *, processes: int | None = None) -> Labelling:
        """The senses that each usage has, with weights that sum to 1; nothing for a usage that matches none."""
        wanted = [usage for usage in usages if usage.lemma in self.learnt]
        steps = self.inducer.steps()
        if steps.represent.reads_text:
            given = passages_without_words(wanted)
        else:
            given = analyse_passages(wanted, as_analyser(self.analyser), processes=processes)
        rows: dict[str, LabellingRow] = {}
        for lemma, each in given.items():
            names = [sense.id for sense in self.inventory[lemma]]
            for usage, senses in zip(each.usages, _grade_in_batches(steps, self.learnt[lemma], each), strict=True):
                there = np.flatnonzero(senses).tolist()
                if there:
                    rows[usage.id] = (lemma, usage.id, {names[at]: float(senses[at]) for at in there})
        return Labelling([rows[usage.id] for usage in wanted if usage.id in rows])

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model into a folder, which is made if it is not there."""
        place = Path(folder)
        check_model_folder(place)
        (place / VECTOR_FOLDER).mkdir(parents=True, exist_ok=True)
        write_senses(place, self.inventory)
        for number, lemma in enumerate(self.inventory):
            fitted, senses = self.learnt[lemma]
            state = {**prefix_state(fitted.state, "of"), **prefix_state(_matrix_to_arrays(senses), "senses")}
            write_arrays(place / VECTOR_FOLDER / f"{number}.npz", state)
        specification = repr(_without_estimator(self.inducer))
        weights = package_versions(specification) if self.weights is None else dict(self.weights)
        known = ModelManifest(specification, self.analyser, dict(self.missed), dict(self.corpus), True, weights)
        write_manifest(place, known)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> VectorModel:
        """Read a model that was saved; it gives the same answers."""
        place = Path(folder)
        found, inducer = read_manifest(place)
        inventory, represent = read_senses(place), inducer.steps().represent
        learnt: dict[str, SenseVectors] = {}
        try:
            for number, lemma in enumerate(inventory):
                state = read_arrays(place / VECTOR_FOLDER / f"{number}.npz")
                learnt[lemma] = SenseVectors(
                    represent.restore(inner_state(state, "of")), _matrix_from_arrays(inner_state(state, "senses"))
                )
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise damaged_model_error(place, error) from None
        _warn_of_other_versions(place, found)
        return cls(inducer, found.analyser, inventory, learnt, found.missed, found.corpus, found.weights)

    def __repr__(self) -> str:
        senses = count_noun(sum(map(len, self.inventory.values())), "sense")
        return f"<VectorModel {self.inducer!r}: {senses} of {count_noun(len(self.inventory), 'lemma')}>"


def _warn_of_other_versions(place: Path, found: ModelManifest) -> None:
    """A warning if the language models that a model asked are not those that it would ask now."""
    said = []
    for package, installed in package_versions(found.inducer).items():
        made = found.weights.get(package)
        if made is None:
            said.append(f"before the version of {package} was recorded ({installed} is installed): induce it anew")
        elif made != installed:
            advice = f"induce it anew, or install {package} {made}"
            said.append(f"with {package} {made} ({installed} is installed): {advice}")
    if said:
        problem = f"{place}: new usages may not fit its senses, as this model was made {', and '.join(said)}"
        warnings.warn(problem, InputWarning, stacklevel=3)


def _without_estimator(inducer: VectorInducer) -> VectorInducer:
    """The inducer with an estimator of another library as text: it is no part, and not needed any more."""
    if hasattr(getattr(inducer, "cluster", None), "fit_predict"):
        made: Any = inducer
        found: VectorInducer = replace(made, cluster=repr(made.cluster))
        return found
    return inducer


def _grade_in_batches(steps: InductionSteps, learnt: SenseVectors, given: Passages) -> Iterator[Floats]:
    """The same row by row, of so many usages at a time: a language model's answers take room."""
    for start in range(0, len(given), LABEL_BATCH):
        yield from grade_usages(steps, learnt, given.chosen(np.arange(start, min(start + LABEL_BATCH, len(given)))))


def grade_usages(steps: InductionSteps, learnt: SenseVectors, given: Passages) -> Floats:
    """Usages × senses: weights that sum to 1 in each row, or are all 0. Where there is one sense, each usage has it.

    A grader could not say so where vectors are centred: the mean of them all is 0.
    """
    if learnt.senses.shape[0] == 1:
        return np.ones((len(given), 1))
    weights = np.asarray(steps.grade(learnt.fitted(given), learnt.senses), float)
    total = weights.sum(axis=1, keepdims=True)
    found: Floats = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return found


def _matrix_to_arrays(matrix: Matrix) -> dict[str, Any]:
    """A matrix as arrays; a sparse one by its parts."""
    if isinstance(matrix, np.ndarray):
        return {"dense": matrix}
    rows = matrix.tocsr()
    return {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "shape": np.array(rows.shape)}


def _matrix_from_arrays(arrays: Mapping[str, Any]) -> Matrix:
    import scipy.sparse as sp

    if "dense" in arrays:
        return arrays["dense"]
    shape = tuple(arrays["shape"].tolist())
    return sp.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
