"""Benchmarks run on little data; ``make bench`` is their long form."""

import importlib.util
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage


def run(root: Path, script: str, *arguments: str, slow: bool = False, **environment: str) -> str:
    """Run a benchmark; returns its output. With ``slow``, it may exceed its time limit."""
    command = [sys.executable, "-W", "error", str(root / "bench" / script), *arguments]
    process = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    assert process.returncode in ((0, 1) if slow else (0,)), process.stderr or process.stdout
    return process.stdout


def test_fuzzy_measures_agree_with_plain_ones(root: Path) -> None:
    rows = re.findall(r"^ +1,000 .*$", run(root, "fuzzy.py", "1000"), re.M)
    assert len(rows) == 4
    assert all(float(row.split()[-1]) < 1e-12 for row in rows[:3]), rows


def test_starting(root: Path) -> None:
    """Limits hold for a quiet machine; what the import loads holds anywhere."""
    out = run(root, "startup.py", slow=True)
    assert len(re.findall(r"^[\w ,-]+ [\d.]+ s, limit [\d.]+ s$", out, re.M)) == 3, out
    assert out.endswith("import polyseme loads:   no library for numbers\n")


def test_hard_clusterings_beside_scikit_learn(root: Path) -> None:
    values = dict(re.findall(r"^([\w -]+?) +[\d.]+ +(-?[\d.]+)", run(root, "million.py", "20000"), re.M))
    assert values["VMeasure"] == values["scikit-learn v_measure_score"]
    assert values["AdjustedMutualInformation"] == values["scikit-learn adjusted_mutual_info_score"]


def test_reading_keys(root: Path) -> None:
    assert len(re.findall(r"lines of", run(root, "keys.py", "10000"))) == 2


def test_task_13_in_a_fifth_of_the_time_of_its_scorers(root: Path, data: Path) -> None:
    """The limit holds for a quiet machine, best of three; other tests run beside this one."""
    command = [sys.executable, str(root / "bench" / "task13.py")]
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    out = subprocess.run(command, capture_output=True, text=True, env=environment, check=False).stdout
    ratio = re.search(r"ratio: +([\d.]+)", out)
    assert ratio, out
    if float(ratio[1]) < 2:
        pytest.fail(f"far too slow, even beside other tests: {out}")


def test_loading_data_sets(root: Path, data: Path) -> None:
    """Limits hold for a quiet machine; this checks the output."""
    out = run(root, "loading.py", "task-14", slow=True, POLYSEME_DATA=str(data))
    assert re.search(r"^task-14 +[\d.]+ +2 ", out, re.M), out


@pytest.mark.usefixtures("wordnet_31")
def test_loading_wordnet(root: Path) -> None:
    out = run(root, "wordnet.py", slow=True)
    assert re.search(r"from the cache: +[\d.]+ s", out), out


def test_clusterings_of_graphs(root: Path) -> None:
    """Of so many edges as are asked for; without the other package it says so, and that limit is missed."""
    process = subprocess.run(
        [sys.executable, str(root / "bench" / "graphs.py"), "2000"], capture_output=True, text=True, check=False
    )
    assert process.returncode in (0, 1), process.stderr
    edges = re.search(r"^Chinese Whispers, ([\d,]+) edges", process.stdout)
    assert edges, process.stdout
    assert int(edges[1].replace(",", "")) >= 2000
    if importlib.util.find_spec("chinese_whispers") is None:
        assert "chinese-whispers is not installed, so that nothing can be compared. Type: pip install" in process.stdout
        assert process.returncode == 1


def test_inducing(root: Path, tmp_path: Path, data: Path) -> None:
    """An index that is too small is reported."""
    usages = [Usage(f"u{number}", "bank.n", "The bank.", 4, 8) for number in range(3)]
    build_index(usages, tmp_path / "my.index", Simple(lemmatise=False), processes=1)
    command = [sys.executable, str(root / "bench" / "induce.py"), str(tmp_path / "my.index"), "Squares"]
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    process = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert process.stdout.startswith(
        f"9 words in {tmp_path}/my.index: fewer than the 20,000,000 that the limit is for\n"
    )


def test_clustering_of_vectors(root: Path) -> None:
    out = run(root, "clustering.py", "400", slow=True)
    assert len(re.findall(r"^(average|ward|single|complete) .* the same tree$", out, re.M)) == 4, out
    assert re.search(r"^RepeatedBisections +[\d.]+ s", out, re.M), out
    ratio = re.search(r"^AdaptedGap +[\d.]+ s +([\d.]+)× the time of Silhouette$", out, re.M)
    assert ratio, out
    assert float(ratio[1]) > 1
    assert len(re.findall(r"^Consensus, .*: [\d.]+ s in one thread, [\d.]+ s in several: [\d.]+×$", out, re.M)) == 2
    assert re.search(r"^S-CODE, .*pairs a second$", out, re.M), out


def test_substitutes(root: Path, tmp_path: Path) -> None:
    """Sentences of artificial words with likely successors, too few for a time limit."""
    words = [first + second + third for first in "bdfgklm" for second in "aeiou" for third in "nprst"]
    rng = np.random.default_rng(0)
    usages = []
    for number in range(2000):
        at = [int(rng.integers(len(words)))]
        while rng.random() > 0.1:
            at.append(
                (3 * at[-1] + int(rng.integers(2)) if rng.random() < 0.7 else int(rng.integers(1000))) % len(words)
            )
        text = " ".join(words[place] for place in at)
        usages.append(Usage(f"u{number}", words[at[0]], f"{text}.", 0, len(words[at[0]])))
    build_index(usages, tmp_path / "my.index", Simple(lemmatise=False), processes=1)
    out = run(root, "substitutes.py", str(tmp_path / "my.index"), "100")
    assert re.search(r"^The 100 best of [\d,]+ words in 100 gaps, 0 of them different$", out, re.M), out
    assert re.search(r"^  FASTSUBS +[\d.]+ ms, ", out, re.M), out


def test_agreement(root: Path) -> None:
    """The results equal those of scipy and krippendorff."""
    out = run(root, "agreement.py", "20000", slow=True)
    assert len(re.findall(r"^  full table +[\d.]+ s", out, re.M)) == 2, out
    assert all(float(difference) < 1e-9 for difference in re.findall(r"largest difference (\S+)$", out, re.M)), out


@pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="it compares compiled loops: pip install 'polyseme[fast]'"
)
def test_topics(root: Path) -> None:
    """Three planted topics; programs that are not there are named with what to type."""
    out = run(root, "topics.py", "150", "40", "3", "150", "64")
    assert out.startswith("150 documents of 40 words from 3 topics, ")
    rows = dict(re.findall(r"^(polyseme HDP|tomotopy HDPModel|direct assignment|gensim HdpModel) +(.*)$", out, re.M))
    assert len(rows) == 4, out
    match = re.search(r" (\d+) +([\d.]+) +[\d.]+ s, +\d+$", rows["polyseme HDP"])
    assert match, out
    assert int(match[1]) == 3
    assert float(match[2]) >= 0.9
    for name, package, extra in (
        ("tomotopy HDPModel", "tomotopy", "'polyseme[topics]'"),
        ("gensim HdpModel", "gensim", "gensim"),
    ):
        missing = rows[name] == f"{package} is not installed; type: pip install {extra}"
        assert missing == (importlib.util.find_spec(package) is None), rows[name]


@pytest.mark.skipif(importlib.util.find_spec("polyseme_small") is None, reason="it asks the small language model")
def test_descriptions(root: Path, tmp_path: Path, data: Path) -> None:
    """A lemma of the development part, with items for people."""
    out = run(root, "descriptions.py", "--lemmas", "2", "--items", str(tmp_path), POLYSEME_DATA=str(data))
    assert re.search(r"^\d+ items, [12] lemmas\nchance +0\.250\nplain +[\d.]+ ± [\d.]+\npresent +[\d.]+ ± ", out), out
    items = (tmp_path / "items.txt").read_text("utf-8")
    solutions = (tmp_path / "solution.txt").read_text("utf-8").splitlines()
    assert len(re.findall(r"^ +[abcd]\. .*\[.*\]", items, re.M)) == 4 * len(solutions)


@pytest.mark.skipif(importlib.util.find_spec("polyseme_small") is None, reason="it asks the small language model")
def test_the_same_sense(root: Path, data: Path) -> None:
    """Every fiftieth lemma of the development part, without texts for single-sense words."""
    out = run(root, "same_sense.py", "--share", "0.02", "--text", "no-texts", POLYSEME_DATA=str(data))
    assert re.search(r"^learnt:  SameSense\(.*\)\nshipped: SameSense\(", out, re.M), out
    assert len(re.findall(r"^  predicted 0\.\d\d, same sense [01]\.\d\d  \([\d,]+ pairs\)$", out, re.M)) >= 5
    single, ours = (re.search(rf"^  {name} +([\d.]+) ([\d.]+)  [\d.]+ senses", out, re.M) for name in CLUSTERINGS)
    assert single
    assert ours
    assert 0.5 < float(ours[1]) <= 1
    assert re.search(r"^  lemmas with several coarse senses, sentences: one for \d+ of \d+", out, re.M)


CLUSTERINGS = ("one cluster", "correlation clustering")
"""Rows of the table of clusterings."""


@pytest.mark.skipif(importlib.util.find_spec("polyseme_small") is None, reason="it asks the small language model")
def test_weights_beside_ratings(root: Path, data: Path) -> None:
    out = run(root, "weights.py", "WSsim-1", POLYSEME_DATA=str(data))
    line = re.match(
        r"WSsim-1: ECE ([\d.]+), slope ([\d.]+); several senses: model [\d.]+%, people [\d.]+% of usages", out
    )
    assert line, out
    assert float(line[1]) < 0.1
    assert 0.7 < float(line[2]) < 1.3


def test_single_sense_words_are_found_in_texts(monkeypatch: pytest.MonkeyPatch, root: Path, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(root / "bench")
    import single_sense_words

    lemmas_of_senses = ("aunt.n", "bank.n", "bank.n", "sold.a", "sell.v")
    senses = [Sense(f"{number}", lemma) for number, lemma in enumerate(lemmas_of_senses)]
    lemmas = single_sense_words.list_single_sense_words(Inventory(senses))
    assert set(lemmas.values()) == {"aunt.n", "sell.v"}
    assert lemmas["aunts"] == "aunt.n"
    text = "Her aunts went to the bank of the town. They sell old books and maps there. Aunt May came.\n"
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress((text * 40).encode()))
    usages = single_sense_words.collect_usages(lemmas, single_sense_words.read_documents(tmp_path), 5)
    assert {usage.target for usage in usages} == {"aunts", "sell"}
    assert {usage.lemma: usage.text for usage in usages}["aunt.n"] == "Her aunts went to the bank of the town."
    assert len(usages) == 10
    assert {usage.lemma for usage in single_sense_words.choose_lemmas(usages, 1)} == {"aunt.n"}
