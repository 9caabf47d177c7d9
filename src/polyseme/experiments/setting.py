"""What a plan asks of its models: usages to label, and evaluation sets that score the labels.

A setting of each family of models knows how its models label usages. In the folder of results, ``models`` holds induced
models and ``keys`` labellings. Their names depend on everything that they are computed from and on the version of
polyseme, so that experiments can share a folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from polyseme.errors import InputError
from polyseme.experiments.plan import Plan
from polyseme.experiments.results import count_labels
from polyseme.formats import read_labelling, write_labelling
from polyseme.formats.checkpoint import compute_fingerprint, load_or_compute
from polyseme.formats.files import make_folder
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.tasks.data import EvaluationData, UserFiles
from polyseme.tasks.task import EvaluationSet, Load
from polyseme.usage import Usage

Show = Callable[[str], object]
KEYS_FOLDER = "keys"


class ModelLabels(NamedTuple):
    """The labels of a model.

    Args:
        labelling: The labelled usages.
        key: The file of the labelling; empty if there is none.
        missed: The lemmas without senses, and the reason.
        empty: Whether the model has no senses at all.
    """

    labelling: Labelling
    key: str = ""
    missed: Mapping[str, str] = {}
    empty: bool = False


class Setting(ABC):
    """The data of a plan, and its evaluation sets by mapping; subclasses label usages with one family of models.

    Args:
        plan: The plan.
        load: Gives a data set by its name.
    """

    maps_senses = False
    """Whether labels are mapped to the senses of gold."""
    describes_baselines = False
    """Whether the baselines of the task have facts."""

    def __init__(self, plan: Plan, load: Load) -> None:
        self.plan, self.load = plan, load
        self.data: EvaluationData = load(plan.data) if plan.data else UserFiles(plan.usages, plan.gold)
        self.systems = self._select_systems()
        self.evaluation_sets: dict[str, EvaluationSet] = {
            mapping: task.make_evaluation_set(self.data, self._select_lemmas, self.dictionary)
            for mapping, task in plan.variants.items()
        }

    @property
    def evaluation_set(self) -> EvaluationSet:
        """The evaluation set, with the first mapping if there are several."""
        return next(iter(self.evaluation_sets.values()))

    @property
    def dictionary(self) -> Inventory | None:
        """The dictionary whose senses are the labels."""
        return None

    @property
    def inventory(self) -> Inventory | None:
        """The senses of gold, if they are described."""
        return self.dictionary

    def prepare(self, folder: Path, show: Show) -> None:  # noqa: B027 nothing, for models that need none
        """Do the work that all models need."""

    @abstractmethod
    def label(self, model: Any, folder: Path, show: Show) -> ModelLabels:
        """Label the usages with a model; read the labels if they are in the folder."""

    def list_systems(self) -> list[str]:
        """Return the names of the published keys to score."""
        return self.systems

    def read_system(self, name: str) -> Labelling:
        """Return a published key, restricted to the usages that are scored."""
        key = self.data.systems[name]
        return key.restrict(usage for usage in key if usage in self.evaluation_set.gold)

    def count(self, labelling: Labelling) -> dict[str, float]:
        """Count the labelled usages and their senses."""
        return count_labels(self.evaluation_set.gold, labelling)

    def list_missed(self) -> dict[str, Mapping[str, str]]:
        """Return the lemmas that no model can label, under the name of what lacks them."""
        return {}

    def _select_systems(self) -> list[str]:
        """Return the names of the published keys of the plan."""
        if not self.plan.systems:
            return []
        names = list(self.data.systems)
        for name in self.plan.systems if self.plan.systems != ("all",) else ():
            if name not in names:
                raise InputError(f"{self.plan.data} has no system {name!r}; it has {', '.join(names)}")
        return names if self.plan.systems == ("all",) else list(self.plan.systems)

    def _select_lemmas(self, lemmas: Collection[str]) -> Collection[str]:
        """Return those lemmas that usages of the plan's ``lemmas`` have."""
        if not self.plan.lemmas:
            return lemmas
        name, _, role = self.plan.lemmas.partition(":")
        if role not in ("", "usages", "training"):
            allowed = "allowed after the data set's name are :usages and :training"
            raise InputError(f"lemmas is {self.plan.lemmas!r}; {allowed}")
        data = self.load(name)
        usages = data.training() if role == "training" else data.usages
        selected = {usage.lemma for usage in usages} & set(lemmas)
        if not selected:
            raise InputError(f"{self.plan.lemmas} has none of the lemmas of {self.plan.data}")
        return selected


def cache_name(model: Any, *facts: object) -> str:
    """Return the name of a cached file: the part, and a digest of what it is computed from."""
    return f"{type(model).__name__}-{compute_fingerprint(*facts)[:12]}"


def list_usage_fields(usages: Sequence[Usage]) -> list[list[object]]:
    """Return what the labels of usages depend on."""
    return [[usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end] for usage in usages]


def label_once(key: Path, compute: Callable[[], Labelling]) -> Labelling:
    """Read a labelling from its file; if it is not there, compute and write it first."""

    def compute_and_write() -> Labelling:
        labelling = compute()
        make_folder(key.parent)
        write_labelling(labelling, key)
        return read_labelling(key)  # so that the first run and later ones agree to the last digit

    return load_or_compute(key, read_labelling, compute_and_write)
