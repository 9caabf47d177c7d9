"""``polyseme index`` and ``polyseme kwic``."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run, refused
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError
from polyseme.formats import read_usages
from polyseme.interface.indexing import build_index

CONLLU = """# sent_id = 1
1\tBanks\tbank\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tlend\tlend\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_index_and_kwic(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "bank.conllu").write_text(
        "# sent_id = 1\n1\tBanks\tbank\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tlend\tlend\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    )
    command = ("index", "bank.conllu", "-o", "my.index", "--analyser", "Simple(lemmatise=False)")
    ran = cli(*command)
    assert (ran.code, ran.out) == (0, "my.index: 1 document, 1 sentence, 2 tokens, 2 words\n")
    assert json.loads(cli(*command, "--json").out) == {
        "path": "my.index",
        "analyser": "Simple(language='en', lemmatise=False)",
        "documents": 1,
        "sentences": 1,
        "tokens": 2,
        "words": 2,
    }
    assert cli("kwic", "my.index", "bank.n").out.split() == ["Banks", "lend", "bank.conllu.1.1"]
    (tmp_path / "out.jsonl").write_text(cli("kwic", "my.index", "bank.n", "--json").out)
    (usage,) = read_usages(tmp_path / "out.jsonl")
    assert (usage.target, usage.pos) == ("Banks", "n")


def indexed(cli: Run, folder: Path, *documents: dict[str, object]) -> None:
    """``my.index`` of these documents, without parts of speech."""
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, documents)))
    assert cli("index", "a.jsonl", "-o", "my.index", "--analyser", "Simple(lemmatise=False)").code == 0


def test_kwic_shows_what_is_known_of_documents(cli: Run, tmp_path: Path) -> None:
    long = "a very long remark that a line has no room for, however wide it is"
    indexed(
        cli,
        tmp_path,
        {"id": "a", "text": "We sat on the bank and ate.", "date": 1861, "genre": "diary"},
        {"id": "b", "text": "The bank closed.", "remark": long, "pub-date": "1900-05"},
        {"id": "c", "text": "A bank."},
    )
    lines = cli("kwic", "my.index", "bank").out.splitlines()
    assert [line.split("a.jsonl#")[1] for line in lines] == [
        "a.1.5  date=1861 genre=diary",
        "b.1.2  pub-date=1900-05 remark=a very l…",
        "c.1.2",
    ]
    assert {line.index("  bank  ") for line in lines} == {30}
    assert max(map(len, lines)) == 120
    assert cli("kwic", "my.index", "bank", "--where", "meta['pub-date'] > '1900'").out == lines[1] + "\n"
    assert cli("kwic", "my.index", "bank", "--where", "date > 1800").err.endswith("1 of 3 usages meet the condition\n")
    assert "meet the condition" not in cli("kwic", "my.index", "bank").err
    assert json.loads(cli("kwic", "my.index", "bank", "--where", "date > -50", "--json").out)["meta"] == {
        "date": "1861",
        "genre": "diary",
        "document": "a.jsonl#a",
    }


@pytest.mark.parametrize(
    "condition, message",
    [
        ("dat > 1", "no document has 'dat', which is in 'dat > 1'; the fields are: date, document\n"),
        ("(1, 2) < date", "'(1, 2)' is only allowed after in"),
        ("date == 1861 or 1862", "'1862' is not a condition"),
    ],
)
def test_conditions_that_cannot_be_meant(cli: Run, tmp_path: Path, condition: str, message: str) -> None:
    indexed(cli, tmp_path, {"id": "a", "text": "A bank.", "date": 1861})
    ran = cli("kwic", "my.index", "bank", "--where", condition)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.usefixtures("wordnet_31")
def test_kwic_of_a_sense(cli: Run, tmp_path: Path) -> None:
    """The relatives of this sense are all of several words."""
    indexed(
        cli,
        tmp_path,
        {"id": "a", "text": "A bank is a financial institution. The bank lends. It rained.", "date": 1950},
        {"id": "b", "text": "Credit is scarce. The union of credit. A bank of the river."},
    )
    sense = ("kwic", "my.index", "--sense", "bank%1:14:00::")
    ran = cli(*sense)
    assert ran.out.split("a.jsonl#")[1:] == ["a.1.2  relatives=financial_institution.…\n"]
    assert ran.err == ""
    result = [json.loads(line) for line in cli(*sense, "--sentences", 2, "--json").out.splitlines()]
    assert [usage["id"] for usage in result] == ["a.jsonl#a.1.2", "a.jsonl#a.2.2"]
    assert result[0]["meta"] == {
        "date": "1950",
        "document": "a.jsonl#a",
        "relatives": "financial_institution.n",
        "sense": "bank%1:14:00::",
    }
    ran = cli(*sense, "--where", "not date")
    assert (ran.code, ran.out) == (0, "")
    assert "of its 19 relatives, 1 occurs in the index: financial_institution.n; a greater distance" in ran.err
    ran = cli("kwic", "my.index", "--sense", "bank%1:17:01::")
    assert "of its 2 relatives, none occurs in the index: riverbank.n, waterside.n\n" in ran.err


def test_kwic_needs_a_word_or_a_sense(cli: Run, tmp_path: Path) -> None:
    indexed(cli, tmp_path, {"id": "a", "text": "A bank."})
    refused(cli("kwic", "my.index"), "name a lemma, such as bank.n, or a sense, and not both")
    refused(cli("kwic", "my.index", "bank", "--sentences", "2"), "sentences limits the distance of the relatives of a")
    refused(cli("kwic", "my.index", "bankk"), "my.index: 'bankk' does not occur; did you mean bank?")


@pytest.mark.usefixtures("_beside_a_model")
@pytest.mark.parametrize("word", ["bank", "Bank", "banks"])
def test_a_bare_word_stands_for_its_lemmas(cli: Run, word: str) -> None:
    ran = cli("kwic", "my.index", word)
    assert ran.err == f"{word}: bank.n (120)\n"
    assert ran.out == cli("kwic", "my.index", "bank.n").out
    assert cli("kwic", "my.index", "bank.n").err == ""


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("kwic", "examples", "bank.n"), "this is not an index"),
        (("index", "nowhere", "-o", "i", "--analyser", "Simple(lemmatise=False)"), "nowhere: there is no such file"),
        (("index", "examples", "-o", "i", "--analyser", "klingon"), "klingon"),
    ],
)
def test_errors(cli: Run, arguments: tuple[str, ...], message: str) -> None:
    ran = cli(*arguments)
    assert ran.code == 2
    assert message in ran.err


def test_broken_files_can_be_left_out(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "texts" / "b.txt").write_bytes(b"We won.")
    (tmp_path / "texts" / "b.txt").write_bytes(b"We won.")
    (tmp_path / "texts" / "c.conllu").write_bytes(CONLLU.encode() + b"# caf\xe9\n")
    ran = cli("index", "texts", "-o", "i", "--analyser", "Simple(lemmatise=False)")
    refused(ran, "texts/a.txt:1: byte 0xe9 in column 4 is not UTF-8", "or skip such files: --skip-broken")
    assert not (tmp_path / "i").exists()  # that is noticed before the work
    ran = cli("index", "texts", "-o", "i", "--analyser", "Simple(lemmatise=False)", "--skip-broken")
    assert ran.code == 0
    assert "left out: texts/a.txt:1: byte 0xe9" in ran.err
    assert "left out: texts/c.conllu:5: byte 0xe9" in ran.err
    (tmp_path / "texts" / "a.txt").unlink()
    refused(cli("index", "texts", "-o", "j"), "texts/c.conllu:5: byte 0xe9 in column 6 is not UTF-8")


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("a.csv", "id,lemma,text\n1,bank,A bank.\n2,bank,Bank by bank.\n", "a.csv:3: the text has 2 forms of 'bank'"),
        ("a.csv", "id,text\n1,A bank.\n2\n", "a.csv:3: 1 cell, but the first line names 2 columns"),
        ("a.jsonl", '{"text": "A bank."}\n{"text": 1}\n', "a.jsonl:2: text 1 must be text in quotes"),
    ],
)
def test_a_wrong_row_leaves_no_folder(cli: Run, tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    refused(cli("index", name, "-o", "i", "--analyser", "Simple(lemmatise=False)"), message)
    assert not (tmp_path / "i").exists()


def test_an_index_without_documents_is_an_error(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    ran = cli("index", "empty.txt", "-o", "i", "--skip-broken")
    assert (ran.code, ran.out) == (2, "")
    assert "left out: empty.txt: the file is empty" in ran.err
    assert "i: nothing was indexed, as none of the files can be read" in ran.err


def test_texts_in_memory_are_indexed(tmp_path: Path) -> None:
    """A dictionary, a table with a column ``text``, and usages."""
    plain, texts = Simple(lemmatise=False), {"a": "A bank.", "b": "Two banks."}
    for number, sources in enumerate((texts, [{"id": name, "text": text} for name, text in texts.items()])):
        index = build_index(sources, tmp_path / f"i{number}", plain, processes=1)
        assert [usage.id for usage in index.kwic("bank")] == ["texts#a.1.2"]
        assert build_index(sources, tmp_path / f"i{number}", plain, processes=1).manifest == index.manifest
    index = build_index(list(index.kwic("bank")), tmp_path / "usages", "simple", processes=1)
    assert index.count("Bank").lemmas == {"bank": 1}
    with pytest.raises(InputError, match="a table of texts needs the columns text"):
        build_index([{"words": "A bank."}], tmp_path / "k")
