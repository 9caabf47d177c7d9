"""Senseval-2 XML, the format of lexical samples: the target is marked, and answers are optional.

::

    <corpus lang="english">
      <lexelt item="win.v">
        <instance id="win.v.1" docsrc="diary">
          <answer instance="win.v.1" senseid="win%2:33:00::"/>
          <context>We <head>won</head> at last.</context>
        </instance>

The part of speech ends the item (``win.v``) or is an attribute of its own (``item="win" pos="v"``). An id of digits
only, as in LexSub, gets its lemma as a prefix: ``bright.a.1``. The first of several heads is the target; ``heads`` in
the ``meta`` of the usage has the offsets of the others, ``12:15 40:44``. The text is exactly that of ``<context>``.

Some published files are not quite XML. The reader corrects three faults, with an
:class:`~polyseme.errors.InputWarning`: character references split by a tokeniser (``&#8217 ;``), a few stray bytes of
Windows-1252 in UTF-8, and several documents in one file. LexSub has all three.
"""

from __future__ import annotations

import codecs
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from polyseme.errors import InputError, InputWarning, quote_value
from polyseme.formats.files import Blob, Source, list_numbers, read_blocks, read_bytes, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, escape_text, format_tag, read_elements, root_tag
from polyseme.formats.xml_instances import XML_DECLARATION, check_unique, meta_attributes, other_attributes
from polyseme.labelling import Labelling
from polyseme.lemma import DATA_SET_POS_LETTERS, split_lemma
from polyseme.usage import Usage

Span = tuple[int, int]

_START = re.compile(rb"<corpus\b[^>]*>(?:\s|<!--.*?-->)*(?:<lexelt\b|</corpus>|$)", re.DOTALL)
_CUT_REFERENCE = re.compile(rb"&(#[0-9]+|#x[0-9A-Fa-f]+|[A-Za-z]+) ;")
_NEXT_DOCUMENT = re.compile(rb"</corpus>\s*<\?xml[^>]*\?>\s*(?:<!DOCTYPE[^>\[]*>\s*)?<corpus\b[^>]*>")
_CORRECTABLE = re.compile(_CUT_REFERENCE.pattern + rb"|</corpus>\s*<\?xml")
_OTHER_ENCODING = re.compile(rb"""^\s*<\?xml[^>]*encoding=["'](?!utf-8)""", re.IGNORECASE)
_STRAY = re.compile("[\udc80-\udcff]")
_OVERLAP = 64

# -- reading -------------------------------------------------------------------------------------------------------


def read_senseval2_usages(source: Source) -> Iterator[Usage]:
    """Yield the usages of a file.

    >>> xml = b'<corpus><lexelt item="win.v"><instance id="1"><context>We <head>won</head>.</context></instance>'
    >>> usage = next(read_senseval2_usages(Blob("a.xml", xml + b"</lexelt></corpus>")))
    >>> usage.id, usage.text, usage.target
    ('win.v.1', 'We won.', 'won')
    """
    return (_parse_usage(instance) for instance in _read_instances(source))


def read_senseval2_labelling(source: Source) -> Labelling:
    """Read the answers of a file, each with weight 1; an instance without an answer is unlabelled."""
    labelling = Labelling(map(_parse_answers, _read_instances(source)))
    if not len(labelling):
        problem = "no instance has an <answer>"
        raise InputError(f"{problem}; the answers may be in a key beside the file: read that", path=source)
    return labelling


def _read_instances(source: Source) -> Iterator[Element]:
    ids = UniqueNames("usage", source)
    for instance in read_elements(_correct_source(source), 3):
        if instance.tag != "instance" or instance.parent is None or instance.parent.tag != "lexelt":
            raise instance.error(f"<{instance.tag}> where an <instance> must be: in a <lexelt>, in the <corpus>")
        ids.add(_instance_id(instance), instance.line)
        yield instance


def _instance_lemma(instance: Element) -> tuple[str, str]:
    """Return the lemma in full and its part of speech."""
    lexelt = instance.parent or instance
    item, pos = lexelt.attribute("item"), lexelt.attributes.get("pos", "")
    item_pos = split_lemma(item, DATA_SET_POS_LETTERS).pos
    return (item, item_pos) if item_pos or pos not in DATA_SET_POS_LETTERS else (f"{item}.{pos}", pos)


def _instance_id(instance: Element) -> str:
    id = instance.attribute("id")
    return f"{_instance_lemma(instance)[0]}.{id}" if _has_only_digits(id) else id


def _has_only_digits(id: str) -> bool:
    return re.fullmatch("[0-9]+", id) is not None


def _parse_usage(instance: Element) -> Usage:
    (lemma, pos), context = _instance_lemma(instance), instance.find_one("context")
    heads = list(_find_heads(context))
    if not heads:
        problem = f"instance {quote_value(instance.attribute('id'))} has no <head>"
        raise instance.error(f"{problem}; put the target in <head>…</head> within its <context>")
    (start, end), *others = heads
    meta = other_attributes(instance, {"id"})
    if others:
        meta["heads"] = " ".join(f"{start}:{end}" for start, end in others)
    return Usage(_instance_id(instance), lemma, context.text, start, end, pos, meta)


def _find_heads(element: Element, offset: int = 0) -> Iterator[Span]:
    """Yield the spans of the heads in the text of an element."""
    for part in element.parts:
        text = part if isinstance(part, str) else part.text
        if isinstance(part, Element):
            yield from [(offset, offset + len(text))] if part.tag == "head" else _find_heads(part, offset)
        offset += len(text)


def _parse_answers(instance: Element) -> tuple[str, str, dict[str, float]]:
    id = instance.attribute("id")
    answers = list(instance.find_all("answer"))
    for answer in answers:
        if answer.attributes.get("instance", id) != id:
            other = quote_value(answer.attribute("instance"))
            raise answer.error(f"an answer to {other} lies in instance {quote_value(id)}")
    senses = dict.fromkeys([answer.attribute("senseid") for answer in answers], 1.0)
    return _instance_lemma(instance)[0], _instance_id(instance), senses


# -- correcting ----------------------------------------------------------------------------------------------------


def _correct_source(source: Source) -> Source:
    """Return the source itself if it needs no correction; otherwise a corrected copy with the same lines."""
    if not _needs_correction(source):
        return source
    data, bytes_lines = _correct_encoding(read_bytes(source))
    data, reference_lines = _join_references(data)
    lines_by_fault = {"bytes that were not UTF-8": bytes_lines, "character references cut apart": reference_lines}
    faults = [f"{len(lines)} {fault} (lines {list_numbers(lines)})" for fault, lines in lines_by_fault.items() if lines]
    if faults:
        warnings.warn(f"{source}: corrected {' and '.join(faults)}", InputWarning, stacklevel=3)
    return Blob(str(source), _NEXT_DOCUMENT.sub(lambda between: b"\n" * between[0].count(b"\n"), data))


def _needs_correction(source: Source) -> bool:
    """Whether a file has a fault that can be corrected; only a block is in memory at a time."""
    decoder, tail, is_utf8 = codecs.getincrementaldecoder("utf-8")(), b"", True
    for number, block in enumerate(read_blocks(source)):
        if number == 0 and (_OTHER_ENCODING.match(block) or b"\0" in block[:4]):
            return False
        if _CORRECTABLE.search(tail + block):
            return True
        tail = block[-_OVERLAP:]
        is_utf8 = is_utf8 and _decodes(decoder, block)
    return not is_utf8


def _decodes(decoder: codecs.IncrementalDecoder, block: bytes) -> bool:
    try:
        decoder.decode(block)
    except UnicodeDecodeError:
        return False
    return True


def _correct_encoding(data: bytes) -> tuple[bytes, list[int]]:
    """Read stray bytes as Windows-1252 if most other non-ASCII text is UTF-8, and return their lines."""
    text = data.decode("utf-8", "surrogateescape")
    offsets = [match.start() for match in _STRAY.finditer(text)]
    others = len(re.findall("[^\0-\x7f]", text)) - len(offsets)
    if not 0 < len(offsets) < others:
        return data, []
    corrected = _STRAY.sub(lambda match: bytes([ord(match[0]) - 0xDC00]).decode("cp1252", "replace"), text)
    return corrected.encode(), [text.count("\n", 0, offset) + 1 for offset in offsets]


def _join_references(data: bytes) -> tuple[bytes, list[int]]:
    lines = [data.count(b"\n", 0, match.start()) + 1 for match in _CUT_REFERENCE.finditer(data)]
    return _CUT_REFERENCE.sub(rb"&\1;", data), lines


# -- writing -------------------------------------------------------------------------------------------------------


def write_senseval2_usages(
    usages: Iterable[Usage], path: str | os.PathLike[str], labelling: Labelling | None = None
) -> None:
    """Write usages, with the senses of a labelling as answers; every weight must be 1."""
    write_text(path, format_senseval2_usages(usages, labelling))


def format_senseval2_usages(usages: Iterable[Usage], labelling: Labelling | None = None) -> str:
    """Format usages as the text of a file; consecutive usages of a lemma share a ``<lexelt>``.

    >>> print(format_senseval2_usages([Usage("win.v.1", "win.v", "We won.", 3, 6)]).split(">", 3)[3].strip())
    <instance id="win.v.1">
          <context>We <head>won</head>.</context>
        </instance>
      </lexelt>
    </corpus>
    """
    checked = list(map(_check_usage, usages))
    check_unique("usage", [usage.id for usage in checked])
    parts = [XML_DECLARATION, format_tag("corpus", [("lang", "english")]), "\n"]
    for lemma, group in groupby(checked, key=lambda usage: usage.lemma):
        parts += ["  ", format_tag("lexelt", [("item", lemma)]), "\n"]
        parts += [
            _format_instance(usage, {} if labelling is None else _answer_senses(usage, labelling)) for usage in group
        ]
        parts.append("  </lexelt>\n")
    return "".join([*parts, "</corpus>\n"])


def _check_usage(usage: Usage) -> Usage:
    """Return the usage; an error if it would not be read back unchanged."""
    pos = split_lemma(usage.lemma, DATA_SET_POS_LETTERS).pos
    if usage.pos and usage.pos != pos:
        problem = f"usage {quote_value(usage.id)} has the part of speech {quote_value(usage.pos)}, its lemma"
        lemma = f"{quote_value(usage.lemma)} {quote_value(pos) if pos else 'none'}"
        raise InputError(f"{problem} {lemma}; in Senseval-2 XML the lemma must end in it")
    if _has_only_digits(usage.id):
        full_name = f"{usage.lemma}.{usage.id}"
        problem = f"the id {quote_value(usage.id)} has only digits, and would be read as {quote_value(full_name)}"
        raise InputError(f"{problem}; call the usage so")
    return usage


def _answer_senses(usage: Usage, labelling: Labelling) -> dict[str, float]:
    senses = labelling.get(usage.id, {})
    if any(weight != 1 for weight in senses.values()):
        problem = f"usage {quote_value(usage.id)} has weights other than 1, which Senseval-2 XML cannot hold"
        raise InputError(f"{problem}; write an answer key beside it")
    return senses


def _format_instance(usage: Usage, senses: Iterable[str]) -> str:
    attributes = [(name, value) for name, value in meta_attributes(usage, {"id"}) if name != "heads"]
    answers = "".join(
        f"      {format_tag('answer', [('instance', usage.id), ('senseid', sense)], closed=True)}\n" for sense in senses
    )
    opening = format_tag("instance", [("id", usage.id), *attributes])
    return f"    {opening}\n{answers}      <context>{_mark_heads(usage)}</context>\n    </instance>\n"


def _mark_heads(usage: Usage) -> str:
    """Mark the heads in the text: the target, and those in the ``meta``."""
    spans = sorted([(usage.start, usage.end), *_parse_other_heads(usage)])
    is_ordered = spans[-1][1] <= len(usage.text) and all(one[1] <= two[0] for one, two in pairwise(spans))
    if spans[0] != (usage.start, usage.end) or not is_ordered:
        problem = f"usage {quote_value(usage.id)}: the heads in its meta must follow the target in its text"
        raise InputError(f"{problem}, one after the other")
    parts, offset = [], 0
    for start, end in spans:
        parts += [escape_text(usage.text[offset:start]), "<head>", escape_text(usage.text[start:end]), "</head>"]
        offset = end
    return "".join([*parts, escape_text(usage.text[offset:])])


def _parse_other_heads(usage: Usage) -> list[Span]:
    written = str(usage.meta.get("heads", ""))
    if not re.fullmatch(r"([0-9]{1,9}:[0-9]{1,9}( (?=.)|$))*", written):
        problem = f"usage {quote_value(usage.id)}: heads {quote_value(written)} in its meta are not offsets in its text"
        raise InputError(f"{problem}; they read: start:end start:end …")
    return [(int(start), int(end)) for start, end in (span.split(":") for span in written.split())]


def _recognise(start: bytes) -> bool:
    return root_tag(start) == "corpus" and _START.search(start) is not None


FORMAT = FileFormat(
    "senseval-2",
    "Senseval-2 XML",
    _recognise,
    readers={"usages": read_senseval2_usages, "labelling": read_senseval2_labelling},
    writers={"usages": write_senseval2_usages},
    suffixes=(".xml",),
)
