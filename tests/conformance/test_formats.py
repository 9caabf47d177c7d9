"""Every format by what it declares: recognised alone, read as declared, written so that it is read again."""

import random
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from polyseme.errors import InputError, InputWarning
from polyseme.formats import read_labelling
from polyseme.formats.files import Blob, Source
from polyseme.formats.registry import CONTENT_NAMES, FileFormat, all_formats, get_format, read, recognise_format
from polyseme.inventory import Inventory

ROOT = Path(__file__).parents[2]

SAMPLES: dict[str, str | bytes] = {
    "answer-key": "bank.n bank.n.1 shore/0.5 money/1\n",
    "json-lines": '{"usage": "bank.n.1", "lemma": "bank.n", "senses": {"shore": 0.5}}\n',
    "senseval-2": '<corpus lang="en"><lexelt item="bank.n"><instance id="bank.n.1">'
    '<answer instance="bank.n.1" senseid="shore"/>'
    "<context>We sat on the <head>bank</head>.</context></instance></lexelt></corpus>",
    "semeval-2013-task-13": '<instances><instance id="bank.n.1" lemma="bank" partOfSpeech="n" token="bank"'
    ' tokenEnd="18" tokenStart="14">We sat on the bank.<ratings><sense mean="3.0" median="3.0" mode="3.0" name="shore">'
    '<annotation annotator="ann">3</annotation></sense></ratings></instance></instances>',
    "semeval-2010-task-14": "<bank.n.test><bank.n.1>Before. <TargetSentence>We sat on the bank .</TargetSentence>"
    "</bank.n.1></bank.n.test>",
    "semcor": "<contextfile concordance=brown>\n<context filename=br-x01 paras=yes>\n<p pnum=1>\n<s snum=1>\n"
    "<wf cmd=ignore pos=PRP>We</wf>\n<wf cmd=done pos=VB lemma=sit wnsn=1 lexsn=2:35:00::>sat</wf>\n<punc>.</punc>\n"
    "</s>\n</p>\n</context>\n</contextfile>\n",
    "semcor-wsi": 'sentence,lemma,lexsn,wnsn,pos,position\nWe sat on the bank .,sit,2:35:00::,1,VB,"(3, 6)"\n',
    "wsd-framework": '<corpus lang="en" source="ours">\n<text id="d0">\n<sentence id="d0.s0">\n'
    '<wf lemma="we" pos="PRON">We</wf>\n<instance id="d0.s0.t0" lemma="sit" pos="VERB">sat</instance>\n'
    "</sentence>\n</text>\n</corpus>\n",
    "wsd-framework-key": "d0.s0.t0 sit%2:35:00:: sit%2:35:01::\n",
    "lexsub-gold": "bank.n 1 :: shore 2;river side 1;\nbank.n 2 :: institution 3;\n",
    "lexsub-best": "bank.n 1 :: shore\nbank.n 2 :: institution;money house\n",
    "lexsub-oot": "bank.n 1 ::: shore;river side;edge\nbank.n 2 ::: institution\n",
    "lexsub-candidates": "bank.n::shore;river side;institution\n",
    "conll-u": "# sent_id = s1\n# text = We sat.\n1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
    "2\tsat\tsit\tVERB\tVBD\tTense=Past\t0\troot\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n",
    "vrt": '<text id="t1">\n<s>\nWe\tPP\twe\nsat\tVVD\tsit\n</s>\n</text>\n',
    "usage-graph-uses": "lemma\tpos\tdate\tgrouping\tidentifier\tdescription\tcontext\tindexes_target_token\t"
    "indexes_target_sentence\nbank\tNN\t1900\t1\tbank-1\t \tWe sat on the bank.\t14:18\t0:19\n",
    "usage-graph-judgments": "identifier1\tidentifier2\tannotator\tjudgment\tcomment\tlemma\n"
    "bank-1\tbank-2\tann\t4.0\t \tbank\n",
    "usage-graph-clusters": "identifier\tcluster\tlemma\nbank-1\t0\tbank\nbank-2\t1\tbank\nbank-3\t-1\tbank\n",
    "usage-graph-senses": "identifier_sense\tdescription_sense\nshore\tthe side of a river\n",
    "phitag-uses": "dataID\tcontext\tindices_target_token\tindices_target_sentence\tlemma\n"
    "bank.n.1\tIt rained. We sat on the bank.\t25:29\t11:30\tbank.n\n",
    "phitag-senses": "senseID\tdefinition\tlemma\nshore\tthe side of a river\tbank.n\n",
    "phitag-instances": "instanceID\tdataIDs\tlabel_set\tnon_label\nbank.n.1-shore\tbank.n.1,shore\t1,2,3,4,5\t-\n",
    "phitag-judgments": "instanceID\tlabel\tcomment\tannotator\nbank.n.1-shore\t4\t-\tann\n",
    "usim-csv": "lemma,lexsub_id1,lexsub_id2,judgment,user_id\nbank.n,1,2,4,ann\n",
    "wssim-csv": "lemma,lexsub_id,sense_id,judgment,user_id\nbank.n,1,shore,4,ann\n",
    "ratings-csv": "annotator,task,lemma,usage,target,value,comment,time,round\nann,WSsim,bank.n,bank.n.1,shore,4,,,\n",
    "ratings-tsv": "annotator\ttask\tlemma\tusage\ttarget\tvalue\tcomment\ttime\tround\n"
    'ann\tWSsim\tbank.n\tbank.n.1\tshore\t4\t"of\ttwo ""cells"""\t\t1\n',
    "ratings-json-lines": '{"annotator": "ann", "task": "WSsim", "lemma": "bank.n", "usage": "bank.n.1", '
    '"target": "shore", "value": 4, "comment": "", "order": 1}\n',
    "usim-averages": "We sat on the bank .\t4\t2.5\tbank.n 1\nThe bank was shut .\t1\t2.5\tbank.n 2\n",
    "usage-pairs": "bank.n.1\tbank.n.2\t2.5\tbank.n\n",
    "usages-csv": "id,lemma,text,start,end,pos\nbank.n.1,bank.n,We sat on the bank.,14,18,n\n",
    "usages-json-lines": '{"id": "bank.n.1", "lemma": "bank.n", "text": "We sat.", "start": 3, "end": 6}\n',
    "ontonotes": '<inventory lemma="bank-n"><sense n="1" name="shore" type="" group="1"><mappings>'
    '<wn version="2.1">1,7</wn></mappings></sense></inventory>',
    "sense-clusters": "bank%1:17:00:: bank%1:17:01::\nbank%1:14:00::\n",
}
"""A small file of each format, of our own making."""

BESIDE = {"phitag-judgments": {"instances.tsv": "phitag-instances", "uses.tsv": "phitag-uses"}}
"""Formats whose files cannot be read alone: the names of the files beside them, and which samples these are."""


@pytest.fixture(autouse=True, scope="module")
def _parquet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A table that is a labelling, ratings and a text: no reader looks at what it does not know."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path_factory.mktemp("parquet") / "sample.parquet"
    row = {"usage": "bank.n.1", "lemma": "bank.n", "sense": "shore", "weight": 0.5, "form": "bank", "sentence": 1}
    row |= {"annotator": "ann", "task": "WSsim", "target": "shore", "value": 4.0}
    pq.write_table(pa.Table.from_pylist([row]), path, write_page_checksum=True)
    SAMPLES["parquet"] = path.read_bytes()
    yield
    del SAMPLES["parquet"]


def sample(name: str) -> bytes:
    assert name in SAMPLES, f"give SAMPLES a small file in the new format {name!r}"
    text = SAMPLES[name]
    return text.encode() if isinstance(text, str) else text


def values(format: FileFormat, content: str, data: bytes) -> Any:
    """All that a reader gives, whether it streams or not."""
    with as_source(format.name, data) as source:
        value = format.readers[content](source)
        return list(value) if isinstance(value, Iterator) else value


@contextmanager
def as_source(name: str, data: bytes) -> Iterator[Source]:
    """The file in memory or, if it needs others beside it, in a folder with these, of which errors say nothing."""
    if name not in BESIDE:
        yield Blob("sample", data)
        return
    with TemporaryDirectory() as folder:
        for file, other in BESIDE[name].items():
            (Path(folder) / file).write_bytes(sample(other))
        (Path(folder) / "sample").write_bytes(data)
        try:
            yield Path(folder) / "sample"
        except InputError as error:
            raise InputError(str(error).removeprefix(f"{folder}/")) from None


every = pytest.mark.parametrize("name", sorted(all_formats()))
CONTENT = [(name, content) for name, format in sorted(all_formats().items()) for content in format.readers]
WRITTEN = [(name, content) for name, format in sorted(all_formats().items()) for content in format.writers]


@every
def test_a_format_is_recognised_and_no_other_takes_its_file(name: str) -> None:
    names = [other.name for other in all_formats().values() if other.recognises(sample(name))]
    assert names == [name]


@every
def test_a_format_is_documented(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "reference" / "file-formats.md").read_text()


@pytest.mark.parametrize("name, content", CONTENT)
def test_a_sample_is_read(name: str, content: str) -> None:
    assert content in CONTENT_NAMES
    contents = values(get_format(name, content), content, sample(name))
    assert len(contents) > 0
    assert recognise_format(Blob("sample", sample(name)), content).name == name


@pytest.mark.parametrize("name, content", WRITTEN)
def test_what_is_written_is_read_again(name: str, content: str, tmp_path: Path) -> None:
    format = all_formats()[name]
    before = values(format, content, sample(name))
    for file, other in BESIDE.get(name, {}).items():
        (tmp_path / file).write_bytes(sample(other))
    format.writers[content](before, tmp_path / "one")
    format.writers[content](before, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    after = values(format, content, (tmp_path / "one").read_bytes())
    assert comparable(after) == comparable(before)


def comparable(value: Any) -> object:
    """Values with all that they hold: two usages are equal whatever their meta says."""
    if isinstance(value, Inventory):
        return dict(value)
    return [(each, dict(getattr(each, "meta", {}))) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name, content", CONTENT)
def test_damaged_files_give_errors_and_nothing_else(name: str, content: str) -> None:
    """Whatever is cut, doubled or changed: values, or an InputError that names the file."""
    dice = random.Random(name + content)
    format, whole = get_format(name, content), sample(name)
    for _ in range(150):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            with suppress_about_the_sample():
                values(format, content, damaged(whole, dice))


@contextmanager
def suppress_about_the_sample() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        if not str(error).startswith("sample"):
            raise


def damaged(data: bytes, dice: random.Random) -> bytes:
    at, size = dice.randrange(len(data)), dice.randrange(1, 12)
    ways = (
        data[:at],
        data[:at] + data[at + size :],
        data[:at] + data[at : at + size] * 2 + data[at + size :],
        data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :],
        data[:at] + dice.choice([b"\t", b"\n", b"\xff", b"\0", b"&", b"<", b'"', b"%", b"-1", b"nan"]) + data[at:],
        data + data,
    )
    return dice.choice(ways)


@every
def test_an_empty_file_is_recognised_by_nobody(name: str) -> None:
    assert not all_formats()[name].recognises(b"")


MENDED = ("senseval-2", "usages")
"""A few such bytes are mended there, with a warning: see test_senseval2."""


@pytest.mark.parametrize("name, content", [each for each in CONTENT if each[0] != "parquet" and each != MENDED])
def test_a_file_in_another_encoding_is_an_error(name: str, content: str) -> None:
    """As old editors save it: one letter is not UTF-8."""
    data = re.sub(rb"(shore|bank|sat|sit%)", b"caf\xe9", sample(name), count=1)
    assert data != sample(name)
    with pytest.raises(InputError, match=r"^sample"):
        values(get_format(name, content), content, data)


def test_a_file_in_no_format() -> None:
    for data, problem in [
        (b"", "x: the file is empty"),
        (b"\xff\xfei\0d\0", "x: this is UTF-16 text; save the file as UTF-8"),
        (b"one\ncaf\xe9\n", "x:2: byte 0xe9 in column 4 is not UTF-8"),
        (b"\n<?xml version='1.0'?><instances/>", "x:2: not well-formed XML: XML or text declaration not at start"),
        (
            b"<?xml version='1.0' encoding='klingon'?><instances/>",
            "x:1: cannot be decoded: unknown encoding: klingon; save the file as UTF-8",
        ),
    ]:
        with pytest.raises(InputError, match=problem):
            read(Blob("x", data), "usages")
    with pytest.raises(InputError, match=r"this is in no format that holds usages\. Formats that do: "):
        read(Blob("x", b"What is this?"), "usages")
    with pytest.raises(InputError, match=r"this is an answer key, which does not hold ratings\. Formats that do: "):
        read(Blob("x", sample("answer-key")), "ratings")
    with pytest.raises(InputError, match=r"this is CoNLL-U, which does not hold a labelling\. Formats that do: "):
        read_labelling(Blob("x", sample("conll-u")))
    with pytest.raises(InputError, match="no format 'semcor' holds ratings; allowed are "):
        get_format("semcor", "ratings")
