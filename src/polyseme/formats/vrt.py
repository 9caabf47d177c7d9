"""Verticalised text of CWB and the WaCky corpora: one word a line, with its analysis in columns separated by tabs.

``<text id="…">``, ``<p>`` and ``<s>`` stand on lines of their own; ``<g/>`` marks that no blank is between two words.
The number of columns shows what they are, or the reader's ``columns`` names them:

=========  ==========================================================
1 column   form
2 columns  form, tag
3 columns  form, tag, lemma (TreeTagger; ukWaC)
6 columns  form, lemma, tag, index, head, relation (parsed ukWaC)
=========  ==========================================================

Attributes of the structures around a sentence are in its ``meta``, as ``text_id``; those of ``<s>`` have no prefix. The
``id`` of ``<s>`` is the id of the sentence, which need not be unique; sentences without one are numbered. Structures
inside a sentence are skipped. The lemma ``<unknown>`` of TreeTagger is read as the form.
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
from polyseme.lemma import pos_from_tag
from polyseme.sentence import Sentence, Token

COLUMNS_BY_COUNT = {
    1: ("form",),
    2: ("form", "tag"),
    3: ("form", "tag", "lemma"),
    6: ("form", "lemma", "tag", "index", "head", "relation"),
}
"""Number of columns → their names."""

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
"""The structures that are texts of their own."""


class VrtText(NamedTuple):
    """A text of a file: the line in which it begins, 0 if the file marks none, and its id, if it has one."""

    line: int
    id: str


class _OpenStructure(NamedTuple):
    """An open structure: its name, its attributes under their names in ``meta``, and the line in which it begins."""

    name: str
    attributes: dict[str, str]
    line: int


class _SentenceLines(NamedTuple):
    """The lines of a sentence, in which empty ones stand for ``<g/>``, and its structures, ``<s>`` last."""

    lines: list[tuple[int, str]]
    structures: list[_OpenStructure]


# -- reading -------------------------------------------------------------------------------------------------------


def read_vrt_sentences(source: Source, columns: Sequence[str] | None = None) -> Iterator[Sentence]:
    r"""Yield the sentences of a file, which may be large.

    Args:
        source: The file.
        columns: The names of the columns: form, lemma, pos, tag, index (the number of the word, to which heads refer),
            head and relation. A column of any other name is a feature of its words.

    >>> from polyseme.formats.files import Blob
    >>> text = b"<text id='t1'>\n<s>\nBirds\tNNS\tbird\nsing\tVVP\tsing\n<g/>\n!\tSENT\t!\n</s>\n</text>"
    >>> [(sentence.id, sentence.text, sentence.meta["text_id"]) for sentence in read_vrt_sentences(Blob('b.vrt', text))]
    [('1', 'Birds sing!', 't1')]
    """
    return (sentence for _, sentence in read_vrt_texts(source, columns))


def read_vrt_texts(source: Source, columns: Sequence[str] | None = None) -> Iterator[tuple[VrtText, Sentence]]:
    """Yield the sentences, each with its text; see :func:`read_vrt_sentences`."""
    for count, words in enumerate(_split_sentences(source), start=1):
        if columns is None and any(line for _, line in words.lines):
            columns = _detect_columns(words.lines, source)
        yield _enclosing_text(words.structures), _build_sentence(words, str(count), columns or (), source)


def _enclosing_text(structures: list[_OpenStructure]) -> VrtText:
    texts = (structure for name in TEXT_TAGS for structure in structures if structure.name == name)
    text = next(texts, None)
    return VrtText(0, "") if text is None else VrtText(text.line, text.attributes.get(f"{text.name}_id", ""))


def _split_sentences(source: Source) -> Iterator[_SentenceLines]:
    structures: list[_OpenStructure] = []
    words: list[tuple[int, str]] = []
    for number, line in read_lines(source):
        tag = _TAG.fullmatch(line) if line.startswith("<") else None
        is_inside = bool(structures) and structures[-1].name == "s"
        if tag is None:
            if line.strip() and not _COMMENT.fullmatch(line):
                if not is_inside:
                    problem = f"{quote_value(line)} is outside of a sentence, <s> … </s>"
                    raise InputError(problem, path=source, line=number)
                words.append((number, line))
        elif tag[4]:
            words += [(number, "")] * (is_inside and tag[2] == "g")
        elif tag[1]:
            if is_inside and tag[2] == "s":
                yield _SentenceLines(words, structures)
                words = []
            _close_structure(tag[2], structures, is_inside, source, number)
        elif not is_inside or tag[2] == "s":
            if is_inside:
                raise InputError("a sentence begins inside another; give each <s> its </s>", path=source, line=number)
            structures.append(_OpenStructure(tag[2], _parse_attributes(tag, source, number), number))
    if structures:
        raise _unclosed_error(structures[-1], source)


def _close_structure(name: str, structures: list[_OpenStructure], is_inside: bool, source: Source, line: int) -> None:
    """Remove a closed structure; structures inside a sentence are not recorded."""
    if is_inside and name not in {structure.name for structure in structures}:
        return
    if not structures:
        raise InputError(f"</{name}> closes what was not opened", path=source, line=line)
    if structures[-1].name != name:
        raise _unclosed_error(structures[-1], source)
    structures.pop()


def _unclosed_error(structure: _OpenStructure, source: Source) -> InputError:
    problem = f"<{structure.name}> is not closed; is the file cut short? Write </{structure.name}> where it ends"
    return InputError(problem, path=source, line=structure.line)


def _parse_attributes(tag: re.Match[str], source: Source, line: int) -> dict[str, str]:
    prefix, text = "" if tag[2] == "s" else f"{tag[2]}_", tag[3].strip()
    if _ATTRIBUTE.sub("", text).strip():
        raise InputError(f"{quote_value(tag[0])} cannot be read. {STRUCTURE_SYNTAX}", path=source, line=line)
    matches = _ATTRIBUTE.finditer(text)
    return {prefix + match[1]: _decode_entities(match[2] if match[2] is not None else match[3]) for match in matches}


def _decode_entities(text: str) -> str:
    return _ENTITY.sub(_decode_entity, text) if "&" in text else text


def _decode_entity(entity: re.Match[str]) -> str:
    if entity[1]:
        return _ENTITIES[entity[1]]
    code = int(entity[2] or entity[3], 10 if entity[2] else 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else entity[0]


def _detect_columns(words: list[tuple[int, str]], source: Source) -> Sequence[str]:
    number, first = next((number, line) for number, line in words if line)
    count = first.count("\t") + 1
    if count not in COLUMNS_BY_COUNT:
        layouts = "; ".join(f"{count}: {', '.join(names)}" for count, names in COLUMNS_BY_COUNT.items())
        problem = f"{count} columns, whose names are unknown; known are {layouts}"
        raise InputError(f"{problem}. Name the columns", path=source, line=number)
    return COLUMNS_BY_COUNT[count]


def _build_sentence(words: _SentenceLines, name: str, columns: Sequence[str], source: Source) -> Sentence:
    numbered = [(number, _parse_row(number, line, columns, source)) for number, line in words.lines if line]
    positions = {row.get("index", str(number)): number for number, (_, row) in enumerate(numbered, start=1)} | {"0": 0}
    heads = [_parse_head(row.get("head", "_"), positions, source, line) for line, row in numbered]
    tokens, text, is_glued = [], "", True
    waiting = zip(numbered, heads, strict=True)
    for _, line in words.lines:
        if line:
            (_, row), head = next(waiting)
            text += "" if is_glued else " "
            tokens.append(_build_token(row, len(text), head))
            text += row["form"]
        is_glued = not line
    meta = {name: value for structure in words.structures for name, value in structure.attributes.items()}
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
    pos = row["pos"] if "pos" in row else pos_from_tag(tag)
    features = {name: row[name] for name in row if name not in _TOKEN_COLUMNS and row[name]}
    lemma = form if lemma == "<unknown>" else lemma
    return Token(form, start, start + len(form), lemma, pos, tag, head, row.get("relation", ""), (), features)


# -- writing -------------------------------------------------------------------------------------------------------


def write_vrt_sentences(
    sentences: Iterable[Sentence], path: str | os.PathLike[str], columns: Sequence[str] | None = None
) -> None:
    """Write sentences; one that would not be read back unchanged is an error.

    Senses, and features without a column, cannot be written.

    Args:
        sentences: The sentences.
        path: The file to write.
        columns: The names of the columns; by default six if a word has a head or a relation, otherwise three.
    """
    sentences = list(sentences)
    if columns is None:
        tokens = (token for sentence in sentences for token in sentence.tokens)
        columns = COLUMNS_BY_COUNT[6 if any(token.head is not None or token.relation for token in tokens) else 3]
    text = _format_sentences(sentences, columns)
    _check_round_trip(sentences, text, columns, path)
    write_text(path, text)


def _format_sentences(sentences: list[Sentence], columns: Sequence[str]) -> str:
    lines: list[str] = []
    open_tags: list[str] = []
    for sentence in sentences:
        structures = _format_structures(sentence)
        own = structures.pop("", "")
        tags = [f"<{name}{attributes}>" for name, attributes in structures.items()]
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(open_tags, tags, strict=False)))
        lines += [*map(_closing_tag, reversed(open_tags[shared:])), *tags[shared:]]
        open_tags = tags
        lines += [f'<s id="{sentence.id.translate(_ESCAPED)}"{own}>', *_format_word_lines(sentence, columns), "</s>"]
    return "".join(f"{line}\n" for line in [*lines, *map(_closing_tag, reversed(open_tags))])


def _format_structures(sentence: Sentence) -> dict[str, str]:
    """Format the attributes of each structure around a sentence from the outermost; ``""`` is its own."""
    structures: dict[str, str] = {}
    for name, value in sentence.meta.items():
        structure, underscore, attribute = name.partition("_")
        structure, attribute = (structure, attribute) if underscore else ("", name)
        structures[structure] = structures.get(structure, "") + f' {attribute}="{value.translate(_ESCAPED)}"'
    return structures


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
    fields = {name: getattr(token, name) for name in ("form", "lemma", "pos", "tag", "relation")}
    return {**token.features, **fields, "index": str(number), "head": head}


def _check_round_trip(sentences: list[Sentence], text: str, columns: Sequence[str], path: object) -> None:
    """Raise an error if a sentence would not be read back unchanged."""
    parsed_sentences = read_vrt_sentences(Blob("text.vrt", text.encode(errors="replace")), columns)
    for sentence in sentences:
        try:
            is_same = next(parsed_sentences, None) == sentence
        except InputError:
            is_same = False
        if not is_same:
            problem = (
                f"sentence {quote_value(sentence.id)} cannot be written as VRT with the columns {', '.join(columns)}"
            )
            raise InputError(
                f"{problem}: the columns must hold the whole analysis; the words must spell the text, with a blank or"
                " nothing between; the meta must have names such as text_id. Name other columns, or write CoNLL-U",
                path=path,
            )


def _recognise(start: bytes) -> bool:
    """Whether a file begins with structures on lines of their own, a sentence among them, and then a word."""
    has_sentence = False
    for line in start.removeprefix(BOM).decode(errors="replace").split("\n"):
        text = line.removesuffix("\r")
        tag = _TAG.fullmatch(text)
        if tag is None and text.strip() and not _COMMENT.fullmatch(text):
            return has_sentence and (not text.startswith("<") or "\t" in text)
        has_sentence = has_sentence or (tag is not None and tag[2] == "s")
    return False


FORMAT = FileFormat.for_content(
    "sentences", "vrt", "verticalised text (VRT)", _recognise, read_vrt_sentences, write_vrt_sentences, ".vrt"
)
