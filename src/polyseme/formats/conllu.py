"""CoNLL-U, the format of Universal Dependencies: one word a line, in ten columns with tabs between.

A blank line ends a sentence, and comments begin with ``#``.

==========================  ==========================================================================================
FORM, LEMMA, HEAD, DEPREL   ``form``, ``lemma``, ``head``, ``relation``
UPOS                        ``pos``, and ``features["upos"]`` unless it is the plain one: see :func:`universal`
XPOS                        ``tag``
FEATS, DEPS                 ``features["feats"]``, ``features["deps"]``, as they stand
MISC                        each ``Name=Value`` in ``features``; ``Sense=…``, as often as needed, in ``senses``;
                            ``SpaceAfter=No`` in the places of the words
``# sent_id``, ``# text``   ``id`` and ``text``; where missing, a number, and the words with blanks between
other comments              ``meta``; one that comes twice has a value of two lines
``# newdoc``                where a document begins, ``# newdoc id = …`` with its name; a sentence's id must be unique
                            in its document
==========================  ==========================================================================================

The words of a multiword token share its place in the text, and consecutive words in one place are written as one; what
else its line says is in the first word's ``features["multiword_feats"]`` and ``["multiword_misc"]``. Empty nodes, such
as ``8.1``, are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.sentence import Sentence, Token, part_of_speech

WORD_LINE_SYNTAX = (
    "The line of a word has ten columns with tabs between: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
)
UNIVERSAL_TAGS = {"": "_", "n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}
"""The universal tag that a part of speech stands for when nothing else is said."""

_ID = re.compile(r"(0|[1-9][0-9]*)(?:([-.])([1-9][0-9]*))?")
_SPACE = re.compile(r"\s*")
_COLUMN_FEATURES = {"upos", "feats", "deps", "multiword_feats", "multiword_misc"}

NumberedLine = tuple[int, str]


class _WordRow(NamedTuple):
    """The line of a word, or of a multiword token, which goes before its words."""

    line: int
    first: int
    last: int
    multiword: bool
    cells: list[str]


def universal_tag(token: Token) -> str:
    """The universal tag of a word, ``_`` if it has none.

    >>> universal_tag(Token("Rome", 0, 4, pos="n", features={"upos": "PROPN"})), universal_tag(Token("won", 0, 3, pos="v"))
    ('PROPN', 'VERB')
    """
    return token.features.get("upos") or UNIVERSAL_TAGS.get(token.pos, "_")


# -- reading -------------------------------------------------------------------------------------------------------


def read_conllu(source: Source) -> Iterator[Sentence]:
    r"""Read the sentences one after the other.

    >>> from polyseme.formats.files import Blob
    >>> words = ["1 Birds bird NOUN _ _ 2 nsubj _ _", "2 sing sing VERB _ _ 0 root _ SpaceAfter=No"]
    >>> file = Blob("birds.conllu", "\n".join(words).replace(" ", "\t").encode())
    >>> [(token.lemma, token.pos, token.head) for sentence in read_conllu(file) for token in sentence.tokens]
    [('bird', 'n', 2), ('sing', 'v', 0)]
    """
    seen, document = UniqueNames("sentence", source), ""
    for count, block in enumerate(_split_blocks(read_lines(source)), start=1):
        sentence = _parse_sentence(block, str(count), source)
        begun = new_document_name(sentence, document)
        if begun is not None:
            seen, document = UniqueNames("sentence", source), begun
        seen.add(sentence.id, block[0][0])
        yield sentence


def new_document_name(sentence: Sentence, before: str) -> str | None:
    """The name of the document that begins with a sentence, empty if it has none; ``None`` if it is the one before.

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
    spans = _find_spans(rows, _join_text(rows) if text is None else text, source)
    size = len(spans)
    words = [row for row in rows if not row.multiword]
    tokens = [_parse_token(row, span, size, source) for row, span in zip(words, spans, strict=True)]
    for row in rows:
        if row.multiword and (row.cells[5] != "_" or row.cells[9] != "_"):
            tokens[row.first - 1] = _add_multiword_features(tokens[row.first - 1], row.cells)
    return Sentence(meta.pop("sent_id", name), _join_text(rows) if text is None else text, tuple(tokens), meta)


def _parse_comments(block: list[NumberedLine]) -> dict[str, str]:
    meta: dict[str, str] = {}
    for _, line in block:
        if line[0] == "#":
            name, sign, value = line[1:].partition("=")
            name, value = name.strip(" \t"), value.removeprefix(" ") if sign else ""
            meta[name] = f"{meta[name]}\n{value}" if name in meta else value
    return meta


def _parse_rows(block: list[NumberedLine], source: object) -> list[_WordRow]:
    """The lines of words and multiword tokens, with their numbers checked."""
    rows, due, until = [], 1, 0
    for number, text in block:
        if text[0] == "#":
            continue
        cells = text.split("\t")
        found = _ID.fullmatch(cells[0])
        if found is None or len(cells) != 10 or not all(cells):
            raise InputError(f"{_describe_problem(cells)}. {WORD_LINE_SYNTAX}", path=source, line=number)
        if found[2] != ".":
            row = _WordRow(number, int(found[1]), int(found[3] or found[1]), found[2] is not None, cells)
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
        return f"{len(cells)} column{'s' * (len(cells) != 1)}"
    return "an empty column, where '_' is due" if not all(cells) else f"ID {quote_value(cells[0])} is not a number"


def _surface_rows(rows: list[_WordRow]) -> Iterator[_WordRow]:
    """What stands in the text: multiword tokens, and the words outside of them."""
    covered = 0
    for row in rows:
        if row.first > covered:
            covered = row.last
            yield row


def _join_text(rows: list[_WordRow]) -> str:
    made = "".join(row.cells[1] + " " * (not _has_no_space_after(row)) for row in _surface_rows(rows))
    return made.removesuffix(" ")


def _has_no_space_after(row: _WordRow) -> bool:
    return row.cells[9] != "_" and "SpaceAfter=No" in row.cells[9].split("|")


def _find_spans(rows: list[_WordRow], text: str, source: object) -> list[tuple[int, int]]:
    """Where each word stands in the text; between what stands in it there is only white space."""
    spans, at = [], 0
    for row in _surface_rows(rows):
        form = row.cells[1]
        if not text.startswith(form, at):
            at = next(_SPACE.finditer(text, at)).end()
        if not text.startswith(form, at):
            problem = f"{quote_value(form)} does not come next in the sentence's '# text', which goes on {quote_value(text[at:], 20)}"
            raise InputError(f"{problem}; correct the text, or leave the comment out", path=source, line=row.line)
        spans += [(at, at + len(form))] * (row.last - row.first + 1)
        at += len(form)
    return spans


def _parse_token(row: _WordRow, span: tuple[int, int], size: int, source: object) -> Token:
    _, form, lemma, upos, xpos, feats, head, relation, deps, misc = row.cells
    if head != "_" and not (head.isascii() and head.isdigit() and len(head) < 10 and int(head) <= size):
        problem = f"HEAD {quote_value(head)} is not the number of a word of this sentence (1 to {size}), nor 0 or '_'"
        raise InputError(problem, path=source, line=row.line)
    pos = part_of_speech(upos)
    features = {} if UNIVERSAL_TAGS[pos] == upos else {"upos": upos}
    if feats != "_":
        features["feats"] = feats
    if deps != "_":
        features["deps"] = deps
    senses = _parse_misc(misc, features) if misc != "_" else ()
    return Token(
        form,
        *span,
        "" if lemma == "_" else lemma,
        pos,
        "" if xpos == "_" else xpos,
        None if head == "_" else int(head),
        "" if relation == "_" else relation,
        senses,
        features,
    )


def _parse_misc(misc: str, features: dict[str, str]) -> tuple[str, ...]:
    """Put what MISC says into the features, and give the senses; a name that comes twice has both in its value."""
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
    said = {"multiword_feats": cells[5] if cells[5] != "_" else "", "multiword_misc": misc}
    return replace(token, features={**token.features, **{name: value for name, value in said.items() if value}})


# -- writing -------------------------------------------------------------------------------------------------------


def write_conllu(sentences: Iterable[Sentence], path: str | os.PathLike[str]) -> None:
    """Write sentences; one that would not be read back as it is, is an error.

    A part of speech without ``features["upos"]`` is written as its plain universal tag, ``n`` as ``NOUN``.
    """
    seen: set[str] = set()
    texts, document = [], ""
    for sentence in sentences:
        begun = new_document_name(sentence, document)
        if begun is not None:
            seen, document = set(), begun
        if sentence.id in seen:
            raise InputError(f"two sentences are called {quote_value(sentence.id)}; rename one", path=path)
        seen.add(sentence.id)
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
    for place, run in enumerate(runs):
        end = run[0].end
        glued = ["SpaceAfter=No"] * (place + 1 < len(runs) and runs[place + 1][0].start == end)
        if len(run) > 1:
            said = run[0].features
            form, misc = sentence.text[run[0].start : end], [said.get("multiword_misc", ""), *glued]
            feats = said.get("multiword_feats") or "_"
            yield "\t".join([f"{number}-{number + len(run) - 1}", form, *"___", feats, *"___", _join_items(misc)])
        for token in run:
            yield _format_word_line(number, token, glued if len(run) == 1 else [])
            number += 1


def _format_word_line(number: int, token: Token, glued: list[str]) -> str:
    others = [(name, value) for name, value in token.features.items() if name not in _COLUMN_FEATURES]
    misc = [
        *(f"{name}={value}" if value else name for name, value in others),
        *(f"Sense={each}" for each in token.senses),
    ]
    head = "" if token.head is None else str(token.head)
    said = token.features.get
    feats, deps = said("feats", ""), said("deps", "")
    cells = [token.form, token.lemma, universal_tag(token), token.tag, feats, head, token.relation, deps]
    return "\t".join([str(number), *(cell or "_" for cell in cells), _join_items([*misc, *glued])])


def _join_items(items: list[str]) -> str:
    return "|".join(filter(None, items)) or "_"


def _check_round_trip(sentence: Sentence, text: str, path: object) -> None:
    """Whether the sentence would be read back as it is."""
    numbered = ((number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), start=1))
    try:
        again = [_parse_sentence(block, "", path) for block in _split_blocks(numbered)]
    except InputError:
        again = []
    if again == [sentence] and sentence.id and not {"\0", "\r"} & set(text):
        return
    words = zip(sentence.tokens, again[0].tokens if again else (), strict=False)
    wrong = next(
        (f"the word {quote_value(one.form)}" for one, other in words if one != other), "a word, its text or its meta"
    )
    problem = f"sentence {quote_value(sentence.id)}: {wrong} cannot stand in CoNLL-U as it is"
    raise InputError(
        f"{problem}: white space, '_' and '|' have a meaning there, and the words spell the text", path=path
    )


def _recognise(start: bytes) -> bool:
    for line in start.removeprefix(BOM).split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            cells = line.split(b"\t")
            return len(cells) == 10 and bool(_ID.fullmatch(cells[0].decode(errors="replace")))
    return False


FORMAT = FileFormat(
    "conll-u",
    "CoNLL-U",
    _recognise,
    readers={"sentences": read_conllu},
    writers={"sentences": write_conllu},
    suffixes=(".conllu",),
)
