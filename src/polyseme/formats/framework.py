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

from polyseme.errors import InputError, counted, shown
from polyseme.formats.files import Source, lines, write_text
from polyseme.formats.format import Format
from polyseme.formats.instances import attributes_of, given_once
from polyseme.formats.sense_keys import lemma_of
from polyseme.formats.unique import Unique
from polyseme.formats.xml import Element, elements, escaped, root, tag
from polyseme.labelling import Labelling
from polyseme.sentence import Sentence, Token, part_of_speech
from polyseme.usage import Usage

LINE = "A line of the key reads: usage sense sense …"
TAGS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV", "": "X"}

_START = re.compile(rb"<corpus\b[^>]*>(?:\s|<!--.*?-->|<text\b[^>]*>)*<sentence\b", re.DOTALL)
_KEY_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^\s%]+(?:[ \t]+[^\s%]+%[1-5]:\d\d:\d\d:\S*:\d*)+[ \t]*\r?(?:\n|$)")
_UNWRITABLE = re.compile(r"\s|^\ufeff|^$")
_DOCUMENT = "document"
_CORPUS = ("lang", "source")

# -- sentences and usages ------------------------------------------------------------------------------------------


def read_framework(source: Source) -> Iterator[Sentence]:
    """The sentences of a file, one after the other.

    >>> from polyseme.formats.files import Blob
    >>> words = b'<wf lemma="we" pos="PRON">We</wf><instance id="t0" lemma="win" pos="VERB">won</instance>'
    >>> xml = b'<corpus lang="en"><text id="d"><sentence id="s">' + words + b"</sentence></text></corpus>"
    >>> sentence = next(read_framework(Blob("a.xml", xml)))
    >>> sentence.text, dict(sentence.tokens[1].features)
    ('We won', {'id': 't0'})
    """
    sentences, instances = Unique("sentence", source), Unique("usage", source)
    for element in elements(source, 3):
        if element.tag != "sentence":
            raise element.error(f"<{element.tag}> where a <sentence> must be: in a <text>, in the <corpus>")
        sentences.add(element.attribute("id"), element.line)
        for word in element.named("instance"):
            instances.add(word.attribute("id"), word.line)
        yield _sentence(element)


def _sentence(element: Element) -> Sentence:
    tokens, at = [], 0
    for word in element.children:
        made = _token(word, at)
        tokens.append(made)
        at = made.end + 1
    text = " ".join([token.form for token in tokens])
    return Sentence(element.attribute("id"), text, tuple(tokens), _meta(element))


def _token(word: Element, at: int) -> Token:
    if word.tag not in ("wf", "instance"):
        raise word.error(f"<{word.tag}> where a word must be, <wf> or <instance>")
    form, tag = word.text, word.attribute("pos")
    features = {name: value for name, value in word.attributes.items() if name not in ("lemma", "pos")}
    if word.tag == "wf" and "id" in features:
        raise word.error("a <wf> has no id; call it <instance>")
    return Token(form, at, at + len(form), word.attribute("lemma"), part_of_speech(tag), tag, features=features)


def _meta(sentence: Element) -> dict[str, str]:
    text = sentence.parent
    corpus = text.parent if text else None
    documents = text.attributes if text else {}
    about = {_DOCUMENT if name == "id" else f"{_DOCUMENT}_{name}": value for name, value in documents.items()}
    own = {name: value for name, value in sentence.attributes.items() if name != "id"}
    return {**(corpus.attributes if corpus else {}), **about, **own}


def read_framework_usages(source: Source) -> Iterator[Usage]:
    """The instances of a file as usages."""
    for sentence in read_framework(source):
        for token in sentence.tokens:
            if "id" in token.features:
                if not token.pos:
                    problem = f"instance {shown(token.features['id'])} has the part of speech {shown(token.tag)}"
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


def write_framework(sentences: Iterable[Sentence], path: str | os.PathLike[str]) -> None:
    """Write sentences as XML; write their senses with :func:`write_framework_key`."""
    write_text(path, format_framework(sentences))


def format_framework(sentences: Iterable[Sentence]) -> str:
    """Sentences as the text of a file; those of one document that follow one another stand in one ``<text>``.

    >>> print(format_framework([Sentence.of_words("s", ["We", "won"], pos=["", "v"])]).split(">", 4)[4].strip())
    <wf lemma="" pos="X">We</wf>
    <wf lemma="" pos="VERB">won</wf>
    </sentence>
    </text>
    </corpus>
    """
    every = list(sentences)
    given_once("sentence", [sentence.id for sentence in every])
    given_once("usage", [id for sentence in every for id in _ids(sentence) if id is not None])
    shared = _shared(every)
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n', tag("corpus", shared), "\n"]
    for document, group in groupby(every, key=_document):
        parts += [tag("text", document), "\n", *(_written(sentence, dict(shared)) for sentence in group), "</text>\n"]
    return "".join([*parts, "</corpus>\n"])


def _shared(sentences: list[Sentence]) -> list[tuple[str, str]]:
    """Language and source, where all sentences have the same."""
    values = {name: {sentence.meta.get(name) for sentence in sentences} for name in _CORPUS}
    return [(name, value) for name, found in values.items() if len(found) == 1 for value in found if value is not None]


def _document(sentence: Sentence) -> list[tuple[str, str]]:
    """The attributes of its ``<text>``."""
    about = {name: value for name, value in sentence.meta.items() if _is_of_document(name)}
    own = {"id" if name == _DOCUMENT else name.removeprefix(f"{_DOCUMENT}_"): value for name, value in about.items()}
    if len(own) != len(about):
        raise InputError(
            f"sentence {shown(sentence.id)}: 'document_id' is what 'document' stands for; give one of them"
        )
    return attributes_of(own, (), f"sentence {shown(sentence.id)}")


def _is_of_document(name: str) -> bool:
    return name == _DOCUMENT or name.startswith(f"{_DOCUMENT}_")


def _ids(sentence: Sentence) -> list[str | None]:
    """For each word the id of the instance that it is, if it is one."""
    return [
        token.features.get("id", f"{sentence.id}.{number}" if token.senses else None)
        for number, token in enumerate(sentence.tokens, start=1)
    ]


def _written(sentence: Sentence, shared: Mapping[str, str]) -> str:
    whose = f"sentence {shown(sentence.id)}"
    own = {name: value for name, value in sentence.meta.items() if name not in shared and not _is_of_document(name)}
    parts = [tag("sentence", [("id", sentence.id), *attributes_of(own, ("id",), whose)]), "\n"]
    for token, id in zip(sentence.tokens, _ids(sentence), strict=True):
        name = "wf" if id is None else "instance"
        features = {feature: value for feature, value in token.features.items() if feature != "id"}
        further = attributes_of(features, ("lemma", "pos"), f"a word of {whose}")
        about = [("lemma", token.lemma), ("pos", _tag(token)), *further]
        parts.append(f"{tag(name, about if id is None else [('id', id), *about])}{escaped(token.form)}</{name}>\n")
    return "".join([*parts, "</sentence>\n"])


def _tag(token: Token) -> str:
    """The tag, or where that does not say the part of speech the one that does."""
    return token.tag if token.tag and part_of_speech(token.tag) == token.pos else TAGS[token.pos]


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
    seen = Unique("usage", source)
    rows = []
    for number, (usage, *senses) in _key_lines(source):
        seen.add(usage, number)
        try:
            lemma = _lemma_of(senses) if lemmas is None else _lemma_in(usage, lemmas)
        except ValueError as error:
            raise InputError(str(error), path=source, line=number) from None
        rows.append((lemma, usage, dict.fromkeys(senses, 1.0)))
    return Labelling(rows)


def _key_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    for number, line in lines(source):
        words = line.split()
        if len(words) == 1:
            raise InputError(f"{shown(words[0])} has no sense. {LINE}", path=source, line=number)
        if words:
            yield number, words


def _lemma_of(senses: list[str]) -> str:
    """The lemma that the sense keys name."""
    found = {sense: lemma_of(sense) for sense in senses}
    if wrong := [sense for sense, lemma in found.items() if lemma is None]:
        problem = f"{shown(wrong[0])} is no sense key such as win%2:33:00::"
        raise ValueError(f"{problem}; give the usages, which know their lemmas")
    lemmas = {lemma for lemma in found.values() if lemma}
    if len(lemmas) > 1:
        raise ValueError(f"the senses are of {' and '.join(sorted(lemmas))}; give the usages, which know their lemmas")
    return lemmas.pop()


def _lemma_in(usage: str, lemmas: Mapping[str, str]) -> str:
    if usage not in lemmas:
        given = counted(len(lemmas), "usage")
        raise ValueError(f"usage {shown(usage)} is not among the {given} given; is this their key?")
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
            problem = f"usage {shown(usage)} has weights other than 1, for which this key has no place"
            raise InputError(f"{problem}; write an answer key")
        names = [usage, *senses]
        if bad := [name for name in names if _UNWRITABLE.search(name)]:
            raise InputError(
                f"the name {shown(bad[0])} cannot stand in a key, where white space has a meaning; rename it"
            )
        written.append(" ".join(names) + "\n")
    return "".join(written)


def _recognises(start: bytes) -> bool:
    return root(start) == "corpus" and _START.search(start) is not None


def _recognises_key(start: bytes) -> bool:
    return _KEY_LINE.match(start) is not None


FORMATS = (
    Format(
        name="wsd-framework",
        title="XML of the unified WSD evaluation framework",
        recognises=_recognises,
        readers={"sentences": read_framework, "usages": read_framework_usages},
        writers={"sentences": write_framework},
        suffixes=(".xml",),
    ),
    Format(
        name="wsd-framework-key",
        title="a key of the unified WSD evaluation framework",
        recognises=_recognises_key,
        readers={"labelling": read_framework_key},
        writers={"labelling": write_framework_key},
    ),
)
