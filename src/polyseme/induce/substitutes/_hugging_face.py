"""Models of Hugging Face: loading them, which of their tokens are words, and the text around a target as tokens."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.errors import InputError, MissingExtra
from polyseme.induce.substitutes.storing import changed
from polyseme.induce.substitutes.substituter import is_word
from polyseme.morphology import lemmas
from polyseme.usage import Usage

CONTINUES = "##"
BEGINS = ("Ġ", "▁")
"""How tokens are marked that continue a word, in some models, and that begin one, in others."""

PACKAGE = "package:"
"""What the name of a model begins with that is in an installed Python package."""

LONGEST = 512
"""How many tokens a model takes, where it does not say."""


class Words(NamedTuple):
    """The words that are one token, in small letters; and which of them each token is, −1 for those that are none."""

    words: tuple[str, ...]
    of_token: NDArray[np.int64]


class Loaded(NamedTuple):
    """A model with its tokenizer."""

    tokenizer: Any
    model: Any
    words: Words
    device: str
    longest: int


def loaded(name: str, kind: str, device: str) -> Loaded:
    """A model by its name, folder or package; ``kind`` is the class of transformers that loads it.

    It is read once, unless its folder changes.
    """
    return _loaded(name, kind, device, changed(name))


@lru_cache(maxsize=2)
def _loaded(name: str, kind: str, device: str, _: int) -> Loaded:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("lm", error.name or "transformers") from None
    transformers.utils.logging.disable_progress_bar()  # of weights, which are there in a second
    place = _place(name)
    where = device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        model = getattr(transformers, kind).from_pretrained(place, dtype=torch.float32).to(where).eval()
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).strip().split("\n")[0]
        advice = f"name a model of Hugging Face, a folder that has one, or {PACKAGE}NAME, a Python package that has one"
        raise InputError(f"the language model {name!r} cannot be loaded: {reason}; {advice}") from None
    given = (tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None))
    longest = min([size for size in given if size and size < 1 << 20], default=LONGEST)
    return Loaded(tokenizer, model, words_of(tokenizer), where, longest)


def _place(name: str) -> str:
    """The folder of a model that came as a Python package; any other name as it is."""
    if not name.startswith(PACKAGE):
        return name
    package = name.removeprefix(PACKAGE).replace("-", "_")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None:
        installed = package.replace("_", "-")
        raise InputError(f"the language model {name!r} is not installed; type: pip install {installed}")
    found = [path.parent for root in spec.submodule_search_locations or () for path in Path(root).rglob("config.json")]
    if not found:
        raise InputError(f"the Python package {package!r} has no language model: no config.json is in it")
    return str(min(found))


def words_of(tokenizer: Any) -> Words:
    """The tokens that are whole words, with a letter or without."""
    tokens: Sequence[str] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    special = set(tokenizer.all_special_ids)
    numbers: dict[str, int] = {}
    of_token = np.full(len(tokens), -1)
    for token, text in enumerate(_texts(tokenizer, tokens)):
        if text and token not in special:
            of_token[token] = numbers.setdefault(text.lower(), len(numbers))
    return Words(tuple(numbers), of_token)


def lemmatised(words: Words, pos: str) -> Words:
    """The same with the lemma of each word in its place, as far as the model knows that too."""
    if not pos:
        return words
    names, lemma_of_word = _lemmas(words.words, pos)
    return Words(names, np.where(words.of_token < 0, -1, lemma_of_word[words.of_token]))


@lru_cache(maxsize=8)
def _lemmas(words: tuple[str, ...], pos: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The lemmas of words, and which of them each word is a form of."""
    known = set(words)
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(_lemma(word, pos, known), len(numbers)) for word in words]
    return tuple(numbers), np.array(found, np.int64)


def _lemma(word: str, pos: str, known: set[str]) -> str:
    """The lemma of a form: the first other word that is known and can be it.

    >>> [_lemma(word, "n", {"shop", "shops", "class", "geese", "goose"}) for word in ("shops", "class", "geese")]
    ['shop', 'class', 'goose']
    """
    if not word.isalpha():
        return word
    return next((lemma for lemma in lemmas(word, pos) if lemma != word and lemma in known), word)


def _texts(tokenizer: Any, tokens: Sequence[str]) -> list[str]:
    """What each token is as a word; nothing for those that are only a part of one."""
    mark = next((mark for mark in BEGINS if any(token.startswith(mark) for token in tokens)), "")
    if not mark:
        return ["" if token.startswith(CONTINUES) else token for token in tokens]
    texts = [tokenizer.convert_tokens_to_string([token]) if token.startswith(mark) else "" for token in tokens]
    return [text.strip() if text.split() == [text.strip()] and "\ufffd" not in text else "" for text in texts]


def sides(tokenizer: Any, usage: Usage) -> tuple[list[int], list[int]]:
    """The tokens before and after a target."""
    texts = (" ".join(usage.left.split()), " " * usage.right[:1].isspace() + " ".join(usage.right.split()))
    left, right = (tokens_of(tokenizer, text) for text in texts)
    return left, right


def tokens_of(tokenizer: Any, text: str) -> list[int]:
    """The tokens of a text, and none besides."""
    found: list[int] = tokenizer(text, add_special_tokens=False, verbose=False).input_ids
    return found


def permitted(words: Words, letters: bool) -> NDArray[np.bool_]:
    """Which tokens may be substitutes."""
    allowed = np.array([not letters or is_word(word) for word in words.words] + [False])
    return allowed[words.of_token]


def summed(words: Words, tokens: NDArray[Any], weights: NDArray[Any], count: int) -> dict[str, float]:
    """The heaviest words, of which several tokens may be forms (*Bank* and *bank*), and their weights."""
    total = np.bincount(words.of_token[tokens], weights, len(words.words))
    best = np.argsort(-total, kind="stable")[:count]
    return {words.words[number]: float(total[number]) for number in best.tolist() if total[number] > 0}
