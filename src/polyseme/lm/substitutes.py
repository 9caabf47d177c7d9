"""One interface to all sources of substitutes: words that could stand where a usage's target stands.

A *substituter* is a part: :class:`~polyseme.lm.ngram_substitutes.NGramSubstitutes`,
:class:`~polyseme.lm.masked.MaskedLM` and :class:`~polyseme.lm.causal.CausalLM`, or any
class with the method of :class:`Substituter`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.lemma import POS_LETTERS, normalise_lemma, pos_of_lemma, split_lemma
from polyseme.lm.ngrams.storage import NGRAM_MANIFEST
from polyseme.morphology import possible_forms
from polyseme.parts import build, parts_by_name
from polyseme.usage import Usage

Floats = NDArray[np.float64]

ARCHITECTURES = {"ForMaskedLM": "MaskedLM", "LMHeadModel": "CausalLM", "ForCausalLM": "CausalLM"}
"""How the names of Hugging Face's models end, and which of our parts asks them."""

SMALL_SUBSTITUTER = "MaskedLM('package:polyseme-small', own=False, lemmas=True, pattern='T (or even _)')"
"""What is meant by ``small``."""


@dataclass(frozen=True, eq=False)
class Substitutes:
    """Words in small letters with their probabilities, most likely first, which sum to 1 over these words.

    >>> parts_by_name = Substitutes.of({"bank": 6.0, "shop": 2.0, "loan": 4.0}, count=2)
    >>> parts_by_name.words, parts_by_name.probabilities.tolist()
    (('bank', 'loan'), [0.6, 0.4])
    """

    words: tuple[str, ...]
    probabilities: Floats

    @classmethod
    def of(cls, weights: dict[str, float], count: int, but: Iterable[str] = ()) -> Substitutes:
        """The ``count`` words that weigh most, but for some; of equal ones, those that come first."""
        unwanted = set(but)
        left = [(word, weight) for word, weight in weights.items() if word not in unwanted and weight > 0]
        best = sorted(left, key=lambda pair: -pair[1])[:count]
        total = sum(weight for _, weight in best)
        return cls(tuple(word for word, _ in best), np.array([weight / total for _, weight in best], np.float64))

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        some = ", ".join(f"{word} {share:.3f}" for word, share in zip(self.words[:3], self.probabilities, strict=False))
        return f"<Substitutes {some}{', …' if len(self) > 3 else ''}>"


class Substituter(Protocol):
    """What gives the words that could stand in the place of a target."""

    kind: ClassVar[str]

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage, as many as there are up to ``count``."""
        ...


def build_substituter(specification: str) -> Substituter:
    """The substituter of a model's folder, of a short name with a model, ``maskedlm:NAME``, or of a specification.

    ``small`` is our own language model, asked for words that could be named beside the target.

    >>> build_substituter("NGramSubstitutes(own=False)")
    NGramSubstitutes(model='', own=False, letters=True, lemmas=False)
    >>> build_substituter("maskedlm:bert-base-cased").model
    'bert-base-cased'
    """
    if specification.strip().lower() == "small":
        return cast(Substituter, build(SMALL_SUBSTITUTER, kind="substituter"))
    folder = _build_from_folder(specification)
    if folder is not None:
        return folder
    short = {name.lower(): part for name, part in parts_by_name().items() if part.kind == "substituter"}
    name, colon, model = specification.strip().partition(":")
    if colon and name.lower() in short:
        return cast(Substituter, short[name.lower()](model))
    if not name.partition("(")[0].strip().isidentifier():
        raise InputError(
            f"{specification!r} is neither the folder of a model nor a substituter; write a folder that"
            " 'polyseme substitutes --train' made, NGramSubstitutes(model='FOLDER'), small, maskedlm:NAME or"
            " causallm:NAME"
        )
    return cast(Substituter, build(specification, kind="substituter"))


def _build_from_folder(path: str) -> Substituter | None:
    """The part that asks the model in a folder, if it is one."""
    if Path(path, NGRAM_MANIFEST).is_file():
        return cast(Substituter, parts_by_name()["NGramSubstitutes"](path))
    config = Path(path, "config.json")
    if not config.is_file():
        return None
    try:
        named: Any = json.loads(config.read_text("utf-8")).get("architectures") or []
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"cannot be read: {error}", path=config) from None
    parts = [part for end, part in ARCHITECTURES.items() if any(str(each).endswith(end) for each in named)]
    if not parts:
        raise InputError(f"this is a model of {named}; substitutes need a masked or a causal language model", path=path)
    return cast(Substituter, parts_by_name()[parts[0]](path))


def target_pos(usage: Usage) -> str:
    """The part of speech of a usage's target: n, v, a, r or nothing."""
    return pos_of_lemma(normalise_lemma(usage.lemma, usage.pos))


def target_forms(usage: Usage) -> frozenset[str]:
    """What a usage's target is, or could be in another inflection: no substitute, for some purposes.

    >>> sorted(target_forms(Usage("1", "win.v", "They won it", 5, 8)))
    ['win', 'winning', 'wins', 'won']
    """
    lemma, pos = split_lemma(normalise_lemma(usage.lemma, usage.pos))
    inflected = frozenset(form for part in (pos or POS_LETTERS) for form in possible_forms(lemma, part))
    return inflected | {lemma.lower(), usage.target.lower()}


def check_substituter_options(part: Any, **least: int) -> None:
    """An error if an option of a substituter is of the wrong type, or less than it may be."""
    from polyseme.parts import check_options, check_ranges

    check_options(part)
    check_ranges(part, **{option: (least[option], float("inf")) for option in least})


def check_substitute_count(count: int) -> int:
    """How many substitutes are asked for; an error if that is none."""
    if count < 1:
        raise InputError(f"{count} substitutes are asked for; ask for 1 or more")
    return count
