"""What the user can mend is said on one line of stderr: file, line, what is wrong; exit code 2, nothing on stdout."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Ran, Run

GOLD, A = "examples/gold.key", "examples/system-a.key"
TASKS = ("semeval-2013", "semeval-2010", "senseval", "jurgens-2012")


def one_line(ran: Ran, *text_of_error: str) -> None:
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err.startswith("polyseme: ")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1, ran.err
    assert len(ran.err) < 600
    for words in text_of_error:
        assert words in ran.err


BROKEN: dict[str, tuple[bytes, str]] = {
    "weight is not a number": (b"bank.n bank.n.1 a/o.5\n", "broken.key:1: weight 'o.5' of sense 'a' is not a number"),
    "weight is NaN": (b"bank.n bank.n.1 a\nbank.n bank.n.2 a/nan\n", "broken.key:2: "),
    "weight is infinite": (b"bank.n bank.n.1 a/1e999\n", "broken.key:1: "),
    "weight is negative": (b"\n\nbank.n bank.n.1 a/-1\n", "broken.key:3: "),
    "weight without a sense": (b"bank.n bank.n.1 /1\n", "broken.key:1: "),
    "one word": (b"bank.n bank.n.1 a\nbank.n\n", "broken.key:2: only one word"),
    "two lemmas": (b"bank.n bank.n.1 a\ncrane.n bank.n.1 a\n", "broken.key:2: "),
    "Latin-1": (b"bank.n bank.n.1 caf\xe9\n", "broken.key:1: byte 0xe9"),
    "UTF-16": ("bank.n bank.n.1 a\n".encode("utf-16"), "broken.key: this is UTF-16"),
    "zero byte": (b"bank.n bank.n.1 a\0b\n", "broken.key:1: a zero byte"),
    "cut gzip": (gzip.compress(b"bank.n bank.n.1 a\n" * 100)[:-9], "broken.key: the gz data is damaged"),
    "10 MB in one line": (b"bank.n bank.n.1 a/" + b"9" * 10_000_000 + b"x\n", "broken.key:1: "),
    "empty": (b"", "broken.key: gold and system have no usage in common"),
    "only comments": (b"!! nothing\n\n", "broken.key: gold and system have no usage in common"),
    "other usages": (b"bank.n elsewhere.1 a\n", "broken.key: gold and system have no usage in common; gold has e.g."),
    "another lemma": (b"crane.n bank.n.1 a\n", "broken.key: usage 'bank.n.1' belongs to 'bank.n' in the gold key"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_keys(cli: Run, tmp_path: Path, broken: str) -> None:
    data, message = BROKEN[broken]
    (tmp_path / "broken.key").write_bytes(data)
    one_line(cli("score", "semeval-2013", "broken.key", "--gold", GOLD, "--json"), message)
    for task in ("semeval-2010", "senseval", "jurgens-2012"):
        one_line(cli("score", task, A, "broken.key", "--gold", GOLD), message)


@pytest.mark.parametrize("broken", [name for name in BROKEN if name not in ("other usages", "another lemma")])
def test_broken_gold(cli: Run, tmp_path: Path, broken: str) -> None:
    data, _ = BROKEN[broken]
    (tmp_path / "broken.key").write_bytes(data)
    one_line(cli("score", "semeval-2013", A, "--gold", "broken.key", "--json"))
    one_line(cli("compare", A, A, "--gold", "broken.key"))


Arguments = Callable[[Path], tuple[object, ...]]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


FILES: dict[str, tuple[Arguments, str]] = {
    "no key": (lambda _: ("score", "senseval", "none.key", "--gold", GOLD), "none.key: there is no such file"),
    "no gold": (lambda _: ("score", "senseval", A, "--gold", "none.key"), "none.key: there is no such file"),
    "folder": (lambda _: ("score", "senseval", "examples", "--gold", GOLD), "examples: this is a folder"),
    "no group file": (lambda _: ("score", "senseval", A, "--gold", GOLD, "--by", "lemmas"), "lemmas: there is no such"),
    "group line": (
        lambda at: ("score", "senseval", A, "--gold", GOLD, "--by", written(at, "g.tsv", "bank.n\tx\nbank.n x\n")),
        "g.tsv:2: ",
    ),
    "group of others": (
        lambda at: ("score", "semeval-2013", A, "--gold", GOLD, "--by", written(at, "g.key", "x.n x.n.1 a\n")),
        "g.key: ",
    ),
    "no splits": (
        lambda at: ("score", "semeval-2010", A, "--gold", GOLD, "--splits", at),
        "no splits: looked for 80_20",
    ),
    "no hierarchy": (
        lambda _: ("score", "senseval", A, "--gold", GOLD, "--granularity", "coarse"),
        "--granularity coarse needs the hierarchy of senses: add --hierarchy FILE",
    ),
    "hierarchy line": (
        lambda at: ("score", "senseval", A, "--gold", GOLD, "--hierarchy", written(at, "tree", "a b\na b c\n")),
        "tree:2: 3 words",
    ),
    "two parents": (
        lambda at: ("score", "senseval", A, "--gold", GOLD, "--hierarchy", written(at, "tree", "a b\na c\n")),
        "tree:2: ",
    ),
    "circle": (
        lambda at: ("score", "senseval", A, "--gold", GOLD, "--hierarchy", written(at, "tree", "a b\nb a\n")),
        "goes round in a circle",
    ),
    "pairs line": (
        lambda at: ("score", "usim", A, "--gold", written(at, "p.tsv", "a.1\ta.2\t1\na.1\ta.3\tmuch\n")),
        "p.tsv:2: similarity 'much' is not a number",
    ),
    "first pair": (
        lambda at: ("score", "usim", A, "--gold", written(at, "p.tsv", "a.1\ta.2\tnan\na.1\ta.3\t1\n")),
        "p.tsv:1: similarity 'nan' is not a number",
    ),
    "no pairs": (lambda at: ("score", "usim", A, "--gold", written(at, "p.tsv", "\n")), "p.tsv: no pairs in it"),
    "other pairs": (
        lambda at: ("score", "usim", A, "--gold", written(at, "p.tsv", "a.1\ta.2\t1\n")),
        "no pair of usages in common",
    ),
    "one lemma": (
        lambda at: ("compare", A, A, "--gold", written(at, "one.key", "bank.n bank.n.1 a\n")),
        "only 1 lemma: intervals over lemmas need at least two",
    ),
    "no kind": (lambda _: ("parts", "model"), "there are no parts of kind 'model'; the kinds are: "),
    "no data": (lambda _: ("reproduce", "semeval-2013"), "the data set 'semeval-2013-task-13' is not here"),
    "other data": (lambda _: ("reproduce", "semeval-2010", "--data", "examples"), "'semeval-2010-task-14' is not here"),
    "no table": (lambda _: ("reproduce", "senseval", "--table", "9"), "no figures of '9'; there are §1, §3, §4"),
    "no gold of the task": (lambda _: ("score", "semeval-2013", A), "no gold standard is named, and the data set"),
    "no task": (lambda _: ("reproduce",), "name a task: erk-2013, jurgens-2012, semeval-2010, semeval-2013, senseval"),
    "demo into a file": (lambda _: ("demo", "-o", f"{GOLD}/page.html"), "page.html: "),
    "demo into a folder": (lambda _: ("demo", "-o", "examples"), "examples: this is a folder"),
}


@pytest.mark.parametrize("case", FILES)
@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
def test_other_files(cli: Run, tmp_path: Path, case: str) -> None:
    arguments, message = FILES[case]
    ran = cli(*arguments(tmp_path))
    ran = ran._replace(err="".join(line for line in ran.err.splitlines(True) if not line.startswith("warning: ")))
    one_line(ran, message)


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "semeval-2013", "--gold", GOLD),
        ("score", "semeval-2014", A, "--gold", GOLD),
        ("score", "semeval-2013", A, "--gold", GOLD, "--variant", "papper"),
        ("score", "semeval-2013", A, "--gold", GOLD, "--format", "xml"),
        ("compare", A, "--gold", GOLD),
        ("compare", A, A, "--gold", GOLD, "--samples", "3"),
        ("reproduce", "semeval-2012"),
    ],
)
def test_usage_errors(cli: Run, arguments: tuple[str, ...]) -> None:
    ran = cli(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert "Traceback" not in ran.err
    assert "Usage: polyseme" in ran.err


def test_the_largest_weights_are_no_error(cli: Run, tmp_path: Path) -> None:
    rows = "".join(f"bank.n bank.n.{number} a/1e308 b/1e308\n" for number in range(1, 16))
    key = written(tmp_path, "huge.key", rows)
    for setting in ("80_20", "60_40"):
        folder = tmp_path / "splits" / setting
        folder.mkdir(parents=True)
        for name in ("mapping", "test"):
            written(folder, f"{name}.1.key", "bank.n bank.n.1 x\nbank.n bank.n.2 x\n")
    pairs = written(tmp_path, "pairs.tsv", "bank.n.1\tbank.n.2\t1\nbank.n.1\tbank.n.3\t2\n")
    for arguments in (
        *(("score", task, key, "--gold", GOLD, "--json") for task in TASKS),
        ("score", "semeval-2010", key, "--gold", GOLD, "--splits", tmp_path / "splits", "--json"),
        ("score", "usim", key, "--gold", pairs, "--json"),
    ):
        ran = cli(*arguments)
        assert (ran.code, ran.err) == (0, ""), arguments
