"""N-gram models: probabilities are probabilities, those of the formulae, and the same after they were written."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lm.texts import sentences, train_model
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError
from polyseme.lm.ngrams import _fastsubs_loops
from polyseme.lm.ngrams.arpa import write_arpa
from polyseme.lm.ngrams.model import NGrams
from polyseme.lm.ngrams.numbered_text import SPECIAL_WORDS, START, NumberedText
from polyseme.lm.ngrams.smoothing import DEFAULT_DISCOUNTS, estimate_discounts
from polyseme.lm.ngrams.storage import NGRAM_MANIFEST
from polyseme.usage import Usage

WORDS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=12).filter(any)


def probabilities_after(ngrams: NGrams, history: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Compute the probabilities of all words after a history by definition."""
    return np.array(
        [10 ** log_probability(ngrams, [*history, word]) for word in range(len(ngrams.words)) if word != START]
    )


def find_node(ngrams: NGrams, words: Sequence[int]) -> int:
    """Find the node of an n-gram, or -1."""
    return int(_fastsubs_loops.find_node(ngrams.trie, np.array(words, np.int64))) if words else -1


def log_probability(ngrams: NGrams, words: Sequence[int]) -> float:
    """Compute the log probability of the last word after the others by definition."""
    words = words[-ngrams.order :]
    node = find_node(ngrams, words)
    if node >= 0:
        return float(ngrams.trie.logp[node])
    history = find_node(ngrams, words[:-1])
    return log_probability(ngrams, words[1:]) + (float(ngrams.trie.backoff[history]) if history >= 0 else 0.0)


def score_sentence(ngrams: NGrams, sentence: Sequence[str]) -> float:
    return float(ngrams.log_probabilities([sentence])[0])


# -- probabilities -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.parametrize("minimum, prune", [(1, False), (3, False), (1, True)])
def test_probabilities_sum_to_one_after_any_history(order: int, minimum: int, prune: bool) -> None:
    ngrams = train_model(order, minimum, prune)
    rng = np.random.default_rng(order)
    text = NumberedText.from_source(sentences()).renumber(ngrams.words).tokens
    seen = [text[start : start + order - 1].tolist() for start in rng.integers(0, len(text) - order, 10)]
    unseen = rng.integers(0, len(ngrams.words), (10, order - 1)).tolist()
    for history in [[], [START], *seen, *unseen]:
        assert probabilities_after(ngrams, history).sum() == pytest.approx(1, abs=1e-6)


@given(WORDS, st.integers(2, 5), st.integers(1, 2), st.booleans())
@settings(max_examples=60)
def test_probabilities_sum_to_one_in_small_texts(text: list[list[str]], order: int, minimum: int, prune: bool) -> None:
    counts = Counter(word for sentence in text for word in sentence)
    if max(counts.values()) < minimum:
        return
    ngrams = NGrams.train(text, order=order, minimum=minimum, prune=prune)
    for history in ([], [START], [3], [0, 3], [START, 3], [3, 3, 3]):
        assert probabilities_after(ngrams, history).sum() == pytest.approx(1, abs=1e-6)
    assert (ngrams.trie.backoff <= 0).all()


def smooth_by_definition(text: Sequence[Sequence[str]], order: int) -> dict[tuple[str, ...], float]:
    """Interpolated modified Kneser–Ney of all n-grams, with dictionaries (Chen & Goodman 1998)."""
    marked = [("<s>", *sentence, "</s>") for sentence in text]
    raw = [
        Counter(line[at : at + n] for line in marked for at in range(len(line) - n + 1)) for n in range(1, order + 1)
    ]
    vocabulary = [gram[0] for gram in raw[0] if gram != ("<s>",)]
    probabilities = {}
    lower: dict[tuple[str, ...], float] = {(): 1 / (len(vocabulary) + 1)}  # and <unk>
    for n in range(1, order + 1):
        counts = dict(raw[n - 1])
        if n < order:
            for gram in counts:
                if gram[0] != "<s>":
                    counts[gram] = sum(longer[1:] == gram for longer in raw[n])
        counts.pop(("<s>",), None)
        discounts = estimate_discounts(np.array(list(counts.values())))
        level = {}
        for gram, count in counts.items():
            siblings = [number for other, number in counts.items() if other[:-1] == gram[:-1]]
            backoff = sum(discounts[min(number, 3) - 1] for number in siblings) / sum(siblings)
            own = (count - discounts[min(count, 3) - 1]) / sum(siblings)
            level[gram] = own + backoff * lower[gram[1:]]
        probabilities.update(level)
        lower = level
    return probabilities


@pytest.mark.parametrize("order", [2, 3, 4])
def test_probabilities_are_those_of_the_formula(order: int) -> None:
    text = sentences(60, 12)
    ngrams = NGrams.train(text, order=order)
    expected = smooth_by_definition(text, order)
    assert len(expected) == ngrams.ends[-1] - 2  # <s> and <unk> are not words there
    for gram, probability in expected.items():
        node = find_node(
            ngrams, [ngrams.number(word) if word not in SPECIAL_WORDS else SPECIAL_WORDS.index(word) for word in gram]
        )
        assert 10 ** ngrams.trie.logp[node] == pytest.approx(probability, rel=1e-5)


def test_scarce_counts_get_default_discounts() -> None:
    assert estimate_discounts(np.array([], np.int64)) == DEFAULT_DISCOUNTS
    assert estimate_discounts(np.array([1, 2, 3, 4, 4, 4, 4, 4, 4, 4])) == DEFAULT_DISCOUNTS  # one would be negative
    assert all(
        0 < value < n for n, value in enumerate(estimate_discounts(np.repeat([1, 2, 3, 4], [9, 5, 3, 2])), start=1)
    )


# -- sentences -----------------------------------------------------------------------------------------------------


def test_a_sentence_is_as_likely_as_its_words() -> None:
    ngrams = train_model()
    for sentence in [*sentences()[:20], ("w1", "nobody", "w2"), ()]:
        numbers = [START, *map(ngrams.number, sentence), SPECIAL_WORDS.index("</s>")]
        expected = sum(log_probability(ngrams, numbers[: position + 1]) for position in range(1, len(numbers)))
        assert score_sentence(ngrams, sentence) == pytest.approx(expected, abs=1e-9)
    assert score_sentence(ngrams, ["W1", "W2"]) == score_sentence(ngrams, ["w1", "w2"])


def test_perplexity_is_the_inverse_geometric_mean_of_probabilities() -> None:
    ngrams, held = train_model(), sentences(200, 300, seed=0)
    total = sum(ngrams.log_probabilities(held))
    words = sum(len(sentence) + 1 for sentence in held)
    assert ngrams.perplexity(held) == pytest.approx(10 ** (-total / words))
    assert train_model(2).perplexity(sentences()) > ngrams.perplexity(sentences())
    assert ngrams.perplexity(sentences()) < ngrams.perplexity(sentences(500, 300, seed=5))
    with pytest.raises(InputError, match="give one or more"):
        ngrams.perplexity([])


def test_rare_words_are_unknown() -> None:
    counts = Counter(word for sentence in sentences() for word in sentence)
    ngrams = train_model(minimum=10)
    assert set(ngrams.words) - set(SPECIAL_WORDS) == {word for word, count in counts.items() if count >= 10}
    rare = [word for word, count in counts.items() if count < 10][:2]
    assert (
        score_sentence(ngrams, [rare[0]])
        == score_sentence(ngrams, [rare[1]])
        == score_sentence(ngrams, ["never seen"[:5]])
    )


def test_pruning_leaves_out_n_grams_that_occur_once() -> None:
    full, pruned = train_model(), train_model(prune=True)
    assert pruned.ends[:2] == full.ends[:2]
    assert pruned.ends[-1] < full.ends[-1] / 2
    grams = Counter(line[at : at + 3] for line in sentences() for at in range(len(line) - 2))
    for gram, count in grams.items():
        assert (find_node(pruned, [pruned.number(word) for word in gram]) >= 0) == (count > 1)


def test_words_spelt_like_marks_are_unknown() -> None:
    ngrams = NGrams.train([["a", "<s>", "</S>", "<unk>"], ["a", "b c"]], order=2)
    assert ngrams.words == (*SPECIAL_WORDS, "a", "b", "c")


@pytest.mark.parametrize(
    "options, message", [({"order": 1}, "order 1; allowed are 2 to 9"), ({"minimum": 3}, "occur 3 times or more")]
)
def test_wrong_options_of_training_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        NGrams.train([["a"], ["b"]], **options)  # type: ignore[arg-type]


# -- an index ------------------------------------------------------------------------------------------------------


def test_an_index_is_read_as_lower_cased_forms(tmp_path: Path) -> None:
    texts = ["Banks lend. The bank's rates rose; BANKS paid!", "He lent it.\n\nNobody did"]
    usages = [Usage(f"u{n}", "bank.n", text, 0, 2) for n, text in enumerate(texts)]
    index = build_index(usages, tmp_path / "index", Simple(lemmatise=False))
    text = NumberedText.from_source(index)
    lines = " ".join(text.words[token] for token in text.tokens)
    assert lines == (
        "<s> banks lend . </s> <s> the bank 's rates rose ; banks paid ! </s> <s> he lent it . </s> <s> nobody did </s>"
    )
    ngrams = NGrams.train(index, order=3)
    assert ngrams.facts["tokens"] == len(text.tokens) - 8
    assert ngrams.facts["sentences"] == 4


# -- files ---------------------------------------------------------------------------------------------------------


def test_a_loaded_model_is_the_same(tmp_path: Path) -> None:
    ngrams = train_model()
    ngrams.save(tmp_path / "model")
    again = NGrams.load(tmp_path / "model")
    assert (again.words, again.ends, again.facts) == (ngrams.words, ngrams.ends, ngrams.facts)
    arrays: list[list[Any]] = [[*model.trie, *model.gaps] for model in (ngrams, again)]
    for one, other in zip(*arrays, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
        assert type(one) is type(other)
        assert one.flags.writeable is other.flags.writeable is False
    assert ngrams.log_probabilities(sentences()).tolist() == again.log_probabilities(sentences()).tolist()
    ngrams.save(tmp_path / "model")  # in place of itself
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_other_folders_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="not an n-gram model; name another folder"):
        train_model().save(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    with pytest.raises(InputError, match="polyseme substitutes --train"):
        NGrams.load(tmp_path)


@pytest.mark.parametrize("name", ["word.npy", "before.npy", NGRAM_MANIFEST])
def test_damaged_files_are_refused(tmp_path: Path, name: str) -> None:
    train_model().save(tmp_path / "model")
    path = tmp_path / "model" / name
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="is damaged"):
        NGrams.load(tmp_path / "model")


def test_a_model_of_another_version_is_refused(tmp_path: Path) -> None:
    train_model().save(tmp_path / "model")
    path = tmp_path / "model" / NGRAM_MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {"layout": 0}))
    with pytest.raises(InputError, match="another version of polyseme wrote this n-gram model; train it again"):
        NGrams.load(tmp_path / "model")


@pytest.mark.parametrize("order, prune", [(2, False), (4, True)])
def test_an_arpa_file_has_all_n_grams(tmp_path: Path, order: int, prune: bool) -> None:
    ngrams = train_model(order, prune=prune)
    path = tmp_path / "model.arpa"
    write_arpa(ngrams, path)
    text = path.read_text()
    sizes = [int(line.partition("=")[2]) for line in text.splitlines() if line.startswith("ngram ")]
    assert np.cumsum(sizes).tolist() == list(ngrams.ends)
    assert text.startswith("\\data\\\n")
    assert text.endswith("\n\\end\\\n")
    for line in text.splitlines()[:: len(text.splitlines()) // 200]:
        log, _, rest = line.partition("\t")
        gram, _, backoff = rest.partition("\t")
        if gram:
            node = find_node(ngrams, [ngrams.numbers[word] for word in gram.split(" ")])
            assert float(log) == pytest.approx(float(ngrams.trie.logp[node]), abs=1e-6)
            assert not backoff or math.isclose(float(backoff), ngrams.trie.backoff[node], abs_tol=1e-6)


def test_another_toolkit_reads_the_arpa_file(tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm", reason="kenlm, a toolkit to compare with, is not installed")
    ngrams = train_model()
    write_arpa(ngrams, tmp_path / "model.arpa")
    other = kenlm.Model(str(tmp_path / "model.arpa"))
    for sentence in [*sentences()[:50], ("w1", "nobody", "w2")]:
        assert score_sentence(ngrams, sentence) == pytest.approx(other.score(" ".join(sentence)), abs=1e-4)
