"""Models that onnxruntime computes, on a CPU: small, quick to start, and without PyTorch.

A model is a folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``. The graph takes ``tokens`` and
``there`` (1, or 0 behind the end of a row), rows × places, and ``places``, one of each row; it gives ``scores``, the
logits at these places, rows × vocabulary, and ``vectors``, those of the last layer, rows × places × dimensions. What is
not asked for is not computed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.errors import InputError, MissingExtra
from polyseme.lm.language_model import ONNX_FILE, Float32s, SpecialTokens, TokenisedText, pad_rows
from polyseme.lm.word_tokens import WordTokens, find_word_tokens

CLS_TOKEN, SEP_TOKEN, MASK_TOKEN, PAD_TOKEN = "[CLS]", "[SEP]", "[MASK]", "[PAD]"
"""The tokens that are no text, as in BERT (Devlin et al. 2019)."""

GRAPH_INPUTS = {"tokens", "there", "places"}
"""What the graph takes."""


class OnnxModel:
    """A model with its tokenizer; see :class:`~polyseme.lm.language_model.LanguageModel`."""

    def __init__(self, tokenizer: Any, session: Any, longest: int, width: int) -> None:
        self.tokenizer, self.session, self.longest, self.width = tokenizer, session, longest, width
        tokenizer.no_padding()
        tokenizer.no_truncation()

    @classmethod
    def load(cls, place: str) -> OnnxModel:
        """The model in a folder."""
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingExtra("small", error.name or "onnxruntime") from None
        folder = Path(place)
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            longest, width = (int(config[name]) for name in ("max_position_embeddings", "hidden_size"))
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other programs want to run, too
            session = onnxruntime.InferenceSession(str(folder / ONNX_FILE), options, providers=["CPUExecutionProvider"])
            _check_graph(session, tokenizer)
        except Exception as error:  # noqa: BLE001 - both libraries raise bare exceptions for damaged files
            raise InputError(f"this language model cannot be loaded: {str(error).strip()}", path=folder) from None
        return cls(tokenizer, session, longest, width)

    @cached_property
    def words(self) -> WordTokens:
        """The words that are one token."""
        numbers = self.tokenizer.get_vocab()
        names = sorted(numbers, key=numbers.__getitem__)
        special = {at for at, name in enumerate(names) if name.startswith("[") and name.endswith("]") and len(name) > 2}
        return find_word_tokens(names, special, lambda token: str(self.tokenizer.decoder.decode([token])))

    @cached_property
    def marks(self) -> SpecialTokens:
        """What stands around a text."""
        first, last, mask = (self.tokenizer.token_to_id(name) for name in (CLS_TOKEN, SEP_TOKEN, MASK_TOKEN))
        return SpecialTokens((first,), (last,), mask)

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text, and none besides."""
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def read(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Texts as the model reads them, cut off where they are too long for it."""
        return [self._cut(each) for each in self.tokenizer.encode_batch(list(texts))]

    def _cut(self, read: Any) -> TokenisedText:
        """With the mark at the end in place of what is too much."""
        whole = range(len(read.ids))
        kept = whole if len(whole) <= self.longest else [*whole[: self.longest - 1], whole[-1]]
        offsets, special = np.array(read.offsets), np.array(read.special_tokens_mask, np.bool_)
        return TokenisedText([read.ids[at] for at in kept], offsets[kept], special[kept])

    def scores(self, rows: Sequence[Sequence[int]], places: Sequence[int]) -> Float32s:
        """Of each row of tokens, the logits of all tokens at one place."""
        return self._computed("scores", rows, places)

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Float32s:
        """The vectors of all tokens in the last layer."""
        if layer != -1:
            raise InputError(f"layer {layer} is asked for; a model of onnxruntime has the last one alone, -1")
        return self._computed("vectors", rows, [0] * len(rows))

    def _computed(self, name: str, rows: Sequence[Sequence[int]], places: Sequence[int]) -> Float32s:
        tokens, there = pad_rows(rows, self.tokenizer.token_to_id(PAD_TOKEN))
        given = {"tokens": tokens, "there": there, "places": np.array(places, np.int64)}
        found: Float32s = self.session.run([name], given)[0]
        return found


def _check_graph(session: Any, tokenizer: Any) -> None:
    """An error if a graph or a tokenizer is none of the kind that is described above."""
    found = {each.name for each in session.get_inputs()}
    if found != GRAPH_INPUTS:
        raise ValueError(f"{ONNX_FILE} takes {', '.join(sorted(found))}, and not {', '.join(sorted(GRAPH_INPUTS))}")
    missing = [name for name in (CLS_TOKEN, SEP_TOKEN, MASK_TOKEN, PAD_TOKEN) if tokenizer.token_to_id(name) is None]
    if missing:
        raise ValueError(f"tokenizer.json has no {', '.join(missing)}")
