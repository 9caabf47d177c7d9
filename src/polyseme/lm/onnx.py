"""Language models that onnxruntime computes on a CPU: small, quick to start, and without PyTorch.

A model is a folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``. The graph takes ``tokens`` and
``there`` (1, or 0 behind the end of a row), rows × positions, and ``places``, one position of each row. It returns
``scores``, the logits at these positions, rows × vocabulary, and ``vectors``, those of the last layer, rows × positions
× dimensions. Only the requested output is computed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from polyseme.errors import InputError
from polyseme.lm.language_model import ONNX_FILE, Float32s, SpecialTokens, TokenisedText, pad_rows
from polyseme.lm.word_tokens import WordTokens, find_word_tokens

CLS_TOKEN, SEP_TOKEN, MASK_TOKEN, PAD_TOKEN = SPECIAL_NAMES = ("[CLS]", "[SEP]", "[MASK]", "[PAD]")
"""The special tokens of BERT (Devlin et al. 2019)."""

GRAPH_INPUTS = {"tokens", "there", "places"}
"""The inputs of the graph."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character of UTF-16, which is no text by itself."""


class OnnxModel:
    """A model with its tokenizer; see :class:`~polyseme.lm.language_model.LanguageModel`."""

    def __init__(self, tokenizer: Any, session: Any, max_tokens: int, width: int) -> None:
        self.tokenizer, self.session, self.max_tokens, self.width = tokenizer, session, max_tokens, width
        tokenizer.no_padding()
        tokenizer.no_truncation()

    @classmethod
    def load(cls, name: str) -> OnnxModel:
        """Load the model of a folder.

        Raises:
            InputError: The model cannot be loaded.
        """
        import onnxruntime
        import tokenizers

        folder = Path(name)
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            max_tokens, width = int(config["max_position_embeddings"]), int(config["hidden_size"])
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # leave processors to others
            session = onnxruntime.InferenceSession(str(folder / ONNX_FILE), options, providers=["CPUExecutionProvider"])
            _check_graph(session, tokenizer)
        except Exception as error:  # noqa: BLE001 - both libraries raise bare exceptions for damaged files
            raise InputError(f"this language model cannot be loaded: {str(error).strip()}", path=folder) from None
        return cls(tokenizer, session, max_tokens, width)

    @cached_property
    def words(self) -> WordTokens:
        """The words that are one token."""
        numbers = self.tokenizer.get_vocab()
        names = sorted(numbers, key=numbers.__getitem__)
        special = {at for at, name in enumerate(names) if name.startswith("[") and name.endswith("]") and len(name) > 2}
        return find_word_tokens(names, special, lambda token: str(self.tokenizer.decoder.decode([token])))

    @cached_property
    def special_tokens(self) -> SpecialTokens:
        """The tokens that mark the ends of a text and a hidden word."""
        first, last, mask = map(self.tokenizer.token_to_id, (CLS_TOKEN, SEP_TOKEN, MASK_TOKEN))
        return SpecialTokens((first,), (last,), mask)

    def tokenise(self, text: str, *, continued: bool = False) -> list[int]:
        """Tokenise a text without special tokens."""
        return list(self.tokenizer.encode(_replace_surrogates(text), add_special_tokens=False).ids)

    def tokenise_texts(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Tokenise texts with special tokens; texts that are too long are cut before the last token."""
        tokenised = []
        for text in self.tokenizer.encode_batch(list(map(_replace_surrogates, texts))):
            size = len(text.ids)
            rows = [*range(min(size, self.max_tokens) - 1), size - 1]
            offsets, special = np.array(text.offsets), np.array(text.special_tokens_mask, np.bool_)
            tokenised.append(TokenisedText([text.ids[row] for row in rows], offsets[rows], special[rows]))
        return tokenised

    def scores(self, rows: Sequence[Sequence[int]], positions: Sequence[int]) -> Float32s:
        """Compute the logits of all tokens at one position of each row."""
        return self._compute("scores", rows, positions)

    def vectors(self, rows: Sequence[Sequence[int]], layer: int = -1) -> Float32s:
        """Compute the vectors of all tokens in the last layer."""
        if layer != -1:
            raise InputError(f"layer {layer} of a model of onnxruntime; it has the last one only, -1")
        return self._compute("vectors", rows, [0] * len(rows))

    def _compute(self, output: str, rows: Sequence[Sequence[int]], positions: Sequence[int]) -> Float32s:
        tokens, is_token = pad_rows(rows, self.tokenizer.token_to_id(PAD_TOKEN))
        inputs = {"tokens": tokens, "there": is_token, "places": np.array(positions, np.int64)}
        return np.asarray(self.session.run([output], inputs)[0])


def _replace_surrogates(text: str) -> str:
    r"""Replace halves of characters, which the tokenizer refuses.

    >>> _replace_surrogates("a bank \ud800")
    'a bank \ufffd'
    """
    return text if text.isascii() else SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _check_graph(session: Any, tokenizer: Any) -> None:
    """Check that a graph and a tokenizer are of the kind described above."""
    inputs = {node.name for node in session.get_inputs()}
    if inputs != GRAPH_INPUTS:
        raise ValueError(f"{ONNX_FILE} takes {', '.join(sorted(inputs))}, and not {', '.join(sorted(GRAPH_INPUTS))}")
    missing = [name for name in SPECIAL_NAMES if tokenizer.token_to_id(name) is None]
    if missing:
        raise ValueError(f"tokenizer.json has no {', '.join(missing)}")
