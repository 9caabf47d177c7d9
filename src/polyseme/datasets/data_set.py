"""A data set: values, read from its files when they are first asked for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

from polyseme import formats
from polyseme.datasets.index import DataFiles, DataSetEntry
from polyseme.errors import InputError, quote_value
from polyseme.formats.archives import iterate_files
from polyseme.formats.files import Source
from polyseme.formats.registry import read
from polyseme.formats.splits import MappingSplit, read_splits
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.rating import Rating, Ratings
from polyseme.sentence import Sentence
from polyseme.usage import Usage, UsagePair


class DataSet:
    """What :func:`polyseme.load` gives: the values of a data set by what they are.

    Nothing is read until it is asked for, and then once. What a data set does not hold is an
    :class:`~polyseme.errors.InputError`; ``entry.contents`` says what it does.
    """

    def __init__(self, entry: DataSetEntry, place: Path, data: str | os.PathLike[str] | None = None) -> None:
        self.entry = entry
        self.place = place
        self._data = data

    def __repr__(self) -> str:
        return f"<DataSet {self.entry.name}: {', '.join(self.entry.contents)}>"

    @cached_property
    def usages(self) -> tuple[Usage, ...]:
        """The usages."""
        found = tuple(self._usages("usages"))
        if len({usage.id for usage in found}) < len(found):
            twice = Counter(usage.id for usage in found).most_common(1)[0][0]
            problem = f"usage {quote_value(twice)} is given twice in the files of {self.entry.name!r}"
            raise InputError(f"{problem}; rename one, or let prefix = 'folder' tell them apart", path=self.place)
        return found

    def training(self) -> Iterator[Usage]:
        """The usages of the training part, one after the other, because there can be very many."""
        return self._usages("training")

    def sentences(self) -> Iterator[Sentence]:
        """The sentences, one after the other."""
        for source, files in self._sources("sentences"):
            prefix = _folder_prefix(source, files)
            for sentence in read(source, "sentences", files.format):
                yield _prefix_sentence(sentence, prefix) if prefix else sentence

    @cached_property
    def gold(self) -> Labelling:
        """The gold standard."""
        return self._labelling(self._files("gold"))

    @cached_property
    def substitutes(self) -> Labelling:
        """What people would say instead, with how many said so."""
        return self._labelling(self._files("substitutes"))

    @cached_property
    def ratings(self) -> Ratings:
        """The judgements of its annotators."""
        return Ratings(self._ratings())

    def _ratings(self) -> Iterator[Rating]:
        for source, files in self._sources("ratings"):
            prefix = _folder_prefix(source, files)
            for rating in read(source, "ratings", files.format):
                yield _prefix_rating(rating, prefix) if prefix else rating

    @cached_property
    def pairs(self) -> tuple[UsagePair, ...]:
        """Pairs of usages with their similarity."""
        return tuple(self._each("pairs", "pairs"))

    @cached_property
    def splits(self) -> dict[str, list[MappingSplit]]:
        """The official splits into a part to learn a mapping from and a part to test it on, by their proportion."""
        folder = self.place / self._files("splits").patterns[0]
        if not folder.is_dir():
            raise InputError("the splits are read from a folder; unpack the archive", path=folder)
        return read_splits(folder)

    @cached_property
    def inventory(self) -> Inventory:
        """The senses: a dictionary's, or those that its own files list."""
        if self.entry.wordnet:
            from polyseme import wordnet

            return wordnet.load(self.entry.wordnet, self.place)
        if self.entry.inventory:
            from polyseme.datasets import load

            return load(self.entry.inventory, self._data).inventory
        senses = [read(source, "inventory", files.format) for source, files in self._sources("inventory")]
        return Inventory(sense for inventory in senses for of_lemma in inventory.values() for sense in of_lemma)

    @property
    def golds(self) -> Mapping[str, Labelling]:
        """Gold standards for parts of it, by name."""
        return self._named("golds")

    @property
    def systems(self) -> Mapping[str, Labelling]:
        """Labellings by published systems, by name."""
        return self._named("systems")

    @property
    def baselines(self) -> Mapping[str, Labelling]:
        """Labellings by published baselines, by name."""
        return self._named("baselines")

    def files(self, role: str) -> list[Source]:
        """The files that hold something, in the words of :data:`~polyseme.datasets.index.SINGLE_ROLES`."""
        return [source for source, _ in self._sources(role)]

    def _files(self, role: str) -> DataFiles:
        if role not in self.entry.files:
            there = ", ".join(self.entry.contents)
            raise InputError(f"the data set {self.entry.name!r} has no {role}; it has {there}")
        return self.entry.files[role]

    def _sources(self, role: str) -> Iterator[tuple[Source, DataFiles]]:
        files = self._files(role)
        return ((source, files) for source in _matching_files(self.place, files))

    def _each(self, role: str, content: str) -> Iterator[Any]:
        for source, files in self._sources(role):
            yield from read(source, content, files.format)

    def _usages(self, role: str) -> Iterator[Usage]:
        for source, files in self._sources(role):
            prefix = _folder_prefix(source, files)
            for usage in read(source, "usages", files.format):
                yield replace(usage, id=prefix + usage.id) if prefix else usage

    def _labelling(self, files: DataFiles) -> Labelling:
        return _combine_labellings(list(_matching_files(self.place, files)), files)

    def _named(self, role: str) -> Mapping[str, Labelling]:
        if role not in self.entry.named:
            raise InputError(f"the data set {self.entry.name!r} has no {role}; it has {', '.join(self.entry.contents)}")
        given = self.entry.named[role]
        if isinstance(given, DataFiles):
            sources = {_stem(source): [source] for source in _matching_files(self.place, given)}
            return _Labellings({name: partial(_combine_labellings, each, given) for name, each in sources.items()})
        there = {name: files for name, files in given.items() if has_files(self.place, files)}
        return _Labellings({name: partial(self._labelling, files) for name, files in there.items()})


class _Labellings(Mapping[str, Labelling]):
    """Labellings by name, each read when it is first asked for."""

    def __init__(self, readers: Mapping[str, Callable[[], Labelling]]) -> None:
        self._readers = readers
        self._read: dict[str, Labelling] = {}

    def __getitem__(self, name: str) -> Labelling:
        if name not in self._read:
            self._read[name] = self._readers[name]()
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def __repr__(self) -> str:
        return f"<labellings by name: {', '.join(self)}>"


def _matching_files(place: Path, files: DataFiles) -> Iterator[Source]:
    """The files of all patterns; none at all is an error."""
    found = chain.from_iterable(_match_pattern(place, pattern) for pattern in files.patterns)
    first = next(found, None)
    if first is None:
        raise InputError(f"no file here matches {' or '.join(files.patterns)}", path=place)
    return chain([first], found)


def _match_pattern(place: Path, pattern: str) -> Iterator[Source]:
    """``a/*.xml`` are files below the place; ``b.tar.*!*.xml`` files inside an archive there."""
    outer, _, inner = pattern.partition("!")
    if not place.is_dir():
        yield from iterate_files(place, outer)
        return
    for found in sorted(place.glob(outer)):
        yield from iterate_files(found, inner) if inner else iter([found] if found.is_file() else [])


def has_files(place: Path, files: DataFiles) -> bool:
    """Whether any of the files is."""
    return any(next(_match_pattern(place, pattern), None) is not None for pattern in files.patterns)


def _stem(source: Source) -> str:
    """``all.singlesense.key`` → ``all.singlesense``."""
    return Path(str(source)).name.rpartition(".")[0] or Path(str(source)).name


def _folder_prefix(source: Source, files: DataFiles) -> str:
    return f"{Path(str(source)).parent.name}." if files.prefix else ""


def _prefix_sentence(sentence: Sentence, prefix: str) -> Sentence:
    """With the prefix before its own id and those of its words, which are usages."""
    tokens = (
        replace(token, features={**token.features, "id": prefix + token.features["id"]})
        if "id" in token.features
        else token
        for token in sentence.tokens
    )
    return replace(sentence, id=prefix + sentence.id, tokens=tuple(tokens))


def _prefix_rating(rating: Rating, prefix: str) -> Rating:
    """With the prefix before the usage and, of a pair of usages, the other one."""
    target = prefix + rating.target if rating.task == "Usim" else rating.target
    return rating._replace(usage=prefix + rating.usage, target=target)


def _combine_labellings(sources: list[Source], files: DataFiles) -> Labelling:
    """One labelling from one file or several; a usage that two of them label is an error."""
    if len(sources) == 1 and not files.prefix:
        return _read_labelling(sources[0], files)
    seen: dict[str, Source] = {}
    rows = []
    ordered = True
    for source in sources:
        prefix, labelling = _folder_prefix(source, files), _read_labelling(source, files)
        ordered = ordered and labelling.ordered
        for lemma, usage, senses in labelling.rows():
            if (before := seen.setdefault(prefix + usage, source)) is not source:
                raise InputError(f"usage {quote_value(prefix + usage)} is labelled in {before} too", path=source)
            rows.append((lemma, prefix + usage, dict(senses)))
    return Labelling(rows, ordered=ordered)


def _read_labelling(source: Source, files: DataFiles) -> Labelling:
    if files.format in (None, "answer-key"):
        return formats.read_labelling(source, files.rule)
    found: Labelling = read(source, "labelling", files.format)
    return found
