"""The unified WSD evaluation framework (Raganato et al. 2017): sentences in XML, with their senses in a key.

::

    <corpus lang="en" source="diaries">
    <text id="d000">
    <sentence id="d000.s000">
    <wf lemma="we" pos="PRON">We</wf>
    <instance id="d000.s000.t000" lemma="win" pos="VERB">won</instance>
    </sentence>
    </text>
    </corpus>

and in the key, one instance a line: ``d000.s000.t000 win%2:33:00::``, with further senses after it.

The text of a sentence is its words with spaces between. The feature ``id`` of a token is the id of its instance. The
``meta`` of a sentence has the attributes of its corpus, ``document``, the id of its ``<text>``, and other attributes of
``<text>`` as ``document_…``. The XML holds no heads, relations or senses; senses belong in the key. A word with
senses but without an id gets one, ``sentence.n``, as in :meth:`~polyseme.sentence.Sentence.usages`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import Source, read_content_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.sense_keys import lemma_from_sense_key
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, escape_text, format_tag, read_elements, root_tag
from polyseme.formats.xml_instances import XML_DECLARATION, check_unique, other_attributes, xml_attributes
from polyseme.labelling import Labelling
from polyseme.lemma import UNIVERSAL_TAGS, pos_from_tag
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage

LINE_SYNTAX = "A line of the key reads: usage sense sense …"

_START = re.compile(rb"<corpus\b[^>]*>(?:\s|<!--.*?-->|<text\b[^>]*>)*<sentence\b", re.DOTALL)
_KEY_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^\s%]+(?:[ \t]+[^\s%]+%[1-5]:\d\d:\d\d:\S*:\d*)+[ \t]*\r?(?:\n|$)")
_UNWRITABLE = re.compile(r"\s|^\ufeff|^$")
_DOCUMENT_KEY = "document"
_CORPUS_ATTRIBUTES = ("lang", "source")

# -- sentences and usages ------------------------------------------------------------------------------------------


def read_framework_sentences(source: Source) -> Iterator[Sentence]:
    """Yield the sentences of a file.

    >>> from polyseme.formats.files import Blob
    >>> words = b'<wf lemma="we" pos="PRON">We</wf><instance id="t0" lemma="win" pos="VERB">won</instance>'
    >>> xml = b'<corpus lang="en"><text id="d"><sentence id="s">' + words + b"</sentence></text></corpus>"
    >>> sentence = next(read_framework_sentences(Blob("a.xml", xml)))
    >>> sentence.text, dict(sentence.tokens[1].features)
    ('We won', {'id': 't0'})
    """
    sentences, instances = UniqueNames("sentence", source), UniqueNames("usage", source)
    for element in read_elements(source, 3):
        if element.tag != "sentence":
            raise element.error(f"<{element.tag}> where a <sentence> must be: in a <text>, in the <corpus>")
        sentences.add(element.attribute("id"), element.line)
        for word in element.find_all("instance"):
            instances.add(word.attribute("id"), word.line)
        yield _parse_sentence(element)


def _parse_sentence(element: Element) -> Sentence:
    tokens, start = [], 0
    for word in element.children:
        tokens.append(_parse_token(word, start))
        start = tokens[-1].end + 1
    text = " ".join([token.form for token in tokens])
    return Sentence(element.attribute("id"), text, tuple(tokens), _collect_meta(element))


def _parse_token(word: Element, start: int) -> Token:
    if word.tag not in ("wf", "instance"):
        raise word.error(f"<{word.tag}> where a word must be, <wf> or <instance>")
    form, tag = word.text, word.attribute("pos")
    features = {name: value for name, value in word.attributes.items() if name not in ("lemma", "pos")}
    if word.tag == "wf" and "id" in features:
        raise word.error("a <wf> has no id; call it <instance>")
    return Token(form, start, start + len(form), word.attribute("lemma"), pos_from_tag(tag), tag, features=features)


def _collect_meta(sentence: Element) -> dict[str, str]:
    text = sentence.parent
    corpus = text.parent if text else None
    document = text.attributes if text else {}
    about = {_DOCUMENT_KEY if name == "id" else f"{_DOCUMENT_KEY}_{name}": value for name, value in document.items()}
    return {**(corpus.attributes if corpus else {}), **about, **other_attributes(sentence, {"id"})}


def read_framework_usages(source: Source) -> Iterator[Usage]:
    """Yield the instances of a file as usages."""
    for sentence in read_framework_sentences(source):
        for token in sentence.tokens:
            if "id" in token.features:
                id, pos = token.features["id"], token.pos
                if not pos:
                    problem = f"instance {quote_value(id)} has the part of speech {quote_value(token.tag)}"
                    raise InputError(f"{problem}; allowed are NOUN, VERB, ADJ, ADV", path=source)
                lemma = f"{token.lemma}.{pos}"
                yield Usage(id, lemma, sentence.text, token.start, token.end, pos, sentence.meta)


def write_framework_sentences(sentences: Iterable[Sentence], path: str | os.PathLike[str]) -> None:
    """Write sentences as XML; write their senses with :func:`write_framework_key`."""
    write_text(path, format_framework_sentences(sentences))


def format_framework_sentences(sentences: Iterable[Sentence]) -> str:
    """Format sentences as the text of a file; consecutive sentences of a document share a ``<text>``.

    >>> sentence = Sentence.from_words("s", ["We", "won"], pos=["", "v"])
    >>> print(format_framework_sentences([sentence]).split(">", 4)[4].strip())
    <wf lemma="" pos="X">We</wf>
    <wf lemma="" pos="VERB">won</wf>
    </sentence>
    </text>
    </corpus>
    """
    sentences = list(sentences)
    check_unique("sentence", [sentence.id for sentence in sentences])
    check_unique("usage", [id for sentence in sentences for id in _instance_ids(sentence) if id is not None])
    values = {name: {sentence.meta.get(name) for sentence in sentences} for name in _CORPUS_ATTRIBUTES}
    shared = {name: str(*distinct) for name, distinct in values.items() if len(distinct) == 1 and None not in distinct}
    parts = [XML_DECLARATION, format_tag("corpus", shared.items()), "\n"]
    for document, group in groupby(sentences, key=_document_attributes):
        parts += [format_tag("text", document), "\n", *(_format_sentence(sentence, shared) for sentence in group)]
        parts.append("</text>\n")
    return "".join([*parts, "</corpus>\n"])


def _document_attributes(sentence: Sentence) -> list[tuple[str, str]]:
    """Return the attributes of the ``<text>`` of a sentence."""
    about = {name: value for name, value in sentence.meta.items() if _is_document_key(name)}
    attributes = {name.removeprefix(f"{_DOCUMENT_KEY}_"): value for name, value in about.items()}
    if _DOCUMENT_KEY in attributes:
        attributes = {"id" if name == _DOCUMENT_KEY else name: value for name, value in attributes.items()}
    name = f"sentence {quote_value(sentence.id)}"
    if len(attributes) != len(about):
        raise InputError(f"{name}: 'document_id' is what 'document' stands for; give one of them")
    return xml_attributes(attributes, (), name)


def _is_document_key(name: str) -> bool:
    return name == _DOCUMENT_KEY or name.startswith(f"{_DOCUMENT_KEY}_")


def _instance_ids(sentence: Sentence) -> list[str | None]:
    """Return the id of the instance that each word is, ``None`` for other words."""
    return [
        token.features.get("id", f"{sentence.id}.{number}" if token.senses else None)
        for number, token in enumerate(sentence.tokens, start=1)
    ]


def _format_sentence(sentence: Sentence, shared: Mapping[str, str]) -> str:
    owner = f"sentence {quote_value(sentence.id)}"
    meta = {name: value for name, value in sentence.meta.items() if name not in shared and not _is_document_key(name)}
    parts = [format_tag("sentence", [("id", sentence.id), *xml_attributes(meta, ("id",), owner)]), "\n"]
    for token, id in zip(sentence.tokens, _instance_ids(sentence), strict=True):
        tag = "wf" if id is None else "instance"
        features = {name: value for name, value in token.features.items() if name != "id"}
        attributes = [("lemma", token.lemma), ("pos", _choose_tag(token))]
        attributes += xml_attributes(features, ("lemma", "pos"), f"a word of {owner}")
        opening = format_tag(tag, attributes if id is None else [("id", id), *attributes])
        parts.append(f"{opening}{escape_text(token.form)}</{tag}>\n")
    return "".join([*parts, "</sentence>\n"])


def _choose_tag(token: Token) -> str:
    """Return the tag, or the universal tag if the tag does not imply the part of speech."""
    has_tag = token.tag and pos_from_tag(token.tag) == token.pos
    return token.tag if has_tag else UNIVERSAL_TAGS.get(token.pos, "X")


# -- keys ----------------------------------------------------------------------------------------------------------


def read_framework_key(source: Source, usages: Iterable[Usage] | None = None) -> Labelling:
    r"""Read the senses of a key, each with weight 1.

    Args:
        source: The key.
        usages: The usages, from which lemmas are taken. By default lemmas are taken from the sense keys.

    >>> from polyseme.formats.files import Blob
    >>> key = read_framework_key(Blob("gold.key.txt", b"d0.s0.t0 win%2:33:00:: win%2:33:01::\r\n"))
    >>> key.lemma("d0.s0.t0"), key["d0.s0.t0"]
    ('win.v', {'win%2:33:00::': 1.0, 'win%2:33:01::': 1.0})
    """
    lemmas = None if usages is None else {usage.id: usage.lemma for usage in usages}
    ids = UniqueNames("usage", source)
    rows = []
    for number, line in read_content_lines(source):
        usage, *senses = line.split()
        if not senses:
            raise InputError(f"{quote_value(usage)} has no sense. {LINE_SYNTAX}", path=source, line=number)
        ids.add(usage, number)
        try:
            lemma = _lemma_from_senses(senses) if lemmas is None else _look_up_lemma(usage, lemmas)
        except ValueError as error:
            raise InputError(str(error), path=source, line=number) from None
        rows.append((lemma, usage, dict.fromkeys(senses, 1.0)))
    return Labelling(rows)


def _lemma_from_senses(senses: list[str]) -> str:
    """Return the lemma that the sense keys name."""
    advice = "give the usages, which know their lemmas"
    lemmas = [lemma_from_sense_key(sense) for sense in senses]
    if None in lemmas:
        wrong = senses[lemmas.index(None)]
        raise ValueError(f"{quote_value(wrong)} is not a sense key such as win%2:33:00::; {advice}")
    distinct = sorted(set(filter(None, lemmas)))
    if len(distinct) > 1:
        raise ValueError(f"the senses are of {' and '.join(distinct)}; {advice}")
    return distinct[0]


def _look_up_lemma(usage: str, lemmas: Mapping[str, str]) -> str:
    if usage not in lemmas:
        count = count_noun(len(lemmas), "usage")
        raise ValueError(f"usage {quote_value(usage)} is not among the {count} given; is this their key?")
    return lemmas[usage]


def write_framework_key(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write a key; every weight must be 1."""
    write_text(path, format_framework_key(labelling))


def format_framework_key(labelling: Labelling) -> str:
    r"""Format a labelling as the text of a key.

    >>> format_framework_key(Labelling([("win.v", "d0.s0.t0", {"win%2:33:00::": 1})]))
    'd0.s0.t0 win%2:33:00::\n'
    """
    lines = []
    for _, usage, senses in labelling.rows():
        if any(weight != 1 for weight in senses.values()):
            problem = f"usage {quote_value(usage)} has weights other than 1, which this key cannot hold"
            raise InputError(f"{problem}; write an answer key")
        names = [usage, *senses]
        if unwritable := [name for name in names if _UNWRITABLE.search(name)]:
            problem = f"the name {quote_value(unwritable[0])} cannot stand in a key, where white space has a meaning"
            raise InputError(f"{problem}; rename it")
        lines.append(" ".join(names) + "\n")
    return "".join(lines)


def _recognise_xml(start: bytes) -> bool:
    return root_tag(start) == "corpus" and _START.search(start) is not None


FORMATS = (
    FileFormat(
        "wsd-framework",
        "XML of the unified WSD evaluation framework",
        _recognise_xml,
        readers={"sentences": read_framework_sentences, "usages": read_framework_usages},
        writers={"sentences": write_framework_sentences},
        suffixes=(".xml",),
    ),
    FileFormat.for_content(
        "labelling",
        "wsd-framework-key",
        "a key of the unified WSD evaluation framework",
        lambda start: _KEY_LINE.match(start) is not None,
        read_framework_key,
        write_framework_key,
    ),
)
