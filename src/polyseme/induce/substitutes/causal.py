"""Substitutes from a causal language model, which reads from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.induce.language.hugging_face import HuggingFace, causal_model
from polyseme.induce.language.model import sides
from polyseme.induce.language.words import permitted, summed
from polyseme.induce.substitutes.substituter import Substitutes, asked, check, own_forms
from polyseme.parts import Place
from polyseme.usage import Usage


@dataclass(frozen=True)
class CausalLM:
    r"""The words with which a causal language model finds the whole text most likely (Radford et al. 2019).

    It is asked twice. The words of its vocabulary, that is, those that are one token, are ranked by their probability
    after what stands left of the target; the best ``candidates`` (at least as many as are asked for) are then put in
    its place, and ranked by that of the word and of what follows it, :math:`p(w|a)\,p(b|a w)`. A word that only the
    right side makes likely can so be missed. ``context`` is how many tokens on the left count, ``reach`` how many on
    the right, ``batch`` how many candidates are tried at a time; the other options are those of
    :class:`~polyseme.induce.substitutes.masked.MaskedLM`.
    """

    kind: ClassVar[str] = "substituter"
    model: Place = "gpt2"
    own: bool = True
    letters: bool = True
    candidates: int = 200
    context: int = 64
    reach: int = 16
    batch: int = 16
    device: str = ""

    def __post_init__(self) -> None:
        check(self, candidates=1, context=1, reach=0, batch=1)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage."""
        given = causal_model(self.model, self.device)
        asked(count)
        allowed = np.flatnonzero(permitted(given.words, self.letters))
        return [self._one(given, usage, count, allowed) for usage in usages]

    def _one(self, given: HuggingFace, usage: Usage, count: int, allowed: NDArray[Any]) -> Substitutes:
        but = () if self.own else own_forms(usage)
        left, right = sides(given, usage)
        left, right = self._start(given, left), right[: self.reach]
        first = _logs(given, [left], 1)[0, 0].double().cpu().numpy()[allowed]
        best = np.argsort(-first, kind="stable")[: max(self.candidates, count + len(but))]
        tokens, scores = allowed[best], first[best]
        if right:
            scores = scores + self._after(given, left, tokens.tolist(), right)
        weights = np.exp(scores - scores.max(initial=-np.inf))
        return Substitutes.of(summed(given.words, tokens, weights, count + len(but)), count, but)

    def _start(self, given: HuggingFace, left: list[int]) -> list[int]:
        """What the model reads before the target: it must be something."""
        begin = given.tokenizer.bos_token_id
        begin = given.tokenizer.eos_token_id if begin is None else begin
        room = max(min(self.context, given.longest - self.reach - 2), 1)
        if begin is None and not left:
            raise InputError(f"{self.model!r} needs a word before the target: it has no mark for the start of a text")
        return [*([] if begin is None else [begin]), *left[-room:]]

    def _after(self, given: HuggingFace, left: list[int], tokens: list[int], right: list[int]) -> NDArray[Any]:
        """The log probability of what stands right of the target after each of some tokens."""
        found = []
        for start in range(0, len(tokens), self.batch):
            rows = [[*left, token, *right] for token in tokens[start : start + self.batch]]
            logs = _logs(given, rows, len(right) + 1)[:, :-1]
            found.append(logs[:, range(len(right)), right].double().sum(dim=1).cpu().numpy())
        return np.concatenate(found)


def _logs(given: HuggingFace, rows: list[list[int]], last: int) -> Any:
    """The log probabilities of all tokens after each of the last tokens of texts of the same length."""
    import torch

    with torch.inference_mode():
        logits = given.model(input_ids=torch.tensor(rows, device=given.device)).logits
        return torch.log_softmax(logits[:, -last:, : len(given.words.of_token)], dim=-1)
