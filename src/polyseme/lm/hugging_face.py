"""Language models of Hugging Face, computed by PyTorch."""

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
    def load(cls, name: str, folder: str, kind: str, device: str) -> HuggingFaceModel:
        """Load a model.

        Args:
            name: The name of the model, for messages.
            folder: Its name at Hugging Face, or its folder.
            kind: The class of transformers that loads it.
            device: The device of PyTorch; by default a GPU, if there is one.

        Raises:
            InputError: The model cannot be loaded.
            MissingExtra: PyTorch or transformers are not installed.
        """
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtra("lm", error.name or "transformers") from None
        transformers.utils.logging.disable_progress_bar()  # weights load in a second
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
            model = getattr(transformers, kind).from_pretrained(folder, dtype=torch.float32).to(device).eval()
        except (OSError, ValueError, RuntimeError) as error:
            reason = str(error).strip().split("\n")[0]
            advice = f"name a model of Hugging Face, a folder, or {PACKAGE_PREFIX}NAME, a Python package that has one"
            raise InputError(f"the language model {name!r} cannot be loaded: {reason}; {advice}") from None
        return cls(tokenizer, model, device)

    @cached_property
    def words(self) -> WordTokens:
        """The words that are one token."""
        names: Sequence[str] = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        special = set(self.tokenizer.all_special_ids)
        return find_word_tokens(names, special, lambda token: self.tokenizer.convert_tokens_to_string([token]))

    @cached_property
    def special_tokens(self) -> SpecialTokens:
        """The tokens that mark the ends of a text and a hidden word."""
        ends = (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id)
        first, last = (() if token is None else (token,) for token in ends)
        return SpecialTokens(first, last, self.tokenizer.mask_token_id)

    @property
    def max_tokens(self) -> int:
        """The greatest number of tokens that the model reads."""
        sizes = (self.tokenizer.model_max_length, getattr(self.model.config, "max_position_embeddings", None))
        return min([size for size in sizes if size and size < 1 << 20], default=DEFAULT_MAX_TOKENS)

    @property
    def width(self) -> int:
        """The dimensions of its vectors."""
        return int(self.model.config.hidden_size)

    def tokenise(self, text: str) -> list[int]:
        """Tokenise a text without special tokens."""
        return list(self.tokenizer(text, add_special_tokens=False, verbose=False).input_ids)

    def tokenise_texts(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Tokenise texts with special tokens; texts that are too long are cut."""
        batch = self.tokenizer(
            list(texts),
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            truncation=True,
            max_length=self.max_tokens,
        )
        columns = zip(batch.input_ids, batch.offset_mapping, batch.special_tokens_mask, strict=True)
        return [TokenisedText(tokens, np.array(spans), np.array(mask, np.bool_)) for tokens, spans, mask in columns]

    def scores(self, rows: Sequence[Sequence[int]], positions: Sequence[int]) -> Float32s:
        """Compute the logits of all tokens at one position of each row."""
        logits = self._compute(rows).logits[range(len(rows)), list(positions), : len(self.words.word_numbers)]
        return np.asarray(logits.float().cpu().numpy())

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Float32s:
        """Compute the vectors of all tokens in a layer."""
        states = self._compute(rows, output_hidden_states=True).hidden_states
        return np.asarray(states[layer].float().cpu().numpy())

    def _compute(self, rows: Sequence[Sequence[int]], **options: bool) -> Any:
        import torch

        arrays = pad_rows(rows, self.tokenizer.pad_token_id or 0)
        tokens, mask = (torch.from_numpy(array).to(self.device) for array in arrays)
        with torch.inference_mode():
            return self.model(input_ids=tokens, attention_mask=mask, **options)


def load_causal_model(name: str, device: str = "") -> HuggingFaceModel:
    """Load a causal language model by its name, folder or package. It is read again only if its folder changes."""
    return _load_causal_model(name, device, last_modified(name))


@lru_cache(maxsize=2)
def _load_causal_model(name: str, device: str, _: int) -> HuggingFaceModel:
    return HuggingFaceModel.load(name, locate_model(name), "AutoModelForCausalLM", device)
