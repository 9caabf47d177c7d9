"""Files of other programs are named for what they are."""

import io
import pickle
import tarfile
import zipfile

import pytest

from polyseme.errors import InputError
from polyseme.formats.answer_key import parse_key
from polyseme.formats.signatures import recognise_signature


def archive(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in names:
            file.writestr(name, "<x/>")
    return buffer.getvalue()


def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as file:
        file.addfile(tarfile.TarInfo("a.key"))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data, title",
    [
        (b"<!DOCTYPE html>\n<html></html>", "an HTML page"),
        (b"\xef\xbb\xbf\n<HTML lang='en'>", "an HTML page"),
        (b'<?xml version="1.0"?>\n<!-- a page -->\n<html xmlns="x">', "an HTML page"),
        (b"%PDF-1.4\n%\xe2\xe3", "a PDF document"),
        (archive("[Content_Types].xml", "word/document.xml"), "a Word document"),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "an Excel table"),
        (archive("a.key"), "a ZIP archive"),
        (archive(), "a ZIP archive"),
        (tar(), "a tar archive"),
        (b"\x89PNG\r\n\x1a\n", "an image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "an image"),
        (b"{\\rtf1\\ansi bank}", "a document in rich text format"),
        (b"SQLite format 3\0", "an SQLite database"),
        (pickle.dumps({"a": 1}), "a pickle of Python"),
    ],
)
def test_what_a_file_is_and_what_is_expected(data: bytes, title: str) -> None:
    with pytest.raises(
        InputError, match=rf"^out: this is {title}.*, and an answer key \(a key line reads: .* expected; "
    ):
        parse_key(data, path="out")


@pytest.mark.parametrize(
    "text",
    [
        "bank.n bank.n.1 a/1\n",
        "<corpus>\n<sentence>",
        '{"text": "We won."}',
        "ID3,ID4\n",
        "PK of Kazakhstan",
        "MZ\n",
        "",
    ],
)
def test_text_has_no_signature(text: str) -> None:
    assert recognise_signature(text.encode()) is None
