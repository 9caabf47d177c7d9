"""Substitutes from a masked language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.induce.substitutes._hugging_face import Loaded, lemmatised, loaded, permitted, sides, summed, tokens_of
from polyseme.induce.substitutes.patterns import check_pattern, pose
from polyseme.induce.substitutes.substituter import Substitutes, asked, check, own_forms, part_of_speech
from polyseme.parts import Place
from polyseme.usage import Usage


@dataclass(frozen=True)
class MaskedLM:
    """What a masked language model expects in place of the target (Devlin et al. 2019; Amrami & Goldberg 2018).

    The target is masked; the substitutes are the words of the model's vocabulary, that is, those that are one token, by
    their probability there. *Bank* and *bank* are one word, with the probabilities of both. ``pattern`` is what stands
    in place of the target: ``_`` is the mask and ``T`` the target itself, so that ``'T and _'`` asks for words like it;
    ``'T'`` asks at the target, which is not masked then. ``model`` is a name at Hugging Face or a folder, ``context``
    how many tokens the model sees at most, ``batch`` how many usages it is given at a time, ``device`` where it is
    computed, such as ``'cuda:1'``: on a GPU if there is one, unless said. ``own`` says whether the target's own forms
    can be substitutes, ``letters`` whether these must have a letter, ``lemmas`` whether forms of one word of the
    target's part of speech count together.
    """

    kind: ClassVar[str] = "substituter"
    model: Place = "bert-base-uncased"
    own: bool = True
    letters: bool = True
    lemmas: bool = False
    pattern: str = "_"
    context: int = 128
    batch: int = 32
    device: str = ""

    def __post_init__(self) -> None:
        check(self, context=8, batch=1)
        check_pattern(self.pattern)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage."""
        given = loaded(self.model, "AutoModelForMaskedLM", self.device)
        if given.tokenizer.mask_token_id is None:
            raise InputError(f"{self.model!r} has no mask, so it is no masked language model; try CausalLM")
        asked(count)
        allowed = np.flatnonzero(permitted(given.words, self.letters))
        inputs = [self._input(given, usage) for usage in usages]
        order = sorted(range(len(usages)), key=lambda number: len(inputs[number][0]))
        found: dict[int, Substitutes] = {}
        for start in range(0, len(order), self.batch):
            numbers = order[start : start + self.batch]
            rows = _probabilities(given, [inputs[number] for number in numbers])
            for number, row in zip(numbers, rows, strict=True):
                but = () if self.own else own_forms(usages[number])
                words = lemmatised(given.words, part_of_speech(usages[number])) if self.lemmas else given.words
                weights = summed(words, allowed, row[allowed], count + len(but))
                found[number] = Substitutes.of(weights, count, but)
        return [found[number] for number in range(len(usages))]

    def _input(self, given: Loaded, usage: Usage) -> tuple[list[int], int]:
        """The tokens that the model sees, and the place among them at which it is asked."""
        tokenizer = given.tokenizer
        marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
        first, last = ([] if mark is None else [mark] for mark in marks)
        posed = pose(self.pattern, usage)
        middle = [tokenizer.mask_token_id] if posed.masked else tokens_of(tokenizer, posed.usage.target)
        left, right = sides(tokenizer, posed.usage)
        room = min(self.context, given.longest) - len(middle) - len(first) - len(last)
        left = left[max(len(left) - max(room - room // 2, room - len(right)), 0) :]
        right = right[: room - len(left)]
        return [*first, *left, *middle, *right, *last], len(first) + len(left)


def _probabilities(given: Loaded, inputs: Sequence[tuple[list[int], int]]) -> Iterator[NDArray[Any]]:
    """What the model expects at the mask of each input: a probability for each token."""
    import torch

    width = max(len(tokens) for tokens, _ in inputs)
    pad = given.tokenizer.pad_token_id or 0
    ids = torch.tensor([tokens + [pad] * (width - len(tokens)) for tokens, _ in inputs], device=given.device)
    mask = torch.tensor([[1] * len(tokens) + [0] * (width - len(tokens)) for tokens, _ in inputs], device=given.device)
    with torch.inference_mode():
        logits = given.model(input_ids=ids, attention_mask=mask).logits
        places = torch.tensor([place for _, place in inputs], device=given.device)
        at_mask = logits[torch.arange(len(inputs), device=given.device), places, : len(given.words.of_token)]
        found = torch.softmax(at_mask.double(), dim=-1)
    yield from found.cpu().numpy()
