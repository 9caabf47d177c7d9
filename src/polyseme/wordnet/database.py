"""Reading the Princeton database files: ``data.noun`` … ``data.adv`` and ``index.sense`` (wndb(5WN), senseidx(5WN))."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme.arrays import expand_runs
from polyseme.errors import InputError
from polyseme.wordnet.columns import Array, PackedStrings, WordNetColumns
from polyseme.wordnet.relations import RELATION_BY_SYMBOL
from polyseme.wordnet.word_table import WordTable, read_word_table

SYNSET_TYPES = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
"""The letter of a kind of synset → its number in sense keys; ``s`` is a satellite of an adjective."""

DATA_FILES = {"data.noun": "n", "data.verb": "v", "data.adj": "as", "data.adv": "r"}
"""The data files, and the kinds of synsets in each."""

SENSE_INDEX = "index.sense"
REQUIRED_FILES = (*DATA_FILES, SENSE_INDEX)
"""The files without which a folder is not a WordNet."""

_FILE_NUMBER = np.array([0, 1, 2, 3, 4, 3], np.int64)  # satellites lie in the file of adjectives
_OFFSET_LIMIT = 1_000_000_000
_RELATION_NUMBERS = {symbol: number for number, symbol in enumerate(RELATION_BY_SYMBOL)}
_FRAME_WORDS = 3
_POS_LETTERS = "nvar"
_INDEX_LINE_SYNTAX = "A line of index.sense reads: sense_key synset_offset sense_number tag_count"


class _DataFile(NamedTuple):
    """What one data file holds; places of words are counted within the file."""

    lines: WordTable
    offset: Array
    kind: Array
    file: Array
    sizes: Array
    word: Any
    pointers: _Pointers


class _Pointers(NamedTuple):
    row: Array
    relation: Array
    target_kind: Array
    target_offset: Array
    word_numbers: Array


def read_database(folder: Path) -> WordNetColumns:
    """Read a folder of database files; any of them that is missing or wrong is an InputError with file and line.

    A synset may write a word twice, in capitals and in small letters; it then has one sense key, and only the first
    spelling is kept.
    """
    missing = [name for name in REQUIRED_FILES if not (folder / name).is_file()]
    if missing:
        problem = f"{', '.join(missing)} missing; a folder of WordNet's database files has {', '.join(REQUIRED_FILES)}"
        raise InputError(problem, path=folder)
    parts = [_read_synsets(folder / name, kinds) for name, kinds in DATA_FILES.items()]
    sizes = np.concatenate([part.sizes for part in parts])
    synset_of = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    codes = np.concatenate([_synset_codes(part.kind, part.offset) for part in parts])
    words = _concatenate([part.word for part in parts])
    index = _SenseIndex.read(folder / SENSE_INDEX, codes, synset_of, words)
    kept, sense_of = index.places()
    bounds = _cumulative_bounds(sizes)
    return WordNetColumns(
        synset_offset=np.concatenate([part.offset for part in parts]),
        synset_kind=np.concatenate([part.kind for part in parts]).astype(np.uint8),
        synset_file=np.concatenate([part.file for part in parts]).astype(np.uint8),
        synset_senses=np.searchsorted(kept, bounds).astype(np.int32),
        gloss=_pack_strings(_concatenate([part.lines.rest for part in parts])),
        sense_synset=synset_of[kept],
        word=_pack_strings(_take(words, kept)),
        **index.columns(kept, sense_of),
        **_resolve_pointers(parts, codes, bounds, sense_of),
    )


# -- data files ----------------------------------------------------------------------------------------------------


def _read_synsets(path: Path, kinds: str) -> _DataFile:
    """``offset file kind n-words (word lex_id)… n-pointers (symbol offset kind words)… [frames] | gloss``."""
    lines = read_word_table(path, "| ")
    lines.check(lines.sizes >= 6, "too few words: a synset has an offset, a file, a kind, words and pointers")
    starts, ends = lines.starts.astype(np.int64), (lines.starts + lines.sizes).astype(np.int64)
    n_words = lines.coded(starts + 3, _parse_hexadecimal, "a number of words (two hexadecimal digits)")
    count_at = starts + 4 + 2 * n_words
    lines.check((n_words > 0) & (count_at < ends), "the synset has fewer words than it says")
    n_pointers = lines.coded(count_at, _parse_decimal, "a number of pointers")
    tail = ends - (count_at + 1 + 4 * n_pointers)
    _check_tail(lines, tail, ends, "v" in kinds)
    allowed = {kind: SYNSET_TYPES[kind] for kind in kinds}
    return _DataFile(
        lines,
        lines.integers(starts, "a synset's offset"),
        lines.coded(starts + 2, allowed.get, f"a kind of synset of this file ({', '.join(allowed)})"),
        lines.coded(starts + 1, _parse_decimal, "the number of a lexicographer's file"),
        n_words.astype(np.int64),
        _strip_marker(lines.take(expand_runs(starts + 4, 2 * n_words)[::2])),
        _read_pointers(lines, count_at + 1, n_pointers.astype(np.int64)),
    )


def _check_tail(lines: WordTable, tail: Array, ends: Array, framed: bool) -> None:
    """Nothing follows the pointers, except in verbs, where it is the sentence frames."""
    lines.check(tail >= 0, "the synset has fewer pointers than it says")
    if not framed:
        lines.check(tail == 0, "the synset has more pointers than it says")
        return
    with_frames = np.flatnonzero(tail)
    frames = lines.coded((ends - tail)[with_frames], _parse_decimal, "a number of sentence frames")
    expected = np.zeros_like(tail)
    expected[with_frames] = 1 + _FRAME_WORDS * frames
    lines.check(tail == expected, "the synset has more or fewer sentence frames than it says")


def _read_pointers(lines: WordTable, starts: Array, sizes: Array) -> _Pointers:
    words = expand_runs(starts, 4 * sizes)
    return _Pointers(
        np.repeat(np.arange(len(sizes)), sizes),
        lines.coded(words[::4], _RELATION_NUMBERS.get, f"a pointer's symbol ({' '.join(_RELATION_NUMBERS)})"),
        lines.coded(words[2::4], SYNSET_TYPES.get, f"a kind of synset ({', '.join(SYNSET_TYPES)})"),
        lines.integers(words[1::4], "a synset's offset"),
        lines.coded(words[3::4], _parse_hexadecimal, "a pair of word numbers (four hexadecimal digits)"),
    )


def _resolve_pointers(parts: list[_DataFile], codes: Array, bounds: Array, sense_of: Array) -> dict[str, Any]:
    """The pointers of all files, with rows of synsets and senses instead of offsets and word numbers."""
    found = []
    first = 0
    for lines, pointers in ((part.lines, part.pointers) for part in parts):
        target = _find_codes(codes, _synset_codes(pointers.target_kind, pointers.target_offset))
        _check_pointers(lines, pointers, target >= 0, "a pointer leads to offset {offset}, where no synset starts")
        source = pointers.row + first
        start = _sense_rows(bounds, sense_of, source, pointers.word_numbers >> 8)
        end = _sense_rows(bounds, sense_of, target, pointers.word_numbers & 255)
        _check_pointers(
            lines, pointers, (start > -2) & (end > -2), "a pointer to {offset} is of a word that is not there"
        )
        found.append((pointers.relation, source, target, start, end))
        first += len(lines.starts)
    names = ("relation", "source", "target", "from", "to")
    types = (np.uint8, np.int32, np.int32, np.int32, np.int32)
    columns = zip(names, types, zip(*found, strict=True), strict=True)
    return {f"pointer_{name}": np.concatenate(column).astype(type_) for name, type_, column in columns}


def _check_pointers(lines: WordTable, pointers: _Pointers, good: Array, problem: str) -> None:
    if not good.all():
        place = int(np.argmin(good))
        lines.wrong(int(pointers.row[place]), problem.format(offset=f"{int(pointers.target_offset[place]):08}"))


def _sense_rows(bounds: Array, sense_of: Array, synset: Array, number: Array) -> Array:
    """The sense of a word of a synset; −1 for word 0, which is all of them, −2 for one that is not there."""
    place = bounds[synset] + number - 1
    there = place < bounds[synset + 1]
    return np.where(number == 0, -1, np.where(there, sense_of[np.where(there, place, 0)], -2))


# -- index.sense ---------------------------------------------------------------------------------------------------


class _SenseIndex(NamedTuple):
    """``index.sense``, line by line: ``sense_key synset_offset sense_number tag_count``."""

    key: Any
    lemma: Any
    number: Array
    tags: Array
    line_of: Array
    """For each word of the synsets, its line."""

    @classmethod
    def read(cls, path: Path, codes: Array, synset_of: Array, words: Any) -> _SenseIndex:
        """Read the file, and find each word's line by synset and lemma."""
        import pyarrow.compute as pc

        lines = read_word_table(path)
        lines.check(lines.sizes == 4, f"there are not four words. {_INDEX_LINE_SYNTAX}")
        offset, number, tags = (
            lines.integers(lines.starts + place, what)
            for place, what in ((1, "a synset's offset"), (2, "a sense number"), (3, "a tag count"))
        )
        keys = lines.take(lines.starts)
        lemma, kind = _parse_sense_keys(lines, keys)
        synset = _find_codes(codes, _synset_codes(kind, offset))
        _check_ends(lines, codes, kind, offset, synset)
        lines.check(synset >= 0, "no synset starts at this offset")
        found = pc.index_in(_synset_lemma_names(synset_of, pc.utf8_lower(words)), _synset_lemma_names(synset, lemma))
        line_of = pc.fill_null(found, -1).to_numpy()
        if (line_of < 0).any():
            word = words[int(np.argmin(line_of))].as_py()
            raise InputError(f"the word {word!r} of a synset is in no line here", path=path)
        used = np.isin(np.arange(len(keys)), line_of)
        lines.check(used, "the synset at this offset has no such word, or it has stood here before")
        letters = _take(_text_array(list(_POS_LETTERS)), _FILE_NUMBER[kind] - 1)
        return cls(keys, pc.binary_join_element_wise(lemma, letters, "."), number, tags, line_of)

    def places(self) -> tuple[Array, Array]:
        """The words that are the first spelling of a sense, and for each word the row of its sense."""
        _, first, line = np.unique(self.line_of, return_index=True, return_inverse=True)
        kept = np.sort(first)
        return kept, np.searchsorted(kept, first)[line].astype(np.int32)

    def columns(self, kept: Array, sense_of: Array) -> dict[str, Any]:
        """The columns that come from this file, in the order of the senses."""
        line = self.line_of[kept]
        row = np.empty(len(line), np.int32)
        row[line] = sense_of[kept]
        return {
            "key": _pack_strings(_take(self.key, line)),
            "sense_number": self.number[line].astype(np.int16),
            "sense_count": self.tags[line],
            "by_key": row[_sort_order(self.key)],
            **_lemma_columns(self.lemma, self.number, row),
        }


def _check_ends(lines: WordTable, codes: Array, kind: Array, offset: Array, synset: Array) -> None:
    """A line that leads beyond the last synset of a data file tells that this file was cut short."""
    for number, name in enumerate(DATA_FILES, start=1):
        last = codes[codes // _OFFSET_LIMIT == number].max(initial=-1)
        beyond = np.flatnonzero((synset < 0) & (_FILE_NUMBER[kind] == number) & (_synset_codes(kind, offset) > last))
        if len(beyond):
            row = int(beyond[0])
            where = (
                f"there is no synset at offset {int(offset[row]):08}, to which {SENSE_INDEX}:{lines.numbers[row]} leads"
            )
            more = f" (nor those of {len(beyond) - 1:,} more lines)" if len(beyond) > 1 else ""
            raise InputError(f"{where}{more}; the file is cut short", path=lines.path.with_name(name))


def _parse_sense_keys(lines: WordTable, keys: Any) -> tuple[Any, Array]:
    """Lemma and kind of sense keys: ``lemma%kind:file:lex_id:head:head_id``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    fields = pc.extract_regex(keys, r"^(?P<lemma>.+)%(?P<kind>[1-5]):\d\d:\d\d:[^:]*:\d*$")
    lines.check(fields.is_valid().to_numpy(zero_copy_only=False), f"this is not a sense key. {_INDEX_LINE_SYNTAX}")
    lemma, kind = fields.flatten()
    return lemma, pc.cast(kind, pa.int32()).to_numpy()


def _lemma_columns(lemma_of: Any, number: Array, row: Array) -> dict[str, Any]:
    """The distinct lemmas, sorted, and the senses of each by number."""
    encoded = lemma_of.dictionary_encode()
    order = _sort_order(encoded.dictionary)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    lemma = place[encoded.indices.to_numpy()]
    by_lemma = np.lexsort((number, lemma))
    starts = np.searchsorted(lemma[by_lemma], np.arange(len(order) + 1))
    return {
        "lemma": _pack_strings(_take(encoded.dictionary, order)),
        "lemma_senses": starts.astype(np.int32),
        "by_lemma": row[by_lemma].astype(np.int32),
    }


# -- values --------------------------------------------------------------------------------------------------------


def _synset_codes(kind: Array, offset: Array) -> Array:
    """One number for a synset's file and offset; in the order of the files it only grows."""
    return _FILE_NUMBER[kind] * _OFFSET_LIMIT + offset


def _find_codes(codes: Array, wanted: Array) -> Array:
    """The place of each wanted code, −1 where it is none of them."""
    if not len(codes):
        return np.full(len(wanted), -1)
    order = np.argsort(codes, kind="stable")
    place = np.minimum(np.searchsorted(codes, wanted, sorter=order), len(codes) - 1)
    found: Array = order[place]
    return np.where(codes[found] == wanted, found, -1)


def _cumulative_bounds(sizes: Array) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)])


def _synset_lemma_names(synset: Array, lemma: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(pc.cast(pa.array(synset), pa.string()), lemma, " ")


def _sort_order(strings: Any) -> Array:
    """The places of strings sorted by their bytes."""
    import pyarrow.compute as pc

    order: Array = pc.sort_indices(strings).to_numpy()
    return order


def _concatenate(arrays: list[Any]) -> Any:
    import pyarrow as pa

    return pa.concat_arrays(arrays)


def _take(array: Any, places: Array) -> Any:
    import pyarrow as pa

    return array.take(pa.array(places))


def _text_array(strings: list[str]) -> Any:
    import pyarrow as pa

    return pa.array(strings)


def _pack_strings(array: Any) -> PackedStrings:
    """An Arrow array of strings as ours."""
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    return PackedStrings(ends - ends[0], np.frombuffer(data, np.uint8)[ends[0] : ends[-1]])


def _strip_marker(words: Any) -> Any:
    """``galore(ip)`` → ``galore``: where an adjective may stand is no part of the word."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(words, r"\((a|p|ip)\)$", "")


def _parse_hexadecimal(word: str) -> int | None:
    return int(word, 16) if re.fullmatch("[0-9a-fA-F]{1,4}", word) else None


def _parse_decimal(word: str) -> int | None:
    return int(word) if re.fullmatch("[0-9]{1,4}", word) else None
