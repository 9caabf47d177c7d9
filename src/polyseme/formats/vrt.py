"""Verticalised text, as CWB and the WaCky corpora have it: one word a line with tabs between what is said of it.

``<text id="…">``, ``<p>`` and ``<s>`` stand on lines of their own; ``<g/>`` says that no blank is between two words.
What the columns are shows in their number, or is said by the reader's ``columns``:

=========  ==========================================================
1 column   form
2 columns  form, tag
3 columns  form, tag, lemma (TreeTagger; ukWaC)
6 columns  form, lemma, tag, index, head, relation (parsed ukWaC)
=========  ==========================================================

Attributes of the structures around a sentence are in its ``meta``, as ``text_id``; those of ``<s>`` itself without a
prefix, except the ``id``, which is the sentence's own, unique only if the source makes it so. Sentences without one are
numbered. Structures inside a sentence are passed over. The lemma ``<unknown>`` of TreeTagger is read as the form.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import BOM, Blob, Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.sentence import Sentence, Token, part_of_speech

COLUMNS_BY_COUNT = {
    1: ("form",),
    2: ("form", "tag"),
    3: ("form", "tag", "lemma"),
    6: ("form", "lemma", "tag", "index", "head", "relation"),
}
"""What the columns are, by their number."""

STRUCTURE_SYNTAX = 'A structure reads <name attribute="value"> on a line of its own'
_TOKEN_COLUMNS = {"form", "lemma", "pos", "tag", "index", "head", "relation"}
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)((?:\s[^\t]*?)?)(/?)>\s*")
_COMMENT = re.compile(r"<[?!][^\t]*>\s*")
_ATTRIBUTE = re.compile(r"""\s*([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPED = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"} | {
    code: f"&#{code};" for code in (9, 10, 13)
}


TEXT_TAGS = ("text", "doc")
"""What a structure is called that is a text of its own."""


class VrtText(NamedTuple):
    """A text of a file: the line in which it begins, 0 if the file does not say, and its id, if it has one."""

    line: int
    id: str


class _OpenStructure(NamedTuple):
    """A structure that is open: its name, its attributes as ``meta`` calls them, and the line in which it begins."""

    name: str
    attributes: dict[str, str]
    line: int


class _SentenceLines(NamedTuple):
    """The lines of a sentence, with the glue between them as empty ones, and the structures around it, its own last."""

    lines: list[tuple[int, str]]
    around: list[_OpenStructure]


# -- reading -------------------------------------------------------------------------------------------------------


def read_vrt_sentences(source: Source, columns: Sequence[str] | None = None) -> Iterator[Sentence]:
    r"""Read the sentences one after the other, however large the file is.

    ``columns`` may name form, lemma, pos, tag, index (the word's own number, to which heads refer), head and relation;
    a column of any other name is a feature of its words.

    >>> from polyseme.formats.files import Blob
    >>> text = b"<text id='t1'>\n<s>\nBirds\tNNS\tbird\nsing\tVVP\tsing\n<g/>\n!\tSENT\t!\n</s>\n</text>"
    >>> [(sentence.id, sentence.text, sentence.meta["text_id"]) for sentence in read_vrt_sentences(Blob('b.vrt', text))]
    [('1', 'Birds sing!', 't1')]
    """
    return (sentence for _, sentence in read_vrt_texts(source, columns))


def read_vrt_texts(source: Source, columns: Sequence[str] | None = None) -> Iterator[tuple[VrtText, Sentence]]:
    """The same, each with the text in which it stands."""
    for count, words in enumerate(_split_sentences(source), start=1):
        if columns is None and any(line for _, line in words.lines):
            columns = _detect_columns(words.lines, source)
        yield _enclosing_text(words.around), _build_sentence(words, str(count), columns or (), source)


def _enclosing_text(around: list[_OpenStructure]) -> VrtText:
    of_texts = (each for name in TEXT_TAGS for each in around if each.name == name)
    found = next(of_texts, None)
    return VrtText(0, "") if found is None else VrtText(found.line, found.attributes.get(f"{found.name}_id", ""))


def _split_sentences(source: Source) -> Iterator[_SentenceLines]:
    around: list[_OpenStructure] = []
    words: list[tuple[int, str]] = []
    for number, line in read_lines(source):
        tag = _TAG.fullmatch(line) if line.startswith("<") else None
        inside = bool(around) and around[-1].name == "s"
        if tag is None:
            if line.strip() and not _COMMENT.fullmatch(line):
                if not inside:
                    raise InputError(
                        f"{quote_value(line)} is outside of a sentence, <s> … </s>", path=source, line=number
                    )
                words.append((number, line))
        elif tag[4]:
            words += [(number, "")] * (inside and tag[2] == "g")
        elif tag[1]:
            if inside and tag[2] == "s":
                yield _SentenceLines(words, around)
                words = []
            _close_structure(tag[2], around, inside, source, number)
        elif not inside or tag[2] == "s":
            if inside:
                raise InputError("a sentence begins inside another; give each <s> its </s>", path=source, line=number)
            around.append(_OpenStructure(tag[2], _parse_attributes(tag, source, number), number))
    if around:
        raise _unclosed_error(around[-1], source)


def _close_structure(name: str, around: list[_OpenStructure], inside: bool, source: Source, line: int) -> None:
    """Leave a structure; one inside a sentence was not entered."""
    if inside and name not in {each.name for each in around}:
        return
    if not around:
        raise InputError(f"</{name}> closes what was not opened", path=source, line=line)
    if around[-1].name != name:
        raise _unclosed_error(around[-1], source)
    around.pop()


def _unclosed_error(open: _OpenStructure, source: Source) -> InputError:
    problem = f"<{open.name}> is not closed; is the file cut short? Write </{open.name}> where it ends"
    return InputError(problem, path=source, line=open.line)


def _parse_attributes(tag: re.Match[str], source: Source, line: int) -> dict[str, str]:
    prefix, text = "" if tag[2] == "s" else f"{tag[2]}_", tag[3].strip()
    found = list(_ATTRIBUTE.finditer(text))
    if _ATTRIBUTE.sub("", text).strip():
        raise InputError(f"{quote_value(tag[0])} cannot be read. {STRUCTURE_SYNTAX}", path=source, line=line)
    return {prefix + each[1]: _decode_entities(each[2] if each[2] is not None else each[3]) for each in found}


def _decode_entities(text: str) -> str:
    return _ENTITY.sub(_decode_entity, text) if "&" in text else text


def _decode_entity(entity: re.Match[str]) -> str:
    code = int(entity[2] or entity[3] or "0", 10 if entity[2] else 16)
    return (
        _ENTITIES[entity[1]] if entity[1] else chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else entity[0]
    )


def _detect_columns(words: list[tuple[int, str]], source: Source) -> Sequence[str]:
    number, first = next((number, line) for number, line in words if line)
    count = first.count("\t") + 1
    if count not in COLUMNS_BY_COUNT:
        known = "; ".join(f"{count}: {', '.join(names)}" for count, names in COLUMNS_BY_COUNT.items())
        raise InputError(f"{count} columns; it is known what these are: {known}. Name them", path=source, line=number)
    return COLUMNS_BY_COUNT[count]


def _build_sentence(words: _SentenceLines, name: str, columns: Sequence[str], source: Source) -> Sentence:
    rows = [_parse_row(number, line, columns, source) for number, line in words.lines if line]
    positions = {row.get("index", str(at)): at for at, row in enumerate(rows, start=1)} | {"0": 0}
    numbers = [number for number, line in words.lines if line]
    heads = [
        _parse_head(row.get("head", "_"), positions, source, line) for row, line in zip(rows, numbers, strict=True)
    ]
    tokens, text, glued = [], "", True
    waiting = zip(rows, heads, strict=True)
    for _, line in words.lines:
        if line:
            row, head = next(waiting)
            text += "" if glued else " "
            tokens.append(_build_token(row, len(text), head))
            text += row["form"]
        glued = not line
    meta = {name: value for each in words.around for name, value in each.attributes.items()}
    return Sentence(meta.pop("id", name), text, tuple(tokens), meta)


def _parse_row(number: int, line: str, columns: Sequence[str], source: Source) -> dict[str, str]:
    cells = line.split("\t")
    if len(cells) != len(columns):
        problem = f"{count_noun(len(cells), 'column')} where {len(columns)} are due: {', '.join(columns)}"
        raise InputError(problem, path=source, line=number)
    if "&" in line:
        cells = [_decode_entities(cell) for cell in cells]
    return dict(zip(columns, cells, strict=True))


def _parse_head(text: str, positions: dict[str, int], source: Source, line: int) -> int | None:
    if text in ("", "_"):
        return None
    if text not in positions:
        problem = (
            f"head {quote_value(text)} is not the number of a word of this sentence, nor 0 for the root or '_' for none"
        )
        raise InputError(problem, path=source, line=line)
    return positions[text]


def _build_token(row: dict[str, str], start: int, head: int | None) -> Token:
    form, lemma, tag = row["form"], row.get("lemma", ""), row.get("tag", "")
    pos = row["pos"] if "pos" in row else part_of_speech(tag)
    features = {name: row[name] for name in row if name not in _TOKEN_COLUMNS and row[name]}
    lemma = form if lemma == "<unknown>" else lemma
    return Token(form, start, start + len(form), lemma, pos, tag, head, row.get("relation", ""), (), features)


# -- writing -------------------------------------------------------------------------------------------------------


def write_vrt_sentences(
    sentences: Iterable[Sentence], path: str | os.PathLike[str], columns: Sequence[str] | None = None
) -> None:
    """Write sentences, in six columns where a word has a head or a relation and in three otherwise, or in those named.

    A sentence that would not be read back as it is, is an error: senses, and features without a column, have no place.
    """
    given = list(sentences)
    if columns is None:
        parsed = any(token.head is not None or token.relation for each in given for token in each.tokens)
        columns = COLUMNS_BY_COUNT[6 if parsed else 3]
    text = _format_sentences(given, columns)
    _check_round_trip(given, text, columns, path)
    write_text(path, text)


def _format_sentences(sentences: list[Sentence], columns: Sequence[str]) -> str:
    written: list[str] = []
    around: list[str] = []
    for sentence in sentences:
        structures = _format_structures(sentence)
        own = structures.pop("", "")
        opened = [f"<{name}{attributes}>" for name, attributes in structures.items()]
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(around, opened, strict=False)))
        written += [_closing_tag(each) for each in reversed(around[shared:])] + opened[shared:]
        around = opened
        written += [f'<s id="{sentence.id.translate(_ESCAPED)}"{own}>', *_format_word_lines(sentence, columns), "</s>"]
    return "".join(f"{line}\n" for line in [*written, *map(_closing_tag, reversed(around))])


def _format_structures(sentence: Sentence) -> dict[str, str]:
    """The attributes of each structure around the sentence, from the outermost, and under no name its own."""
    found: dict[str, str] = {}
    for name, value in sentence.meta.items():
        structure, underscore, attribute = name.partition("_")
        structure, attribute = (structure, attribute) if underscore else ("", name)
        found[structure] = found.get(structure, "") + f' {attribute}="{value.translate(_ESCAPED)}"'
    return found


def _closing_tag(tag: str) -> str:
    return f"</{tag[1:-1].split(' ', 1)[0]}>"


def _format_word_lines(sentence: Sentence, columns: Sequence[str]) -> Iterator[str]:
    for number, token in enumerate(sentence.tokens, start=1):
        if number > 1 and token.start == sentence.tokens[number - 2].end:
            yield "<g/>"
        cells = _token_cells(token, number)
        yield "\t".join(cells.get(name, "").translate(_ESCAPED) for name in columns)


def _token_cells(token: Token, number: int) -> dict[str, str]:
    head = "_" if token.head is None else str(token.head)
    known = {"form": token.form, "lemma": token.lemma, "pos": token.pos, "tag": token.tag, "relation": token.relation}
    return {**token.features, **known, "index": str(number), "head": head}


def _check_round_trip(sentences: list[Sentence], text: str, columns: Sequence[str], path: object) -> None:
    """Whether all sentences would be read back as they are."""
    again = read_vrt_sentences(Blob("text.vrt", text.encode(errors="replace")), columns)
    for sentence in sentences:
        try:
            same = next(again, None) == sentence
        except InputError:
            same = False
        if not same:
            problem = f"sentence {quote_value(sentence.id)} cannot stand in VRT with the columns {', '.join(columns)} as it is"
            raise InputError(
                f"{problem}: they must hold all that is said of its words, the words spell its text with a blank or"
                " nothing between, and its meta have names such as text_id; name other columns, or write CoNLL-U",
                path=path,
            )


def _recognise(start: bytes) -> bool:
    """Structures on lines of their own, a sentence among them, and then a word."""
    sentence = False
    for line in start.removeprefix(BOM).decode(errors="replace").split("\n"):
        text = line.removesuffix("\r")
        tag = _TAG.fullmatch(text)
        if tag is None and text.strip() and not _COMMENT.fullmatch(text):
            return sentence and (not text.startswith("<") or "\t" in text)
        sentence = sentence or (tag is not None and tag[2] == "s")
    return False


FORMAT = FileFormat(
    "vrt",
    "verticalised text (VRT)",
    _recognise,
    readers={"sentences": read_vrt_sentences},
    writers={"sentences": write_vrt_sentences},
    suffixes=(".vrt",),
)
