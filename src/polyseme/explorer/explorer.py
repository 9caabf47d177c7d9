"""The state behind all pages: an index, the profiles induced so far, and processes that induce more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from polyseme.corpus.document_filter import DocumentFilter
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.explorer import profile_cache
from polyseme.explorer.background import BackgroundTask, BackgroundWorkers, TaskFailed
from polyseme.explorer.background_tasks import WORDNET, DictionaryTask, InductionTask
from polyseme.explorer.lexicon import Lexicon
from polyseme.explorer.models import build_inducer, full_specification, is_offered, models_for_index, usage_limit
from polyseme.explorer.page_request import PageRequest
from polyseme.formats.checkpoint import DAMAGE
from polyseme.induction.model import SenseModel
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from polyseme.words.dictionary import DISAMBIGUATOR
from polyseme.words.editing import merge_senses, rename_senses
from polyseme.words.profile import WordProfile

PATIENCE = 1.5
"""The number of seconds that a page waits for a task before it says that the task is running."""

IN_MEMORY = 24
"""The number of profiles, models and labels in memory."""

Value = TypeVar("Value")


class NotReady(Exception):
    """The result of a task is not ready; the message names the task."""


class Explorer:
    """An index with its profiles. The corpus is only read; only the cache is written.

    Args:
        index: The index.
        folder: The folder of the cache; by default, one in the user's cache.
        patience: The number of seconds that a page waits for a task.
        any_model: Whether users may specify any model. Specifications can name folders of this machine, so this is for
            local users only.
    """

    def __init__(
        self, index: Index, folder: Path | None = None, *, patience: float = PATIENCE, any_model: bool = True
    ) -> None:
        self.index, self.any_model, self.patience = index, any_model, patience
        self.offered = models_for_index(index)
        self.folder = folder or profile_cache.cache_folder(index)
        profile_cache.check_cache(self.folder)
        self.lexicon = Lexicon(index)
        self._workers = BackgroundWorkers(index.folder)
        self._read: Callable[[Any, Path], Any] = lru_cache(IN_MEMORY)(lambda read, path: read(path))

    def stop(self) -> None:
        """Stop the processes."""
        self._workers.stop()

    def model_or_default(self, model: str) -> str:
        """The specification of a model, or the default."""
        return model or self.offered[0].specification

    def check_model(self, model: str) -> None:
        """Check the specification of a model.

        Raises:
            InputError: The specification is wrong, or the model must be one of those that are offered.
        """
        if not self.can_choose(model):
            raise InputError(
                "only the listed models are allowed, because other people can reach this explorer; choose one of them,"
                " or start the explorer without --host"
            )
        build_inducer(self.model_or_default(model))

    def can_choose(self, model: str) -> bool:
        """Whether users may choose a model."""
        return self.any_model or is_offered(self.model_or_default(model), self.offered)

    def profile(self, lemma: str, model: str) -> WordProfile:
        """The profile of a word by a model.

        Raises:
            NotReady: The senses are being induced.
            PolysemeError: They cannot be induced.
        """
        task = self.induction_task(lemma, model)
        return self._load(profile_cache.read_profile, task.path, task, f"polyseme is inducing the senses of {lemma}")

    def induction_task(self, lemma: str, model: str) -> InductionTask:
        """The task that induces the senses of a word by a model, with its entry in the cache."""
        specification = self.model_or_default(model)
        full, limit = full_specification(specification), usage_limit(specification)
        return InductionTask(full, lemma, profile_cache.entry_path(self.folder, full, lemma, limit), limit)

    def model(self, lemma: str, model: str) -> SenseModel:
        """The fitted model, for labelling other usages."""
        self.profile(lemma, model)
        return cast(SenseModel, self._read(profile_cache.read_model, self.induction_task(lemma, model).path))

    def dictionary_labels(
        self, query: PageRequest, usages: Sequence[Usage], disambiguator: str = DISAMBIGUATOR
    ) -> Labelling:
        """The dictionary senses of usages.

        Raises:
            NotReady: They are being looked up.
        """
        facts = [WORDNET, disambiguator, *((usage.id, usage.text) for usage in usages)]
        file = profile_cache.labels_path(self.induction_task(query.word, query.model).path, *facts)
        progress = f"polyseme is comparing the senses of {query.word} with WordNet"
        return self._load(profile_cache.read_labels, file, DictionaryTask(tuple(usages), file, disambiguator), progress)

    def _load(self, read: Callable[[Path], Value], path: Path, task: BackgroundTask, progress: str) -> Value:
        """Read a result from memory or from the cache; if it is missing, run the task that writes it."""
        with suppress(InputError, *DAMAGE):
            return cast(Value, self._read(read, path))
        if not self._workers.wait_for(task, self.patience):
            raise NotReady(progress)
        try:
            return cast(Value, self._read(read, path))
        except (InputError, *DAMAGE):
            raise TaskFailed(f"the result cannot be read from {path}; is the disk full?") from None


def fingerprint_senses(profile: WordProfile) -> str:
    """The lemma and a digest of its senses, which differs if their numbers mean other senses."""
    facts = (profile.model, [(sense.id, [word for word, _ in sense.features[:10]]) for sense in profile.senses])
    return f"{profile.lemma}:{sha256(repr(facts).encode(errors='replace')).hexdigest()[:12]}"


def edit_profile(profile: WordProfile, query: PageRequest) -> WordProfile:
    """Merge and rename the senses of a profile; numbers of senses that it does not have are ignored."""
    ids = {number: sense.id for number, sense in enumerate(profile.senses, start=1)}
    into = {ids[part]: ids[target] for part, target in query.into.items() if part in ids and target in ids}
    merged = merge_senses(profile, into) if into else profile
    remaining = {sense.id for sense in merged.senses}
    names = {ids[number]: name for number, name in query.names.items() if ids.get(number) in remaining}
    return rename_senses(merged, names) if names else merged


def filter_profile(profile: WordProfile, where: str) -> WordProfile:
    """Keep the usages in documents that meet a condition; the senses and their order stay."""
    if not where:
        return profile
    condition = DocumentFilter(where)
    metas = [{name: str(value) for name, value in usage.meta.items()} for usage in profile.usages]
    condition.check({name for meta in metas for name in meta}, document=next(iter(metas), {}).get("document", ""))
    return keep_usages(profile, [usage for usage, meta in zip(profile.usages, metas, strict=True) if condition(meta)])


def keep_usages(profile: WordProfile, usages: Sequence[Usage]) -> WordProfile:
    """The profile with some of its usages only."""
    labelling = profile.labelling.restrict(usage.id for usage in usages)
    return replace(profile, usages=tuple(usages), labelling=labelling)
