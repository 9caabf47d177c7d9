"""Loading WordNet the first time and from the cache, beside NLTK.

Run with ``python bench/wordnet.py [VERSION] [PYTHON]``; needs WordNet (``polyseme data install wordnet-3.1``). Times
are the best of three, in one process after imports, and again for a whole process that starts, imports, loads and looks
up one word. NLTK is no dependency of polyseme: it is run beside if it is installed here or in the PYTHON named, else
the ratio is to what was measured once on a machine of the same kind (2 cores). The limits are 2 s the first time
and .3 s from the cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from polyseme import wordnet
from polyseme.wordnet import column_cache, synset

FIRST, CACHED = 2.0, 0.3
NLTK_INDEX, NLTK_ALL = 2.2, 6.8
"""NLTK 3.10.4: what loading takes, which reads the index only, and then reading every synset once."""

OURS = """
import sys
from polyseme import wordnet
wordnet.load(sys.argv[1], sys.argv[2])["dark.a"]
"""

NLTK = """
import sys, time, warnings
warnings.simplefilter("ignore")
import nltk
nltk.data.path[:] = [sys.argv[1]]
from nltk.corpus.reader import WordNetCorpusReader
from nltk.corpus.util import LazyCorpusLoader
start = time.perf_counter()
reader = LazyCorpusLoader("wordnet", WordNetCorpusReader, None)
reader.synsets("dark")
loaded = time.perf_counter()
for _ in reader.all_synsets(): pass
print(loaded - start, time.perf_counter() - loaded)
"""


def seconds(work: Callable[[], object]) -> float:
    """How long something takes, the best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def nltk_times(python: str, folder: Path, home: Path) -> tuple[float, float] | None:
    """Loading, and reading all synsets, with NLTK; ``None`` if it is not installed or does not take the files."""
    data = home / "nltk" / "corpora" / "wordnet"
    shutil.copytree(folder, data)
    if not (data / "lexnames").exists():  # NLTK insists on a list that is in neither npm's nor Debian's copies
        lines = (f"{number:02}\t{name}\t1\n" for number, name in enumerate(synset.LEXICOGRAPHER_FILES))
        (data / "lexnames").write_text("".join(lines))
    for path in data.parents[1].rglob("*"):  # and on files that nobody else can write
        path.chmod(0o755 if path.is_dir() else 0o644)
    times = []
    for _ in range(3):
        command = [python, "-c", NLTK, str(data.parents[1])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return None
        times.append([float(word) for word in done.stdout.split()])
    return min(index for index, _ in times), min(every for _, every in times)


def main(version: str, python: str) -> int:
    """Print the times and their ratio; 1 if ours are over the limits."""
    folder = wordnet.find_wordnet(version)
    if folder is None:
        print(f"WordNet {version} is not there; type: polyseme data install wordnet-{version}")
        return 2
    with tempfile.TemporaryDirectory() as home:
        os.environ["POLYSEME_HOME"] = home  # an empty cache, and the user's is left alone

        def fresh() -> None:
            column_cache.cache_path(folder).unlink(missing_ok=True)
            wordnet.load(version, folder)

        fresh()  # so that no time is spent on imports
        first, cached = seconds(fresh), seconds(lambda: wordnet.load(version, folder))
        command = [sys.executable, "-c", OURS, version, str(folder)]
        process = seconds(lambda: subprocess.run(command, check=True))

        def fresh_process() -> None:
            column_cache.cache_path(folder).unlink(missing_ok=True)
            subprocess.run(command, check=True)

        fresh_first = seconds(fresh_process)
        theirs = nltk_times(python, folder, Path(home))
    print(f"polyseme, WordNet {version}, first:  {first:7.3f} s (a whole process with imports: {fresh_first:.2f} s)")
    print(f"polyseme, from the cache:     {cached:7.3f} s (a whole process with imports: {process:.2f} s)")
    index, every = theirs or (NLTK_INDEX, NLTK_ALL)
    origin = "measured now" if theirs else "as measured once on a machine of this kind; NLTK is not installed here"
    print(f"NLTK, the index alone:        {index:7.3f} s ({origin})")
    print(f"NLTK, then all synsets:       {every:7.3f} s")
    print(f"ratio, first:                 {(index + every) / first:7.1f}")
    print(f"ratio, from the cache:        {index / cached:7.1f} (their index alone)")
    return int(first > FIRST or cached > CACHED)


if __name__ == "__main__":
    arguments = [*sys.argv[1:], *["3.1", sys.executable][len(sys.argv) - 1 :]]
    sys.exit(main(*arguments[:2]))
