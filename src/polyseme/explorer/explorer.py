"""What all pages work with: an index, what was induced from it so far, and processes that induce more."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

from polyseme.corpus.document_filter import DocumentFilter
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.explorer import profile_cache
from polyseme.explorer.background import BackgroundWorkers, TaskFailed
from polyseme.explorer.background_tasks import DISAMBIGUATOR, WORDNET, DictionaryTask, InductionTask
from polyseme.explorer.lexicon import Lexicon
from polyseme.explorer.models import build_inducer, full_specification, is_offered, models_for_index, usage_limit
from polyseme.explorer.page_request import PageRequest
from polyseme.induction.loading import Model
from polyseme.labelling import Labelling
from polyseme.usage import Usage
from polyseme.words.editing import merge_senses, rename_senses
from polyseme.words.profile import WordProfile

PATIENCE = 1.5
"""Seconds for which an answer waits for what is being induced, before a page says that it is."""

IN_MEMORY = 24

Value = TypeVar("Value")


class NotReady(Exception):
    """What is asked for is being worked on."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Explorer:
    """An index and all that is known of its words; the corpus is only read, and all that is written is the cache.

    Without ``any_model`` only those that are offered may be named: a specification can name folders of this machine.
    """

    def __init__(
        self, index: Index, folder: Path | None = None, *, patience: float = PATIENCE, any_model: bool = True
    ) -> None:
        self.index = index
        self.any_model = any_model
        self.offered = models_for_index(index)
        self.folder = folder or profile_cache.cache_folder(index)
        profile_cache.check_folder(self.folder)
        self.lexicon = Lexicon(index)
        self.patience = patience
        self._working = BackgroundWorkers(index.folder)
        self._held: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()

    def end(self) -> None:
        """Stop the processes."""
        self._working.end()

    def named(self, model: str) -> str:
        """A model as somebody names it; the first that is offered, if nobody does."""
        return model or self.offered[0].specification

    # -- what was induced ----------------------------------------------------------------------------------------------

    def portrait(self, lemma: str, model: str) -> WordProfile:
        """A word as a model sees it; :class:`NotReady` while it is induced, an error if it cannot be."""
        place = self.place(lemma, model)
        found = self._hold(place, lambda: profile_cache.read_profile(place))
        if found is None:
            named = self.named(model)
            task = InductionTask(full_specification(named), lemma, place, usage_limit(named))
            if not self._working.ask(task, self.patience):
                raise NotReady(f"the senses of {lemma} are being induced")
            found = self._hold(place, lambda: profile_cache.read_profile(place))
        if found is None:
            raise TaskFailed(f"what was induced of {lemma} cannot be read again from {place}; is the disk full?")
        return found

    def place(self, lemma: str, model: str) -> Path:
        """Where what is known of a word by a model is kept."""
        named = self.named(model)
        return profile_cache.entry_path(self.folder, full_specification(named), lemma, usage_limit(named))

    def check(self, model: str) -> None:
        """An error if a model is none, or one that may not be named here."""
        named = self.named(model)
        if not (self.any_model or is_offered(named, self.offered)):
            raise InputError(
                "only the models that are listed may be used here, as others can reach this page; choose one of them,"
                " or start the explorer without --host"
            )
        build_inducer(named)  # an error says what is wrong with it

    def model(self, lemma: str, model: str) -> Model:
        """The model itself, to label other usages."""
        self.portrait(lemma, model)
        place = self.place(lemma, model)
        return self._hold((place, "model"), lambda: profile_cache.read_model(place)) or profile_cache.read_model(place)

    def in_dictionary(self, asked: PageRequest, usages: Sequence[Usage]) -> Labelling:
        """The dictionary's senses of usages; :class:`NotReady` while they are looked for."""
        given = tuple(usages)
        key = [WORDNET, DISAMBIGUATOR, *((each.id, each.text) for each in given)]
        file = profile_cache.labels_path(self.place(asked.word, asked.model), key)
        found = self._hold(file, lambda: profile_cache.read_labels(file, asked.word))
        if found is None:
            if not self._working.ask(DictionaryTask(given, file), self.patience):
                raise NotReady(f"the senses of {asked.word} are being looked up in WordNet")
            found = profile_cache.read_labels(file, asked.word)
        if found is None:
            raise TaskFailed(f"what was looked up cannot be read again from {file}; is the disk full?")
        return found

    def _hold(self, key: Hashable, find: Callable[[], Value | None]) -> Value | None:
        """What is in memory, or what can be found; the last few things are held."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                held: Any = self._held[key]
                return cast(Value, held)
        found = find()
        if found is not None:
            with self._lock:
                self._held[key] = found
                while len(self._held) > IN_MEMORY:
                    self._held.popitem(last=False)
        return found


# -- what was asked for ------------------------------------------------------------------------------------------------


def edit_profile(portrait: WordProfile, asked: PageRequest) -> WordProfile:
    """The portrait with senses merged and named as is asked; numbers that it has not got are passed over."""
    ids = {number: sense.id for number, sense in enumerate(portrait.senses, start=1)}
    into = {ids[one]: ids[other] for one, other in asked.into.items() if one in ids and other in ids}
    found = merge_senses(portrait, into) if into else portrait
    left = {sense.id for sense in found.senses}
    names = {ids[number]: name for number, name in asked.names.items() if ids.get(number) in left}
    return rename_senses(found, names) if names else found


def filter_profile(portrait: WordProfile, where: str) -> WordProfile:
    """The usages in documents of which a condition holds; senses stay as they are, in their order."""
    if not where:
        return portrait
    condition = DocumentFilter(where)
    known = [{name: str(value) for name, value in usage.meta.items()} for usage in portrait.usages]
    condition.check({name for each in known for name in each})
    usages = tuple(usage for usage, said in zip(portrait.usages, known, strict=True) if condition(said))
    labelling = portrait.labelling.restrict(usage.id for usage in usages)
    return replace(portrait, usages=usages, labelling=labelling)
