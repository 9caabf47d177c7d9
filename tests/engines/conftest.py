"""The engines: the embedded one, Spark in this process, and a Spark master with two workers, started here."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from polyseme.corpus.engine import Engine, connect

JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""The data are small: compilation and parallel garbage collection take longer than the work."""
OPTIONS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.sql.codegen.wholeStage": "false",  # for the same reason
}
WAIT = 60
SPARK = pytest.mark.xdist_group("spark")
"""With ``--dist loadgroup`` all tests on Spark run in one process, and so start it once."""


def need_spark() -> Path:
    """The folder of Spark; skips where it or Java is missing."""
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not here; type: pip install 'polyseme[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17, and there is none")
    return Path(pyspark.__file__).parent


@contextmanager
def daemon(home: Path, folder: Path, *arguments: str) -> Iterator[Path]:
    """Start a process of Spark, and return its log."""
    log = folder / f"{arguments[0].rpartition('.')[2]}-{time.monotonic_ns()}.log"
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m"}
    environment["SPARK_DAEMON_JAVA_OPTS"] = JAVA
    command = [str(home / "bin" / "spark-class"), *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=output, stderr=output)
    try:
        yield log
    finally:
        process.terminate()
        process.wait(WAIT)


def wait_for(text: str, log: Path, times: int = 1) -> None:
    """Wait until a text occurs this many times in a log."""
    end = time.monotonic() + WAIT
    while log.read_text().count(text) < times:
        if time.monotonic() > end:
            pytest.fail(f"no {text!r} after {WAIT} s:\n{log.read_text()}")
        time.sleep(0.1)


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A master with two workers."""
    home = need_spark()
    with socket.socket() as free, ExitStack() as running:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
        free.close()
        address = ["--host", "127.0.0.1", "--webui-port", "0"]
        master = daemon(home, folder, "org.apache.spark.deploy.master.Master", *address, "--port", port)
        log = running.enter_context(master)
        wait_for("New state: ALIVE", log)
        url = f"spark://127.0.0.1:{port}"
        for number in range(2):
            limits = ["--cores", "1", "--memory", "600m", "--work-dir", str(folder / f"worker-{number}")]
            worker = daemon(home, folder, "org.apache.spark.deploy.worker.Worker", *address, *limits, url)
            running.enter_context(worker)
        wait_for("Registering worker", log, times=2)
        yield url


@pytest.fixture(
    scope="session",
    params=[
        "native",
        "duckdb",
        pytest.param("spark:local", marks=SPARK),
        pytest.param("cluster", marks=SPARK),
    ],
)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Each engine, one after the other: a process can have one session of Spark only."""
    with ExitStack() as running:
        name = request.param
        if name == "cluster":
            name = running.enter_context(cluster(tmp_path_factory.mktemp("cluster")))
        if name.startswith("spark"):
            need_spark()
            yield running.enter_context(connect(name, options=OPTIONS))
        else:
            yield running.enter_context(connect(native=name == "native"))
