"""Substitutes from a causal language model, which reads from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError
from polyseme.lm.hugging_face import HuggingFaceModel, load_causal_model
from polyseme.lm.language_model import tokenise_context
from polyseme.lm.substitutes import Substitutes, check_substitute_count, target_forms
from polyseme.lm.word_tokens import allowed_tokens, sum_word_weights
from polyseme.parts import FolderName, check_options, check_ranges
from polyseme.usage import Usage


@dataclass(frozen=True)
class CausalLM:
    r"""The words with which a causal language model finds the whole text most likely (Radford et al. 2019).

    The model is queried twice. First the words that are one token are ranked by their probability after the text left
    of the target. Then the best candidates are put in its place, and ranked by the probability of the word and of the
    text that follows, :math:`p(w|a)\,p(b|a w)`. So a word that only the right side makes likely can be missed.

    Args:
        model: A name at Hugging Face, a folder, or ``package:`` and the name of a Python package that has a model.
        own: Whether the target's own forms can be substitutes.
        letters: Whether substitutes must have a letter.
        candidates: The number of candidates; at least as many as there are substitutes.
        context: How many tokens on the left count.
        reach: How many tokens on the right count.
        batch: How many candidates are tried at a time.
        device: Where it is computed, such as ``'cuda:1'``; by default on a GPU, if there is one.
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
        check_options(self)
        check_ranges(self, candidates=(1, inf), context=(1, inf), reach=(0, inf), batch=(1, inf))

    def substitutes(self, usages: Sequence[Usage], count: int = 100) -> list[Substitutes]:
        """Find the most likely words for each usage."""
        model = load_causal_model(self.model, self.device)
        check_substitute_count(count)
        allowed = np.flatnonzero(allowed_tokens(model.words, self.letters))
        return [self._substitute(model, usage, count, allowed) for usage in usages]

    def _substitute(self, model: HuggingFaceModel, usage: Usage, count: int, allowed: NDArray[Any]) -> Substitutes:
        excluded = () if self.own else target_forms(usage)
        left, right = tokenise_context(model, usage)
        left, right = self._begin_text(model, left), right[: self.reach]
        first = _log_probabilities(model, [left], 1)[0, 0].double().cpu().numpy()[allowed]
        best = np.argsort(-first, kind="stable")[: max(self.candidates, count + len(excluded))]
        tokens, scores = allowed[best], first[best]
        if right:
            scores = scores + self._score_end(model, left, tokens.tolist(), right)
        weights = np.exp(scores - scores.max(initial=-np.inf))
        heaviest = sum_word_weights(model.words, tokens, weights, count + len(excluded))
        return Substitutes.from_weights(heaviest, count, excluded)

    def _begin_text(self, model: HuggingFaceModel, left: list[int]) -> list[int]:
        """Return the tokens before the target; the model needs at least one."""
        begin = model.tokenizer.bos_token_id
        begin = model.tokenizer.eos_token_id if begin is None else begin
        if begin is None and not left:
            problem = f"{self.model!r} has no token for the start of a text"
            raise InputError(f"{problem}: the target needs a word before it")
        room = max(min(self.context, model.max_tokens - self.reach - 2), 1)
        return [*([] if begin is None else [begin]), *left[-room:]]

    def _score_end(self, model: HuggingFaceModel, left: list[int], tokens: list[int], right: list[int]) -> NDArray[Any]:
        """Compute the log probability of the text right of the target after each of some tokens."""
        scores = []
        for start in range(0, len(tokens), self.batch):
            rows = [[*left, token, *right] for token in tokens[start : start + self.batch]]
            logs = _log_probabilities(model, rows, len(right) + 1)[:, :-1]
            scores.append(logs[:, range(len(right)), right].double().sum(dim=1).cpu().numpy())
        return np.concatenate(scores)


def _log_probabilities(model: HuggingFaceModel, rows: list[list[int]], last: int) -> Any:
    """Compute the log probabilities of all tokens after each of the last tokens of texts of the same length."""
    import torch

    with torch.inference_mode():
        logits = model.model(input_ids=torch.tensor(rows, device=model.device)).logits
        return torch.log_softmax(logits[:, -last:, : len(model.words.word_numbers)], dim=-1)
