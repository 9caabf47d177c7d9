"""All five measures of SemEval-2013 Task 13 on one system, process start included, against the original scorers.

Run with ``python bench/task13.py``; needs the data set (environment variable POLYSEME_DATA). The original scorers are
five Java programs; they are not distributed with polyseme, and what they take together, start included, was measured on
a machine of the same kind (2 cores): 6.2 s. polyseme must take at most a fifth, 1.2 s, best of three. Give the folder
with the jars as an argument to run them too: each is called as ``java -jar JAR GOLD SYSTEM``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

JARS_TOGETHER = 6.2
LIMIT = 1.2
SYSTEM = "systems/AI-KU/base/y-22-cluster-test.key"


def measure_seconds(command: list[str]) -> float:
    """Return the time of a command, the best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main(jars: Path | None) -> int:
    """Print the times and their ratio; return 1 if polyseme is over the limit."""
    keys = Path(os.environ.get("POLYSEME_DATA", "../shared/data"), "semeval-2013-task-13", "keys")
    if not keys.is_dir():
        print("the data set semeval-2013-task-13 is not there; set POLYSEME_DATA")
        return 2
    gold, system = str(keys / "gold" / "all.key"), str(keys / SYSTEM)
    polyseme = str(Path(sysconfig.get_path("scripts"), "polyseme"))
    polyseme_time = measure_seconds([polyseme, "score", "semeval-2013", system, "--gold", gold, "--json"])
    scorers_time, source = JARS_TOGETHER, "as measured once on a machine of this kind"
    if jars is not None:
        commands = (["java", "-jar", str(jar), gold, system] for jar in sorted(jars.glob("*.jar")))
        scorers_time = sum(map(measure_seconds, commands))
        source = "measured now"
    print(f"polyseme, five measures:       {polyseme_time:6.2f} s (best of three)")
    print(f"the original scorers together: {scorers_time:6.2f} s ({source})")
    print(f"ratio:                         {scorers_time / polyseme_time:6.1f}")
    return int(polyseme_time > LIMIT)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
