"""An explorer over a planted corpus, and somebody who looks at it without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from explorer_corpus import MODEL, planted
from polyseme.corpus.index import Index

if TYPE_CHECKING:
    from polyseme.explorer.explorer import Explorer

Get = Callable[..., Any]


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The planted corpus."""
    return planted(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="session")
def explorer(index: Index, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    """An explorer that waits until all is there."""
    from polyseme.explorer.explorer import Explorer

    made = Explorer(index, tmp_path_factory.mktemp("cache"), patience=120)
    yield made
    made.end()


@pytest.fixture
def get(explorer: Explorer) -> Get:
    """Asks for a page of the explorer, about the planted word by the quick model if nothing else is said."""
    from starlette.testclient import TestClient

    from polyseme.explorer.app import create_explorer_app

    client = TestClient(create_explorer_app(explorer), base_url="http://localhost", raise_server_exceptions=True)

    def got(path: str = "/word", headers: dict[str, str] | None = None, **fields: Any) -> Any:
        given = {} if path == "/" else {"word": "bank", "model": MODEL, **fields}
        return client.get(path, params=given, headers=headers or {})

    return got
