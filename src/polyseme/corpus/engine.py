"""Engines: where counts are computed. This is the only module that names one.

The counts of :mod:`polyseme.corpus.ibis_counts` are ibis expressions, which run on any engine. The embedded engine,
DuckDB, is the extra ``[engines]``; Apache Spark is the extra ``[spark]`` and needs Java 17. On a cluster, every worker
must see the index under the same path.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import socket
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from polyseme.corpus.index import TABLES
from polyseme.errors import InputError, MissingExtra, PolysemeError

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa

    from polyseme.corpus.index import Index

EngineOptions = Mapping[str, str]

SPARK = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
"""The default options of Spark."""

MASTERS = r"spark://[^\s:,/]+:\d+(,[^\s:,/]+:\d+)*"
"""The address of a cluster: one master, or several for high availability."""

MASTER_TIMEOUT = 10
"""The number of seconds in which a master must answer."""


@dataclass(frozen=True, eq=False)
class Engine:
    """A connection on which expressions run; ``with`` closes it.

    Args:
        name: The name of the engine.
        native: Whether this process computes the counts that it computes faster, with the same results.
        backend: The connection of ibis.
        read: Reads Parquet files as a table.
        close: Closes the connection.

    >>> with connect() as engine:
    ...     engine
    <Engine duckdb>
    """

    name: str
    native: bool
    backend: Any
    read: Callable[[list[Path]], ibis.Table]
    close: Callable[[], None]

    def table(self, index: Index, name: str) -> ibis.Table:
        """A table of an index (tokens, sentences, documents or words), for use in expressions.

        Unlike :meth:`Index.parts`, this is the whole table, and the engine may read it in any order.
        """
        if name not in TABLES:
            raise InputError(f"an index has no table {name!r}; it has {', '.join(TABLES)}")
        if not index.files(name):
            raise InputError("this index has no documents", path=index.folder)
        for path in index.files(name):
            if not path.is_file():
                problem = "this file of the index is missing; delete the folder and make the index again"
                raise InputError(problem, path=path)
        with _without_warnings():
            return self.read([path.resolve() for path in index.files(name)])

    def run(self, expression: ibis.Table) -> pa.Table:
        """The rows of an expression, in any order."""
        with _without_warnings():
            rows: pa.Table = self.backend.to_pyarrow(expression)
        return rows

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Engine {self.name}>"


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Suppress the warnings that the libraries cause in one another: ibis 12 uses names that DuckDB 2 deprecates."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", FutureWarning)
        yield


def connect(name: str = "duckdb", *, native: bool = True, options: EngineOptions | None = None) -> Engine:
    """Connect to an engine.

    Args:
        name: ``duckdb``, the embedded engine, ``spark:local``, or a cluster, ``spark://host:port``.
        native: If false, even the embedded engine runs the expressions.
        options: The options of the engine: ``{"memory_limit": "2GB"}``, ``{"spark.executor.memory": "8g"}``.

    >>> connect("duck")
    Traceback (most recent call last):
    polyseme.errors.InputError: there is no engine 'duck'; allowed are duckdb, spark:local and spark://host:port
    """
    if name == "duckdb":
        return _connect_duckdb(native, dict(options or {}))
    if name == "spark:local" or re.fullmatch(MASTERS, name):
        return _connect_spark(name, dict(options or {}))
    raise InputError(f"there is no engine {name!r}; allowed are duckdb, spark:local and spark://host:port")


def _connect_duckdb(native: bool, options: dict[str, str]) -> Engine:
    try:
        backend = _import_library("ibis", "engines").duckdb.connect(**options)
    except _import_library("duckdb", "engines").Error as error:
        raise InputError(f"DuckDB does not accept these options, {options}: {error}") from None
    read = partial(backend.read_parquet, hive_partitioning=False)  # the names of folders are no columns
    return Engine("duckdb", native, backend, read, backend.disconnect)


def _connect_spark(name: str, options: dict[str, str]) -> Engine:
    library, spark = _import_library("ibis", "spark"), _import_library("pyspark.sql", "spark")
    _check_java()
    if name != "spark:local":
        _check_master(name)
    session = _session(spark, "local[*]" if name == "spark:local" else name, {**SPARK, **options})
    backend = library.pyspark.connect(session)

    def read(paths: list[Path]) -> ibis.Table:
        view = library.util.gen_name("table")
        session.read.parquet(*(path.as_uri() for path in paths)).createOrReplaceTempView(view)
        table: ibis.Table = backend.table(view)
        return table

    return Engine(name, False, backend, read, session.stop)


def _session(spark: ModuleType, master: str, options: dict[str, str]) -> Any:
    """Open a session; a process has only one, so that one of another master is an error."""
    if (running := spark.SparkSession.getActiveSession()) is not None and running.sparkContext.master != master:
        other = running.sparkContext.master
        raise InputError(f"a Spark session on {other} is open, and there can be only one: close it before {master}")
    builder = spark.SparkSession.builder.appName("polyseme").master(master)
    for option, value in options.items():
        builder = builder.config(option, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _check_master(name: str) -> None:
    """Raise an error if no master answers: Spark itself would try for a minute, and then stop the process."""
    for master in name.removeprefix("spark://").split(","):
        host, _, port = master.rpartition(":")
        try:
            socket.create_connection((host, int(port)), MASTER_TIMEOUT).close()
        except (OSError, OverflowError):
            continue
        return
    raise InputError(f"no Spark master answers at {name}; is it running, and is this its port (often 7077)?")


def _import_library(module: str, extra: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtra(extra, module.partition(".")[0]) from None


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (home and (Path(home) / "bin" / "java").exists()) and shutil.which("java") is None:
        raise PolysemeError("Spark needs Java 17, which is not installed: install it, or set JAVA_HOME to its folder")
