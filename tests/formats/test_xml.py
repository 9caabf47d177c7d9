"""XML from files that nobody need trust."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from polyseme.errors import InputError
from polyseme.formats.files import Blob
from polyseme.formats.xml import Element, escape_text, format_tag, read_elements, root_tag
from values import xml_texts


def read(text: str | bytes, depth: int = 2) -> list[Element]:
    return list(read_elements(Blob("in.xml", text.encode() if isinstance(text, str) else text), depth))


def test_elements_of_a_depth_with_what_is_in_them_and_what_is_above() -> None:
    (first, second) = read("<a k='1'>out<b>x<c>y</c>z</b>side\n<b/></a>")
    assert first.parts[0] == "x"
    assert first.text == "xyz"
    assert [child.tag for child in first.children] == ["c"]
    assert first.parent is not None
    assert (first.parent.tag, first.parent.attributes, first.parent.parts) == ("a", {"k": "1"}, [])
    assert (second.line, second.text) == (2, "")


def test_elements_are_found_at_any_depth() -> None:
    (element,) = read("<a><b><c><d/></c><d/></b></a>")
    assert [inner.tag for inner in element.find_all("d")] == ["d", "d"]
    assert element.find_one("c").tag == "c"
    with pytest.raises(InputError, match=r"in.xml:1: <b> has 2 elements <d>; it must have one"):
        element.find_one("d")
    with pytest.raises(InputError, match="<b> lacks the attribute 'id'; it has none"):
        element.attribute("id")


def test_little_is_kept_of_a_large_file(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    path.write_text("<all>" + "".join(f"<one>{number}</one>" for number in range(100_000)) + "</all>")
    stream: Iterator[Element] = read_elements(path, 2)
    first = next(stream)
    assert first.parent is not None
    assert sum(1 for _ in stream) == 99_999
    assert first.parent.parts == []


BOMB = """<!DOCTYPE a [
<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;&x;&x;"><!ENTITY z "&y;&y;&y;&y;&y;&y;&y;&y;&y;&y;">
]><a><b>&z;</b></a>"""
OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>'
PARAMETER = '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;]><a><b/></a>'


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, PARAMETER], ids=["bomb", "outside", "parameter"])
def test_entities_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"in.xml:\d: the file declares the entity '\w', which is not allowed"):
        read(text)


def test_a_document_type_is_not_fetched() -> None:
    (element,) = read('<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a><b>caf&eacute; &amp; tea</b></a>')
    assert element.text == "café & tea"
    (element,) = read('<!DOCTYPE a SYSTEM "a.dtd"><a><b id="caf&eacute;&nbsp;&#33;&lt;"/></a>')
    assert element.attribute("id") == "café\xa0!<"


def test_an_entity_that_nobody_knows() -> None:
    for body in ("<b>&frobnicate;</b>", "<b id='&frobnicate;'/>"):
        with pytest.raises(InputError, match=r"in.xml:1: the entity '&frobnicate;' is unknown"):
            read(f'<!DOCTYPE a SYSTEM "a.dtd"><a>{body}</a>')
        with pytest.raises(InputError, match=r"in.xml:1: not well-formed XML: undefined entity in column \d+"):
            read(f"<a>{body}</a>")
    assert read('<!DOCTYPE a SYSTEM "a.dtd"><a><b><![CDATA[&frobnicate;]]></b></a>')[0].text == "&frobnicate;"


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", r"in.xml:1: not well-formed XML: no element found in column 1 \(the file is empty or cut short\)"),
        ("<a>\n<b>x", "in.xml:2: not well-formed XML: no element found"),
        ("<a>\n<b", r"in.xml:2: not well-formed XML: unclosed token in column 1 \(the file is cut short\)"),
        ("<a><b></a>", "in.xml:1: not well-formed XML: mismatched tag in column"),
        ("<a>\n\n<b>R&B</b></a>", "in.xml:3: not well-formed XML: not well-formed .* bare & or <"),
        (b"<a>\n<b>caf\xe9</b></a>", "in.xml:2: not well-formed XML: .*not UTF-8"),
        (b"<?xml version='1.0' encoding='klingon'?><a/>", "in.xml.*unknown encoding"),
        ("<a>" * 101, "in.xml:1: elements are nested more than 100 deep"),
    ],
)
def test_broken_files_are_errors(text: str | bytes, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read(text)


def test_other_encodings_that_the_file_names() -> None:
    (element,) = read("<?xml version='1.0' encoding='iso-8859-1'?><a><b>café</b></a>".encode("iso-8859-1"))
    assert element.text == "café"


@given(xml_texts, xml_texts)
def test_what_is_escaped_is_read_again(text: str, value: str) -> None:
    (element,) = read(f"<a>{format_tag('b', [('v', value)])}{escape_text(text)}</b></a>")
    assert element.text == text
    assert element.attribute("v") == value


def test_what_xml_cannot_hold() -> None:
    with pytest.raises(InputError, match=r"XML cannot hold the character '\\x0b' of 'a\\x0bb'; remove it"):
        escape_text("a\x0bb")
    with pytest.raises(InputError, match="XML cannot hold"):
        format_tag("a", [("b", "\ud800")])


@pytest.mark.parametrize("start", [b"", b"plain", b"<a", b"\xff\xfe", b"{}", b"<?xml version='1.0' encoding='x'?><a>"])
def test_a_wrong_root_is_an_error(start: bytes) -> None:
    assert root_tag(start) == ""
