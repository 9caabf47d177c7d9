"""XML as a stream of elements with line numbers, safe for untrusted files.

Python's expat reads the file block by block. Declarations of entities are refused: an external entity is never fetched,
and an internal one, by which a small file can grow into gigabytes ("billion laughs"), is an error. A file may name a
document type. It is not fetched; the names of characters in HTML (``&eacute;``) are declared instead.
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
"""The deepest nesting of elements."""


_INVALID_CHARACTER = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_REFERENCE = re.compile(rb"&([A-Za-z][\w.-]*);")
_TAG = re.compile(rb"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")


class Element:
    """An element and its content, which is text and elements in order."""

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
        """The elements directly inside."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def text(self) -> str:
        """All text inside, at any depth."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def attribute(self, name: str) -> str:
        """Return an attribute; an error if it is missing."""
        if name not in self.attributes:
            names = ", ".join(self.attributes) or "none"
            raise self.error(f"<{self.tag}> lacks the attribute {name!r}; it has {names}")
        return self.attributes[name]

    def find_all(self, tag: str) -> Iterator[Element]:
        """Yield the elements inside with this tag, at any depth, in order."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.find_all(tag)

    def find_one(self, tag: str) -> Element:
        """Return the only element inside with this tag; an error if there are none or several."""
        elements = list(self.find_all(tag))
        if len(elements) != 1:
            raise self.error(f"<{self.tag}> has {len(elements)} elements <{tag}>; it must have one")
        return elements[0]

    def error(self, problem: str) -> InputError:
        """Return an error about this element, with its file and line."""
        return InputError(problem, path=self.source, line=self.line)


def read_elements(source: Source, depth: int) -> Iterator[Element]:
    r"""Yield the elements at a depth; the root has depth 1.

    Each element is complete when it is yielded, and is not stored. The elements above it have tags and attributes only.

    >>> from polyseme.formats.files import Blob
    >>> xml = Blob("x.xml", b"<all><one id='a'>x <b>y</b></one>\n<one id='c'/></all>")
    >>> [(one.line, one.attribute("id"), one.text) for one in read_elements(xml, 2)]
    [(1, 'a', 'x y'), (2, 'c', '')]
    """
    parser = _ElementParser(source, depth)
    for block in read_blocks(source):
        yield from parser.feed(block)
    yield from parser.feed(b"", final=True)


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
        self.has_unknown_entity = False
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)

    def feed(self, block: bytes, *, final: bool = False) -> list[Element]:
        """Parse a block, and return the elements that it completes."""
        self.has_unknown_entity = any(name.decode() not in _character_names() for name in _REFERENCE.findall(block))
        try:
            self.parser.Parse(block, final)
        except expat.ExpatError as error:
            problem = f"not well-formed XML: {_describe_error(error)}"
            raise InputError(problem, path=self.source, line=error.lineno) from None
        except (LookupError, UnicodeError, ValueError) as error:  # an encoding that Python does not know
            raise self.error(f"cannot be decoded: {error}; save the file as UTF-8") from None
        done, self.done = self.done, []
        return done

    def error(self, problem: str) -> InputError:
        return InputError(problem, path=self.source, line=self.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.has_unknown_entity and attributes:
            self.check_attributes()
        parent = self.stack[-1] if self.stack else None
        element = Element(tag, attributes, self.parser.CurrentLineNumber, parent, self.source)
        if len(self.stack) == MAX_DEPTH:
            raise element.error(f"elements are nested more than {MAX_DEPTH} deep; close the tags that are open")
        if parent is not None and len(self.stack) >= self.depth:
            parent.parts.append(element)
        self.stack.append(element)

    def end(self, _: str) -> None:
        element = self.stack.pop()
        if len(self.stack) + 1 == self.depth:
            self.done.append(element)

    def characters(self, text: str) -> None:
        if len(self.stack) >= self.depth:
            self.stack[-1].parts.append(text)

    def refuse_entity(self, name: str, *_: object) -> NoReturn:
        problem = f"the file declares the entity {name!r}, which is not allowed because it can stand for anything"
        raise self.error(f"{problem}; write the characters themselves and remove the declaration")

    def refuse_unknown(self, name: str, *_: object) -> NoReturn:
        raise self.error(f"the entity '&{name};' is unknown; write the character itself")

    def check_attributes(self) -> None:
        """Refuse unknown entities in attributes, which expat drops silently if the file names a document type."""
        written = _TAG.match(self.parser.GetInputContext() or b"")
        for name in _REFERENCE.findall(written[0]) if written else ():
            if name.decode() not in _character_names():
                self.refuse_unknown(name.decode())

    def document_type(self, context: str, *_: object) -> int:
        """Read the declarations of HTML's characters in place of the document type that the file names."""
        parser = self.parser.ExternalEntityParserCreate(context)
        parser.EntityDeclHandler = None
        parser.Parse(_character_declarations(), True)
        return 1


@cache
def _character_names() -> dict[str, str]:
    """Return the characters that have a name in HTML, XML's own among them."""
    return {name[:-1]: text for name, text in html5.items() if name.endswith(";")}


@cache
def _character_declarations() -> bytes:
    """Return HTML's names of characters as declarations, without the five of XML."""
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
    message = expat.errors.messages[error.code]
    return f"{message} in column {error.offset + 1}" + (f" ({advice[message]})" if message in advice else "")


def root_tag(start: bytes) -> str:
    """Return the tag of the root from the first bytes of a file; nothing if they are not XML.

    >>> root_tag(b'<?xml version="1.0"?> <!-- a file --> <corpus lang="en">')
    'corpus'
    """
    tags: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: tags.append(tag)
    with suppress(expat.ExpatError, LookupError, ValueError):  # the first bytes may end anywhere
        parser.Parse(start)
    return tags[0] if tags else ""


def format_tag(name: str, attributes: Iterable[tuple[str, object]] = (), *, closed: bool = False) -> str:
    """Format an opening tag, or an empty element.

    >>> format_tag("instance", [("id", "a.1"), ("token", "R&B")])
    '<instance id="a.1" token="R&amp;B">'
    """
    pairs = "".join(f" {key}={quote_attribute(str(value))}" for key, value in attributes)
    return f"<{name}{pairs}{'/' if closed else ''}>"


def quote_attribute(value: str) -> str:
    """Quote the value of an attribute; white space becomes references, because parsers would change it."""
    return quoteattr(check_xml_text(value), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def escape_text(text: str) -> str:
    r"""Escape the text of an element.

    >>> escape_text("cats & dogs\r")
    'cats &amp; dogs&#13;'
    """
    return escape(check_xml_text(text), {"\r": "&#13;"})


def check_xml_text(text: str) -> str:
    """Return the text; an error if it has a character that XML cannot hold, as most control characters."""
    if match := _INVALID_CHARACTER.search(text):
        raise InputError(f"XML cannot hold the character {match[0]!r} of {text[:40]!r}; remove it")
    return text
