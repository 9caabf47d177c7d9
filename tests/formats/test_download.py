"""Fetching files; servers are tested with WordNet's installation."""

import hashlib
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.formats.download import download


def test_downloading(tmp_path: Path) -> None:
    source = tmp_path / "there"
    source.write_bytes(b"content")
    digest = hashlib.sha256(b"content").hexdigest()
    download(source.as_uri(), tmp_path / "here", sha256=digest)
    assert (tmp_path / "here").read_bytes() == b"content"
    with pytest.raises(InputError, match=f"its SHA-256 is {digest}, not abc"):
        download(source.as_uri(), tmp_path / "here", sha256="abc")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/nobody", "file:///nowhere/at/all", "ftp:", "nonsense://x"])
def test_downloads_that_fail(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError, match="cannot be fetched"):
        download(url, tmp_path / "here", timeout=5)
