"""Models of Hugging Face, computed by PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from polyseme.errors import InputError, MissingExtra
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.language_model import (
    DEFAULT_MAX_TOKENS,
    PACKAGE_PREFIX,
    Float32s,
    SpecialTokens,
    TokenisedText,
    locate_model,
    pad_rows,
)
from polyseme.lm.word_tokens import WordTokens, find_word_tokens


class HuggingFaceModel:
    """A model with its tokenizer, on a device; see :class:`~polyseme.lm.language_model.LanguageModel`."""

    def __init__(self, tokenizer: Any, model: Any, device: str) -> None:
        self.tokenizer, self.model, self.device = tokenizer, model, device

    @classmethod
    def load(cls, name: str, place: str, kind: str, device: str) -> HuggingFaceModel:
        """A model by its name or folder; ``kind`` is the class of transformers that loads it."""
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtra("lm", error.name or "transformers") from None
        transformers.utils.logging.disable_progress_bar()  # of weights, which are there in a second
        where = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(place)
            model = getattr(transformers, kind).from_pretrained(place, dtype=torch.float32).to(where).eval()
        except (OSError, ValueError, RuntimeError) as error:
            reason = str(error).strip().split("\n")[0]
            advice = f"name a model of Hugging Face, a folder that has one, or {PACKAGE_PREFIX}NAME, a Python package that has one"
            raise InputError(f"the language model {name!r} cannot be loaded: {reason}; {advice}") from None
        return cls(tokenizer, model, where)

    @cached_property
    def words(self) -> WordTokens:
        """The words that are one token."""
        names: Sequence[str] = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        special = set(self.tokenizer.all_special_ids)
        return find_word_tokens(names, special, lambda token: self.tokenizer.convert_tokens_to_string([token]))

    @cached_property
    def marks(self) -> SpecialTokens:
        """What stands around a text."""
        around = (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id)
        first, last = (() if mark is None else (mark,) for mark in around)
        return SpecialTokens(first, last, self.tokenizer.mask_token_id)

    @property
    def longest(self) -> int:
        """How many tokens it reads at most."""
        given = (self.tokenizer.model_max_length, getattr(self.model.config, "max_position_embeddings", None))
        return min([size for size in given if size and size < 1 << 20], default=DEFAULT_MAX_TOKENS)

    @property
    def width(self) -> int:
        """How many dimensions its vectors have."""
        return int(self.model.config.hidden_size)

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text, and none besides."""
        found: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False).input_ids
        return found

    def read(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Texts as the model reads them, cut off where they are too long for it."""
        read = self.tokenizer(
            list(texts),
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            truncation=True,
            max_length=self.longest,
        )
        kept = zip(read.input_ids, read.offset_mapping, read.special_tokens_mask, strict=True)
        return [
            TokenisedText(tokens, np.array(offsets), np.array(special, np.bool_)) for tokens, offsets, special in kept
        ]

    def scores(self, rows: Sequence[Sequence[int]], places: Sequence[int]) -> Float32s:
        """Of each row of tokens, the logits of all tokens at one place."""
        import torch

        with torch.inference_mode():
            logits = self.model(**self._inputs(rows)).logits
            at = torch.arange(len(rows), device=self.device), torch.tensor(places, device=self.device)
            found: Float32s = logits[(*at, slice(len(self.words.word_numbers)))].float().cpu().numpy()
        return found

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Float32s:
        """The vectors of all tokens in a layer."""
        import torch

        with torch.inference_mode():
            states = self.model(**self._inputs(rows), output_hidden_states=True).hidden_states
            found: Float32s = states[layer].float().cpu().numpy()
        return found

    def _inputs(self, rows: Sequence[Sequence[int]]) -> dict[str, Any]:
        import torch

        tokens, there = (torch.from_numpy(each) for each in pad_rows(rows, self.tokenizer.pad_token_id or 0))
        return {"input_ids": tokens.to(self.device), "attention_mask": there.to(self.device)}


def load_causal_model(name: str, device: str = "") -> HuggingFaceModel:
    """A causal language model by its name, folder or package. It is read once, unless its folder changes."""
    return _load_causal_model(name, device, last_modified(name))


@lru_cache(maxsize=2)
def _load_causal_model(name: str, device: str, _: int) -> HuggingFaceModel:
    return HuggingFaceModel.load(name, locate_model(name), "AutoModelForCausalLM", device)
