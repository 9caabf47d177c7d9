"""The stages before training: text without overlaps, and its pieces."""

import doctest
import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from training.cleaning import (
    DuplicateFilter,
    build_report,
    clean_text,
    join_lines,
    list_sources,
    read_lines,
    render_report,
)
from training.overlap import HeldOutContexts, RemovalCounts
from training.shards import (
    WordPieces,
    WordStream,
    cut_tokeniser,
    join_pieces,
    select_pieces,
    shuffle_documents,
    split_words,
)

WITH_TORCH = ["batches", "encoder", "optimiser", "train"]


@pytest.mark.parametrize("name", ["cleaning", "shards", *WITH_TORCH])
def test_examples(name: str) -> None:
    if name in WITH_TORCH and importlib.util.find_spec("torch") is None:
        pytest.skip("training needs torch: pip install 'polyseme[lm]'")
    assert not doctest.testmod(importlib.import_module(f"training.{name}")).failed


def test_documents_pass_once(tmp_path: Path) -> None:
    contexts, once, total = HeldOutContexts({"test": ["a b c"]}, size=3), DuplicateFilter(), RemovalCounts()
    first = clean_text(["x y", "x a b c", "x y", ""], contexts, once, total, tmp_path / "first.txt")
    second = clean_text(["x y", "y z"], contexts, once, total, tmp_path / "second.txt")
    assert [list(read_lines(tmp_path / f"{name}.txt")) for name in ("first", "second")] == [["x y"], ["y z"]]
    assert (first["documents"], first["removed_documents"], first["repeated_documents"]) == (2, 1, 2)
    assert (second["documents"], second["removed_documents"], second["repeated_documents"]) == (1, 0, 1)
    report = build_report({"first": first, "second": second}, contexts, total)
    assert report["all"]["documents"] == 3
    assert report["tests"]["test"] == {
        "contexts": 1,
        "too_short": 0,
        "removed_documents": 1,
        "removed_words": 4,
        "removed_contexts": 1,
    }
    assert "| all | 3 | 3 | 8 | 1 | 4 |" in render_report(report)
    assert "| test | 1 | 0 | 1 | 1 | 4 |" in render_report(report)


def test_only_free_texts_are_trained_on(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("One\nTwo\n")
    assert list(list_sources(tmp_path)) == ["own", "sotu"]
    assert list(list_sources(tmp_path)["own"]()) == ["One", "Two"]
    assert join_lines(" a\n b ") == "a b"


TOKENS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "b",
    "##a",
    "##b",
    "##c",
    "c",
    "abc",
    "bca",
    ".",
    "$",
    "£5",
]


@pytest.fixture
def tokeniser(tmp_path: Path) -> Path:
    """A tokeniser of a few pieces, as Hugging Face keeps it."""
    tokenizers = pytest.importorskip("tokenizers", reason="needs tokenizers: pip install 'polyseme[lm]'")
    from tokenizers import models, normalizers, pre_tokenizers, processors

    tokeniser = tokenizers.Tokenizer(
        models.WordPiece({piece: at for at, piece in enumerate(TOKENS)}, unk_token="[UNK]")
    )
    tokeniser.normalizer = normalizers.BertNormalizer()
    tokeniser.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [("[CLS]", 2), ("[SEP]", 3)]
    tokeniser.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=special)
    tokeniser.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokeniser.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def test_pieces_are_those_of_the_tokeniser(tokeniser: Path) -> None:
    from training.shards import load_tokeniser as load

    whole = load(tokeniser / "tokenizer.json")
    texts = ["Abc b. ába", "$5 £5", "bca", ""]
    words = WordStream.from_texts(texts)
    spelling = WordPieces.from_words(words.words, whole)
    ids = [whole.encode(text, add_special_tokens=False).ids for text in texts]
    assert spelling.encode(words.text).tolist() == [number for each in ids for number in each]
    counts = spelling.counts(words.text, len(TOKENS))
    assert counts.tolist() == np.bincount(np.concatenate(ids).astype(np.int64), minlength=len(TOKENS)).tolist()


def test_a_word_whose_piece_was_cut_is_made_of_shorter_ones(tokeniser: Path) -> None:
    from tokenizers import Tokenizer

    counts = np.array([0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 5, 1, 9, 0, 0])
    pieces = select_pieces({piece: number for number, piece in enumerate(TOKENS)}, counts, 13)
    assert pieces == [piece for piece in TOKENS if piece not in ("bca", "$", "£5")]
    smaller = Tokenizer.from_str(
        json.dumps(cut_tokeniser(json.loads((tokeniser / "tokenizer.json").read_text()), pieces))
    )
    assert smaller.encode("abc bca").tokens == ["[CLS]", "abc", "b", "##c", "##a", "[SEP]"]
    assert smaller.encode("abc bca").ids == [2, pieces.index("abc"), 6, 9, 7, 3]


def test_documents_are_shuffled_and_some_held_out() -> None:
    words = WordStream.from_texts([f"a{number}" for number in range(40)])
    train, held_out = shuffle_documents(words, 0.1, seed=3)
    assert (len(train), len(held_out)) == (36, 4)
    assert sorted(int(text[0]) for text in [*train, *held_out]) == list(range(40))
    assert [int(text[0]) for text in shuffle_documents(words, 0.1, seed=3)[0]] == [int(text[0]) for text in train]


def test_a_separator_stands_after_each_document() -> None:
    spelling = WordPieces(np.array([7, 8, 9], np.int32), np.array([1, 2]))
    texts = [np.array([0, 1], np.int32), np.array([], np.int32), np.array([1], np.int32)]
    assert join_pieces(texts, spelling, 3).tolist() == [7, 8, 9, 3, 3, 8, 9, 3]


def test_signs_are_a_part_of_words() -> None:
    assert split_words("£5 or $5") == ["£5", "or", "$", "5"]


def test_shards_from_the_command_line(root: Path, tokeniser: Path) -> None:
    (tokeniser / "clean").mkdir()
    (tokeniser / "clean" / "some.txt").write_text("abc b.\n" * 30 + "a\n" * 10)
    output = tokeniser / "shards"
    command = [sys.executable, "-m", "training.shards", tokeniser / "clean", "--output", output, "--encoder", tokeniser]
    arguments = [*map(str, command), "--pieces", "9", "--held-out", "0.25"]
    ran = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    report = json.loads((output / "shards.json").read_text())
    assert (report["vocabulary"], report["train"]["documents"], report["validation"]["documents"]) == (9, 30, 10)
    pieces = np.concatenate([np.fromfile(output / f"{name}.bin", np.uint16) for name in ("train", "validation")])
    vocabulary = (output / "vocab.txt").read_text().split()
    assert vocabulary[5:] == ["a", "b", "abc", "."]
    assert np.bincount(pieces)[[3, *range(5, 9)]].tolist() == [40, 10, 30, 30, 30]
    assert np.load(output / "kept.npy").tolist() == [TOKENS.index(piece) for piece in vocabulary]
