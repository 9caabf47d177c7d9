"""The component ``polyseme`` of spaCy pipelines, which gives tokens graded senses: ``token._.senses``.

spaCy finds it by an entry point, so that ``nlp.add_pipe("polyseme")`` needs no import.
"""

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.documents import Document
from polyseme.corpus.spacy_analyser import convert_document
from polyseme.disambiguation.disambiguated_text import label_text
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.text_usages import find_text_usages
from polyseme.errors import MissingExtra
from polyseme.induction.model import SenseModel
from polyseme.labelling import Labelling
from polyseme.models import open_model
from polyseme.sentence import Sentence
from polyseme.usage import Usage

FACTORY = "polyseme"
"""The name of the component's factory."""

SENSES = "senses"
"""The name of the attribute of tokens: ``token._.senses``."""

BATCH_SIZE = 128
"""How many documents are labelled at a time."""

PlacedSentences = Sequence[tuple[int, Sentence]]
"""The sentences of a document, with their offsets."""


class SenseComponent:
    """Gives each token the senses of a model: ``token._.senses`` is {sense: weight}, heaviest sense first.

    Lemmas, tags and the ends of sentences are those of the pipeline, if it has any before this component; otherwise
    the model's own analyser is used. All tokens of an entry of several words, such as *ice cream*, have its senses.

    Args:
        name: The name of the component in the pipeline.
        model: The folder of a model, or the specification of a dictionary model, such as ``PPR``.
        wordnet: The version of WordNet of a dictionary model.
        keep: Senses with less than this share of a token's greatest weight are dropped by a dictionary model.

    Raises:
        MissingExtra: spaCy is not installed.
    """

    def __init__(self, name: str = FACTORY, model: str = "PPR", wordnet: str = "3.1", keep: float = 0.0) -> None:
        if importlib.util.find_spec("spacy") is None:
            raise MissingExtra("spacy", "spacy")
        self.name, self._source, self._wordnet, self._keep = name, model, wordnet, keep
        token = importlib.import_module("spacy.tokens").Token
        if not token.has_extension(SENSES):
            token.set_extension(SENSES, default={})

    @cached_property
    def model(self) -> SenseModel | DictionaryModel:
        """The model, which is opened when it is first used."""
        return open_model(self._source, version=self._wordnet, keep=self._keep)

    def __call__(self, document: Any) -> Any:
        """Label the tokens of a document."""
        return next(self.pipe([document]))

    def pipe(self, stream: Iterable[Any], *, batch_size: int = BATCH_SIZE) -> Iterator[Any]:
        """Label the tokens of documents, some documents at a time."""
        documents = iter(stream)
        while batch := list(islice(documents, batch_size)):
            analysed = {str(number): self._analyse(document) for number, document in enumerate(batch)}
            for number, start, end, senses in _label_sentences(self.model, analysed):
                span = batch[int(number)].char_span(start, end, alignment_mode="expand")
                for token in span or ():
                    token._.set(SENSES, senses)
            yield from batch

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model to a folder, as ``nlp.to_disk`` asks."""
        self.model.save(path)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SenseComponent":
        """Take the model of a folder from now on."""
        self._source = str(path)
        self.__dict__.pop("model", None)
        return self

    def _analyse(self, document: Any) -> PlacedSentences:
        has_parts = document.has_annotation("TAG") or document.has_annotation("POS")
        if has_parts and document.has_annotation("LEMMA"):
            return list(convert_document(document))
        return list(_get_analyser(self.model).analyse(document.text))


def _get_analyser(model: SenseModel | DictionaryModel) -> Analyser:
    return as_analyser(model.analyser) if isinstance(model, SenseModel) else model.sources.analyser


LabelledSpan = tuple[str, int, int, dict[str, float]]
"""The name of a document, the offsets of a word in it, and its senses, the heaviest first."""


def _label_sentences(
    model: SenseModel | DictionaryModel, analysed: Mapping[str, PlacedSentences]
) -> Iterator[LabelledSpan]:
    """Yield the labelled words of documents; the ids of usages begin with document and number of the sentence."""
    offsets = {f"{name}#{n}": start for name, rows in analysed.items() for n, (start, _) in enumerate(rows, start=1)}
    label = _label_by_senses if isinstance(model, SenseModel) else _label_by_dictionary
    usages, labelling = label(model, analysed)
    for usage in usages:
        if senses := labelling.get(usage.id):
            place = usage.id.partition(":")[0]
            start = offsets[place]
            ordered = dict(sorted(senses.items(), key=lambda pair: -pair[1]))
            yield place.partition("#")[0], start + usage.start, start + usage.end, ordered


def _label_by_dictionary(model: Any, analysed: Mapping[str, PlacedSentences]) -> tuple[Sequence[Usage], Labelling]:
    documents = [
        Document(name, "", sentences=tuple(sentence for _, sentence in rows)) for name, rows in analysed.items()
    ]
    text = find_text_usages(documents, model.sources, processes=1)
    return text.usages, label_text(model, text, processes=1)


def _label_by_senses(model: Any, analysed: Mapping[str, PlacedSentences]) -> tuple[Sequence[Usage], Labelling]:
    usages = [
        Usage(f"{name}#{number}:{token.start}-{token.end}", lemma, sentence.text, token.start, token.end, token.pos)
        for name, rows in analysed.items()
        for number, (_, sentence) in enumerate(rows, start=1)
        for token in sentence.tokens
        for lemma in (f"{token.lemma.lower()}.{token.pos}", token.lemma.lower())
        if lemma in model.inventory
    ]
    return usages, model.label(usages, processes=1, progress=False)


def create_component(nlp: Any, name: str, model: str, wordnet: str, keep: float) -> SenseComponent:  # noqa: ARG001
    """Create the component from the configuration of a pipeline."""
    return SenseComponent(name, model, wordnet, keep)


if importlib.util.find_spec("spacy"):
    # spaCy loads this module to learn of the factory.
    importlib.import_module("spacy.language").Language.factory(
        FACTORY,
        default_config={"model": "PPR", "wordnet": "3.1", "keep": 0.0},
        assigns=[f"token._.{SENSES}"],
    )(create_component)
