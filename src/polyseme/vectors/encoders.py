"""Usages as an encoder sees them: the target in its context, or the text as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import ClassVar, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.passages import Passages
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.language_model import LanguageModel, load_encoder
from polyseme.matrices import unit_rows
from polyseme.parts import FolderName, check_ranges
from polyseme.usage import Usage
from polyseme.vectors.representation import RepresentationState
from polyseme.vectors.usage_cache import UsageCache

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder if none is named: small, and quick without a graphics card."""

CACHE_SIZE = 20_000
"""Of how many usages the last vectors are kept."""


@dataclass(frozen=True)
class _Encoder(ABC):
    """What encoders have in common: vectors of length 1, less the mean of those they are fitted to if ``centred``."""

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    of_target: ClassVar[bool] = False
    """Whether the target must be among what is read."""
    model: FolderName = DEFAULT_ENCODER
    layer: int = -1
    centred: bool = False
    around: int = 600
    batch: int = 32

    def __post_init__(self) -> None:
        check_ranges(self, layer=(-inf, -1), around=(1, inf), batch=(1, inf))

    def fit(self, passages: Passages) -> FittedEncoder:
        """Find the mean, if it is to be taken away."""
        fitted = FittedEncoder(self, np.zeros(1))
        # Two usages less their mean are opposites, whatever they say.
        return FittedEncoder(self, fitted(passages).mean(axis=0)) if self.centred and len(passages) > 2 else fitted

    def restore(self, state: RepresentationState) -> FittedEncoder:
        """With the same mean again."""
        return FittedEncoder(self, state["mean"])

    def vectors(self, usages: Sequence[Usage]) -> Floats:
        """A row for each usage."""
        return _cached_vectors(self, last_modified(self.model), usages)

    @abstractmethod
    def chosen(self, inside: Floats, real: Floats) -> Floats:
        """Of which pieces the mean is taken, given those of the target and those of the text."""


@dataclass(frozen=True)
class TokenEncoder(_Encoder):
    """The mean of an encoder's vectors of the pieces of the target, in its context. (Devlin et al. 2019)

    ``model`` is a name or a folder of Hugging Face; ``layer`` counts from the last, -1; ``around`` characters of the
    text on either side are read, or as many tokens around the target as the model takes. Vectors have length 1. With
    ``centred``, the mean of the usages that it is fitted to is then taken away, since the vectors of one word have much
    in common that tells nothing.
    """

    of_target: ClassVar[bool] = True
    centred: bool = True

    def chosen(self, inside: Floats, real: Floats) -> Floats:
        """Those of the target."""
        return inside


@dataclass(frozen=True)
class SentenceEncoder(_Encoder):
    """The mean of an encoder's vectors of all pieces of the text, of length 1. (Reimers & Gurevych 2019)

    The options are those of :class:`TokenEncoder`.
    """

    def chosen(self, inside: Floats, real: Floats) -> Floats:
        """All of them."""
        return real


@dataclass(frozen=True, eq=False)
class FittedEncoder:
    """An encoder, and what is taken away from its vectors."""

    spec: _Encoder
    mean: Floats

    @property
    def state(self) -> RepresentationState:
        """What is taken away."""
        return {"mean": self.mean}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions."""
        return self.spec.vectors(passages.usages) - self.mean


class TextWindow(NamedTuple):
    """A text, and where the target is in it."""

    text: str
    start: int
    end: int


def _window(usage: Usage, around: int) -> TextWindow:
    """So much of the text on either side of the target, from one space to another.

    >>> _window(Usage("u", "bank.n", "one two bank three four", 8, 12), 6)
    Cut(text='two bank three', start=4, end=8)
    """
    return _text_window(usage.text, usage.start, usage.end, around, around)


def _text_window(text: str, start: int, end: int, before: int, after: int) -> TextWindow:
    first, last = max(start - before, 0), min(end + after, len(text))
    if first:
        space = text.find(" ", first, start)
        first = space + 1 if space >= 0 else first
    if last < len(text):
        space = text.rfind(" ", end, last + 1)
        last = space if space >= 0 else last
    return TextWindow(text[first:last], start - first, end - first)


_vector_cache: UsageCache[Floats] = UsageCache(CACHE_SIZE)


def _cached_vectors(spec: _Encoder, last: int, usages: Sequence[Usage]) -> Floats:
    """The vectors of usages, of length 1; ``last`` is when the model's folder changed."""
    found = _vector_cache(
        (spec.__class__, spec.model, spec.layer, spec.around, last), usages, partial(_unit_vectors, spec)
    )
    return np.array(found, np.float64) if found else np.zeros((0, load_encoder(spec.model).width))


def _unit_vectors(spec: _Encoder, usages: Sequence[Usage]) -> Sequence[Floats]:
    model = load_encoder(spec.model)
    cuts = [_window(usage, spec.around) for usage in usages]
    made: Floats = unit_rows(
        _encode(model, spec, [_shorten_to_model(model, cut) for cut in cuts] if spec.of_target else cuts)
    )
    return list(made)


def _shorten_to_model(model: LanguageModel, cut: TextWindow) -> TextWindow:
    """As much of a text as the model reads, on either side of the target as much, or more where the other is short."""
    marks = len(model.marks.first) + len(model.marks.last)
    while (many := len(model.tokens(cut.text)) + marks) > model.longest and len(cut.text) > cut.end - cut.start:
        before, after = (len(model.tokens(text)) for text in (cut.text[: cut.start], cut.text[cut.end :]))
        room = max(before + after - (many - model.longest), 0)
        left = min(before, max(room - room // 2, room - after))
        # Tokens are not equally long: what is still too much is cut the next time, a letter at least.
        kept = cut.start * left // max(before, 1), (len(cut.text) - cut.end) * (room - left) // max(after, 1)
        cut = _text_window(cut.text, cut.start, cut.end, *kept)
    return cut


# -- reading -------------------------------------------------------------------------------------------------------


def _encode(given: LanguageModel, spec: _Encoder, texts: Sequence[TextWindow]) -> Floats:
    """A vector for each text, of the pieces that are asked for; of all pieces, if these were not read.

    Texts of like length go together, as they are padded.
    """
    order = np.argsort([len(cut.text) for cut in texts], kind="stable")
    found = np.zeros((len(texts), given.width))
    for start in range(0, len(order), spec.batch):
        chosen = order[start : start + spec.batch]
        found[chosen] = _encode_batch(given, spec, [texts[at] for at in chosen.tolist()])
    return found


def _encode_batch(given: LanguageModel, spec: _Encoder, cuts: Sequence[TextWindow]) -> Floats:
    reads = given.read([cut.text for cut in cuts])
    states = given.vectors([each.tokens for each in reads], spec.layer)
    real, inside = np.zeros(states.shape[:2]), np.zeros(states.shape[:2])
    for row, (cut, each) in enumerate(zip(cuts, reads, strict=True)):
        real[row, : len(each.tokens)] = ~each.special
        there = (each.offsets[:, 0] < cut.end) & (each.offsets[:, 1] > cut.start)
        inside[row, : len(each.tokens)] = there & ~each.special
    pieces = spec.chosen(inside, real)
    there = np.asarray(pieces.any(axis=1))
    pieces = np.where(there[:, None], pieces, real)
    means: Floats = np.einsum("rpd,rp->rd", states, pieces) / np.maximum(pieces.sum(axis=1), 1)[:, None]
    return means
