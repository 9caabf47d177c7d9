"""The unified WSD evaluation framework (Raganato et al. 2017): sentences in XML, and their senses in a key beside it.

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

The text of a sentence is its words with spaces between. A token has its instance's id as the feature ``id``; a
sentence knows its corpus' attributes, ``document``, the id of its ``<text>``, and other attributes of that as
``document_…``. What the XML has no place for is not written: heads, relations, and senses, which belong in the key; a
word that has senses but no id gets one, ``sentence.n``, as :meth:`~polyseme.sentence.Sentence.usages` calls it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.formats.files import Source, read_lines, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.sense_keys import lemma_from_sense_key
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, escape_text, format_tag, read_elements, root_tag
from polyseme.formats.xml_instances import check_unique, xml_attributes
from polyseme.labelling import Labelling
from polyseme.sentence import Sentence, Token, part_of_speech
from polyseme.usage import Usage

LINE_SYNTAX = "A line of the key reads: usage sense sense …"
TAG_BY_POS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV", "": "X"}

_START = re.compile(rb"<corpus\b[^>]*>(?:\s|<!--.*?-->|<text\b[^>]*>)*<sentence\b", re.DOTALL)
_KEY_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^\s%]+(?:[ \t]+[^\s%]+%[1-5]:\d\d:\d\d:\S*:\d*)+[ \t]*\r?(?:\n|$)")
_UNWRITABLE = re.compile(r"\s|^\ufeff|^$")
_DOCUMENT_KEY = "document"
_CORPUS_ATTRIBUTES = ("lang", "source")

# -- sentences and usages ------------------------------------------------------------------------------------------


def read_framework_sentences(source: Source) -> Iterator[Sentence]:
    """The sentences of a file, one after the other.

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
        for word in element.named("instance"):
            instances.add(word.attribute("id"), word.line)
        yield _parse_sentence(element)


def _parse_sentence(element: Element) -> Sentence:
    tokens, at = [], 0
    for word in element.children:
        made = _parse_token(word, at)
        tokens.append(made)
        at = made.end + 1
    text = " ".join([token.form for token in tokens])
    return Sentence(element.attribute("id"), text, tuple(tokens), _collect_meta(element))


def _parse_token(word: Element, at: int) -> Token:
    if word.tag not in ("wf", "instance"):
        raise word.error(f"<{word.tag}> where a word must be, <wf> or <instance>")
    form, tag = word.text, word.attribute("pos")
    features = {name: value for name, value in word.attributes.items() if name not in ("lemma", "pos")}
    if word.tag == "wf" and "id" in features:
        raise word.error("a <wf> has no id; call it <instance>")
    return Token(form, at, at + len(form), word.attribute("lemma"), part_of_speech(tag), tag, features=features)


def _collect_meta(sentence: Element) -> dict[str, str]:
    text = sentence.parent
    corpus = text.parent if text else None
    documents = text.attributes if text else {}
    about = {_DOCUMENT_KEY if name == "id" else f"{_DOCUMENT_KEY}_{name}": value for name, value in documents.items()}
    own = {name: value for name, value in sentence.attributes.items() if name != "id"}
    return {**(corpus.attributes if corpus else {}), **about, **own}


def read_framework_usages(source: Source) -> Iterator[Usage]:
    """The instances of a file as usages."""
    for sentence in read_framework_sentences(source):
        for token in sentence.tokens:
            if "id" in token.features:
                if not token.pos:
                    problem = (
                        f"instance {quote_value(token.features['id'])} has the part of speech {quote_value(token.tag)}"
                    )
                    raise InputError(f"{problem}; allowed are NOUN, VERB, ADJ, ADV", path=source)
                yield Usage(
                    token.features["id"],
                    f"{token.lemma}.{token.pos}",
                    sentence.text,
                    token.start,
                    token.end,
                    token.pos,
                    sentence.meta,
                )


def write_framework_sentences(sentences: Iterable[Sentence], path: str | os.PathLike[str]) -> None:
    """Write sentences as XML; write their senses with :func:`write_framework_key`."""
    write_text(path, format_framework_sentences(sentences))


def format_framework_sentences(sentences: Iterable[Sentence]) -> str:
    """Sentences as the text of a file; those of one document that follow one another stand in one ``<text>``.

    >>> print(format_framework_sentences([Sentence.from_words("s", ["We", "won"], pos=["", "v"])]).split(">", 4)[4].strip())
    <wf lemma="" pos="X">We</wf>
    <wf lemma="" pos="VERB">won</wf>
    </sentence>
    </text>
    </corpus>
    """
    every = list(sentences)
    check_unique("sentence", [sentence.id for sentence in every])
    check_unique("usage", [id for sentence in every for id in _instance_ids(sentence) if id is not None])
    shared = _shared_attributes(every)
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n', format_tag("corpus", shared), "\n"]
    for document, group in groupby(every, key=_document_attributes):
        parts += [
            format_tag("text", document),
            "\n",
            *(_format_sentence(sentence, dict(shared)) for sentence in group),
            "</text>\n",
        ]
    return "".join([*parts, "</corpus>\n"])


def _shared_attributes(sentences: list[Sentence]) -> list[tuple[str, str]]:
    """Language and source, where all sentences have the same."""
    values = {name: {sentence.meta.get(name) for sentence in sentences} for name in _CORPUS_ATTRIBUTES}
    return [(name, value) for name, found in values.items() if len(found) == 1 for value in found if value is not None]


def _document_attributes(sentence: Sentence) -> list[tuple[str, str]]:
    """The attributes of its ``<text>``."""
    about = {name: value for name, value in sentence.meta.items() if _is_document_key(name)}
    own = {
        "id" if name == _DOCUMENT_KEY else name.removeprefix(f"{_DOCUMENT_KEY}_"): value
        for name, value in about.items()
    }
    if len(own) != len(about):
        raise InputError(
            f"sentence {quote_value(sentence.id)}: 'document_id' is what 'document' stands for; give one of them"
        )
    return xml_attributes(own, (), f"sentence {quote_value(sentence.id)}")


def _is_document_key(name: str) -> bool:
    return name == _DOCUMENT_KEY or name.startswith(f"{_DOCUMENT_KEY}_")


def _instance_ids(sentence: Sentence) -> list[str | None]:
    """For each word the id of the instance that it is, if it is one."""
    return [
        token.features.get("id", f"{sentence.id}.{number}" if token.senses else None)
        for number, token in enumerate(sentence.tokens, start=1)
    ]


def _format_sentence(sentence: Sentence, shared: Mapping[str, str]) -> str:
    whose = f"sentence {quote_value(sentence.id)}"
    own = {name: value for name, value in sentence.meta.items() if name not in shared and not _is_document_key(name)}
    parts = [format_tag("sentence", [("id", sentence.id), *xml_attributes(own, ("id",), whose)]), "\n"]
    for token, id in zip(sentence.tokens, _instance_ids(sentence), strict=True):
        name = "wf" if id is None else "instance"
        features = {feature: value for feature, value in token.features.items() if feature != "id"}
        further = xml_attributes(features, ("lemma", "pos"), f"a word of {whose}")
        about = [("lemma", token.lemma), ("pos", _choose_tag(token)), *further]
        parts.append(
            f"{format_tag(name, about if id is None else [('id', id), *about])}{escape_text(token.form)}</{name}>\n"
        )
    return "".join([*parts, "</sentence>\n"])


def _choose_tag(token: Token) -> str:
    """The tag, or where that does not say the part of speech the one that does."""
    return token.tag if token.tag and part_of_speech(token.tag) == token.pos else TAG_BY_POS[token.pos]


# -- keys ----------------------------------------------------------------------------------------------------------


def read_framework_key(source: Source, usages: Iterable[Usage] | None = None) -> Labelling:
    r"""The senses that a key gives, each with weight 1.

    The lemma of a usage is taken from its sense keys, or from ``usages`` if they are given; then any name may be a
    sense.

    >>> from polyseme.formats.files import Blob
    >>> key = read_framework_key(Blob("gold.key.txt", b"d0.s0.t0 win%2:33:00:: win%2:33:01::\r\n"))
    >>> key.lemma("d0.s0.t0"), key["d0.s0.t0"]
    ('win.v', {'win%2:33:00::': 1.0, 'win%2:33:01::': 1.0})
    """
    lemmas = None if usages is None else {usage.id: usage.lemma for usage in usages}
    seen = UniqueNames("usage", source)
    rows = []
    for number, (usage, *senses) in _read_key_lines(source):
        seen.add(usage, number)
        try:
            lemma = _lemma_from_senses(senses) if lemmas is None else _look_up_lemma(usage, lemmas)
        except ValueError as error:
            raise InputError(str(error), path=source, line=number) from None
        rows.append((lemma, usage, dict.fromkeys(senses, 1.0)))
    return Labelling(rows)


def _read_key_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    for number, line in read_lines(source):
        words = line.split()
        if len(words) == 1:
            raise InputError(f"{quote_value(words[0])} has no sense. {LINE_SYNTAX}", path=source, line=number)
        if words:
            yield number, words


def _lemma_from_senses(senses: list[str]) -> str:
    """The lemma that the sense keys name."""
    found = {sense: lemma_from_sense_key(sense) for sense in senses}
    if wrong := [sense for sense, lemma in found.items() if lemma is None]:
        problem = f"{quote_value(wrong[0])} is no sense key such as win%2:33:00::"
        raise ValueError(f"{problem}; give the usages, which know their lemmas")
    lemmas = {lemma for lemma in found.values() if lemma}
    if len(lemmas) > 1:
        raise ValueError(f"the senses are of {' and '.join(sorted(lemmas))}; give the usages, which know their lemmas")
    return lemmas.pop()


def _look_up_lemma(usage: str, lemmas: Mapping[str, str]) -> str:
    if usage not in lemmas:
        given = count_noun(len(lemmas), "usage")
        raise ValueError(f"usage {quote_value(usage)} is not among the {given} given; is this their key?")
    return lemmas[usage]


def write_framework_key(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write a key; every weight must be 1."""
    write_text(path, format_framework_key(labelling))


def format_framework_key(labelling: Labelling) -> str:
    r"""A labelling as the text of a key.

    >>> format_framework_key(Labelling([("win.v", "d0.s0.t0", {"win%2:33:00::": 1})]))
    'd0.s0.t0 win%2:33:00::\n'
    """
    written = []
    for _, usage, senses in labelling.rows():
        if any(weight != 1 for weight in senses.values()):
            problem = f"usage {quote_value(usage)} has weights other than 1, for which this key has no place"
            raise InputError(f"{problem}; write an answer key")
        names = [usage, *senses]
        if bad := [name for name in names if _UNWRITABLE.search(name)]:
            raise InputError(
                f"the name {quote_value(bad[0])} cannot stand in a key, where white space has a meaning; rename it"
            )
        written.append(" ".join(names) + "\n")
    return "".join(written)


def _recognise_xml(start: bytes) -> bool:
    return root_tag(start) == "corpus" and _START.search(start) is not None


def _recognise_key(start: bytes) -> bool:
    return _KEY_LINE.match(start) is not None


FORMATS = (
    FileFormat(
        name="wsd-framework",
        title="XML of the unified WSD evaluation framework",
        recognises=_recognise_xml,
        readers={"sentences": read_framework_sentences, "usages": read_framework_usages},
        writers={"sentences": write_framework_sentences},
        suffixes=(".xml",),
    ),
    FileFormat(
        name="wsd-framework-key",
        title="a key of the unified WSD evaluation framework",
        recognises=_recognise_key,
        readers={"labelling": read_framework_key},
        writers={"labelling": write_framework_key},
    ),
)
