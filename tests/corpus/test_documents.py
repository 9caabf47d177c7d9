"""The documents of all formats: their names, texts and metadata; errors name the line."""

import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from polyseme.corpus.concordance import find_usages
from polyseme.corpus.documents import CorpusFile, Document, DocumentTarget, UsageFile, list_corpus_files
from polyseme.corpus.english_analyser import English
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError
from polyseme.formats import read_usages, write_usages
from polyseme.formats.files import write_bytes
from polyseme.usage import Usage

Rows = list[dict[str, object]]


def documents(path: Path) -> list[Document]:
    return [document for file in list_corpus_files(path) for document in file.documents()]


def write_file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def write_parquet(folder: Path, rows: Rows, schema: pa.Schema | None = None) -> Path:
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / "a.parquet")
    return folder / "a.parquet"


def meta_by_name(documents: list[Document]) -> dict[str, Mapping[str, str]]:
    return {document.name: document.meta for document in documents}


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, text",
    [
        ("a.jsonl", '{"id": null, "text": "We won."}\n\n{"id": "", "text": "We lost."}\n{"id": 0, "text": "No."}\n'),
        ("a.csv", "id,text\n,We won.\n0,No.\n , We lost.\n"),
    ],
)
def test_a_blank_id_is_replaced_by_the_number(tmp_path: Path, name: str, text: str) -> None:
    numbers = {"a.jsonl": ["1", "3", "0"], "a.csv": ["2", "0", "4"]}[name]
    read = documents(write_file(tmp_path, name, text))
    assert [document.name for document in read] == [f"{name}#{number}" for number in numbers]


def test_ids_of_parquet_as_pandas_writes_them(tmp_path: Path) -> None:
    rows: Rows = [{"id": 7.0, "text": "a", "year": 1900.0}, {"id": float("nan"), "text": "b", "year": float("nan")}]
    assert meta_by_name(documents(write_parquet(tmp_path, rows))) == {
        "a.parquet#7": {"year": "1900.0"},
        "a.parquet#2": {},
    }


@pytest.mark.parametrize(
    "name, text, problem",
    [
        ("a.jsonl", '{"id": "x", "text": "a"}\n{"text": "b"}\n{"id": "x", "text": "c"}\n', ":3: .*'x', in line 1"),
        ("a.jsonl", '{"id": 1, "text": "a"}\n{"id": "1", "text": "c"}\n', ":2: .*'1', in line 1 and in line 2"),
        ("a.jsonl", '{"text": "a"}\n{"id": "1", "text": "c"}\n', ":2: .*'1', in line 1 and in line 2"),
        ("a.jsonl", '{"id": "2", "text": "a"}\n{"text": "c"}\n', ":2: .*'2', in line 1 and in line 2"),
        ("a.csv", 'id,text\nx,"a\nb"\ny,b\nx,c\n', ":5: two documents are called 'x', in line 2 and in line 5; give"),
        ("a.vrt", '<text id="x">\n<s>\nWe\n</s>\n</text>\n<text id="x">\n<s>\nWe\n</s>\n</text>\n',
         ": two documents are called 'x', as number 1 and as number 2"),
    ],
)  # fmt: skip
def test_two_documents_of_one_name_are_refused(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"{name}{problem}"):
        documents(write_file(tmp_path, name, text))


def test_two_rows_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.parquet: two documents are called 'x', in row 1 and in row 2"):
        documents(write_parquet(tmp_path, [{"id": "x", "text": "a"}, {"id": "x", "text": "b"}]))


@pytest.mark.parametrize("again", [1, 65_000, 140_000, 149_999])
def test_a_repeated_name_among_many_is_refused(tmp_path: Path, again: int) -> None:
    rows = "".join(f"n{number},a\n" for number in range(2, 150_001))
    path = write_file(tmp_path, "a.csv", f"id,text\n{rows}n{again + 1},b\n")
    with pytest.raises(InputError, match=f"called 'n{again + 1}', in line {again + 1} and in line 150001"):
        documents(path)


def test_two_usages_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="usages: two documents are called 'a', as number 1 and as number 2"):
        list(UsageFile((Usage("a", "we", "We won.", 0, 2),) * 2).documents())


def test_usages_of_documents_can_be_written(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a.jsonl", '{"text": "The bank."}\n{"id": null, "text": "A bank."}\n')
    index = build_index([path], tmp_path / "i", Simple(lemmatise=False), processes=1)
    usages = list(find_usages(index, "bank"))
    write_usages(usages, tmp_path / "out.jsonl")
    assert list(read_usages(tmp_path / "out.jsonl")) == usages


# -- what cannot be read -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", [r'{"text": "a\ud800"}', r'{"text": "a", "id": "\uDfff"}', r'{"text": "", "\ud800": 1}']
)
def test_half_a_character_is_refused(tmp_path: Path, line: str) -> None:
    path = write_file(tmp_path, "a.jsonl", '{"text": "\\ud83d\\ude00"}\n' + line)
    with pytest.raises(InputError, match=r"a\.jsonl:2: '\\ud[8f].*' is half a character"):
        documents(path)


def test_half_a_character_in_a_usage() -> None:
    with pytest.raises(InputError, match=r"usages: usage 'a' holds '\\ud800', half a character"):
        list(UsageFile((Usage("a", "we", "We \ud800.", 0, 2),)).documents())


@pytest.mark.parametrize(
    "name, text, problem",
    [
        ("a.csv", "Text,Date\nWe won.,1900\n", "has the columns 'Text', 'Date'; one must be called text"),
        ("a.tsv", "body\tDate\nWe won.\t1900\n", "has the columns 'body', 'Date'; one must be called text"),
        ("a.jsonl", '{"body": "We won."}\n', "has the fields 'body'; one must be called text"),
        ("a.ndjson", "We won.\n", "has no fields; one must be called text"),
        (
            "a.json",
            '[{"id": 1, "text": "We won."}]',
            "has the fields 'id', 'text'; its objects must be on lines of their own",
        ),
        ("a.json", '{\n "text": "We won."\n}', "has the fields 'text'; its objects must be on lines of their own"),
    ],
)
def test_a_table_without_text_is_refused(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        documents(write_file(tmp_path, name, text))
    write_bytes(tmp_path / f"{name}.gz", text.encode())
    with pytest.raises(InputError, match=problem):
        documents(tmp_path / f"{name}.gz")


def test_a_table_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Text,Date\n".encode("utf-16"))
    with pytest.raises(InputError, match="this is UTF-16 text"):
        documents(tmp_path / "a.csv")


@pytest.mark.parametrize("name, text", [("a.csv", "id,text\n"), ("a.jsonl", "\n \n"), ("a.csv", "\ufeff\n")])
def test_an_empty_table_is_refused(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(InputError, match=f"{name}: the file is empty"):
        documents(write_file(tmp_path, name, text))


@pytest.mark.parametrize("columns", [["text"], ["form", "sentence"]])
def test_an_empty_parquet_table(tmp_path: Path, columns: list[str]) -> None:
    path = write_parquet(tmp_path, [], pa.schema([(name, pa.string()) for name in columns]))
    with pytest.raises(InputError, match=r"a\.parquet: the file is empty"):
        documents(path)


# -- what can ------------------------------------------------------------------------------------------------------


def test_a_table_of_documents_with_a_form(tmp_path: Path) -> None:
    read = documents(write_parquet(tmp_path, [{"text": "We won.", "form": "novel"}]))
    assert read == [Document("a.parquet#1", "We won.", {"form": "novel"})]


def test_a_long_first_line(tmp_path: Path) -> None:
    line = json.dumps({"html": "x" * 200_000, "text": "We won."})
    (document,) = documents(write_file(tmp_path, "a.jsonl", line))
    assert document.text == "We won."


def test_a_cell_of_a_megabyte(tmp_path: Path) -> None:
    (document,) = documents(write_file(tmp_path, "a.csv", f'id,text\n1,"{"We won. " * 125_000}"\n'))
    assert len(document.text) == 1_000_000


def test_a_hidden_file_can_be_given(tmp_path: Path) -> None:
    path = write_file(tmp_path, ".hid.txt", "We won.")
    assert [file.name for file in list_corpus_files(path)] == [".hid.txt"]
    assert list(list_corpus_files(tmp_path)) == []


CONLLU = """\
# newdoc
# newdoc date = 1900
# author = Ann
# newpar
# sent_id = 1
# note = first
1\tWe\twe\tPRON\t_\t_\t0\troot\t_\t_

# sent_id = 2
# note = second
1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_

# newdoc
# sent_id = 1
1\tNo\tno\tINTJ\t_\t_\t0\troot\t_\t_

# newdoc id = last
# sent_id = 1
1\tNo\tno\tINTJ\t_\t_\t0\troot\t_\t_

"""


def test_documents_of_conllu(tmp_path: Path) -> None:
    read = documents(write_file(tmp_path, "a.conllu", CONLLU))
    assert meta_by_name(read) == {
        "a.conllu#1": {"date": "1900", "author": "Ann"},
        "a.conllu#2": {},
        "a.conllu#last": {},
    }
    assert [len(document.sentences or ()) for document in read] == [2, 1, 1]


def test_a_file_without_marks_is_one_document(tmp_path: Path) -> None:
    text = CONLLU.replace("newdoc id", "title").replace("# newdoc\n", "").replace("newdoc date", "date")
    read = documents(write_file(tmp_path, "a.conllu", text.replace("sent_id", "number")))
    assert meta_by_name(read) == {"a.conllu": {"date": "1900", "author": "Ann"}}


def test_documents_of_vrt(tmp_path: Path) -> None:
    sentence = "<s>\nWe\tPP\twe\n</s>\n"
    texts = [f"<text{attributes}>\n{sentence * 2}</text>\n" for attributes in ("", "", ' year="1900"', ' id="x"')]
    read = documents(write_file(tmp_path, "a.vrt", "<corpus>\n" + "".join(texts) + "</corpus>\n"))
    meta = [{}, {}, {"text_year": "1900"}, {"text_id": "x"}]
    assert meta_by_name(read) == dict(zip(["a.vrt#1", "a.vrt#2", "a.vrt#3", "a.vrt#x"], meta, strict=True))
    assert [len(document.sentences or ()) for document in read] == [2, 2, 2, 2]
    assert [document.name for document in documents(write_file(tmp_path, "b.vrt", sentence * 2))] == ["b.vrt"]
    text = f'<doc id="y">\n{sentence}</doc>\n<doc>\n{sentence}</doc>\n'
    assert [document.name for document in documents(write_file(tmp_path, "c.vrt", text))] == ["c.vrt#y", "c.vrt#2"]


# -- usages --------------------------------------------------------------------------------------------------------


def test_the_checksum_of_usages_depends_on_their_targets() -> None:
    usages = [
        Usage("a", "bank.n", "The bank, a bank.", 4, 8),
        Usage("a", "bank.n", "The bank, a bank.", 12, 16),
        Usage("a", "bank.v", "The bank, a bank.", 4, 8),
        Usage("a", "bank", "The bank, a bank.", 4, 8, "v"),
        Usage("a", "bank", "The bank, a bank.", 4, 8, "n"),
    ]
    assert len({UsageFile((usage,)).checksum() for usage in usages}) == 5


@pytest.mark.parametrize(
    "lemma, pos, word",
    [
        ("bank", "n", "bank.n"),
        ("bank.n", "n", "bank.n"),
        ("bank", "", "bank"),
        ("bank", "NN", "bank"),
        ("p.m", "r", "p.m.r"),
    ],
)
def test_the_word_of_a_target(lemma: str, pos: str, word: str | None) -> None:
    (document,) = UsageFile((Usage("a", lemma, "A bank.", 2, 6, pos),)).documents()
    assert document.target == (None if word is None else DocumentTarget(2, 6, word))


def test_the_target_of_a_word_usage_graph(tmp_path: Path) -> None:
    head = (
        "lemma\tpos\tdate\tgrouping\tidentifier\tdescription\tcontext\tindexes_target_token\tindexes_target_sentence\n"
    )
    path = write_file(tmp_path, "uses.csv", head + "bank\tVB\t1900\t1\tb1\t \tThe bank is high.\t4:8\t0:17\n")
    index = build_index([path], tmp_path / "i", English(), processes=1)
    assert "bank.v" in index.vocabulary
    assert "bank.n" not in index.vocabulary


# -- archives ------------------------------------------------------------------------------------------------------


def archive(path: Path, texts: Mapping[str, str]) -> Path:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, text in texts.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    write_bytes(path, packed.getvalue())
    return path


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tar.bz2", "tar.xz", "tar.zst"])
def test_archives_alone_and_in_folders(tmp_path: Path, suffix: str) -> None:
    texts = {"a.txt": "We won.", "b/c.jsonl": '{"text": "We lost."}', "b/.hid": "No."}
    path = archive(tmp_path / f"in.{suffix}", texts)
    assert [document.name for document in documents(path)] == ["a.txt", "b/c.jsonl#1"]
    write_file(tmp_path, "z.txt", "Yes.")
    names = [document.name for document in documents(tmp_path)]
    assert names == [f"in.{suffix}/a.txt", f"in.{suffix}/b/c.jsonl#1", "z.txt"]
    index = build_index([path], tmp_path / "i", Simple(lemmatise=False), processes=1)
    assert index.manifest["documents"] == 2


def test_a_broken_member_can_be_skipped(tmp_path: Path) -> None:
    path = archive(tmp_path / "in.tar.gz", {"a.txt": "", "b.txt": "We won."})
    problems: list[str] = []
    build_index([path], tmp_path / "i", Simple(), processes=1, skip=lambda error: problems.append(str(error)))
    assert problems == [f"{path}/a.txt: the file is empty; name one with text"]


def test_a_file_can_be_read_again(tmp_path: Path) -> None:
    path = archive(tmp_path / "in.tar.xz", {f"{number}.txt": f"Number {number}." for number in range(5)})
    files = [file for file in list_corpus_files(path) if isinstance(file, CorpusFile)]
    for file in (*reversed(files), files[3], files[0], files[4]):
        (document,) = file.documents()
        assert document.text == f"Number {file.name[0]}."
        assert file.checksum() == file.checksum()
