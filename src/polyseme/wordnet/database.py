"""Reading the Princeton database files: ``data.noun`` … ``data.adv`` and ``index.sense`` (wndb(5WN), senseidx(5WN))."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme.arrays import expand_runs
from polyseme.errors import InputError
from polyseme.lemma import POS_LETTERS, SYNSET_TYPES
from polyseme.packed_strings import PackedStrings
from polyseme.wordnet.columns import Array, WordNetColumns
from polyseme.wordnet.database_files import DATA_FILES, SENSE_INDEX, missing_files, missing_files_error
from polyseme.wordnet.relations import RELATION_BY_SYMBOL
from polyseme.wordnet.word_table import WordTable, read_word_table

_FILE_NUMBER = np.array([0, 1, 2, 3, 4, 3], np.int64)  # satellites are in the file of adjectives
_OFFSET_LIMIT = 1_000_000_000
_RELATION_NUMBERS = {symbol: number for number, symbol in enumerate(RELATION_BY_SYMBOL)}
_FRAME_WORDS = 3
_POSITION = re.compile(r"\((a|p|ip)\)$").sub  # galore(ip): the position of an adjective
_SENSE_KEY = re.compile(r"(.+)%([1-5]):\d\d:\d\d:[^:]*:\d*", re.ASCII).fullmatch
_INDEX_LINE_SYNTAX = "A line of index.sense reads: sense_key synset_offset sense_number tag_count"


class _DataFile(NamedTuple):
    """The synsets of one data file; positions of words count within the file."""

    lines: WordTable
    offset: Array
    synset_type: Array
    lexicographer_file: Array
    sizes: Array
    words: Array
    pointers: _Pointers


class _Pointers(NamedTuple):
    """The pointers of one data file; the two bytes of a word number are those of the source and the target."""

    row: Array
    relation: Array
    target_type: Array
    target_offset: Array
    word_numbers: Array


def read_database(folder: Path) -> WordNetColumns:
    """Read a folder of database files.

    A synset may list a word twice, in upper and in lower case. It then has one sense key, and the first spelling
    counts.

    Raises:
        polyseme.errors.InputError: A file is missing, or a line is wrong.
    """
    if missing_files(folder):
        raise missing_files_error(folder)
    files = [_read_data_file(folder / name, types) for name, types in DATA_FILES.items()]
    offsets, types, lexicographer_files, sizes = (
        np.concatenate(arrays)
        for arrays in zip(
            *((file.offset, file.synset_type, file.lexicographer_file, file.sizes) for file in files), strict=True
        )
    )
    word_synsets = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    codes = _synset_codes(types, offsets)
    words = np.concatenate([file.words for file in files])
    index = _read_sense_index(folder / SENSE_INDEX, codes, word_synsets, words)
    _, first, line = np.unique(index.line_of_word, return_index=True, return_inverse=True)
    first_words = np.sort(first)  # the words that are the first spelling of a sense
    word_senses = np.searchsorted(first_words, first)[line].astype(np.int32)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    return WordNetColumns(
        synset_offset=offsets,
        synset_kind=types.astype(np.uint8),
        synset_file=lexicographer_files.astype(np.uint8),
        synset_senses=np.searchsorted(first_words, bounds).astype(np.int32),
        gloss=PackedStrings.from_strings([gloss for file in files for gloss in file.lines.rest or ()]),
        sense_synset=word_synsets[first_words],
        word=PackedStrings.from_strings(words[first_words].tolist()),
        **_index_columns(index, first_words, word_senses),
        **_resolve_pointers(files, codes, bounds, word_senses),
    )


# -- data files ----------------------------------------------------------------------------------------------------


def _read_data_file(path: Path, types: str) -> _DataFile:
    """Read lines ``offset file type n-words (word lex_id)… n-pointers (symbol offset type words)… [frames] | …``."""
    lines = read_word_table(path, "| ")
    lines.check(lines.sizes >= 6, "too few words: a synset has an offset, a file, a kind, words and pointers")
    starts, ends = lines.starts.astype(np.int64), (lines.starts + lines.sizes).astype(np.int64)
    n_words = lines.parse_codes(starts + 3, _parse_hexadecimal, "a number of words (two hexadecimal digits)")
    count_at = starts + 4 + 2 * n_words
    lines.check((n_words > 0) & (count_at < ends), "the synset has fewer words than it says")
    n_pointers = lines.parse_codes(count_at, _parse_decimal, "a number of pointers")
    tail = ends - (count_at + 1 + 4 * n_pointers)
    _check_tail(lines, tail, ends, "v" in types)
    allowed = {letter: SYNSET_TYPES[letter] for letter in types}
    words = lines.words[expand_runs(starts + 4, 2 * n_words)[::2]]
    return _DataFile(
        lines,
        lines.parse_integers(starts, "a synset's offset"),
        lines.parse_codes(starts + 2, allowed.get, f"a kind of synset of this file ({', '.join(allowed)})"),
        lines.parse_codes(starts + 1, _parse_decimal, "the number of a lexicographer's file"),
        n_words.astype(np.int64),
        _as_array([_POSITION("", word) if word[-1] == ")" else word for word in words.tolist()]),
        _read_pointers(lines, count_at + 1, n_pointers.astype(np.int64)),
    )


def _check_tail(lines: WordTable, tail: Array, ends: Array, has_frames: bool) -> None:
    """Check that nothing follows the pointers but the sentence frames of verbs."""
    lines.check(tail >= 0, "the synset has fewer pointers than it says")
    if not has_frames:
        lines.check(tail == 0, "the synset has more pointers than it says")
        return
    with_frames = np.flatnonzero(tail)
    frames = lines.parse_codes((ends - tail)[with_frames], _parse_decimal, "a number of sentence frames")
    expected = np.zeros_like(tail)
    expected[with_frames] = 1 + _FRAME_WORDS * frames
    lines.check(tail == expected, "the synset has more or fewer sentence frames than it says")


def _read_pointers(lines: WordTable, starts: Array, sizes: Array) -> _Pointers:
    words = expand_runs(starts, 4 * sizes)
    symbols, types = " ".join(_RELATION_NUMBERS), ", ".join(SYNSET_TYPES)
    return _Pointers(
        np.repeat(np.arange(len(sizes)), sizes),
        lines.parse_codes(words[::4], _RELATION_NUMBERS.get, f"a pointer's symbol ({symbols})"),
        lines.parse_codes(words[2::4], SYNSET_TYPES.get, f"a kind of synset ({types})"),
        lines.parse_integers(words[1::4], "a synset's offset"),
        lines.parse_codes(words[3::4], _parse_hexadecimal, "a pair of word numbers (four hexadecimal digits)"),
    )


def _resolve_pointers(files: list[_DataFile], codes: Array, bounds: Array, word_senses: Array) -> dict[str, Any]:
    """Return the pointers of all files, with rows of synsets and senses instead of offsets and word numbers."""
    columns = []
    first = 0
    for lines, pointers in ((file.lines, file.pointers) for file in files):
        target = _find_codes(codes, _synset_codes(pointers.target_type, pointers.target_offset))
        _check_pointers(lines, pointers, target >= 0, "a pointer leads to offset {offset}, where no synset starts")
        source = pointers.row + first
        start = _sense_rows(bounds, word_senses, source, pointers.word_numbers >> 8)
        end = _sense_rows(bounds, word_senses, target, pointers.word_numbers & 255)
        problem = "a pointer to {offset} is of a word that is not there"
        _check_pointers(lines, pointers, (start > -2) & (end > -2), problem)
        columns.append((pointers.relation, source, target, start, end))
        first += len(lines.starts)
    relation, *others = (np.concatenate(arrays) for arrays in zip(*columns, strict=True))
    source, target, start, end = (array.astype(np.int32) for array in others)
    return {
        "pointer_relation": relation.astype(np.uint8),
        "pointer_source": source,
        "pointer_target": target,
        "pointer_from": start,
        "pointer_to": end,
    }


def _check_pointers(lines: WordTable, pointers: _Pointers, good: Array, problem: str) -> None:
    if not good.all():
        wrong = int(np.argmin(good))
        lines.fail(int(pointers.row[wrong]), problem.format(offset=f"{int(pointers.target_offset[wrong]):08}"))


def _sense_rows(bounds: Array, word_senses: Array, synset: Array, number: Array) -> Array:
    """Return the sense of each word of a synset; −1 for word 0, which is all of them, −2 for a missing word."""
    position = bounds[synset] + number - 1
    exists = position < bounds[synset + 1]
    return np.where(number == 0, -1, np.where(exists, word_senses[np.where(exists, position, 0)], -2))


# -- index.sense ---------------------------------------------------------------------------------------------------


class _SenseIndex(NamedTuple):
    """The lines of ``index.sense``: ``sense_key synset_offset sense_number tag_count``.

    Args:
        line_of_word: The line of each word of the synsets.
    """

    key: Array
    lemma: Array
    number: Array
    tags: Array
    line_of_word: Array


def _read_sense_index(path: Path, codes: Array, word_synsets: Array, words: Array) -> _SenseIndex:
    """Read the file, and find the line of each word by synset and lemma."""
    lines = read_word_table(path)
    lines.check(lines.sizes == 4, f"there are not four words. {_INDEX_LINE_SYNTAX}")
    offset, number, tags = (
        lines.parse_integers(lines.starts + column, expected)
        for column, expected in ((1, "a synset's offset"), (2, "a sense number"), (3, "a tag count"))
    )
    keys = lines.words[lines.starts]
    lemma, synset_type = _parse_sense_keys(lines, keys)
    synset = _find_codes(codes, _synset_codes(synset_type, offset))
    _check_ends(lines, codes, synset_type, offset, synset)
    lines.check(synset >= 0, "no synset starts at this offset")
    line_of_word = _find_lines(synset, lemma, word_synsets, words)
    if (line_of_word < 0).any():
        word = words[int(np.argmin(line_of_word))]
        raise InputError(f"the word {word!r} of a synset is in no line here", path=path)
    is_used = np.isin(np.arange(len(keys)), line_of_word)
    lines.check(is_used, "the synset at this offset has no such word, or it has stood here before")
    letters = _as_array([*POS_LETTERS])[_FILE_NUMBER[synset_type] - 1]
    names_with_pos = _as_array([f"{word}.{letter}" for word, letter in zip(lemma, letters, strict=True)])
    return _SenseIndex(keys, names_with_pos, number, tags, line_of_word)


def _find_lines(synset: Array, lemma: list[str], word_synsets: Array, words: Array) -> Array:
    """Return the first line with the synset and the lemma of each word, -1 where there is none."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(lemma))}
    lemma_numbers = np.array([numbers[name] for name in lemma], np.int64)
    lower = " ".join(words.tolist()).lower().split(" ") if len(words) else []
    word_numbers = np.array([numbers.get(word, -1) for word in lower], np.int64)
    line_codes = synset.astype(np.int64) * len(numbers) + lemma_numbers
    lines = _find_codes(line_codes, word_synsets.astype(np.int64) * len(numbers) + word_numbers)
    return np.where(word_numbers < 0, -1, lines)


def _index_columns(index: _SenseIndex, first_words: Array, word_senses: Array) -> dict[str, Any]:
    """Return the columns from the sense index in the order of the senses."""
    line = index.line_of_word[first_words]
    row = np.empty(len(line), np.int32)
    row[line] = word_senses[first_words]
    return {
        "key": PackedStrings.from_strings(index.key[line].tolist()),
        "sense_number": index.number[line].astype(np.int16),
        "sense_count": index.tags[line],
        "by_key": row[_sort_order(index.key)],
        **_lemma_columns(index.lemma, index.number, row),
    }


def _check_ends(lines: WordTable, codes: Array, synset_type: Array, offset: Array, synset: Array) -> None:
    """Raise an error if a line refers beyond the last synset of a data file, which is then cut short."""
    for number, name in enumerate(DATA_FILES, start=1):
        last = codes[codes // _OFFSET_LIMIT == number].max(initial=-1)
        is_beyond = (synset < 0) & (_FILE_NUMBER[synset_type] == number) & (_synset_codes(synset_type, offset) > last)
        beyond = np.flatnonzero(is_beyond)
        if len(beyond):
            row = int(beyond[0])
            line = f"{SENSE_INDEX}:{lines.numbers[row]}"
            problem = f"there is no synset at offset {int(offset[row]):08}, to which {line} leads"
            other_lines = f" (nor those of {len(beyond) - 1:,} more lines)" if len(beyond) > 1 else ""
            raise InputError(f"{problem}{other_lines}; the file is cut short", path=lines.path.with_name(name))


def _parse_sense_keys(lines: WordTable, keys: Array) -> tuple[list[str], Array]:
    """Return the lemma and the synset type of sense keys: ``lemma%type:file:lex_id:head:head_id``."""
    texts = keys.tolist()
    is_key = np.array([_SENSE_KEY(key) is not None for key in texts], np.bool_)
    lines.check(is_key, f"this is not a sense key. {_INDEX_LINE_SYNTAX}")
    fields = [key.rpartition("%") for key in texts]
    return [lemma for lemma, _, _ in fields], np.array([ord(rest[0]) - ord("0") for _, _, rest in fields], np.int32)


def _lemma_columns(lemmas: Array, number: Array, row: Array) -> dict[str, Any]:
    """Return the distinct lemmas, sorted, and the senses of each by number."""
    distinct = sorted(set(lemmas))
    ranks = {lemma: rank for rank, lemma in enumerate(distinct)}
    lemma = np.fromiter(map(ranks.__getitem__, lemmas), np.int64, len(lemmas))
    by_lemma = np.lexsort((number, lemma))
    starts = np.searchsorted(lemma[by_lemma], np.arange(len(distinct) + 1))
    return {
        "lemma": PackedStrings.from_strings(distinct),
        "lemma_senses": starts.astype(np.int32),
        "by_lemma": row[by_lemma].astype(np.int32),
    }


# -- values --------------------------------------------------------------------------------------------------------


def _synset_codes(synset_type: Array, offset: Array) -> Array:
    """Return one number for the file and the offset of a synset, which grows in the order of the files."""
    return _FILE_NUMBER[synset_type] * _OFFSET_LIMIT + offset


def _find_codes(codes: Array, queries: Array) -> Array:
    """Return the index of each query in the codes, −1 where it is missing."""
    if not len(codes):
        return np.full(len(queries), -1)
    order = np.argsort(codes, kind="stable")
    ranks = np.minimum(np.searchsorted(codes, queries, sorter=order), len(codes) - 1)
    return np.where(codes[order[ranks]] == queries, order[ranks], -1)


def _as_array(strings: list[str]) -> Array:
    array: Array = np.array(strings, object)
    return array


def _sort_order(strings: Array) -> Array:
    """Return the order of strings sorted by their characters, which is that of their bytes."""
    return np.array(sorted(range(len(strings)), key=strings.tolist().__getitem__), np.int64)


def _parse_hexadecimal(word: str) -> int | None:
    return int(word, 16) if re.fullmatch("[0-9a-fA-F]{1,4}", word) else None


def _parse_decimal(word: str) -> int | None:
    return int(word) if re.fullmatch("[0-9]{1,4}", word) else None
