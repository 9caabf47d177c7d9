"""Similarities of pairs of usages."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_usages
from polyseme.formats.registry import recognise_format
from polyseme.formats.usage_pairs import read_pairs, read_usim_usages, write_pairs, write_usim_averages
from polyseme.usage import Usage, UsagePair
from strategies import attempt, finite
from values import lemma_names, texts


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(text)
    return path


def test_a_table(tmp_path: Path) -> None:
    path = written(tmp_path, "first\tsecond\tsimilarity\nx.n.1\tx.n.2\t4.5\r\n\nu1\tu2\t1\ty.v\n")
    assert read_pairs(path) == (UsagePair("x.n", "x.n.1", "x.n.2", 4.5), UsagePair("y.v", "u1", "u2", 1.0))


def test_the_averages_of_usim(tmp_path: Path) -> None:
    path = written(tmp_path, "a bright day\t1\t2.5\tbright.a 1\nthe bright boy\t1\t2.5\tbright.a 7\n")
    assert read_pairs(path) == (UsagePair("bright.a", "bright.a.1", "bright.a.7", 2.5),)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "no pairs in it"),
        ("u1\tu2\n", "pairs.tsv:1: 2 columns"),
        ("u1\tu2\tnan\n", "pairs.tsv:1: similarity 'nan' is not a number"),
        ("u1\tu2\t1\nu1\tu3\tmuch\n", "pairs.tsv:2: similarity 'much' is not a number"),
        ("u1\tu2\t1\nu2\tu1\t3\n", "pairs.tsv:2: 'u1' and 'u2' are a pair in line 1 already"),
        ("a day\t1\t2.5\tday.n 1\n", "an odd number of lines"),
        ("a day\t1\t2.5\tday.n 1\nno day\t1\t3\tday.n 2\n", "pairs.tsv:1: this line and the next are not one pair"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pairs(written(tmp_path, text))


def test_the_usages_of_the_averages(tmp_path: Path) -> None:
    lines = ["a bright day\t1\t2.5\tbright.a 1", "the bright boy\t1\t2.5\tbright.a 7"]
    path = written(tmp_path, "\n".join([*lines, lines[0].replace("2.5", "1"), "so  bright\t1\t1\tbright.a 8"]))
    assert list(read_usages(path)) == [
        Usage("bright.a.1", "bright.a", "a bright day", 2, 8, "a"),
        Usage("bright.a.7", "bright.a", "the bright boy", 4, 10, "a"),
        Usage("bright.a.8", "bright.a", "so  bright", 4, 10, "a"),
    ]


@pytest.mark.parametrize(
    "text, message",
    [
        ("a day\t2\t2.5\tday.n 1\n", "pairs.tsv:1: index 2, counted from 0, is beyond the 2 words of the sentence"),
        ("a day\tx\t2.5\tday.n 1\n", "pairs.tsv:1: 'day.n 1' does not end a line of averages"),
        ("a day\t1\t2.5\n", "pairs.tsv:1: '2.5' does not end a line of averages"),
        (
            "a day\t1\t2.5\tday.n 1\na day\t0\t3\tday.n 1\n",
            "pairs.tsv:2: usage 'day.n.1' has another sentence or target",
        ),
    ],
)
def test_usages_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_usim_usages(written(tmp_path, text)))


numbers = finite | finite.map(lambda number: -number)
named_pairs = st.lists(st.builds(UsagePair, texts, texts, texts, numbers), max_size=4)


@given(pairs=named_pairs)
def test_pairs_are_kept_or_refused(pairs: list[UsagePair], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    if not isinstance(attempt(lambda: write_pairs(pairs, path)), InputError):
        assert read_pairs(path) == tuple(pairs)


def test_a_table_that_is_written(tmp_path: Path) -> None:
    write_pairs([UsagePair("x.n", "x.n.1", "u 2", 4.5)], tmp_path / "pairs.tsv")
    assert (tmp_path / "pairs.tsv").read_text() == "first\tsecond\tsimilarity\tlemma\nx.n.1\tu 2\t4.5\tx.n\n"


@pytest.mark.parametrize(
    "pair, message",
    [
        (UsagePair("x", "u1", "u1", float("nan")), "has the similarity nan, which is not a finite number"),
        (UsagePair("x", " u1", "u2", 1), "has an empty name, or one with white space around it"),
        (UsagePair("x", "", "u2", 1), "has an empty name"),
    ],
)
def test_pairs_that_cannot_be_written(pair: UsagePair, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_pairs([pair], tmp_path / "pairs.tsv")


def test_a_pair_given_twice_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the pair 'u2', 'u1' is given twice"):
        write_pairs([UsagePair("x", "u1", "u2", 1), UsagePair("x", "u2", "u1", 1)], tmp_path / "pairs.tsv")


@given(
    text=texts, lemma=lemma_names | texts, start=st.integers(0, 30), end=st.integers(0, 30), number=texts | st.just("1")
)
def test_averages_are_kept_or_refused(
    text: str, lemma: str, start: int, end: int, number: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("pairs") / "usim.txt"
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    usages = [Usage(f"{lemma}.{number}", lemma, text, start, end), Usage(f"{lemma}.2", lemma, "a day", 2, 5)]
    usages = [Usage(each.id, lemma, each.text, each.start, each.end, lemma[-1:]) for each in usages]
    pairs = [UsagePair(lemma, usages[0].id, usages[1].id, 2.5)]
    if not isinstance(attempt(lambda: write_usim_averages(pairs, usages, path)), InputError):
        assert read_pairs(path) == tuple(pairs)
        assert list(read_usim_usages(path)) == usages


@pytest.mark.parametrize(
    "usage, message",
    [
        (Usage("x.n.1", "x.n", "one word", 0, 3, "n"), "the usage 'x.n.2' of a pair is not among the usages given"),
        (Usage("x.n.1", "x.n", "one word", 0, 2, "n"), "usage 'x.n.1' cannot be written to a file of averages"),
        (Usage("x.n.1", "x.n", "word", 0, 4, "n"), "usage 'x.n.1' cannot be written to a file of averages"),
        (Usage("x.n.1", "x.n", "one\tword", 0, 3, "n"), "usage 'x.n.1' cannot be written to a file of averages"),
    ],
)
def test_averages_that_cannot_be_written(usage: Usage, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_usim_averages([UsagePair("x.n", "x.n.1", "x.n.2", 1)], [usage], tmp_path / "usim.txt")


def test_the_published_data_set_is_read(data: Path, tmp_path: Path) -> None:
    """The index points at a form of the lemma in all 2,266 lines; only 'held' does not begin as its lemma."""
    path = data / "usim" / "usim_en.txt"
    pairs, usages = read_pairs(path), list(read_usages(path))
    assert (len(pairs), len(usages), recognise_format(path, "pairs").name) == (1133, 256, "usim-averages")
    assert {usage.target for usage in usages if usage.target[:3].lower() != usage.lemma[:3]} == {"held"}
    write_usim_averages(pairs, usages, tmp_path / "usim.txt")
    assert (tmp_path / "usim.txt").read_text().rstrip("\n") == path.read_text()
    write_pairs(pairs, tmp_path / "pairs.tsv")
    assert read_pairs(tmp_path / "pairs.tsv") == pairs
