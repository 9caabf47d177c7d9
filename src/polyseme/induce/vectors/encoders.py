"""Usages as an encoder of Hugging Face sees them: the target in its context, or the text as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import Floats
from polyseme.corpus.passages import Passages
from polyseme.induce.clusters.rows import unit
from polyseme.induce.substitutes._hugging_face import Loaded, loaded
from polyseme.induce.substitutes.storing import changed
from polyseme.induce.vectors.representation import State
from polyseme.parts import Place, check_ranges
from polyseme.usage import Usage

ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder if none is named: small, and quick without a graphics card."""


SHORTEST = 40
"""How many characters before a target are always read."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class _Encoder(ABC):
    """What encoders have in common: vectors of length 1, less the mean of those they are fitted to if ``centred``."""

    kind: ClassVar[str] = "representation"
    reads_text: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    model: Place = ENCODER
    layer: int = -1
    centred: bool = False
    around: int = 600
    batch: int = 32

    def __post_init__(self) -> None:
        check_ranges(self, layer=(-inf, -1), around=(1, inf), batch=(1, inf))

    def fit(self, passages: Passages) -> FittedEncoder:
        """Find the mean, if it is to be taken away."""
        fitted = FittedEncoder(self, np.zeros(1))
        return FittedEncoder(self, fitted(passages).mean(axis=0)) if self.centred else fitted

    def restored(self, state: State) -> FittedEncoder:
        """With the same mean again."""
        return FittedEncoder(self, state["mean"])

    def vectors(self, usages: Sequence[Usage]) -> Floats:
        """A row for each usage."""
        return _vectors(self, changed(self.model), tuple(usages))

    @abstractmethod
    def chosen(self, inside: Floats, real: Floats) -> Floats:
        """Of which pieces the mean is taken, given those of the target and those of the text."""


@dataclass(frozen=True)
class TokenEncoder(_Encoder):
    """The mean of an encoder's vectors of the pieces of the target, in its context. (Devlin et al. 2019)

    ``model`` is a name or a folder of Hugging Face; ``layer`` counts from the last, -1; ``around`` characters of the
    text on either side are read. Vectors have length 1. With ``centred``, the mean of the usages that it is fitted to
    is then taken away, since the vectors of one word have much in common that tells nothing.
    """

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
    def state(self) -> State:
        """What is taken away."""
        return {"mean": self.mean}

    def __call__(self, passages: Passages) -> Floats:
        """Usages × dimensions."""
        return self.spec.vectors(passages.usages) - self.mean


class Cut(NamedTuple):
    """A text, and where the target is in it."""

    text: str
    start: int
    end: int


def _cut(usage: Usage, around: int) -> Cut:
    """So much of the text on either side of the target, from one space to another.

    >>> _cut(Usage("u", "bank.n", "one two bank three four", 8, 12), 6)
    Cut(text='two bank three', start=4, end=8)
    """
    first, last = max(usage.start - around, 0), min(usage.end + around, len(usage.text))
    if first:
        space = usage.text.find(" ", first, usage.start)
        first = space + 1 if space >= 0 else first
    if last < len(usage.text):
        space = usage.text.rfind(" ", usage.end, last + 1)
        last = space if space >= 0 else last
    return Cut(usage.text[first:last], usage.start - first, usage.end - first)


@lru_cache(maxsize=2)
def _vectors(spec: _Encoder, last: int, usages: tuple[Usage, ...]) -> Floats:
    """The vectors of usages, which are asked for more than once: to find their mean, to cluster and to grade them.

    They are kept until the model's folder changes: ``last`` is when it did.
    """
    texts = [_cut(usage, spec.around) for usage in usages]
    found, read = _in_batches(loaded(spec.model, "AutoModel", ""), spec, texts)
    unread = [at for at, cut in enumerate(texts) if not read[at] and cut.start < cut.end and cut.start > SHORTEST]
    if unread:  # the text before the target is too long for the model
        less = replace(spec, around=max(max(texts[at].start for at in unread) // 2, SHORTEST))
        found[unread] = _vectors(less, last, tuple(usages[at] for at in unread))
    made = np.asarray(unit(found))
    made.setflags(write=False)  # who asks again gets the same
    return made


# -- Hugging Face --------------------------------------------------------------------------------------------------


def _in_batches(given: Loaded, spec: _Encoder, texts: Sequence[Cut]) -> tuple[Floats, Bools]:
    """A vector for each text, of the pieces that are asked for, and whether these were read; else, of all pieces.

    Texts of like length go together, as they are padded.
    """
    if not texts:
        return np.zeros((0, given.model.config.hidden_size)), np.zeros(0, np.bool_)
    order = np.argsort([len(cut.text) for cut in texts], kind="stable")
    rows = [
        row
        for start in range(0, len(order), spec.batch)
        for row in _batch(given, spec, texts, order[start : start + spec.batch].tolist())
    ]
    found, read = np.zeros((len(texts), len(rows[0][1]))), np.zeros(len(texts), np.bool_)
    for at, vector, there in rows:
        found[at], read[at] = vector, there
    return found, read


def _batch(
    given: Loaded, spec: _Encoder, texts: Sequence[Cut], chosen: list[int]
) -> Iterator[tuple[int, Floats, bool]]:
    import torch

    cuts = [texts[at] for at in chosen]
    read = given.tokenizer(
        [cut.text for cut in cuts],
        return_tensors="pt",
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        padding=True,
        truncation=True,
        max_length=given.longest,
    )
    offsets, special = read.pop("offset_mapping").numpy(), read.pop("special_tokens_mask").numpy()
    with torch.inference_mode():
        states = given.model(**read.to(given.device), output_hidden_states=True).hidden_states[spec.layer].cpu().numpy()
    starts, ends = (np.array([getattr(cut, name) for cut in cuts])[:, None] for name in ("start", "end"))
    real = (special == 0).astype(float)
    inside = ((offsets[:, :, 0] < ends) & (offsets[:, :, 1] > starts)) * real
    pieces = spec.chosen(inside, real)
    there = np.asarray(pieces.any(axis=1))
    pieces = np.where(there[:, None], pieces, real)
    vectors = (states * pieces[:, :, None]).sum(axis=1) / np.maximum(pieces.sum(axis=1), 1)[:, None]
    yield from zip(chosen, vectors, there.tolist(), strict=True)
