"""Indexing: the same bytes however often it is interrupted, and nothing is lost."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyseme.corpus import indexing
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError, InputWarning
from polyseme.formats.files import write_bytes
from polyseme.usage import Usage

PLAIN = Simple(lemmatise=False)
WORDS = ("the", "bank", "of", "a", "river", "lends", "money", "to", "whoever", "swims", ".", "Why", "?", "Nobody")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Forty documents of about three hundred words each."""
    folder = tmp_path / "texts"
    folder.mkdir()
    dice = random.Random(1)
    for number in range(40):
        words = " ".join(dice.choice(WORDS) for _ in range(300))
        (folder / f"{number:02}.txt").write_text(f"{words}\n\nThe end of {number}.\n")
    return folder


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PART_TOKENS", 2000)


def content(folder: Path) -> dict[str, bytes]:
    """Every file of an index by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_tables_of_an_index_agree_with_the_texts(texts: Path, tmp_path: Path) -> None:
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert index.manifest["documents"] == 40
    assert len(index.manifest["parts"]) > 5
    tokens = [row for part in index.parts("tokens") for row in part.to_pylist()]
    sentences = [row for part in index.parts("sentences") for row in part.to_pylist()]
    documents = [row for part in index.parts("documents") for row in part.to_pylist()]
    assert len(tokens) == len(index) == index.manifest["tokens"]
    assert [row["sentence"] for row in sentences] == list(range(len(sentences)))
    assert [row["name"] for row in documents] == [f"{number:02}.txt" for number in range(40)]
    for row in tokens[::97]:
        sentence = sentences[row["sentence"]]
        text = (texts / documents[row["document"]]["name"]).read_text()
        assert sentence["text"][row["start"] : row["end"]] == row["form"]
        assert text[sentence["start"] :][: len(sentence["text"])] == sentence["text"]
        assert index.vocabulary[row["word"]] == row["form"].lower()
    assert index.vocabulary.counts.sum() == len(tokens)
    assert index.vocabulary.counts[index.vocabulary.number("bank")] == sum(row["form"] == "bank" for row in tokens)


def test_two_runs_and_any_number_of_processes_give_the_same_bytes(texts: Path, tmp_path: Path) -> None:
    build_index([texts], tmp_path / "one", PLAIN, processes=1)
    build_index([texts], tmp_path / "two", PLAIN, processes=1)
    build_index([texts], tmp_path / "three", PLAIN, processes=2)
    assert content(tmp_path / "one") == content(tmp_path / "two") == content(tmp_path / "three")


PROGRAM = """
import sys
from polyseme.corpus import indexing
from polyseme.corpus.english_analyser import English
from polyseme.corpus.simple_analyser import Simple
indexing.PART_TOKENS = 2000
indexing.build_index([sys.argv[1]], sys.argv[2], Simple(lemmatise=False), processes=int(sys.argv[3]))
"""


def test_killed_ten_times_it_ends_with_the_same_bytes(texts: Path, tmp_path: Path) -> None:
    build_index([texts], tmp_path / "undisturbed", PLAIN, processes=1)
    dice = random.Random(7)
    killed = 0
    command = [sys.executable, "-c", PROGRAM, str(texts), str(tmp_path / "killed")]
    start = time.perf_counter()
    subprocess.run([*command[:-1], str(tmp_path / "timed"), "1"], check=True)
    whole = time.perf_counter() - start
    for _ in range(10):
        process = subprocess.Popen([*command, dice.choice("12")])
        time.sleep(dice.uniform(0.5 * whole, whole))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() != 0
    assert killed
    subprocess.run([*command, "2"], check=True)
    assert content(tmp_path / "killed") == content(tmp_path / "undisturbed")


def test_interrupted_between_parts_it_continues(texts: Path, tmp_path: Path) -> None:
    build_index([texts], tmp_path / "undisturbed", PLAIN, processes=1)

    class Interrupted(Exception):
        pass

    def interrupt(done: indexing.IndexingProgress) -> None:
        if done.documents in (5, 17, 18, 31):
            seen.append(done.documents)
            if seen.count(done.documents) == 1:
                raise Interrupted

    seen: list[int] = []
    for _ in range(4):
        with pytest.raises(Interrupted):
            build_index([texts], tmp_path / "i", PLAIN, processes=1, show=interrupt)
    build_index([texts], tmp_path / "i", PLAIN, processes=1, show=interrupt)
    assert content(tmp_path / "i") == content(tmp_path / "undisturbed")


def test_an_unfinished_index_can_be_used(texts: Path, tmp_path: Path) -> None:
    (texts / "99.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match=r"99.txt:1: byte 0xe9 in column 4 is not UTF-8"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)
    with pytest.warns(InputWarning, match="this index is not finished; it has 40 documents so far"):
        index = Index.open(tmp_path / "i")
    assert len(index) > 10_000
    (texts / "99.txt").write_text("At last.")
    assert build_index([texts], tmp_path / "i", PLAIN, processes=1).manifest["documents"] == 41


def test_new_files_are_added_and_others_are_not_indexed_again(texts: Path, tmp_path: Path) -> None:
    before = content(build_index([texts], tmp_path / "i", PLAIN, processes=1).folder)
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert content(tmp_path / "i") == before
    (texts / "05a.txt").write_text("A walrus swims.")
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert index.manifest["documents"] == 41
    assert index.vocabulary.counts[index.vocabulary.number("walrus")] == 1
    after = content(tmp_path / "i")
    assert all(after[name] == data for name, data in before.items() if name.endswith(".parquet"))


def test_a_changed_file_is_refused(texts: Path, tmp_path: Path) -> None:
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    (texts / "03.txt").write_text("Something else.")
    with pytest.raises(InputError, match=r"03.txt: this file has changed since it was indexed"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert Index.open(tmp_path / "i").manifest["documents"] == 40


def test_another_analyser_is_refused(texts: Path, tmp_path: Path) -> None:
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    with pytest.raises(
        InputError, match=r"was built by Simple\(language='en', lemmatise=False\).* not by Simple\(language='de'"
    ):
        build_index([texts], tmp_path / "i", Simple("de", lemmatise=False), processes=1)


def test_broken_files_are_errors_or_skipped(texts: Path, tmp_path: Path) -> None:
    (texts / "10a.txt").write_bytes(b"caf\xe9")
    (texts / "10b.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    (texts / "10c.txt").write_bytes(b" \n")
    (texts / "10d.txt").write_bytes(b"")
    problems: list[str] = []
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1, skip=lambda error: problems.append(str(error)))
    assert index.manifest["documents"] == 40
    assert [problem.rpartition("/")[2].partition(":")[0] for problem in problems] == [
        "10a.txt",
        "10b.txt",
        "10c.txt",
        "10d.txt",
    ]
    assert "not UTF-8" in problems[0]
    assert "this is an image" in problems[1]


def test_an_index_on_a_full_disk_can_be_continued(texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_index([texts], tmp_path / "undisturbed", PLAIN, processes=1)
    written = 0

    def full(path: Path, data: bytes) -> None:
        nonlocal written
        written += 1
        if written > 10:
            raise OSError(28, "No space left on device")
        write_bytes(path, data)

    monkeypatch.setattr("polyseme.corpus.index_part.write_bytes", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device; what was indexed so far is kept"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)
    with pytest.warns(InputWarning, match="not finished"):
        assert len(Index.open(tmp_path / "i").vocabulary) > 10
    monkeypatch.undo()
    monkeypatch.setattr(indexing, "PART_TOKENS", 2000)
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert content(tmp_path / "i") == content(tmp_path / "undisturbed")


def test_wrong_folders_are_refused(texts: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder is not empty and is not an index"):
        build_index([texts], texts, PLAIN)
    with pytest.raises(InputError, match=r"this is not an index\. Type: polyseme index"):
        Index.open(texts)
    with pytest.raises(InputError, match="there is no such file or folder"):
        build_index([tmp_path / "nowhere"], tmp_path / "i", PLAIN)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="there are no files in it"):
        build_index([tmp_path / "empty"], tmp_path / "i", PLAIN)


def test_a_missing_file_of_the_index_is_reported(texts: Path, tmp_path: Path) -> None:
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1)
    (index.folder / "tokens" / "00001.parquet").unlink()
    with pytest.raises(InputError, match=r"00001.parquet: a file of the index is missing or damaged"):
        list(Index.open(tmp_path / "i").parts("tokens"))


def test_two_processes_cannot_write_one_index(texts: Path, tmp_path: Path) -> None:
    def again(_: indexing.IndexingProgress) -> None:
        build_index([texts], tmp_path / "i", PLAIN, processes=1)

    with pytest.raises(InputError, match="another process is writing this index"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1, show=again)


# -- sources -------------------------------------------------------------------------------------------------------


CONLLU = """# newdoc id = d1
# sent_id = 1
1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\twon\twin\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = 2
1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_

"""


@pytest.mark.parametrize(
    "name, text, documents",
    [
        ("a.txt", "We won.", {"a.txt": {}}),
        ("a.jsonl", '{"text": "We won.", "date": 1900}\n{"id": "x", "text": "We lost."}\n',
         {"a.jsonl#1": {"date": "1900"}, "a.jsonl#x": {}}),
        ("a.csv", 'id,text,date\n7,"We won,\nat last.",1900\n', {"a.csv#7": {"date": "1900"}}),
        ("u.csv", "id,lemma,text,start,end,pos\nwin.v.1,win.v,We won.,3,6,v\n", {"win.v.1": {"lemma": "win.v"}}),
        ("a.conllu", CONLLU, {"a.conllu#d1": {}}),
        ("a.vrt", '<text id="t1" year="1900">\n<s>\nWe\tPP\twe\nwon\tVVD\twin\n</s>\n</text>\n',
         {"a.vrt#t1": {"text_id": "t1", "text_year": "1900"}}),
    ],
)  # fmt: skip
def test_documents_have_names_and_metadata(
    tmp_path: Path, name: str, text: str, documents: dict[str, dict[str, str]]
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text)
    index = build_index([tmp_path / "in"], tmp_path / "i", PLAIN, processes=1)
    rows = [row for part in index.parts("documents") for row in part.to_pylist()]
    assert {row["name"]: json.loads(row["meta"]) for row in rows} == documents


def test_text_that_is_analysed_already_keeps_its_analysis(tmp_path: Path) -> None:
    (tmp_path / "a.vrt").write_text("<s>\nWe\twe\tPP\t1\t2\tnsubj\nwon\twin\tVVD\t2\t0\troot\n</s>\n")
    index = build_index([tmp_path / "a.vrt"], tmp_path / "i", PLAIN)
    (part,) = index.parts("tokens")
    assert part.column("head").to_pylist() == [2, 0]
    assert part.column("relation").to_pylist() == ["nsubj", "root"]
    assert list(index.vocabulary) == ["we", "win.v"]


COLUMNS = ("document", "sentence", "form", "lemma", "upos", "head", "deprel", "year")
TOKENS = [
    ("d1", 1, "We", "we", "PRON", 2, "nsubj", 1909),
    ("d1", 1, "won", "win", "VERB", 0, "root", 1909),
    ("d1", 2, "Yes", "yes", "INTJ", 0, "root", 1909),
    ("d2", 1, "No", "no", "", None, "", 1908),
]


def test_parquet_holds_tokens_or_documents(tmp_path: Path) -> None:
    write_rows(tmp_path / "tokens.parquet", [dict(zip(COLUMNS, row, strict=True)) for row in TOKENS])
    index = build_index([tmp_path / "tokens.parquet"], tmp_path / "i", PLAIN)
    documents, sentences, tokens = (
        next(index.parts(name)).to_pylist() for name in ("documents", "sentences", "tokens")
    )
    assert [(row["name"], json.loads(row["meta"])) for row in documents] == [
        ("tokens.parquet#d1", {"document": "d1", "year": "1909"}),
        ("tokens.parquet#d2", {"document": "d2", "year": "1908"}),
    ]
    assert [row["text"] for row in sentences] == ["We won", "Yes", "No"]
    assert [row["head"] for row in tokens] == [2, 0, 0, None]
    assert list(index.vocabulary) == ["we", "win.v", "yes", "no"]

    write_rows(tmp_path / "texts.parquet", [{"text": "We won. Yes.", "date": 1900}, {"text": "No.", "date": 1901}])
    index = build_index([tmp_path / "texts.parquet"], tmp_path / "j", PLAIN, processes=1)
    assert [row["name"] for row in next(index.parts("documents")).to_pylist()] == ["texts.parquet#1", "texts.parquet#2"]


@pytest.mark.parametrize(
    "row, problem",
    [
        ({"word": "We"}, r"columns 'word'; a table of tokens needs form and sentence, one of documents needs text"),
        ({"form": "We"}, r"columns 'form'; sentence is not there"),
        ({"form": "We", "sentence": 1, "head": 2}, r"head 2 in sentence 1 is not a number from 0 \(the root\) to 1"),
        ({"form": "", "sentence": 1}, r"form '' in sentence 1 is not a word"),
        ({"form": "We", "sentence": 1, "tag": "PP", "xpos": "PP"}, r"tag is there twice"),
        ({"text": 7}, r"text 7 in row 1 is not text"),
    ],
)
def test_parquet_without_a_corpus_is_refused(tmp_path: Path, row: dict[str, object], problem: str) -> None:
    write_rows(tmp_path / "a.parquet", [row])
    with pytest.raises(InputError, match=rf"a\.parquet: .*{problem}"):
        build_index([tmp_path / "a.parquet"], tmp_path / "i", PLAIN, processes=1)


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


def test_usages_are_a_source(tmp_path: Path) -> None:
    usages = [
        Usage("win.v.1", "win.v", "We won.", 3, 6),
        Usage("win.v.2", "win.v", "They win.", 5, 8, meta={"date": 9}),
    ]
    index = build_index(usages, tmp_path / "i", PLAIN, processes=1)
    documents = [(row["name"], json.loads(row["meta"])) for row in next(index.parts("documents")).to_pylist()]
    assert documents == [("win.v.1", {"lemma": "win.v"}), ("win.v.2", {"lemma": "win.v", "date": "9"})]
    assert build_index(usages, tmp_path / "i", PLAIN).manifest == index.manifest
    with pytest.raises(InputError, match="usages: this file has changed"):
        build_index(usages[:1], tmp_path / "i", PLAIN)


def test_the_target_of_a_usage_is_what_the_usage_says(tmp_path: Path) -> None:
    usages = [Usage("bank.v.1", "bank.v", "It rained. The bank of the bank closed.", 15, 19)]
    index = build_index(usages, tmp_path / "i", English(), processes=1)
    (tokens,) = index.parts("tokens")
    words = [index.vocabulary[word] for word in tokens.column("word").to_numpy().tolist()]
    assert words[3:8] == ["the", "bank.v", "of", "the", "bank.n"]
    adjective = [Usage("old.j.1", "old.j", "The old were there.", 4, 7, "a")]
    assert "old.a" in build_index(adjective, tmp_path / "k", English(), processes=1).vocabulary
    plain = build_index(usages, tmp_path / "j", PLAIN, processes=1)
    assert "bank.v" not in plain.vocabulary
    assert plain.vocabulary.counts[plain.vocabulary.number("bank")] == 2
    plain = build_index(usages, tmp_path / "l", PLAIN, processes=1, keep_lemmas=True)
    assert [plain.vocabulary.counts[plain.vocabulary.number(word)] for word in ("bank.v", "bank")] == [1, 1]
    assert not plain.vocabulary.has_pos


def test_two_sources_with_the_same_file_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.txt").write_text(f"We won {folder}.")
    with pytest.raises(InputError, match=r"two files would be called 1\.txt.*name the folder above both"):
        build_index([tmp_path / "a", tmp_path / "b"], tmp_path / "i", PLAIN)
    build_index([tmp_path / "a", tmp_path / "b"][:1], tmp_path / "i", PLAIN, processes=1)
