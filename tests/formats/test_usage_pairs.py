"""Similarities of pairs of usages."""

from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.formats.usage_pairs import read_pairs
from polyseme.usage import UsagePair


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
