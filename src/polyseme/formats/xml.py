"""XML as a stream of elements that know their line, from files that nobody need trust.

Read with Python's own expat, block by block. Files declare no entities here: an external one is never fetched, and an
internal one, with which a small file can grow into gigabytes ("billion laughs"), is an error. A document type may be
named, as the field's files do; it is not fetched, but taken to declare HTML's names of characters (``&eacute;``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from html.entities import html5
from typing import NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from polyseme.errors import InputError
from polyseme.formats.files import Source, read_blocks

MAX_DEPTH = 100
"""Elements within elements; more than this is no data of the field."""


_INVALID_CHARACTER = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_REFERENCE = re.compile(rb"&([A-Za-z][\w.-]*);")
_TAG = re.compile(rb"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")


class Element:
    """An element with what is in it, in order: text and elements."""

    __slots__ = ("attributes", "line", "parent", "parts", "source", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, parent: Element | None, source: object) -> None:
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.parent = parent
        self.source = source
        self.parts: list[str | Element] = []

    @property
    def children(self) -> list[Element]:
        """The elements directly in it."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def text(self) -> str:
        """All text in it, at whatever depth."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def attribute(self, name: str) -> str:
        """An attribute that must be there."""
        if name not in self.attributes:
            there = ", ".join(self.attributes) or "none"
            raise self.error(f"<{self.tag}> lacks the attribute {name!r}; it has {there}")
        return self.attributes[name]

    def named(self, *tags: str) -> Iterator[Element]:
        """The elements in it with one of these names, at whatever depth, in order."""
        for child in self.children:
            if child.tag in tags:
                yield child
            yield from child.named(*tags)

    def child(self, tag: str) -> Element:
        """The one element in it with this name."""
        found = list(self.named(tag))
        if len(found) != 1:
            raise self.error(f"<{self.tag}> has {len(found)} elements <{tag}>; it must have one")
        return found[0]

    def error(self, problem: str) -> InputError:
        """What to raise about this element: it says the file and the line."""
        return InputError(problem, path=self.source, line=self.line)


def read_elements(source: Source, depth: int) -> Iterator[Element]:
    r"""The elements that lie ``depth`` levels deep (the document's own is at 1), one after the other.

    Each is whole when it is given, and is not kept; what lies above it has its name and attributes only.

    >>> from polyseme.formats.files import Blob
    >>> xml = Blob("x.xml", b"<all><one id='a'>x <b>y</b></one>\n<one id='c'/></all>")
    >>> [(one.line, one.attribute("id"), one.text) for one in read_elements(xml, 2)]
    [(1, 'a', 'x y'), (2, 'c', '')]
    """
    reading = _ElementParser(source, depth)
    for block in read_blocks(source):
        reading.feed(block)
        yield from reading.taken()
    reading.feed(b"", final=True)
    yield from reading.taken()


class _ElementParser:
    """The state of reading one file."""

    def __init__(self, source: Source, depth: int) -> None:
        self.source = source
        self.depth = depth
        self.stack: list[Element] = []
        self.done: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.refuse_entity
        self.parser.ExternalEntityRefHandler = self.document_type
        self.parser.SkippedEntityHandler = self.refuse_unknown
        self.unknown = False
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)

    def feed(self, block: bytes, *, final: bool = False) -> None:
        self.unknown = any(name.decode() not in _character_names() for name in set(_REFERENCE.findall(block)))
        try:
            self.parser.Parse(block, final)
        except expat.ExpatError as error:
            raise InputError(
                f"not well-formed XML: {_describe_error(error)}", path=self.source, line=error.lineno
            ) from None
        except (LookupError, UnicodeError, ValueError) as error:  # an encoding that Python does not know
            line = self.parser.CurrentLineNumber
            raise InputError(
                f"cannot be decoded: {error}; save the file as UTF-8", path=self.source, line=line
            ) from None

    def taken(self) -> list[Element]:
        done, self.done = self.done, []
        return done

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.unknown and attributes:
            self.check_attributes()
        parent = self.stack[-1] if self.stack else None
        made = Element(tag, attributes, self.parser.CurrentLineNumber, parent, self.source)
        if len(self.stack) == MAX_DEPTH:
            raise made.error(f"elements lie within one another more than {MAX_DEPTH} deep")
        if parent is not None and len(self.stack) >= self.depth:
            parent.parts.append(made)
        self.stack.append(made)

    def end(self, _: str) -> None:
        ended = self.stack.pop()
        if len(self.stack) + 1 == self.depth:
            self.done.append(ended)

    def characters(self, text: str) -> None:
        if len(self.stack) >= self.depth:
            self.stack[-1].parts.append(text)

    def refuse_entity(self, name: str, *_: object) -> NoReturn:
        problem = f"the file declares the entity {name!r}, which is not allowed because it can stand for anything"
        advice = "write the characters themselves and remove the declaration"
        raise InputError(f"{problem}; {advice}", path=self.source, line=self.parser.CurrentLineNumber)

    def refuse_unknown(self, name: str, *_: object) -> NoReturn:
        problem = f"the entity '&{name};' is not known; write the character itself"
        raise InputError(problem, path=self.source, line=self.parser.CurrentLineNumber)

    def check_attributes(self) -> None:
        """Where a document type is named, expat drops unknown entities from attributes and tells nobody."""
        written = _TAG.match(self.parser.GetInputContext() or b"")
        for name in _REFERENCE.findall(written[0]) if written else ():
            if name.decode() not in _character_names():
                self.refuse_unknown(name.decode())

    def document_type(self, context: str, *_: object) -> int:
        """In place of the document type that the file names: the characters that HTML names, and nothing else."""
        ours = self.parser.ExternalEntityParserCreate(context)
        ours.EntityDeclHandler = None
        ours.Parse(_character_declarations(), True)
        return 1


@cache
def _character_names() -> dict[str, str]:
    """The characters that can be referred to by name: HTML's, among which are XML's own."""
    return {name[:-1]: text for name, text in html5.items() if name.endswith(";")}


@cache
def _character_declarations() -> bytes:
    """HTML's names of characters as declarations; XML's own five are left out."""
    names = {name: text for name, text in _character_names().items() if name not in ("amp", "lt", "gt", "quot", "apos")}
    values = {name: "".join(f"&#{ord(character)};" for character in text) for name, text in names.items()}
    return "".join(f'<!ENTITY {name} "{value}">' for name, value in values.items()).encode()


def _describe_error(error: expat.ExpatError) -> str:
    advice = {
        "no element found": "the file is empty or cut short",
        "undefined entity": "write the character itself",
        "unclosed token": "the file is cut short",
        "not well-formed (invalid token)": "not UTF-8, or a bare & or <: write &amp; &lt;",
    }
    what = expat.errors.messages[error.code]
    return f"{what} in column {error.offset + 1}" + (f" ({advice[what]})" if what in advice else "")


def root_tag(start: bytes) -> str:
    """The name of the first element in the first bytes of a file, or nothing where they are no XML.

    >>> root_tag(b'<?xml version="1.0"?> <!-- a file --> <corpus lang="en">')
    'corpus'
    """
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: found.append(tag)
    with suppress(expat.ExpatError, LookupError, ValueError):  # what comes later in the file is not asked about here
        parser.Parse(start)
    return found[0] if found else ""


def format_tag(name: str, attributes: Iterable[tuple[str, object]] = (), *, closed: bool = False) -> str:
    """An opening tag, or one closed in itself.

    >>> format_tag("instance", [("id", "a.1"), ("token", "R&B")])
    '<instance id="a.1" token="R&amp;B">'
    """
    written = "".join(f" {key}={quote_attribute(str(value))}" for key, value in attributes)
    return f"<{name}{written}{'/' if closed else ''}>"


def quote_attribute(value: str) -> str:
    """A value as an attribute has it: in quotes, with what would not survive written as references."""
    return quoteattr(check_xml_text(value), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def escape_text(text: str) -> str:
    r"""Text as an element has it.

    >>> escape_text("cats & dogs\r")
    'cats &amp; dogs&#13;'
    """
    return escape(check_xml_text(text), {"\r": "&#13;"})


def check_xml_text(text: str) -> str:
    """The same text, if XML can hold it: most control characters it cannot."""
    if bad := _INVALID_CHARACTER.search(text):
        raise InputError(f"XML cannot hold the character {bad[0]!r} of {text[:40]!r}; remove it")
    return text
