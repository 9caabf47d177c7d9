"""Substitutes from a masked language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import ClassVar

import numpy as np

from polyseme.errors import InputError
from polyseme.lm.language_model import (
    LanguageModel,
    load_masked_model,
    tokenise_context,
    tokenise_target,
    trim_to_window,
)
from polyseme.lm.patterns import apply_pattern, check_pattern
from polyseme.lm.substitutes import Substitutes, check_substitute_count, target_forms, target_pos
from polyseme.lm.word_tokens import allowed_tokens, lemmatise_tokens, sum_word_weights
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.usage import Usage


@dataclass(frozen=True)
class MaskedLM:
    """The words that a masked language model expects in place of the target (Devlin et al. 2019).

    The substitutes are the words of the model's vocabulary that are one token, by their probability at the masked
    target. *Bank* and *bank* are one word, with the probabilities of both. (Amrami & Goldberg 2018)

    Args:
        model: A name at Hugging Face, a folder, or ``package:`` and the name of a Python package that has a model.
        own: Whether the target's own forms can be substitutes.
        letters: Whether substitutes must have a letter.
        lemmas: Whether forms of one word of the target's part of speech count together.
        pattern: The text in place of the target. ``_`` is the mask and ``T`` the target itself: ``'T and _'`` asks for
            words like it. ``'T'`` asks at the target without a mask.
        context: The greatest number of tokens that the model reads.
        batch: How many usages the model reads at a time.
        device: Where it is computed, such as ``'cuda:1'``; by default on a GPU, if there is one.
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
        check_options(self)
        check_ranges(self, context=(8, inf), batch=(1, inf))
        check_pattern(self.pattern)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """Find the most likely words for each usage."""
        model = load_masked_model(self.model, self.device)
        if model.special_tokens.mask is None:
            raise InputError(f"{self.model!r} has no mask token, so it is not a masked language model; try CausalLM")
        check_substitute_count(count)
        allowed = np.flatnonzero(allowed_tokens(model.words, self.letters))
        inputs = [self._tokenise(model, usage) for usage in usages]
        order = sorted(range(len(usages)), key=lambda number: len(inputs[number][0]))
        substitutes: dict[int, Substitutes] = {}
        # Of equal size: the logits of a row alone differ in the last digits from those of the row among others.
        for batch in np.array_split(order, max(ceil(len(order) / self.batch), 1)) if order else ():
            numbers = batch.tolist()
            rows, positions = zip(*(inputs[number] for number in numbers), strict=True)
            for number, logits in zip(numbers, model.scores(rows, positions)[:, allowed], strict=True):
                excluded = () if self.own else target_forms(usages[number])
                words = lemmatise_tokens(model.words, target_pos(usages[number])) if self.lemmas else model.words
                weights = np.exp(logits - logits.max(), dtype=np.float64)
                heaviest = sum_word_weights(words, allowed, weights, count + len(excluded))
                substitutes[number] = Substitutes.from_weights(heaviest, count, excluded)
        return [substitutes[number] for number in range(len(usages))]

    def _tokenise(self, model: LanguageModel, usage: Usage) -> tuple[list[int], int]:
        """Return the tokens that the model reads, and the position of the word to predict."""
        first, last, mask = model.special_tokens
        query = apply_pattern(self.pattern, usage)
        middle = [mask or 0] if query.masked else tokenise_target(model, query.usage)
        left, right = tokenise_context(model, query.usage)
        size = min(self.context, model.max_tokens) - len(first) - len(last)
        left, middle, right = trim_to_window(left, middle, right, size)
        return [*first, *left, *middle, *right, *last], len(first) + len(left)
