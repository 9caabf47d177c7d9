"""An explorer over a planted corpus, and a client without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from explorer_corpus import MODEL, build_planted_index
from polyseme.corpus.index import Index

if TYPE_CHECKING:
    from polyseme.explorer.explorer import Explorer

Get = Callable[..., Any]


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The planted corpus."""
    return build_planted_index(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="session")
def explorer(index: Index, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    """An explorer that waits until tasks are done."""
    from polyseme.explorer.explorer import Explorer

    explorer = Explorer(index, tmp_path_factory.mktemp("cache"), patience=120)
    yield explorer
    explorer.stop()


@pytest.fixture
def get(explorer: Explorer) -> Get:
    """Gets a page of the explorer; by default, of the planted word and a fast model. Edits are of its senses."""
    from starlette.testclient import TestClient

    from polyseme.explorer.app import create_explorer_app
    from polyseme.explorer.explorer import fingerprint_senses

    client = TestClient(create_explorer_app(explorer), base_url="http://localhost", raise_server_exceptions=True)

    def get_page(path: str = "/word", headers: dict[str, str] | None = None, **fields: Any) -> Any:
        if any(name.startswith(("name", "into")) for name in fields):
            fields = {"edited": fingerprint_senses(explorer.profile("bank", MODEL)), **fields}
        params = {} if path == "/" else {"word": "bank", "model": MODEL, **fields}
        return client.get(path, params=params, headers=headers or {})

    return get_page
