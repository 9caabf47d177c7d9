"""What the guide to services promises: no network, one model for several threads, and the memory that it states."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import polyseme as ps
from polyseme.disambiguation.sources import Sources
from polyseme.vectors.usage_cache import UsageCache
from polyseme.wordnet import WordNet

pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")

SERVICE = """
import socket
from pathlib import Path

def refuse(*_):
    raise OSError("no network")

socket.socket.connect = refuse
import polyseme as ps

model = ps.load_model("interest.model")
for number in range(20):
    text = f"Interest of {number} per cent."
    model.label([ps.Usage(str(number), "interest", text, 0, 8)], processes=1)
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""
"""A service without a network, which prints the peak of its memory in kB."""


def usages_of(lemma: str, word: str) -> list[ps.Usage]:
    texts = [f"After {number} days we sat on the bank, and paid interest." for number in range(24)]
    starts = [text.index(word) for text in texts]
    return [ps.Usage(text, lemma, text, start, start + len(word)) for text, start in zip(texts, starts, strict=True)]


@pytest.fixture(scope="module")
def induced(root: Path) -> ps.SenseModel:
    return ps.induce(root / "examples" / "interest.jsonl", processes=1)


def check_threads(model: Any, usages: list[ps.Usage], monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads label as one thread does, which computes all answers again."""
    model.label(usages[:1], processes=1)
    with ThreadPoolExecutor(4) as pool:
        parallel = list(pool.map(lambda usage: model.label([usage], processes=1), usages))
    monkeypatch.setattr(UsageCache, "__call__", lambda _cache, _model, usages, compute: list(compute(usages)))
    assert parallel == [model.label([usage], processes=1) for usage in usages]


def test_threads_share_an_induced_model(induced: ps.SenseModel, monkeypatch: pytest.MonkeyPatch) -> None:
    check_threads(induced, usages_of("interest", "interest"), monkeypatch)


@pytest.mark.parametrize("part", [ps.PPR(), ps.SubstituteSimilarity()])
def test_threads_share_a_dictionary_model(part: Any, wordnet_31: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    check_threads(ps.DictionaryModel(part, Sources(wordnet_31)), usages_of("bank.n", "bank"), monkeypatch)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in another way")
def test_a_service_needs_no_network_and_the_memory_of_the_guide(
    induced: ps.SenseModel, root: Path, tmp_path: Path
) -> None:
    induced.save(tmp_path / "interest.model")
    service = subprocess.run([sys.executable, "-c", SERVICE], cwd=tmp_path, capture_output=True, text=True, check=True)
    page = (root / "docs" / "how-to" / "use-in-a-service.md").read_text("utf-8")
    row = re.search(r"^\| `Substitution`, one word \|[^|]*\| (\d+) MB", page, re.M)
    assert row is not None
    assert int(service.stdout) / 1000 < 1.5 * int(row[1])
