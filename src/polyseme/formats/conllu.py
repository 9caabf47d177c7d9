"""CoNLL-U, the format of Universal Dependencies: one word a line, in ten columns with tabs between.

A blank line ends a sentence, and comments begin with ``#``.

==========================  ==========================================================================================
FORM, LEMMA, HEAD, DEPREL   ``form``, ``lemma``, ``head``, ``relation``
UPOS                        ``pos``, and ``features["upos"]`` unless ``pos`` implies it: see :func:`universal_tag`
XPOS                        ``tag``
FEATS, DEPS                 ``features["feats"]``, ``features["deps"]``, unchanged
MISC                        each ``Name=Value`` in ``features``; ``Sense=…``, which may repeat, in ``senses``;
                            ``SpaceAfter=No`` in the offsets of the words
``# sent_id``, ``# text``   ``id`` and ``text``; the defaults are a number, and the words with blanks between
other comments              ``meta``; one that repeats has a value of two lines
``# newdoc``                the start of a document, ``# newdoc id = …`` with its name; the id of a sentence must be
                            unique in its document
==========================  ==========================================================================================

The words of a multiword token share its offsets in the text, and consecutive words with the same offsets are written
as one. Its FEATS and MISC are in ``features["multiword_feats"]`` and ``["multiword_misc"]`` of the first word. Empty
nodes, such as ``8.1``, are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import BOM, Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.lemma import UNIVERSAL_TAGS, pos_from_tag
from polyseme.sentence import Sentence, Token

WORD_LINE_SYNTAX = (
    "The line of a word has ten columns with tabs between: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
)
_ID = re.compile(r"(0|[1-9][0-9]*)(?:([-.])([1-9][0-9]*))?")
_SPACE = re.compile(r"\s*")
_COLUMN_FEATURES = {"upos", "feats", "deps", "multiword_feats", "multiword_misc"}

NumberedLine = tuple[int, str]


class _WordRow(NamedTuple):
    """The line of a word, or of a multiword token, which precedes its words."""

    line: int
    first: int
    last: int
    multiword: bool
    cells: list[str]


def universal_tag(token: Token) -> str:
    """Return the universal tag of a word, ``_`` if it has none.

    >>> universal_tag(Token("Rome", 0, 4, pos="n", features={"upos": "PROPN"}))
    'PROPN'
    """
    return token.features.get("upos") or UNIVERSAL_TAGS.get(token.pos, "_")


# -- reading -------------------------------------------------------------------------------------------------------


def read_conllu(source: Source) -> Iterator[Sentence]:
    r"""Yield the sentences of a file.

    >>> from polyseme.formats.files import Blob
    >>> words = ["1 Birds bird NOUN _ _ 2 nsubj _ _", "2 sing sing VERB _ _ 0 root _ SpaceAfter=No"]
    >>> file = Blob("birds.conllu", "\n".join(words).replace(" ", "\t").encode())
    >>> [(token.lemma, token.pos, token.head) for sentence in read_conllu(file) for token in sentence.tokens]
    [('bird', 'n', 2), ('sing', 'v', 0)]
    """
    ids, document = UniqueNames("sentence", source), ""
    for count, block in enumerate(_split_blocks(read_lines(source)), start=1):
        sentence = _parse_sentence(block, str(count), source)
        name = new_document_name(sentence, document)
        if name is not None:
            ids, document = UniqueNames("sentence", source), name
        ids.add(sentence.id, block[0][0])
        yield sentence


def new_document_name(sentence: Sentence, before: str) -> str | None:
    """Return the name of the document that begins with a sentence, or ``None`` if none begins.

    Args:
        sentence: The sentence.
        before: The name of the document of the sentence before.

    >>> marks = ({"newdoc id": "d1"}, {}, {"newdoc id": "d1"}, {"newdoc": ""}, {"newdoc date": "1900"})
    >>> [new_document_name(Sentence("s", "", (), meta), "d1") for meta in marks]
    [None, None, None, '', '']
    """
    meta = sentence.meta
    if not any(name == "newdoc" or name.startswith("newdoc ") for name in meta):
        return None
    name = meta.get("newdoc id") or meta.get("newdoc", "")
    return None if name and name == before else name


def _split_blocks(numbered: Iterable[NumberedLine]) -> Iterator[list[NumberedLine]]:
    block: list[NumberedLine] = []
    for line in numbered:
        if line[1] and not line[1].isspace():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _parse_sentence(block: list[NumberedLine], name: str, source: object) -> Sentence:
    meta = _parse_comments(block)
    rows = _parse_rows(block, source)
    text = meta.pop("text", None)
    if text is None:
        text = _join_text(rows)
    spans = _find_spans(rows, text, source)
    words = [row for row in rows if not row.multiword]
    tokens = [_parse_token(row, span, len(spans), source) for row, span in zip(words, spans, strict=True)]
    for row in rows:
        if row.multiword and (row.cells[5] != "_" or row.cells[9] != "_"):
            tokens[row.first - 1] = _add_multiword_features(tokens[row.first - 1], row.cells)
    return Sentence(meta.pop("sent_id", name), text, tuple(tokens), meta)


def _parse_comments(block: list[NumberedLine]) -> dict[str, str]:
    meta: dict[str, str] = {}
    for _, line in block:
        if line[0] == "#":
            name, sign, value = line[1:].partition("=")
            name, value = name.strip(" \t"), value.removeprefix(" ") if sign else ""
            meta[name] = f"{meta[name]}\n{value}" if name in meta else value
    return meta


def _parse_rows(block: list[NumberedLine], source: object) -> list[_WordRow]:
    """Parse the lines of words and multiword tokens, and check their numbers."""
    rows, due, until = [], 1, 0
    for number, text in block:
        if text[0] == "#":
            continue
        cells = text.split("\t")
        match = _ID.fullmatch(cells[0])
        if match is None or len(cells) != 10 or not all(cells):
            raise InputError(f"{_describe_problem(cells)}. {WORD_LINE_SYNTAX}", path=source, line=number)
        if match[2] != ".":
            row = _WordRow(number, int(match[1]), int(match[3] or match[1]), match[2] is not None, cells)
            if row.first != due or row.last < due or (row.multiword and due <= until):
                problem = f"ID {cells[0]} where {due} is due; number the words of a sentence from 1, one by one"
                raise InputError(problem, path=source, line=number)
            rows.append(row)
            due, until = due + (not row.multiword), max(until, row.last)
    if due == 1 or due <= until:
        problem = "a sentence without a word" if due == 1 else "the sentence ends inside a multiword token"
        raise InputError(f"{problem}; is the file cut short? {WORD_LINE_SYNTAX}", path=source, line=block[-1][0])
    return rows


def _describe_problem(cells: list[str]) -> str:
    if len(cells) != 10:
        return count_noun(len(cells), "column")
    return "an empty column, where '_' is due" if not all(cells) else f"ID {quote_value(cells[0])} is not a number"


def _surface_rows(rows: list[_WordRow]) -> Iterator[_WordRow]:
    """Yield the rows that appear in the text: multiword tokens, and words outside of them."""
    covered = 0
    for row in rows:
        if row.first > covered:
            covered = row.last
            yield row


def _join_text(rows: list[_WordRow]) -> str:
    forms = (row.cells[1] + " " * ("SpaceAfter=No" not in row.cells[9].split("|")) for row in _surface_rows(rows))
    return "".join(forms).removesuffix(" ")


def _find_spans(rows: list[_WordRow], text: str, source: object) -> list[tuple[int, int]]:
    """Find the offsets of each word in the text; only white space may stand between them."""
    spans, start = [], 0
    for row in _surface_rows(rows):
        form = row.cells[1]
        if not text.startswith(form, start):
            start = next(_SPACE.finditer(text, start)).end()
        if not text.startswith(form, start):
            text_left = quote_value(text[start:], 20)
            problem = f"{quote_value(form)} does not come next in the sentence's '# text', which continues {text_left}"
            raise InputError(f"{problem}; correct the text, or leave the comment out", path=source, line=row.line)
        spans += [(start, start + len(form))] * (row.last - row.first + 1)
        start += len(form)
    return spans


def _parse_token(row: _WordRow, span: tuple[int, int], size: int, source: object) -> Token:
    _, form, lemma, upos, xpos, feats, head, relation, deps, misc = row.cells
    if head != "_" and not (head.isascii() and head.isdigit() and len(head) < 10 and int(head) <= size):
        problem = f"HEAD {quote_value(head)} is not the number of a word of this sentence (1 to {size}), nor 0 or '_'"
        raise InputError(problem, path=source, line=row.line)
    pos = pos_from_tag(upos)
    features = {} if UNIVERSAL_TAGS.get(pos, "_") == upos else {"upos": upos}
    features |= {name: value for name, value in (("feats", feats), ("deps", deps)) if value != "_"}
    senses = _parse_misc(misc, features) if misc != "_" else ()
    lemma, xpos, relation = ("" if cell == "_" else cell for cell in (lemma, xpos, relation))
    return Token(form, *span, lemma, pos, xpos, None if head == "_" else int(head), relation, senses, features)


def _parse_misc(misc: str, features: dict[str, str]) -> tuple[str, ...]:
    """Add the items of MISC to the features and return the senses; a repeated name has both in its value."""
    senses = []
    for item in misc.split("|"):
        name, _, value = item.partition("=")
        if name == "Sense":
            senses.append(value)
        elif item != "SpaceAfter=No":
            features[name] = f"{features[name]}|{item}" if name in features else value
    return tuple(senses)


def _add_multiword_features(token: Token, cells: list[str]) -> Token:
    misc = "|".join(item for item in cells[9].split("|") if item not in ("SpaceAfter=No", "_"))
    features = {"multiword_feats": cells[5] if cells[5] != "_" else "", "multiword_misc": misc}
    return replace(token, features={**token.features, **{name: value for name, value in features.items() if value}})


# -- writing -------------------------------------------------------------------------------------------------------


def write_conllu(sentences: Iterable[Sentence], path: str | os.PathLike[str]) -> None:
    """Write sentences; one that would not be read back unchanged is an error.

    A part of speech without ``features["upos"]`` is written as its universal tag, ``n`` as ``NOUN``.
    """
    ids: set[str] = set()
    texts, document = [], ""
    for sentence in sentences:
        name = new_document_name(sentence, document)
        if name is not None:
            ids, document = set(), name
        if sentence.id in ids:
            raise InputError(f"two sentences are called {quote_value(sentence.id)}; rename one", path=path)
        ids.add(sentence.id)
        texts.append(_format_sentence(sentence))
        _check_round_trip(sentence, texts[-1], path)
    write_text(path, "".join(texts))


def _format_sentence(sentence: Sentence) -> str:
    comments = [f"# sent_id = {sentence.id}", f"# text = {sentence.text}"]
    for name, value in sentence.meta.items():
        comments += [f"# {name} = {line}" if line else f"# {name}" for line in value.split("\n")]
    return "\n".join([*comments, *_format_word_lines(sentence), "", ""])


def _format_word_lines(sentence: Sentence) -> Iterator[str]:
    number = 1
    runs = [list(run) for _, run in groupby(sentence.tokens, key=lambda token: (token.start, token.end))]
    for index, run in enumerate(runs):
        first = run[0]
        glue = ["SpaceAfter=No"] * (index + 1 < len(runs) and runs[index + 1][0].start == first.end)
        if len(run) > 1:
            feats = first.features.get("multiword_feats") or "_"
            misc = _join_items([first.features.get("multiword_misc", ""), *glue])
            form = sentence.text[first.start : first.end]
            yield "\t".join([f"{number}-{number + len(run) - 1}", form, *"___", feats, *"___", misc])
        for token in run:
            yield _format_word_line(number, token, glue if len(run) == 1 else [])
            number += 1


def _format_word_line(number: int, token: Token, glue: list[str]) -> str:
    features = token.features
    misc = [f"{name}={value}" if value else name for name, value in features.items() if name not in _COLUMN_FEATURES]
    misc += [*(f"Sense={sense}" for sense in token.senses), *glue]
    head = "" if token.head is None else str(token.head)
    feats, deps = features.get("feats", ""), features.get("deps", "")
    cells = [token.form, token.lemma, universal_tag(token), token.tag, feats, head, token.relation, deps]
    return "\t".join([str(number), *(cell or "_" for cell in cells), _join_items(misc)])


def _join_items(items: list[str]) -> str:
    return "|".join(filter(None, items)) or "_"


def _check_round_trip(sentence: Sentence, text: str, path: object) -> None:
    """Raise an error if the sentence would not be read back unchanged."""
    numbered = ((number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), start=1))
    try:
        parsed_sentences = [_parse_sentence(block, "", path) for block in _split_blocks(numbered)]
    except InputError:
        parsed_sentences = []
    if parsed_sentences == [sentence] and sentence.id and not {"\0", "\r"} & set(text):
        return
    words = zip(sentence.tokens, parsed_sentences[0].tokens if parsed_sentences else (), strict=False)
    differing = (f"the word {quote_value(one.form)}" for one, other in words if one != other)
    wrong = next(differing, "a word, its text or its meta")
    problem = f"sentence {quote_value(sentence.id)}: {wrong} cannot be written as CoNLL-U"
    reason = "white space, '_' and '|' have a meaning there, and the words spell the text"
    raise InputError(f"{problem}: {reason}", path=path)


def _recognise(start: bytes) -> bool:
    for line in start.removeprefix(BOM).split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            cells = line.split(b"\t")
            return len(cells) == 10 and bool(_ID.fullmatch(cells[0].decode(errors="replace")))
    return False


FORMAT = FileFormat.for_content("sentences", "conll-u", "CoNLL-U", _recognise, read_conllu, write_conllu, ".conllu")
