"""A data set: values that are read from its files when they are first used."""

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
    """The values of a data set; :func:`polyseme.load` returns it.

    Each value is read when it is first used, and then once. A value that the data set does not have is an
    :class:`~polyseme.errors.InputError`; ``entry.contents`` lists those that it has.

    Args:
        entry: The entry of the index.
        place: The folder or archive of the files.
        data: The folder to search first for other data sets.
    """

    def __init__(self, entry: DataSetEntry, place: Path, data: str | os.PathLike[str] | None = None) -> None:
        self.entry = entry
        self.place = place
        self._data = data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataSet):
            return NotImplemented
        return (self.entry, self.place, self._data) == (other.entry, other.place, other._data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<DataSet {self.entry.name}: {', '.join(self.entry.contents)}>"

    def _repr_html_(self) -> str:
        from polyseme.display.corpora import render_data_set

        return render_data_set(self)

    @cached_property
    def usages(self) -> tuple[Usage, ...]:
        """The usages."""
        usages = tuple(self._read_usages("usages"))
        name, count = next(iter(Counter(usage.id for usage in usages).most_common(1)), ("", 0))
        if count > 1:
            problem = f"usage {quote_value(name)} is given twice in the files of {self.entry.name!r}"
            raise InputError(f"{problem}; rename one, or set prefix = 'folder' to distinguish them", path=self.place)
        return usages

    def training(self) -> Iterator[Usage]:
        """Yield the usages of the training part, which may be very many."""
        return self._read_usages("training")

    def _read_usages(self, role: str) -> Iterator[Usage]:
        for prefix, usage in self._read(role, "usages"):
            yield replace(usage, id=prefix + usage.id) if prefix else usage

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences."""
        for prefix, sentence in self._read("sentences", "sentences"):
            yield _prefix_sentence(sentence, prefix) if prefix else sentence

    @cached_property
    def gold(self) -> Labelling:
        """The gold standard."""
        return self._read_labelling(self._files("gold"))

    @cached_property
    def substitutes(self) -> Labelling:
        """The substitutes of annotators, weighted by the number of annotators who gave them."""
        return self._read_labelling(self._files("substitutes"))

    @cached_property
    def ratings(self) -> Ratings:
        """The judgements of the annotators."""
        rows = self._read("ratings", "ratings")
        return Ratings(_prefix_rating(rating, prefix) if prefix else rating for prefix, rating in rows)

    @cached_property
    def pairs(self) -> tuple[UsagePair, ...]:
        """Pairs of usages with their similarity."""
        return tuple(pair for _, pair in self._read("pairs", "pairs"))

    @cached_property
    def splits(self) -> dict[str, list[MappingSplit]]:
        """The official splits by their proportion, each into a part for learning a mapping and one for testing it."""
        folder = self.place / self._files("splits").patterns[0]
        if not folder.is_dir():
            raise InputError("the splits are read from a folder; unpack the archive", path=folder)
        return read_splits(folder)

    @cached_property
    def inventory(self) -> Inventory:
        """The senses of a dictionary, or those of the files of the data set."""
        if self.entry.wordnet:
            from polyseme import wordnet

            return wordnet.load(self.entry.wordnet, self.place)
        if self.entry.inventory:
            from polyseme.datasets import load

            return load(self.entry.inventory, self._data).inventory
        files = self._files("inventory")
        inventories = [read(source, "inventory", files.format) for source in _matching_files(self.place, files)]
        return Inventory(sense for inventory in inventories for senses in inventory.values() for sense in senses)

    @property
    def golds(self) -> Mapping[str, Labelling]:
        """Gold standards for parts of the data set, by name."""
        return self._read_named("golds")

    @property
    def systems(self) -> Mapping[str, Labelling]:
        """Labellings of published systems, by name."""
        return self._read_named("systems")

    @property
    def baselines(self) -> Mapping[str, Labelling]:
        """Labellings of published baselines, by name."""
        return self._read_named("baselines")

    def files(self, role: str) -> list[Source]:
        """Return the files of a role; see :data:`~polyseme.datasets.index.SINGLE_ROLES`."""
        return list(_matching_files(self.place, self._files(role)))

    def _files(self, role: str) -> DataFiles:
        if role not in self.entry.files:
            raise self._missing_role(role)
        return self.entry.files[role]

    def _missing_role(self, role: str) -> InputError:
        contents = ", ".join(self.entry.contents)
        return InputError(f"the data set {self.entry.name!r} has no {role}; it has {contents}")

    def _read(self, role: str, content: str) -> Iterator[tuple[str, Any]]:
        """Yield each value of a role with the prefix of its usages."""
        files = self._files(role)
        for source in _matching_files(self.place, files):
            prefix = _folder_prefix(source, files)
            yield from ((prefix, value) for value in read(source, content, files.format))

    def _read_labelling(self, files: DataFiles) -> Labelling:
        return _combine_labellings(list(_matching_files(self.place, files)), files)

    def named_sources(self, role: str) -> dict[str, tuple[list[Source], DataFiles]]:
        """Return the files of each labelling of a role whose labellings have names, and how they are read."""
        if role not in self.entry.named_files:
            raise self._missing_role(role)
        group = self.entry.named_files[role]
        if isinstance(group, DataFiles):
            return {_stem(source): ([source], group) for source in _matching_files(self.place, group)}
        present = {name: files for name, files in group.items() if has_files(self.place, files)}
        return {name: (list(_matching_files(self.place, files)), files) for name, files in present.items()}

    def _read_named(self, role: str) -> Mapping[str, Labelling]:
        by_name = self.named_sources(role).items()
        return _LazyLabellings({name: partial(_combine_labellings, *sources) for name, sources in by_name})


class _LazyLabellings(Mapping[str, Labelling]):
    """Labellings by name, each read when it is first used."""

    def __init__(self, readers: Mapping[str, Callable[[], Labelling]]) -> None:
        self._readers = readers
        self._labellings: dict[str, Labelling] = {}

    def __getitem__(self, name: str) -> Labelling:
        if name not in self._labellings:
            self._labellings[name] = self._readers[name]()
        return self._labellings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def __repr__(self) -> str:
        return f"<labellings by name: {', '.join(self)}>"


def _matching_files(place: Path, files: DataFiles) -> Iterator[Source]:
    """Yield the files of all patterns; an error if there are none."""
    matches = chain.from_iterable(_match_pattern(place, pattern) for pattern in files.patterns)
    first = next(matches, None)
    if first is None:
        raise InputError(f"no file here matches {' or '.join(files.patterns)}", path=place)
    return chain([first], matches)


def _match_pattern(place: Path, pattern: str) -> Iterator[Source]:
    """Yield the files of a pattern: ``a/*.xml`` below the place, or ``b.tar.*!*.xml`` inside an archive there."""
    outer, _, inner = pattern.partition("!")
    if not place.is_dir():
        yield from iterate_files(place, outer)
        return
    for path in sorted(place.glob(outer)):
        yield from iterate_files(path, inner) if inner else [path] if path.is_file() else []


def has_files(place: Path, files: DataFiles) -> bool:
    """Whether any of the files is there."""
    return any(next(_match_pattern(place, pattern), None) is not None for pattern in files.patterns)


def _stem(source: Source) -> str:
    """Return the name without its suffix: ``all.singlesense.key`` → ``all.singlesense``."""
    return Path(str(source)).name.rpartition(".")[0] or Path(str(source)).name


def _folder_prefix(source: Source, files: DataFiles) -> str:
    return f"{Path(str(source)).parent.name}." if files.prefix else ""


def _prefix_sentence(sentence: Sentence, prefix: str) -> Sentence:
    """Add the prefix to the id of a sentence and to those of its words, which are usages."""
    tokens = (
        replace(token, features={**token.features, "id": prefix + token.features["id"]})
        if "id" in token.features
        else token
        for token in sentence.tokens
    )
    return replace(sentence, id=prefix + sentence.id, tokens=tuple(tokens))


def _prefix_rating(rating: Rating, prefix: str) -> Rating:
    """Add the prefix to the usage of a rating, and in Usim to the other one."""
    target = prefix + rating.target if rating.task == "Usim" else rating.target
    return rating._replace(usage=prefix + rating.usage, target=target)


def _combine_labellings(sources: list[Source], files: DataFiles) -> Labelling:
    """Read one labelling from one or several files; an error if two of them label a usage."""
    if len(sources) == 1 and not files.prefix:
        return _read_labelling(sources[0], files)
    first_sources: dict[str, Source] = {}
    rows = []
    ordered = True
    for source in sources:
        prefix, labelling = _folder_prefix(source, files), _read_labelling(source, files)
        ordered = ordered and labelling.ordered
        for lemma, usage, senses in labelling.rows():
            if (earlier := first_sources.setdefault(prefix + usage, source)) is not source:
                raise InputError(f"usage {quote_value(prefix + usage)} is labelled in {earlier} too", path=source)
            rows.append((lemma, prefix + usage, senses))
    return Labelling(rows, ordered=ordered)


def _read_labelling(source: Source, files: DataFiles) -> Labelling:
    if files.format in (None, "answer-key"):
        return formats.read_labelling(source, files.rule)
    labelling: Labelling = read(source, "labelling", files.format)
    return labelling
