"""``polyseme index`` and ``polyseme kwic``."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme.formats import read_usages

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
    assert (ran.code, ran.out) == (0, "my.index: 1 documents, 1 sentences, 2 tokens, 2 words\n")
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


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("kwic", "examples", "bank.n"), "this is not an index"),
        (("kwic", "examples"), "name a lemma, such as bank.n, or a sense"),
        (("index", "nowhere", "-o", "i", "--analyser", "Simple(lemmatise=False)"), "nowhere: there is no such file"),
        (("index", "examples", "-o", "i", "--analyser", "klingon"), "klingon"),
    ],
)
def test_errors(cli: Run, arguments: tuple[str, ...], said: str) -> None:
    ran = cli(*arguments)
    assert ran.code == 2
    assert said in ran.err


def test_broken_files_can_be_left_out(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "texts" / "b.txt").write_bytes(b"We won.")
    assert cli("index", "texts", "-o", "i", "--analyser", "Simple(lemmatise=False)").code == 2
    ran = cli("index", "texts", "-o", "i", "--analyser", "Simple(lemmatise=False)", "--skip-broken")
    assert ran.code == 0
    assert "left out: texts/a.txt:1: byte 0xe9" in ran.err
