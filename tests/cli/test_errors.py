"""Values at the edge that are no errors; ``tests/data/bad_inputs.toml`` has the inputs that are."""

from pathlib import Path

from cli.conftest import Run

GOLD = "examples/gold.key"
TASKS = ("semeval-2013", "semeval-2010", "senseval", "jurgens-2012")


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


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
        assert ran.code == 0, arguments
        assert all("labels no usage of 2 of the 3 lemmas" in line for line in ran.err.splitlines()), arguments
