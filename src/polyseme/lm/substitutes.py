"""Substitutes: words that could replace the target of a usage, and one interface to all their sources.

A *substituter* is a part: :class:`~polyseme.lm.ngram_substitutes.NGramSubstitutes`,
:class:`~polyseme.lm.masked.MaskedLM`, :class:`~polyseme.lm.causal.CausalLM`, or any class with the method of
:class:`Substituter`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError
from polyseme.frames import build_frame
from polyseme.lemma import POS_LETTERS, normalise_lemma, pos_of_lemma, split_lemma
from polyseme.lm.ngrams.storage import NGRAM_MANIFEST
from polyseme.morphology import possible_forms
from polyseme.parts import build, parts_by_name
from polyseme.usage import Usage

if TYPE_CHECKING:
    import pandas as pd

ARCHITECTURES = {"ForMaskedLM": "MaskedLM", "LMHeadModel": "CausalLM", "ForCausalLM": "CausalLM"}
"""The ends of the names of Hugging Face's architectures, and the parts that query them."""

SMALL_SUBSTITUTER = "MaskedLM('package:polyseme-small', own=False, lemmas=True, pattern='T (or even _)')"
"""The substituter that ``small`` stands for."""


@dataclass(frozen=True, eq=False)
class Substitutes:
    """The substitutes of a usage, the most likely first.

    Args:
        words: The words, in lower case.
        probabilities: Their probabilities, which sum to 1 over these words.

    >>> substitutes = Substitutes.from_weights({"bank": 6.0, "shop": 2.0, "loan": 4.0}, count=2)
    >>> substitutes.words, substitutes.probabilities.tolist()
    (('bank', 'loan'), [0.6, 0.4])
    """

    words: tuple[str, ...]
    probabilities: Floats

    @classmethod
    def from_weights(cls, weights: dict[str, float], count: int, excluded: Iterable[str] = ()) -> Substitutes:
        """Select the ``count`` heaviest words that are not excluded; of equal ones, those that come first."""
        words = {word: weight for word, weight in weights.items() if weight > 0}
        for word in excluded:
            words.pop(word, None)
        best = sorted(words, key=lambda word: -words[word])[:count]
        total = sum(words[word] for word in best)
        return cls(tuple(best), np.array([words[word] / total for word in best], np.float64))

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Yield each word with its probability."""
        return zip(self.words, self.probabilities.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Substitutes):
            return NotImplemented
        return self.words == other.words and np.array_equal(self.probabilities, other.probabilities)

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, float]:
        """Return word → probability, the most likely first."""
        return dict(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the words with their probabilities as a data frame of pandas."""
        return build_frame({"word": list(self.words), "probability": self.probabilities.tolist()})

    def __repr__(self) -> str:
        first = ", ".join(f"{word} {p:.3f}" for word, p in zip(self.words[:3], self.probabilities, strict=False))
        return f"<Substitutes {first}{', …' if len(self) > 3 else ''}>"

    def _repr_html_(self) -> str:
        from polyseme.display.texts import render_substitutes

        return render_substitutes(self)


class Substituter(Protocol):
    """Finds words that could replace a target."""

    kind: ClassVar[str]

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """Find the most likely words for each usage, at most ``count``."""
        ...


def build_substituter(specification: str) -> Substituter:
    """Build a substituter.

    Args:
        specification: The folder of a model; a short name and a model, as ``maskedlm:NAME``; a part; or ``small``, our
            own language model with a pattern that asks for words beside the target.

    Raises:
        InputError: The specification is none of these.

    >>> build_substituter("NGramSubstitutes(own=False)")
    NGramSubstitutes(model='', own=False, letters=True, lemmas=False)
    >>> build_substituter("maskedlm:bert-base-cased").model
    'bert-base-cased'
    """
    text = specification.strip()
    short, colon, model = text.partition(":")
    substituters = {name.lower(): name for name, part in parts_by_name().items() if part.kind == "substituter"}
    if text.lower() == "small":
        text = SMALL_SUBSTITUTER
    elif name := _find_part(specification):
        text = f"{name}({specification!r})"
    elif colon and short.lower() in substituters:
        text = f"{substituters[short.lower()]}({model!r})"
    elif not short.partition("(")[0].strip().isidentifier():
        raise InputError(
            f"{specification!r} is neither the folder of a model nor a substituter; write a folder that"
            " 'polyseme substitutes --train' made, NGramSubstitutes(model='FOLDER'), small, maskedlm:NAME or"
            " causallm:NAME"
        )
    substituter: Substituter = build(text, kind="substituter")
    return substituter


def _find_part(path: str) -> str:
    """Return the name of the part that queries the model in a folder; empty if it is no model."""
    if Path(path, NGRAM_MANIFEST).is_file():
        return "NGramSubstitutes"
    config = Path(path, "config.json")
    if not config.is_file():
        return ""
    try:
        architectures = [str(name) for name in json.loads(config.read_text("utf-8")).get("architectures") or []]
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"cannot be read: {error}", path=config) from None
    for end, part in ARCHITECTURES.items():
        if any(name.endswith(end) for name in architectures):
            return part
    problem = f"this is a model of {architectures}; substitutes need a masked or a causal language model"
    raise InputError(problem, path=path)


def target_pos(usage: Usage) -> str:
    """Return the part of speech of a usage's target: n, v, a, r or nothing."""
    return pos_of_lemma(normalise_lemma(usage.lemma, usage.pos))


def target_forms(usage: Usage) -> frozenset[str]:
    """Return the forms that a usage's target has, or could have in another inflection.

    >>> sorted(target_forms(Usage("1", "win.v", "They won it", 5, 8)))
    ['win', 'winning', 'wins', 'won']
    """
    lemma, pos = split_lemma(normalise_lemma(usage.lemma, usage.pos))
    inflected = frozenset(form for letter in (pos or POS_LETTERS) for form in possible_forms(lemma, letter))
    return inflected | {lemma.lower(), usage.target.lower()}


def check_substitute_count(count: int) -> None:
    """Check that at least one substitute is requested."""
    if count < 1:
        raise InputError(f"count is {count}; it must be 1 or more")
