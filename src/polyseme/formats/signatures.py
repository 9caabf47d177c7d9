"""Files that polyseme does not read, recognised by their first bytes: what they are, and what to do with them."""

from __future__ import annotations

import re
from typing import NamedTuple

from polyseme.errors import InputError

TEXT_FILE = "a text file in UTF-8"
SAVE_TEXT = "save its text as a plain text file in UTF-8"
SAVE_TABLE = "save the table as CSV in UTF-8"
UNPACK = "unpack it, and name a file in it"


class FileSignature(NamedTuple):
    """The first bytes of a kind of file.

    Args:
        start: What the file begins with, as a regular expression.
        title: What it is.
        advice: What the user can do with it.
    """

    start: re.Pattern[bytes]
    title: str
    advice: str


def _signature(start: bytes, title: str, advice: str) -> FileSignature:
    return FileSignature(re.compile(start, re.DOTALL), title, advice)


_ZIP = rb"PK\x03\x04"
_SPACE = rb"(\xef\xbb\xbf)?\s*"
_XML = rb"(<\?xml[^>]*>\s*)?(<!--.{,2000}?-->\s*)?"

SIGNATURES = (
    _signature(
        _SPACE + _XML + rb"(?i:<!doctype html|<html\b|<head\b)",
        "an HTML page",
        "download the file itself, not the page that shows it; or save the text of the page as plain text",
    ),
    _signature(rb"%PDF-", "a PDF document", SAVE_TEXT),
    _signature(_ZIP + rb".{,60000}word/", "a Word document", SAVE_TEXT),
    _signature(_ZIP + rb".{,60000}xl/", "an Excel table", SAVE_TABLE),
    _signature(_ZIP + rb".{26}mimetypeapplication/epub", "an e-book", SAVE_TEXT),
    _signature(_ZIP + rb".{26}mimetypeapplication/vnd.oasis.opendocument.sp", "a table of LibreOffice", SAVE_TABLE),
    _signature(_ZIP + rb".{26}mimetypeapplication/vnd.oasis", "a document of LibreOffice", SAVE_TEXT),
    _signature(_ZIP + rb"|PK\x05\x06", "a ZIP archive", UNPACK),
    _signature(rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07", "an archive (7z or RAR)", UNPACK),
    _signature(rb".{257}ustar[\0 ]", "a tar archive", UNPACK),
    _signature(rb"\xd0\xcf\x11\xe0\xa1\xb1", "an old document of Microsoft Office", f"{SAVE_TEXT}, or as CSV"),
    _signature(rb"\{\\rtf", "a document in rich text format (RTF)", SAVE_TEXT),
    _signature(rb"%!PS", "a PostScript document", SAVE_TEXT),
    _signature(rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*", "an image", "name another file"),
    _signature(rb"ID3[\x02-\x04]\0|OggS\0|RIFF.{4}(WAVE|AVI )|\0\0\0.ftyp", "a recording", "name another file"),
    _signature(rb"SQLite format 3\0", "an SQLite database", "export its table as CSV"),
    _signature(rb"PAR1\x15", "a Parquet table", "save it as text"),
    _signature(rb"ARROW1\0\0|FEA1\0", "an Arrow table", "save it as Parquet or CSV"),
    _signature(rb"\x93NUMPY|\x89HDF\r\n", "a file of arrays", "save it as CSV"),
    _signature(rb"\x80[\x02-\x05]", "a pickle of Python", "save the value as CSV or JSON Lines"),
    _signature(rb"\x7fELF|MZ\x90\0", "a program", "name another file"),
)


def recognise_signature(start: bytes) -> FileSignature | None:
    r"""Return the signature of a file by its first bytes; none if it may be text.

    >>> recognise_signature(b"%PDF-1.7\n").title
    'a PDF document'
    """
    return next((signature for signature in SIGNATURES if signature.start.match(start)), None)


def check_signature(start: bytes, path: object, expected: str = TEXT_FILE) -> None:
    """Raise an error if the first bytes show that a file is of a kind that polyseme does not read as text.

    Args:
        start: The first bytes.
        path: The file.
        expected: What is expected instead.
    """
    if signature := recognise_signature(start):
        problem = f"this is {signature.title}, and {expected} is expected"
        raise InputError(f"{problem}; {signature.advice}", path=path)
