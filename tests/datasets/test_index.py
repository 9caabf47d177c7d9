"""The index: tables that describe data sets."""

from pathlib import Path

import pytest

from polyseme.datasets.index import DataFiles, find_data_set_entry, parse_index, read_index
from polyseme.errors import InputError
from polyseme.formats.registry import all_formats


def parsed(text: str) -> object:
    return parse_index(text, "index.toml")


def test_every_shipped_data_set_says_what_one_may_do_with_it_and_whom_to_cite() -> None:
    for entry in read_index().values():
        assert entry.title, entry.name
        assert entry.licence, entry.name
        assert entry.citation, entry.name
        assert entry.address.startswith("http"), entry.name
        assert entry.contents, entry.name


def test_a_licence_that_is_not_stated_lets_nothing_be_downloaded() -> None:
    assert not [entry.name for entry in read_index().values() if "not stated" in entry.licence and entry.url]


def test_every_format_and_inventory_that_is_named_exists() -> None:
    for entry in read_index().values():
        assert not entry.inventory or entry.inventory in read_index()
        for files in entry.files.values():
            assert files.format is None or files.format in all_formats()


def test_fields_are_read() -> None:
    entry = parse_index(
        """
        [mine]
        title = "Mine"
        rule = "senseval"
        [mine.files]
        usages = ["*.xml", "old.tar!*.xml"]
        gold = {files = "g.key", rule = "semeval-2013"}
        systems = "keys/*.key"
        baselines = {MFS = "mfs.key", RS = {files = "rs.key", format = "answer-key"}}
        """,
        "index.toml",
    )["mine"]
    assert entry.folder == "mine"
    assert entry.files["usages"] == DataFiles(("*.xml", "old.tar!*.xml"), rule="senseval")
    assert entry.files["gold"] == DataFiles(("g.key",), rule="semeval-2013")
    assert entry.named_files["systems"] == DataFiles(("keys/*.key",), rule="senseval")
    assert entry.named_files["baselines"] == {
        "MFS": DataFiles(("mfs.key",), rule="senseval"),
        "RS": DataFiles(("rs.key",), format="answer-key", rule="senseval"),
    }
    assert entry.contents == ("usages", "gold", "systems", "baselines")


def test_an_entry_can_share_fields_with_another() -> None:
    one = '[a]\ntitle="A"\nlicence="L"\nlanguage="en"\nrule="senseval"\n'
    entry = parse_index(one + '[b]\ntitle="B"\nlike="a"\nlanguage="de"\nfiles.gold="g"', "x")["b"]
    assert entry.files["gold"].rule == "senseval"
    assert (entry.name, entry.title, entry.licence, entry.language, entry.folder) == ("b", "B", "L", "de", "b")


@pytest.mark.parametrize(
    "text, problem",
    [
        ("[a", "index.toml:1: this is not TOML"),
        ("a = 1", "'a' is not a table"),
        ("[a]", "title must be given"),
        ("[a]\ntitle = 1", "every field but files is text in quotes"),
        ('[a]\ntitle = "A"\ncolour = "red"', "no field 'colour'; allowed are address, citation"),
        ('[a]\ntitle = "A"\nlike = "b"', "like = 'b' is not a data set before this one"),
        ('[a]\ntitle = "A"\nfiles = "x"', "files is not a table"),
        ('[a]\ntitle = "A"\nfiles.words = "x"', "no 'words'; allowed are usages, training"),
        (
            '[a]\ntitle = "A"\nfiles.usages = 3',
            r"\[a.files\] usages = 3 is not a pattern, a list of patterns, or a table",
        ),
        ('[a]\ntitle = "A"\nfiles.usages = []', "is not a pattern"),
        ('[a]\ntitle = "A"\nfiles.usages = {files = "x", colour = "red"}', "is not a pattern"),
        ('[a]\ntitle = "A"\nfiles.usages = {files = "x", prefix = "name"}', "prefix can only be 'folder', of usages"),
        ('[a]\ntitle = "A"\nfiles.pairs = {files = "x", prefix = "folder"}', "prefix can only be 'folder', of usages"),
        ('[a]\ntitle = "A"\nfiles.usages = ""', "'' is not a pattern such as"),
        ('[a]\ntitle = "A"\nfiles.usages = "a**b"', r"'a\*\*b' is not a pattern such as"),
        ('[a]\ntitle = "A"\nfiles.usages = "!x"', "'!x' is not a pattern such as"),
    ],
)
def test_tables_that_are_wrong(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        parsed(text)


def test_a_users_own_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.toml").write_text('[mine]\ntitle = "Mine"\nlike = "usim"\n[usim]\ntitle = "My own copy"\n')
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    assert "Measuring Word Meaning in Context" in find_data_set_entry("mine").citation
    assert find_data_set_entry("usim").title == "My own copy"
    assert find_data_set_entry("mine").beside == tmp_path


def test_names_that_are_nearly_right() -> None:
    with pytest.raises(InputError, match=r"no data set is called 'usin'; did you mean usim.*Type: polyseme data list"):
        find_data_set_entry("usin")
    with pytest.raises(InputError, match=r"no data set is called 'zzz'\. Type"):
        find_data_set_entry("zzz")
