"""Engines are chosen by name; an error says what to type; one module names them."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from corpus.tiny_index import write_index
from polyseme.corpus.cooccurrence import count_cooccurrences
from polyseme.corpus.engine import connect
from polyseme.corpus.index import Index
from polyseme.errors import InputError, MissingExtra, PolysemeError

SOURCE = Path(__file__).parents[2] / "src" / "polyseme"


def test_no_other_module_names_an_engine() -> None:
    name = re.compile(r"duckdb|\b(py)?spark\b", re.IGNORECASE)
    modules = [path for path in SOURCE.rglob("*.py") if path.name != "engine.py"]
    assert not [str(path.relative_to(SOURCE)) for path in modules if name.search(path.read_text())]
    assert name.search((SOURCE / "corpus" / "engine.py").read_text())


@pytest.mark.parametrize("name", ["", "duck", "spark", "spark://", "spark://host", "spark://a:1,b", "local", "DuckDB"])
def test_engines_that_are_none(name: str) -> None:
    with pytest.raises(InputError, match="allowed are duckdb, spark:local and spark://host:port"):
        connect(name)


def test_an_engine_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(MissingExtra, match=r"'pyspark' is not installed. Type: pip install 'polyseme\[spark\]'"):
        connect("spark:local")
    monkeypatch.setitem(sys.modules, "ibis", None)
    with pytest.raises(MissingExtra, match=r"'ibis' is not installed. Type: pip install 'polyseme\[engines\]'"):
        connect()


def test_there_is_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PolysemeError, match="Spark needs Java 17"):
        connect("spark:local")


@pytest.mark.parametrize("port", ["1", "99999"])
def test_nobody_answers(port: str) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, and there is none")
    with pytest.raises(InputError, match=f"no Spark master answers at spark://127.0.0.1:{port}"):
        connect(f"spark://127.0.0.1:{port}")


def test_tables_are_for_everybody(tmp_path: Path) -> None:
    """Users can write expressions for other counts."""
    index = write_index(tmp_path, [(0, 0, 0, "a.n", None, ""), (0, 0, 1, "b.n", None, ""), (1, 1, 0, "a.n", None, "")])
    with connect() as engine:
        tokens = engine.table(index, "tokens")
        rows = engine.run(tokens.group_by("word").agg(n=tokens.document.nunique()).order_by("word"))
        assert rows.to_pydict() == {"word": [0, 1], "n": [2, 1]}
        assert count_cooccurrences(index, engine=engine) == count_cooccurrences(index)
    with connect(options={"memory_limit": "200MB"}) as engine:
        assert "memory_limit" in str(engine.backend.raw_sql("select name from duckdb_settings()").fetchall())


def test_a_table_that_no_index_has(tmp_path: Path) -> None:
    index = write_index(tmp_path, [(0, 0, 0, "a.n", None, "")], parts=1)
    with connect() as engine, pytest.raises(InputError, match="no table 'token'; it has tokens, sentences, documents"):
        engine.table(index, "token")


def test_an_index_without_documents(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"layout": 1, "finished": true, "parts": []}')
    with connect() as engine, pytest.raises(InputError, match="this index has no documents"):
        engine.table(Index.open(tmp_path), "tokens")
