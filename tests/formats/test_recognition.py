"""What a file holds says in which format it is: exactly one."""

from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.formats import load_labelling, read_labelling
from polyseme.formats.answer_key import write_key
from polyseme.formats.files import read_head
from polyseme.formats.registry import all_formats, recognise_format
from polyseme.labelling import Labelling
from strategies import as_rows

WORD = b"1\tBirds\tbird\tNOUN\t_\t_\t0\troot\t_\t_\n"

SAMPLES = [
    ("answer-key", b"win.v win.v.1 a/1 b\n"),
    ("answer-key", b"!! a comment\n\nwin win.1\nwin win.2 532675\n"),
    ("answer-key", b"x u1 a\n"),
    ("answer-key", b"x\tone\ta/0.5\n"),
    ("json-lines", b'\xef\xbb\xbf{"usage": "u1", "lemma": "x", "senses": {"a": 1}, "text": "We won."}\n'),
    ("usages-json-lines", b'\n{"id": "u1", "lemma": "x", "text": "We won.", "start": 3, "end": 6}\n'),
    ("usages-json-lines", b'{"id": "u1", "lemma": "x", "text": "We'),
    ("parquet", b"PAR1\0"),
    ("lexsub-gold", b"win.v 1 :: gain 1;\n"),
    ("lexsub-gold", b"win.v 1 :: \n"),
    ("lexsub-gold", b"win.v 1 :: \n\nwin.v 2 :: come first 2;gain 1\n"),
    ("lexsub-best", b"win.v 1 :: gain;come first\n"),
    ("lexsub-best", b"win.v 1 :: \nwin.v 2 :: gain\n"),
    ("lexsub-oot", b"win.v 1 ::: gain 1;come first\r\n"),
    ("lexsub-oot", b"win.v 1 :::\n"),
    ("lexsub-candidates", b"win.v::gain;come 1st a/2\n"),
    ("conll-u", b"# sent_id = s1\n# text = Birds\n" + WORD),
    ("conll-u", WORD.replace(b"1", b"1-2", 1)),
    ("vrt", b'<text id="t1">\n<s>\nBirds\tNNS\tbird\n</s>\n</text>\n'),
    ("vrt", b"<s>\r\n<\tSYM\t<\r\n</s>\r\n"),
    ("usage-graph-uses", b"lemma\tpos\tidentifier\tcontext\tindexes_target_token\n"),
    ("usage-graph-judgments", b"identifier1\tidentifier2\tannotator\tjudgment\tcomment\tlemma\n"),
    ("usage-graph-senses", b"identifier_sense\tdescription_sense\tlemma\ns1\ta gloss\tx\n"),
    ("usage-graph-senses", b"identifier_sense\tdescription_sense\r\n"),
    ("ratings-csv", b"annotator,task,lemma,usage,target,value\n"),
    ("usim-csv", b"lemma,lexsub_id1,lexsub_id2,judgment,user_id\n"),
    ("wssim-csv", b'"lemma";"lexsub_id";"sense_id";"judgment";"user_id"\n'),
    ("usages-csv", b"\xef\xbb\xbfid;lemma;text;start;end\r\n"),
    ("usages-csv", b"id\tlemma\ttext\nu1\tx\tWe won.\n"),
    ("usage-pairs", b"first\tsecond\tsimilarity\tlemma\nx.n.1\tx.n.2\t4.5\tx.n\n"),
    ("usage-pairs", b"x.n.1\tx.n.2\t4.5\n"),
    ("usage-pairs", b"first\tsecond\tsimilarity\tlemma\n"),
    ("usim-averages", b"a bright day\t1\t2.5\tbright.a 1\n"),
    ("sense-clusters", b"win%2:33:00::\r\nwin%2:33:01:: win%2:33:02::\r\n"),
]

FILES = [
    ("lexsub/lst_trial.gold", "lexsub-gold"),
    ("lexsub/lst_test.gold", "lexsub-gold"),
    ("lexsub/lst.gold.candidates", "lexsub-candidates"),
    ("usim/usim_en.txt", "usim-averages"),
    ("coarse-wordnet-2.1/sense_clusters-21.senses", "sense-clusters"),
    ("word-usage-graphs/*/data/*/uses.csv", "usage-graph-uses"),
    ("word-usage-graphs/*/data/*/judgments.csv", "usage-graph-judgments"),
    ("word-usage-graphs/*/data/*/senses.csv", "usage-graph-senses"),
    ("semeval-2013-task-13/**/*.key", "answer-key"),
    ("semeval-2010-task-14/**/*.key", "answer-key"),
]


def names(start: bytes) -> list[str]:
    return [each.name for each in all_formats().values() if each.recognises(start)]


@pytest.mark.parametrize("name, start", SAMPLES)
def test_each_sample_is_in_one_format(name: str, start: bytes) -> None:
    assert names(start) == [name]


@pytest.mark.parametrize(
    "start", [b"", b"\n\n", b"\xff\xfe\0\0", b"\xef\xbb\xbf", b"words without a meaning", b"{}", b"["]
)
def test_files_in_no_format_are_not_recognised(start: bytes) -> None:
    assert names(start) == []


@pytest.mark.parametrize("pattern, name", FILES)
def test_each_file_of_the_data_sets_is_in_one_format(pattern: str, name: str, data: Path) -> None:
    files = sorted(data.glob(pattern))
    assert files
    assert {path: names(read_head(path)) for path in files} == {path: [name] for path in files}


def test_labellings_in_other_formats_are_read(tmp_path: Path) -> None:
    path = tmp_path / "any.name"
    path.write_text("bright.a 1 :: clever 3;\n")
    assert read_labelling(path)["bright.a.1"] == {"clever": 3.0}
    path.write_text("bright.a 1 :: clever 3;\nbright.a 2 :: clever;smart 1;\n")
    with pytest.raises(InputError, match=r"any\.name:2: 'clever' is not a substitute with its count"):
        load_labelling(path)


def test_what_is_not_clearly_a_key_is_read_as_one_all_the_same(tmp_path: Path) -> None:
    labelling = Labelling([("x", "one", {"a": 1.0})])
    write_key(labelling, tmp_path / "out.key")
    (tmp_path / "plain.key").write_text("x one a\n")
    assert as_rows(read_labelling(tmp_path / "plain.key")) == as_rows(read_labelling(tmp_path / "out.key"))


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("win%2:33:00::\n")
    with pytest.raises(
        InputError, match=r"this is a file of grouped sense keys, which does not hold usages\. Formats that do"
    ):
        recognise_format(tmp_path / "a", "usages")
