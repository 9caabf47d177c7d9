"""Substitutes from a causal language model, which reads from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.lm.hugging_face import HuggingFaceModel, load_causal_model
from polyseme.lm.language_model import tokenise_context
from polyseme.lm.substitutes import Substitutes, check_substitute_count, check_substituter_options, target_forms
from polyseme.lm.word_tokens import allowed_tokens, sum_word_weights
from polyseme.parts import FolderName
from polyseme.usage import Usage


@dataclass(frozen=True)
class CausalLM:
    r"""The words with which a causal language model finds the whole text most likely (Radford et al. 2019).

    It is asked twice. The words of its vocabulary, that is, those that are one token, are ranked by their probability
    after what stands left of the target; the best ``candidates`` (at least as many as are asked for) are then put in
    its place, and ranked by that of the word and of what follows it, :math:`p(w|a)\,p(b|a w)`. A word that only the
    right side makes likely can so be missed. ``context`` is how many tokens on the left count, ``reach`` how many on
    the right, ``batch`` how many candidates are tried at a time; the other options are those of
    :class:`~polyseme.lm.masked.MaskedLM`.
    """

    kind: ClassVar[str] = "substituter"
    model: FolderName = "gpt2"
    own: bool = True
    letters: bool = True
    candidates: int = 200
    context: int = 64
    reach: int = 16
    batch: int = 16
    device: str = ""

    def __post_init__(self) -> None:
        check_substituter_options(self, candidates=1, context=1, reach=0, batch=1)

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """The most likely words for each usage."""
        given = load_causal_model(self.model, self.device)
        check_substitute_count(count)
        allowed = np.flatnonzero(allowed_tokens(given.words, self.letters))
        return [self._one(given, usage, count, allowed) for usage in usages]

    def _one(self, given: HuggingFaceModel, usage: Usage, count: int, allowed: NDArray[Any]) -> Substitutes:
        but = () if self.own else target_forms(usage)
        left, right = tokenise_context(given, usage)
        left, right = self._start(given, left), right[: self.reach]
        first = _log_probabilities(given, [left], 1)[0, 0].double().cpu().numpy()[allowed]
        best = np.argsort(-first, kind="stable")[: max(self.candidates, count + len(but))]
        tokens, scores = allowed[best], first[best]
        if right:
            scores = scores + self._after(given, left, tokens.tolist(), right)
        weights = np.exp(scores - scores.max(initial=-np.inf))
        return Substitutes.of(sum_word_weights(given.words, tokens, weights, count + len(but)), count, but)

    def _start(self, given: HuggingFaceModel, left: list[int]) -> list[int]:
        """What the model reads before the target: it must be something."""
        begin = given.tokenizer.bos_token_id
        begin = given.tokenizer.eos_token_id if begin is None else begin
        room = max(min(self.context, given.longest - self.reach - 2), 1)
        if begin is None and not left:
            raise InputError(f"{self.model!r} needs a word before the target: it has no mark for the start of a text")
        return [*([] if begin is None else [begin]), *left[-room:]]

    def _after(self, given: HuggingFaceModel, left: list[int], tokens: list[int], right: list[int]) -> NDArray[Any]:
        """The log probability of what stands right of the target after each of some tokens."""
        found = []
        for start in range(0, len(tokens), self.batch):
            rows = [[*left, token, *right] for token in tokens[start : start + self.batch]]
            logs = _log_probabilities(given, rows, len(right) + 1)[:, :-1]
            found.append(logs[:, range(len(right)), right].double().sum(dim=1).cpu().numpy())
        return np.concatenate(found)


def _log_probabilities(given: HuggingFaceModel, rows: list[list[int]], last: int) -> Any:
    """The log probabilities of all tokens after each of the last tokens of texts of the same length."""
    import torch

    with torch.inference_mode():
        logits = given.model(input_ids=torch.tensor(rows, device=given.device)).logits
        return torch.log_softmax(logits[:, -last:, : len(given.words.word_numbers)], dim=-1)
