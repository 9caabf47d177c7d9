"""``polyseme score``."""

import csv
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from polyseme import read_labelling, write_labelling
from polyseme.formats.answer_key import read_key
from polyseme.tasks.semeval_2013 import SemEval2013

GOLD = ("--gold", "examples/gold.key")
A, B, TAGGER = "examples/system-a.key", "examples/system-b.key", "examples/tagger.key"
TASKS = ("semeval-2013", "semeval-2010", "senseval", "jurgens-2012")

SHAPES: dict[str, Any] = {
    "semeval-2013": {
        "jaccard": {"precision", "recall", "f1"},
        "ksim": {"precision", "recall", "f1"},
        "wndcg": {"precision", "recall", "f1"},
        "fuzzy_nmi": None,
        "fuzzy_bcubed": {"precision", "recall", "f1"},
        "clusters": None,
    },
    "semeval-2010": dict.fromkeys(("v_measure", "homogeneity", "completeness", "paired_f", "supervised", "clusters")),
    "senseval": dict.fromkeys(("precision", "recall", "f1", "attempted", "clusters")),
    "jurgens-2012": dict.fromkeys(("detection", "ranking", "perception", "jensen_shannon", "recall", "clusters")),
}
"""The keys of each task's JSON, and of the objects in it."""


def answer(ran: Any) -> Any:
    assert (ran.code, ran.err) == (0, ""), ran
    return json.loads(ran.out, parse_constant=pytest.fail)


def shape(value: Any) -> Any:
    return {name: set(inner) if isinstance(inner, dict) else None for name, inner in value.items()}


# -- JSON ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_one_key_is_one_object(cli: Run, task: str) -> None:
    result = answer(cli("score", task, A, *GOLD, "--json"))
    assert shape(result) == SHAPES[task]
    assert answer(cli("score", task, A, *GOLD, "--format", "json")) == result


@pytest.mark.parametrize("task", TASKS)
def test_several_keys_are_an_object_by_file_name(cli: Run, task: str) -> None:
    result = answer(cli("score", task, A, TAGGER, *GOLD, "--json"))
    assert list(result) == [A, TAGGER]
    assert result[A] == answer(cli("score", task, A, *GOLD, "--json"))


def test_figures_are_those_of_the_library(cli: Run) -> None:
    result = answer(cli("score", "semeval-2013", A, *GOLD, "--json"))
    gold, system = (read_key(path, "semeval-2013") for path in ("examples/gold.key", A))
    assert result == SemEval2013().score(gold, system).summary()


def test_options_of_semeval_2013(cli: Run) -> None:
    plain = answer(cli("score", "semeval-2013", TAGGER, *GOLD, "--json"))
    by_name = answer(cli("score", "semeval-2013", TAGGER, *GOLD, "--json", "--no-mapping"))
    single = answer(cli("score", "semeval-2013", TAGGER, *GOLD, "--json", "--single-sense"))
    paper = answer(cli("score", "semeval-2013", TAGGER, *GOLD, "--json", "--variant", "paper"))
    official = answer(cli("score", "semeval-2013", TAGGER, *GOLD, "--json", "--variant", "official"))
    gold, system = (read_key(path, "semeval-2013") for path in ("examples/gold.key", TAGGER))
    assert by_name == SemEval2013(mapping=False).score(gold, system).summary()
    assert single == SemEval2013(single_sense=True).score(gold, system).summary()
    assert paper == SemEval2013(variant="paper").score(gold, system).summary()
    assert official == plain
    assert len({str(item) for item in (plain, by_name, single, paper)}) == 4


def test_usages_outside_gold(cli: Run, tmp_path: Path) -> None:
    key = tmp_path / "more.key"
    key.write_text(Path(A).read_text() + "bank.n bank.n.99 bank.topic1\n")
    stored = cli("score", "semeval-2013", key, *GOLD, "--json")
    dropped = cli("score", "semeval-2013", key, *GOLD, "--json", "--drop-outside")
    assert stored.err == dropped.err == f"warning: {key}: 1 usage of the system is not in the gold key\n"
    inside = answer(cli("score", "semeval-2013", A, *GOLD, "--json"))
    assert json.loads(dropped.out)["fuzzy_bcubed"] == inside["fuzzy_bcubed"] != json.loads(stored.out)["fuzzy_bcubed"]


def test_lines_without_a_sense_count_in_clusters(cli: Run, tmp_path: Path) -> None:
    key = tmp_path / "some.key"
    key.write_text("bank.n bank.n.1 a b\nbank.n bank.n.2\n")
    ran = cli("score", "semeval-2013", key, *GOLD, "--json")
    assert json.loads(ran.out)["clusters"] == 1.0
    first, second = ran.err.splitlines()
    assert first == f"warning: {key}: 1 line names no sense; its usage counts as unlabelled (line 2)"
    assert second.startswith(f"warning: {key}: the system labels no usage of 2 of the 3 lemmas in the gold key, which")


@pytest.fixture
def splits(tmp_path: Path, root: Path) -> Path:
    """Splits of the example's gold key: every fifth usage, and two in five."""
    lines = [line for line in (root / "examples" / "gold.key").read_text().split("\n") if line and "!!" not in line]
    for setting, tested in (("80_20", {0}), ("60_40", {0, 1})):
        for number in (1, 2):
            folder = tmp_path / "splits" / setting / ("all" if setting == "80_20" else "")
            folder.mkdir(parents=True, exist_ok=True)
            parts: dict[str, list[str]] = {"mapping": [], "test": []}
            for at, line in enumerate(lines):
                parts["test" if (at + number) % 5 in tested else "mapping"].append(line)
            for name, selected in parts.items():
                (folder / f"{name}.{number}.key").write_text("\n".join(selected))
    return tmp_path / "splits"


def test_supervised_recall(cli: Run, splits: Path) -> None:
    result = answer(cli("score", "semeval-2010", A, *GOLD, "--splits", splits, "--json"))
    settings = {"80_20", "60_40"}
    assert shape(result) == SHAPES["semeval-2010"] | {"supervised": settings, "senses": settings}
    assert all(0.3 < value < 1 for value in result["supervised"].values())
    assert all(1 <= value <= 3 for value in result["senses"].values())
    table = cli("score", "semeval-2010", A, *GOLD, "--splits", splits, "--format", "csv").out
    row = next(csv.DictReader(io.StringIO(table)))
    assert float(row["Recall 80/20"]) == result["supervised"]["80_20"]
    assert float(row["#S 60/40"]) == result["senses"]["60_40"]
    assert "Recall" not in cli("score", "semeval-2010", A, *GOLD, "--format", "csv").out


def test_a_gold_key_of_some_lemmas_with_the_splits_of_all(cli: Run, splits: Path, tmp_path: Path) -> None:
    nouns = tmp_path / "nouns.key"
    lines = Path("examples/gold.key").read_text().splitlines(keepends=True)
    nouns.write_text("".join(line for line in lines if ".n " in line))
    ran = cli("score", "semeval-2010", A, "--gold", nouns, "--splits", splits, "--json")
    assert ran.code == 0
    both = answer(cli("score", "semeval-2010", A, *GOLD, "--splits", splits, "--json", "--by", "pos"))
    assert json.loads(ran.out)["supervised"] == pytest.approx(both["by"]["n"]["supervised"])


def test_hierarchy_and_granularity(cli: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.txt"
    tree.write_text("# money and water\nbank%1 bank\nbank%2 bank\ncrane%1 crane # the bird\ncrane%2 crane\n\n")
    fine, mixed, coarse = (
        answer(cli("score", "senseval", TAGGER, *GOLD, "--json", "--hierarchy", tree, "--granularity", how))
        for how in ("fine", "mixed", "coarse")
    )
    assert fine == mixed == answer(cli("score", "senseval", TAGGER, *GOLD, "--json")), "all tags are leaves"
    assert coarse["precision"] > fine["precision"]
    single = answer(cli("score", "senseval", TAGGER, *GOLD, "--json", "--single"))
    assert single["attempted"] != fine["attempted"]


@pytest.mark.parametrize("mapping", ["agirre", "Graded", "distribution", "none"])
def test_mappings_of_jurgens_2012(cli: Run, mapping: str) -> None:
    result = answer(cli("score", "jurgens-2012", A, *GOLD, "--json", "--mapping", mapping))
    assert (result["detection"] == 0) == (mapping == "none")


def test_usim(cli: Run, tmp_path: Path) -> None:
    rated, similar = tmp_path / "rated.tsv", tmp_path / "similar.tsv"
    rated.write_text(
        "first\tsecond\tsimilarity\nbank.n.1\tbank.n.2\t5\nbank.n.1\tbank.n.7\t1\nbank.n.2\tbank.n.7\t1.5\n"
        "bank.n.1\tbank.n.99\t2\n"
    )
    similar.write_text("bank.n.2\tbank.n.1\t.9\nbank.n.1\tbank.n.7\t.2\nbank.n.2\tbank.n.7\t.3\n")
    result = answer(cli("score", "usim", A, "--gold", rated, "--json"))
    assert list(result) == ["spearman", "within", "across", "clusters", "pairs", "left_out"]
    assert list(result["spearman"]) == ["pooled", "mean", "lemmas"]
    assert list(result["spearman"]["lemmas"]) == ["bank.n"]
    assert (result["pairs"], result["left_out"], result["within"], result["across"]) == (3, 1, 5, 1.25)
    both = answer(cli("score", "usim", A, similar, "--gold", rated, "--json"))
    assert list(both) == [A, str(similar)]
    assert both[str(similar)]["spearman"]["pooled"] == pytest.approx(1.0)
    assert both[str(similar)]["within"] is None
    rows = list(csv.DictReader(io.StringIO(cli("score", "usim", A, similar, "--gold", rated, "--format", "csv").out)))
    assert [row["System"] for row in rows][:3] == [Path(A).name, similar.name, "one cluster"]
    assert [row["Left out"] for row in rows] == ["1", "1", "0", "0", "0"]


# -- groups --------------------------------------------------------------------------------------------------------


def test_by_lemma_and_part_of_speech(cli: Run) -> None:
    result = answer(cli("score", "semeval-2013", A, *GOLD, "--json", "--by", "lemma", "--by", "pos"))
    assert list(result["by"]) == ["bank.n", "crane.n", "sweep.v", "n", "v"]
    assert all(shape(item) == SHAPES["semeval-2013"] for item in result["by"].values())
    assert result["by"]["v"] == result["by"]["sweep.v"]
    lemmas = [result["by"][lemma]["fuzzy_nmi"] for lemma in ("bank.n", "crane.n", "sweep.v")]
    assert result["fuzzy_nmi"] == pytest.approx(sum(lemmas) / 3)


def test_by_files(cli: Run, tmp_path: Path) -> None:
    spoken, topics = tmp_path / "spoken.key", tmp_path / "topics.tsv"
    spoken.write_text("bank.n bank.n.1 x\ncrane.n crane.n.2 x\n")
    topics.write_text("bank.n\tmoney\ncrane.n\tbirds\nsweep.v\tbirds\n")
    halves = tmp_path / "halves.tsv"
    halves.write_text("".join(f"bank.n.{number}\t{'odd' if number % 2 else 'even'}\n" for number in range(1, 16)))
    options = [word for path in (spoken, topics, halves) for word in ("--by", path)]
    result = answer(cli("score", "semeval-2013", A, *GOLD, "--json", *options))
    assert list(result["by"]) == ["spoken", "money", "birds", "odd", "even"]
    lemmas = answer(cli("score", "semeval-2013", A, *GOLD, "--json", "--by", "lemma"))["by"]
    assert result["by"]["money"] == lemmas["bank.n"]
    assert all(shape(item) == SHAPES["semeval-2013"] for item in result["by"].values())


def test_labellings_of_a_data_set_are_groups(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = tmp_path / "data" / "banks" / "keys"
    keys.mkdir(parents=True)
    (keys / "all.spoken.key").write_text("bank.n bank.n.1 x\ncrane.n crane.n.2 x\n")
    (tmp_path / "data" / "index.toml").write_text('[banks]\ntitle = "Banks"\nfiles.golds = "keys/*.key"\n')
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path / "data"))
    by_name = answer(cli("score", "semeval-2013", A, *GOLD, "--json", "--by", "banks:all.spoken"))
    assert by_name == answer(cli("score", "semeval-2013", A, *GOLD, "--json", "--by", keys / "all.spoken.key"))
    assert "banks has no labelling 'spken'; it has all.spoken" in refused(cli, A, "--by", "banks:spken")


def test_two_keys_are_two_groups(cli: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "all.one.key", tmp_path / "all.other.key"
    one.write_text("bank.n bank.n.1 x\n")
    other.write_text("bank.n bank.n.2 x\n")
    result = answer(cli("score", "semeval-2013", A, *GOLD, "--json", "--by", one, "--by", other))
    assert len(result["by"]) == 2


def test_groups_stand_in_the_table(cli: Run) -> None:
    ran = cli("score", "semeval-2013", A, B, *GOLD, "--by", "pos", "--format", "csv", "--no-baselines")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert [(row["System"], row["Group"]) for row in rows] == [
        (name, group) for name in ("system-a.key", "system-b.key") for group in ("all", "n", "v")
    ]
    assert all(math.isfinite(float(row["Fuzzy NMI"])) for row in rows)


# -- tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_one_table_with_baselines_and_numbers_of_clusters(cli: Run, task: str) -> None:
    head, *rows = csv.reader(io.StringIO(cli("score", task, A, B, *GOLD, "--format", "csv").out))
    assert head[0] == "System"
    assert "#Cl" in head
    assert [row[0] for row in rows[:2]] == ["system-a.key", "system-b.key"]
    assert len(rows) > 4, "baselines stand below"
    assert all(len(row) == len(head) for row in rows)
    _, *alone = csv.reader(io.StringIO(cli("score", task, A, B, *GOLD, "--format", "csv", "--no-baselines").out))
    assert alone == rows[:2]


@pytest.mark.parametrize("task", TASKS)
def test_every_format_has_the_same_figures(cli: Run, task: str) -> None:
    written = {how: cli("score", task, A, *GOLD, "--format", how).out for how in ("csv", "table", "markdown", "latex")}
    figures = [float(cell) for row in list(csv.reader(io.StringIO(written["csv"])))[1:] for cell in row[1:] if cell]
    rounded = [f"{figure:.3f}" for figure in figures]
    for how in ("table", "markdown", "latex"):
        assert re.findall(r"(?<![\w.])-?\d+\.\d{3}(?!\d)", written[how]) == rounded, how
    assert written["latex"].startswith(r"\begin{tabular}{l")
    assert written["latex"].endswith("\\end{tabular}\n")
    lines = written["markdown"].rstrip("\n").split("\n")
    assert len({line.count("|") for line in lines}) == 1


def test_files_with_the_same_name_are_told_apart(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "system-a.key").write_text(Path(A).read_text())
    rows = list(
        csv.DictReader(io.StringIO(cli("score", "senseval", A, "one/system-a.key", *GOLD, "--format", "csv").out))
    )
    assert [row["System"] for row in rows[:2]] == [A, "one/system-a.key"]


def test_compressed_keys(cli: Run, tmp_path: Path) -> None:
    import gzip

    (tmp_path / "a.key.gz").write_bytes(gzip.compress(Path(A).read_bytes()))
    assert answer(cli("score", "semeval-2013", "a.key.gz", *GOLD, "--json")) == answer(
        cli("score", "semeval-2013", A, *GOLD, "--json")
    )


def refused(cli: Run, *arguments: object) -> str:
    ran = cli("score", "semeval-2013", *arguments, *GOLD)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    return ran.err


def test_groups_that_cannot_be_told_apart(cli: Run, tmp_path: Path) -> None:
    mixed, names = tmp_path / "mixed.tsv", tmp_path / "named.tsv"
    mixed.write_text("bank.n\tone\nbank.n.1\ttwo\n")
    names.write_text("bank.n\tn\n")
    assert "'bank.n' is a lemma and 'bank.n.1' a usage" in refused(cli, A, "--by", mixed)
    assert "there is a group 'n' already" in refused(cli, A, "--by", "pos", "--by", names)
    assert "(--by takes lemma, pos, a file or DATASET:NAME)" in refused(cli, A, "--by", "lema")
    assert "this key is named twice" in refused(cli, A, A)


def test_a_lemma_may_be_in_two_groups(cli: Run, tmp_path: Path) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text("bank.n\tone\nbank.n\ttwo\ncrane.n\ttwo\nnowhere.n\ttwo\n")
    ran = cli("score", "semeval-2013", A, *GOLD, "--json", "--by", groups)
    result = json.loads(ran.out)["by"]
    assert list(result) == ["one", "two"]
    assert result["one"] != result["two"]
    assert ran.err == f"warning: {groups}: 1 unit is not in the gold key\n"


def test_a_lemma_without_a_part_of_speech(cli: Run, tmp_path: Path) -> None:
    key = tmp_path / "plain.key"
    key.write_text("bank bank.1 a\nbank bank.2 b\n")
    ran = cli("score", "semeval-2013", key, "--gold", key, "--by", "pos")
    assert ran.code == 2
    assert "the lemma 'bank' has no part of speech" in ran.err


def test_each_key_has_its_own_warning(cli: Run, tmp_path: Path) -> None:
    keys = [tmp_path / name for name in ("one.key", "two.key")]
    for key in keys:
        key.write_text(Path(A).read_text() + "bank.n bank.n.98 x\nbank.n bank.n.99 x\n")
    lines = cli("score", "semeval-2013", *keys, *GOLD, "--json").err.splitlines()
    assert lines == [f"warning: {key}: 2 usages of the system are not in the gold key" for key in keys]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "key.xz"])
def test_any_format_of_labellings(cli: Run, tmp_path: Path, suffix: str) -> None:
    built = tmp_path / f"system.{suffix}"
    write_labelling(read_labelling(A), built)
    assert answer(cli("score", "semeval-2010", built, *GOLD, "--json")) == answer(
        cli("score", "semeval-2010", A, *GOLD, "--json")
    )


def test_a_group_may_not_take_the_place_of_all(cli: Run, tmp_path: Path) -> None:
    selected = tmp_path / "all.key"
    selected.write_text("bank.n bank.n.1 x\n")
    assert "there is a group 'all' already" in refused(cli, A, "--by", selected)


def test_names_are_as_they_were_given(cli: Run) -> None:
    inputs = [f"./{A}", f"./{B}"]
    assert list(answer(cli("score", "semeval-2010", *inputs, *GOLD, "--json"))) == inputs


def test_splits_that_do_not_belong_to_gold(cli: Run, splits: Path) -> None:
    options = ("score", "semeval-2010", A, *GOLD, "--splits", splits)
    test = splits / "80_20" / "all" / "test.1.key"
    if not test.exists():
        test = splits / "80_20" / "test.1.key"
    right = test.read_text()
    test.write_text("elsewhere.n elsewhere.n.1 x\n")
    assert "the split 80_20, test.1, has no usage of the gold key" in cli(*options).err
    test.write_text(re.sub(r"(?m)^\S+", "other.n", right))
    assert "to 'other.n' in the split 80_20, test.1" in cli(*options).err


def test_a_circle_in_a_hierarchy_names_its_file(cli: Run, tmp_path: Path) -> None:
    circle = tmp_path / "circle.txt"
    circle.write_text("a b\nb a\n")
    ran = cli("score", "senseval", A, *GOLD, "--hierarchy", circle)
    assert ran.code == 2
    assert ran.err.startswith(f"polyseme: {circle}: the hierarchy of senses goes round in a circle")
