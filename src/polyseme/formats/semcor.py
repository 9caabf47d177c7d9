"""Tag files of SemCor: Brown Corpus documents, a word a line, with the WordNet senses of their words.

::

    <contextfile concordance=brown>
    <context filename=br-x01 paras=yes>
    <p pnum=1>
    <s snum=1>
    <wf cmd=ignore pos=PRP>We</wf>
    <wf cmd=done pos=VB lemma=win wnsn=1 lexsn=2:33:00::>won</wf>
    <punc>.</punc>
    </s>
    </p>
    </context>
    </contextfile>

This is not XML: attributes have no quotes, and ``&`` is an ordinary character. A sentence is called after its document
and number, ``br-x01.snum=1``. The senses of a word with several are separated by ``;`` in ``wnsn`` (their numbers) and
in ``lexsn`` (the rest of their sense keys). A sense with the number 0 is no longer in WordNet 3.0 and is left out.
``_`` joins the words of a name or phrase; it becomes a space in the form and stays in the lemma.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import BOM, Source, read_lines
from polyseme.formats.registry import FileFormat
from polyseme.formats.sense_keys import POS_BY_SYNSET_TYPE
from polyseme.formats.unique_names import UniqueNames
from polyseme.labelling import Labelling
from polyseme.lemma import pos_from_tag
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage

LINE_SYNTAX = (
    "A line reads: <wf cmd=done pos=VB lemma=win wnsn=1 lexsn=2:33:00::>won</wf>, or is <punc>, <p>, <s>, <context>"
)

_WORD = re.compile(r"<(wf|punc)((?: [a-z]+=[^ >]*)*)>([^<>]+)</\1>\s*").fullmatch
_TAG = re.compile(r"<(/?)(contextfile|context|p|s)((?: [a-z]+=[^ >]*)*)>\s*").fullmatch

TagAttributes = dict[str, str]


class WordAnalysis(NamedTuple):
    """The analysis of a word in its attributes."""

    lemma: str
    pos: str
    tag: str
    senses: tuple[str, ...]
    features: dict[str, str]


def read_semcor_sentences(source: Source) -> Iterator[Sentence]:
    r"""Yield the sentences of a tag file with the senses of their words.

    >>> from polyseme.formats.files import Blob
    >>> words = b"<wf pos=PRP>We</wf>\n<wf pos=VB lemma=win wnsn=1 lexsn=2:33:00::>won</wf>"
    >>> file = b"<context filename=br-x01>\n<s snum=1>\n" + words + b"\n</s>\n</context>"
    >>> sentence = next(read_semcor_sentences(Blob("br-x01", file)))
    >>> sentence.id, sentence.text, sentence.tokens[1].senses
    ('br-x01.snum=1', 'We won', ('win%2:33:00::',))
    """
    return _TagFileReader(source).read_sentences()


class _TagFileReader:
    """The state of the reader of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.line = 0
        self.open_tags: list[str] = []
        self.meta: dict[str, str] = {}
        self.sentence = ""
        self.words: list[tuple[str, WordAnalysis]] = []
        self.analyses: dict[str, WordAnalysis] = {}
        self.ids = UniqueNames("sentence", source)

    def read_sentences(self) -> Iterator[Sentence]:
        analyses = self.analyses
        for number, text in read_lines(self.source):
            self.line = number
            if word := _WORD(text):
                analysis = analyses.get(word[2]) or self.analyse(word[2])
                self.words.append((word[3].replace("_", " "), analysis))
            elif text.strip():
                yield from self.read_tag(text)
        if self.open_tags or self.words:
            last = self.open_tags[-1] if self.open_tags else "s"
            raise self.error(f"the file is cut short: <{last}> is not closed; copy or download it again")

    def error(self, problem: str) -> InputError:
        return InputError(problem, path=self.source, line=self.line)

    def read_tag(self, text: str) -> Iterator[Sentence]:
        """Read a line that opens or closes an element; the end of a sentence yields it."""
        match = _TAG(text)
        if not match:
            raise self.error(f"{quote_value(text)} is not a line of a tag file. {LINE_SYNTAX}")
        closes, name, attributes = match.groups()
        if self.words and (closes, name) != ("/", "s"):
            raise self.error(f"<{closes}{name}> after words; <s snum=…> and </s> must enclose the words of a sentence")
        if closes:
            yield from self.close_element(name)
        else:
            self.open_element(name, self.parse_attributes(attributes))

    def open_element(self, name: str, attributes: TagAttributes) -> None:
        if name == "context":
            self.meta = {"document": self.require(name, attributes, "filename")}
        elif name == "p":
            self.meta = self.meta | {"paragraph": self.require(name, attributes, "pnum")}
        elif name == "s":
            self.begin_sentence(self.require(name, attributes, "snum"))
        self.open_tags.append(name)

    def begin_sentence(self, number: str) -> None:
        if "document" not in self.meta or "s" in self.open_tags:
            raise self.error("a sentence must lie in a <context filename=…>, and not in another sentence")
        self.sentence = f"{self.meta['document']}.snum={number}"
        self.ids.add(self.sentence, self.line)

    def close_element(self, name: str) -> Iterator[Sentence]:
        if not self.open_tags or self.open_tags.pop() != name:
            raise self.error(f"</{name}> closes nothing that is open")
        if name == "s":
            words, self.words = self.words, []
            yield _build_sentence(self.sentence, words, self.meta)
        elif name == "p":
            self.meta = {"document": self.meta.get("document", "")}
        elif name == "context":
            self.meta = {}

    def require(self, tag: str, attributes: TagAttributes, name: str) -> str:
        if name not in attributes:
            names = ", ".join(attributes) or "none"
            raise self.error(f"<{tag}> lacks the attribute {name!r}; it has {names}")
        return attributes[name]

    def parse_attributes(self, written: str) -> TagAttributes:
        pairs = written.split()
        if wrong := [pair for pair in pairs if "=" not in pair]:
            raise self.error(f"{quote_value(wrong[0])} is not an attribute, which reads name=value without spaces")
        return dict(pair.split("=", 1) for pair in pairs)

    def analyse(self, written: str) -> WordAnalysis:
        """Parse attributes; equal ones are parsed once in a file."""
        attributes = self.parse_attributes(written)
        numbers, keys = (attributes.get(name, "").split(";") for name in ("wnsn", "lexsn"))
        if len(numbers) != len(keys):
            raise self.error(f"{len(numbers)} numbers in wnsn but {len(keys)} keys in lexsn; each sense has both")
        if "lexsn" in attributes and not ("lemma" in attributes and all(keys)):
            raise self.error("a sense in lexsn has no lemma or is empty; with its lemma it makes a sense key")
        analysis = self.analyses[written] = _build_analysis(attributes, numbers, keys)
        return analysis


def _build_analysis(attributes: TagAttributes, numbers: list[str], keys: list[str]) -> WordAnalysis:
    lemma, tag = attributes.get("lemma", ""), attributes.get("pos", "")
    pos = POS_BY_SYNSET_TYPE.get(keys[0][:1]) or pos_from_tag(tag)
    senses = [f"{lemma}%{key}" for number, key in zip(numbers, keys, strict=True) if key and number != "0"]
    features = {name: value for name, value in attributes.items() if name not in ("lemma", "pos", "lexsn")}
    return WordAnalysis(lemma, pos, tag, tuple(dict.fromkeys(senses)), features)


def _build_sentence(id: str, words: list[tuple[str, WordAnalysis]], meta: dict[str, str]) -> Sentence:
    tokens, start = [], 0
    for form, (lemma, pos, tag, senses, features) in words:
        end = start + len(form)
        tokens.append(Token(form, start, end, lemma, pos, tag, None, "", senses, features))
        start = end + 1
    return Sentence(id, " ".join([form for form, _ in words]), tuple(tokens), meta)


# -- usages and their senses ---------------------------------------------------------------------------------------

SenseTaggedUsage = tuple[Usage, tuple[str, ...]]
"""A usage and its senses."""


def extract_tagged_usages(sentences: Iterable[Sentence]) -> Iterator[SenseTaggedUsage]:
    """Yield the words that have senses as usages; the usage of word n is called ``sentence.n``."""
    for sentence in sentences:
        for number, token in enumerate(sentence.tokens, start=1):
            if token.senses:
                id, lemma = f"{sentence.id}.{number}", f"{token.lemma}.{token.pos}"
                yield Usage(id, lemma, sentence.text, token.start, token.end, token.pos, sentence.meta), token.senses


def label_tagged_usages(tagged: Iterable[SenseTaggedUsage]) -> Labelling:
    """Label usages with their senses, each with weight 1.

    >>> label_tagged_usages([(Usage("s.2", "win.v", "We won", 3, 6), ("win%2:33:00::",))])["s.2"]
    {'win%2:33:00::': 1.0}
    """
    return Labelling((usage.lemma, usage.id, dict.fromkeys(senses, 1.0)) for usage, senses in tagged)


def read_semcor_usages(source: Source) -> Iterator[Usage]:
    """Yield the words of a tag file that have a sense."""
    return (usage for usage, _ in extract_tagged_usages(read_semcor_sentences(source)))


def read_semcor_labelling(source: Source) -> Labelling:
    """Read the senses of the words of a tag file; :func:`extract_tagged_usages` reads them together with the usages."""
    return label_tagged_usages(extract_tagged_usages(read_semcor_sentences(source)))


def _recognise(start: bytes) -> bool:
    return re.match(rb"\s*<contextfile[ >]", start.removeprefix(BOM)) is not None


FORMAT = FileFormat(
    name="semcor",
    title="a tag file of SemCor",
    recognises=_recognise,
    readers={"sentences": read_semcor_sentences, "usages": read_semcor_usages, "labelling": read_semcor_labelling},
)
