"""Senseval-2 XML, in which lexical samples come: the target is marked, and the answers may be given.

::

    <corpus lang="english">
      <lexelt item="win.v">
        <instance id="win.v.1" docsrc="diary">
          <answer instance="win.v.1" senseid="win%2:33:00::"/>
          <context>We <head>won</head> at last.</context>
        </instance>

The part of speech ends the item (``win.v``) or is an attribute of its own (``item="win" pos="v"``). An id of digits
alone, as in LexSub, gets its lemma in front: ``bright.a.1``. Of several heads the first is the target; ``heads`` in a
usage's meta then has the places of the others, ``12:15 40:44``. The text is what stands in ``<context>``, exactly.

Some files of the field are not quite XML. Mended, with an :class:`~polyseme.errors.InputWarning`, are character
references cut apart by a tokeniser (``&#8217 ;``), a few stray bytes of Windows-1252 among UTF-8, and documents one
after the other in one file. LexSub has all three.
"""

from __future__ import annotations

import codecs
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from polyseme.errors import InputError, InputWarning, quote_value
from polyseme.formats.files import Blob, Source, read_blocks, read_bytes, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, escape_text, format_tag, read_elements, root_tag
from polyseme.formats.xml_instances import PARTS_OF_SPEECH, Lemma, check_unique, meta_attributes, other_attributes
from polyseme.labelling import Labelling
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
    """The usages of a file, one after the other.

    >>> xml = b'<corpus><lexelt item="win.v"><instance id="1"><context>We <head>won</head>.</context></instance>'
    >>> usage = next(read_senseval2_usages(Blob("a.xml", xml + b"</lexelt></corpus>")))
    >>> usage.id, usage.text, usage.target
    ('win.v.1', 'We won.', 'won')
    """
    return (_parse_usage(instance) for instance in _read_instances(source))


def read_senseval2_labelling(source: Source) -> Labelling:
    """The answers of a file, each with weight 1; an instance without one is unlabelled."""
    labelling = Labelling(map(_parse_answers, _read_instances(source)))
    if not len(labelling):
        problem = "no instance has an <answer>, so nothing is labelled here"
        raise InputError(f"{problem}; the answers may be in a key beside the file: read that", path=source)
    return labelling


def _read_instances(source: Source) -> Iterator[Element]:
    seen = UniqueNames("usage", source)
    for instance in read_elements(_correct_source(source), 3):
        if instance.tag != "instance" or instance.parent is None or instance.parent.tag != "lexelt":
            raise instance.error(f"<{instance.tag}> where an <instance> must be: in a <lexelt>, in the <corpus>")
        seen.add(_instance_id(instance), instance.line)
        yield instance


def _instance_lemma(instance: Element) -> Lemma:
    lexelt = instance.parent or instance
    item, pos = lexelt.attribute("item"), lexelt.attributes.get("pos", "")
    found = Lemma.of(item)
    return found if found.pos or pos not in PARTS_OF_SPEECH else Lemma(f"{item}.{pos}", pos)


def _instance_id(instance: Element) -> str:
    id = instance.attribute("id")
    return f"{_instance_lemma(instance).name}.{id}" if _has_only_digits(id) else id


def _has_only_digits(id: str) -> bool:
    return re.fullmatch("[0-9]+", id) is not None


def _parse_usage(instance: Element) -> Usage:
    lemma, context = _instance_lemma(instance), instance.child("context")
    heads = list(_find_heads(context))
    if not heads:
        problem = f"instance {quote_value(instance.attribute('id'))} has no <head>"
        raise instance.error(f"{problem}; put the target in <head>…</head> within its <context>")
    (start, end), *others = heads
    meta = other_attributes(instance, {"id"})
    if others:
        meta["heads"] = " ".join(f"{start}:{end}" for start, end in others)
    return Usage(_instance_id(instance), lemma.name, context.text, start, end, lemma.pos, meta)


def _find_heads(element: Element, at: int = 0) -> Iterator[Span]:
    """Where the heads in an element stand in its text."""
    for part in element.parts:
        text = part if isinstance(part, str) else part.text
        if isinstance(part, Element):
            yield from [(at, at + len(text))] if part.tag == "head" else _find_heads(part, at)
        at += len(text)


def _parse_answers(instance: Element) -> tuple[str, str, dict[str, float]]:
    id = instance.attribute("id")
    answers = list(instance.named("answer"))
    for answer in answers:
        if answer.attributes.get("instance", id) != id:
            raise answer.error(
                f"an answer to {quote_value(answer.attribute('instance'))} lies in instance {quote_value(id)}"
            )
    return (
        _instance_lemma(instance).name,
        _instance_id(instance),
        dict.fromkeys([each.attribute("senseid") for each in answers], 1.0),
    )


# -- mending -------------------------------------------------------------------------------------------------------


def _correct_source(source: Source) -> Source:
    """The source itself if nothing is to be mended; else, in memory, what it should have been, line for line."""
    if not _needs_correction(source):
        return source
    data, bytes_lines = _correct_encoding(read_bytes(source))
    data, reference_lines = _join_references(data)
    mended = [("bytes that were not UTF-8", bytes_lines), ("character references cut apart", reference_lines)]
    said = [f"{len(lines)} {what} (lines {_summarise_lines(lines)})" for what, lines in mended if lines]
    if said:
        warnings.warn(f"{source}: mended {' and '.join(said)}", InputWarning, stacklevel=3)
    one = _NEXT_DOCUMENT.sub(lambda between: b"\n" * between[0].count(b"\n"), data)
    return Blob(str(source), one)


def _summarise_lines(lines: list[int]) -> str:
    return ", ".join(map(str, lines[:5])) + (", …" if len(lines) > 5 else "")


def _needs_correction(source: Source) -> bool:
    """Whether there is anything that can be mended, looked for in little memory."""
    decoder, tail, decodes = codecs.getincrementaldecoder("utf-8")(), b"", True
    for number, block in enumerate(read_blocks(source)):
        if number == 0 and (_OTHER_ENCODING.match(block) or b"\0" in block[:4]):
            return False
        if _CORRECTABLE.search(tail + block):
            return True
        tail = block[-_OVERLAP:]
        decodes = decodes and _decodes(decoder, block)
    return not decodes


def _decodes(decoder: codecs.IncrementalDecoder, block: bytes) -> bool:
    try:
        decoder.decode(block)
    except UnicodeDecodeError:
        return False
    return True


def _correct_encoding(data: bytes) -> tuple[bytes, list[int]]:
    """Stray bytes as Windows-1252 has them, where most of what is not ASCII is UTF-8; and their lines."""
    text = data.decode("utf-8", "surrogateescape")
    stray = [found.start() for found in _STRAY.finditer(text)]
    proper = len(re.findall("[^\0-\x7f]", text)) - len(stray)
    if not 0 < len(stray) < proper:
        return data, []
    mended = _STRAY.sub(lambda found: bytes([ord(found[0]) - 0xDC00]).decode("cp1252", "replace"), text)
    return mended.encode(), [text.count("\n", 0, at) + 1 for at in stray]


def _join_references(data: bytes) -> tuple[bytes, list[int]]:
    lines = [data.count(b"\n", 0, found.start()) + 1 for found in _CUT_REFERENCE.finditer(data)]
    return _CUT_REFERENCE.sub(rb"&\1;", data), lines


# -- writing -------------------------------------------------------------------------------------------------------


def write_senseval2_usages(
    usages: Iterable[Usage], path: str | os.PathLike[str], labelling: Labelling | None = None
) -> None:
    """Write usages, with the senses that a labelling gives them as answers; every weight must be 1."""
    write_text(path, format_senseval2_usages(usages, labelling))


def format_senseval2_usages(usages: Iterable[Usage], labelling: Labelling | None = None) -> str:
    """Usages as the text of a file; those of one lemma that follow one another stand in one ``<lexelt>``.

    >>> print(format_senseval2_usages([Usage("win.v.1", "win.v", "We won.", 3, 6)]).split(">", 3)[3].strip())
    <instance id="win.v.1">
          <context>We <head>won</head>.</context>
        </instance>
      </lexelt>
    </corpus>
    """
    every = list(map(_check_usage, usages))
    check_unique("usage", [usage.id for usage in every])
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n', format_tag("corpus", [("lang", "english")]), "\n"]
    for lemma, group in groupby(every, key=lambda usage: usage.lemma):
        parts += ["  ", format_tag("lexelt", [("item", lemma)]), "\n"]
        parts += [
            _format_instance(usage, {} if labelling is None else _answer_senses(usage, labelling)) for usage in group
        ]
        parts.append("  </lexelt>\n")
    return "".join([*parts, "</corpus>\n"])


def _check_usage(usage: Usage) -> Usage:
    """The usage, if it would be read back as it is."""
    pos = Lemma.of(usage.lemma).pos
    if usage.pos and usage.pos != pos:
        problem = f"usage {quote_value(usage.id)} has the part of speech {quote_value(usage.pos)}, its lemma {quote_value(usage.lemma)}"
        raise InputError(f"{problem} {quote_value(pos) if pos else 'none'}; in Senseval-2 XML the lemma must end in it")
    if _has_only_digits(usage.id):
        problem = f"the id {quote_value(usage.id)} has only digits, and would be read as {quote_value(f'{usage.lemma}.{usage.id}')}"
        raise InputError(f"{problem}; call the usage so")
    return usage


def _answer_senses(usage: Usage, labelling: Labelling) -> dict[str, float]:
    senses = labelling.get(usage.id, {})
    if any(weight != 1 for weight in senses.values()):
        problem = f"usage {quote_value(usage.id)} has weights other than 1, for which Senseval-2 XML has no place"
        raise InputError(f"{problem}; write an answer key beside it")
    return senses


def _format_instance(usage: Usage, senses: Iterable[str]) -> str:
    attributes = [each for each in meta_attributes(usage, {"id"}) if each[0] != "heads"]
    answers = [
        f"      {format_tag('answer', [('instance', usage.id), ('senseid', sense)], closed=True)}\n" for sense in senses
    ]
    return (
        f"    {format_tag('instance', [('id', usage.id), *attributes])}\n{''.join(answers)}"
        f"      <context>{_mark_heads(usage)}</context>\n    </instance>\n"
    )


def _mark_heads(usage: Usage) -> str:
    """The text with its heads marked: the target, and those that the meta names."""
    spans = sorted([(usage.start, usage.end), *_parse_other_heads(usage)])
    in_order = spans[-1][1] <= len(usage.text) and all(one[1] <= two[0] for one, two in pairwise(spans))
    if spans[0] != (usage.start, usage.end) or not in_order:
        problem = f"usage {quote_value(usage.id)}: the heads in its meta must follow the target in its text"
        raise InputError(f"{problem}, one after the other")
    parts, at = [], 0
    for start, end in spans:
        parts += [escape_text(usage.text[at:start]), "<head>", escape_text(usage.text[start:end]), "</head>"]
        at = end
    return "".join([*parts, escape_text(usage.text[at:])])


def _parse_other_heads(usage: Usage) -> list[Span]:
    written = str(usage.meta.get("heads", ""))
    if not re.fullmatch(r"([0-9]{1,9}:[0-9]{1,9}( (?=.)|$))*", written):
        problem = f"usage {quote_value(usage.id)}: heads {quote_value(written)} in its meta are no places in its text"
        raise InputError(f"{problem}; they read: start:end start:end …")
    return [(int(start), int(end)) for start, end in (each.split(":") for each in written.split())]


def _recognise(start: bytes) -> bool:
    return root_tag(start) == "corpus" and _START.search(start) is not None


FORMAT = FileFormat(
    name="senseval-2",
    title="Senseval-2 XML",
    recognises=_recognise,
    readers={"usages": read_senseval2_usages, "labelling": read_senseval2_labelling},
    writers={"usages": write_senseval2_usages},
    suffixes=(".xml",),
)
