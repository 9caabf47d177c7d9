"""Substitutes from a masked language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from polyseme.errors import InputError
from polyseme.lm.language_model import LanguageModel, load_masked_model, tokenise_context, trim_to_window
from polyseme.lm.patterns import apply_pattern, check_pattern
from polyseme.lm.substitutes import (
    Substitutes,
    check_substitute_count,
    check_substituter_options,
    target_forms,
    target_pos,
)
from polyseme.lm.word_tokens import allowed_tokens, lemmatise_tokens, sum_word_weights
from polyseme.parts import FolderName
from polyseme.usage import Usage


@dataclass(frozen=True)
class MaskedLM:
    """What a masked language model expects in place of the target (Devlin et al. 2019; Amrami & Goldberg 2018).

    The target is masked; the substitutes are the words of the model's vocabulary, that is, those that are one token, by
    their probability there. *Bank* and *bank* are one word, with the probabilities of both. ``pattern`` is what stands
    in place of the target: ``_`` is the mask and ``T`` the target itself, so that ``'T and _'`` asks for words like it;
    ``'T'`` asks at the target, which is not masked then. ``model`` is a name at Hugging Face, a folder, or ``package:``
    and the name of a Python package that has one. ``context`` is how many tokens the model sees at most, ``batch`` how
    many usages it is given at a time, ``device`` where it is computed, such as ``'cuda:1'``: on a GPU if there is one,
    unless said. ``own`` says whether the target's own forms can be substitutes, ``letters`` whether these must have a
    letter, ``lemmas`` whether forms of one word of the target's part of speech count together.
    """

    kind: ClassVar[str] = "substituter"
    model: FolderName = "bert-base-uncased"
    own: bool = True
    letters: bool = True
    lemmas: bool = False
    pattern: str = "_"
    context: int = 128
    batch: int = 32
    device: str = ""

    def __post_init__(self) -> None:
        check_substituter_options(self, context=8, batch=1)
        check_pattern(self.pattern)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage."""
        given = load_masked_model(self.model, self.device)
        if given.marks.mask is None:
            raise InputError(f"{self.model!r} has no mask, so it is no masked language model; try CausalLM")
        check_substitute_count(count)
        allowed = np.flatnonzero(allowed_tokens(given.words, self.letters))
        inputs = [self._input(given, usage) for usage in usages]
        order = sorted(range(len(usages)), key=lambda number: len(inputs[number][0]))
        found: dict[int, Substitutes] = {}
        for start in range(0, len(order), self.batch):
            numbers = order[start : start + self.batch]
            rows, places = zip(*(inputs[number] for number in numbers), strict=True)
            for number, logits in zip(numbers, given.scores(rows, places)[:, allowed], strict=True):
                but = () if self.own else target_forms(usages[number])
                words = lemmatise_tokens(given.words, target_pos(usages[number])) if self.lemmas else given.words
                weights = np.exp(logits - logits.max(), dtype=np.float64)
                found[number] = Substitutes.of(sum_word_weights(words, allowed, weights, count + len(but)), count, but)
        return [found[number] for number in range(len(usages))]

    def _input(self, given: LanguageModel, usage: Usage) -> tuple[list[int], int]:
        """The tokens that the model sees, and the place among them at which it is asked."""
        first, last, mask = given.marks
        posed = apply_pattern(self.pattern, usage)
        middle = [mask or 0] if posed.masked else given.tokens(posed.usage.target)
        left, right = tokenise_context(given, posed.usage)
        most = min(self.context, given.longest) - len(first) - len(last)
        left, middle, right = trim_to_window(left, middle, right, most)
        return [*first, *left, *middle, *right, *last], len(first) + len(left)
