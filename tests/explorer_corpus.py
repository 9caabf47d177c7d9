"""A planted corpus for the explorer: *bank* is money or shore, and the metadata contain HTML."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index

if TYPE_CHECKING:
    from starlette.applications import Starlette

MONEY = ("loan", "money", "deposit", "credit", "account", "interest", "clerk", "payment")
SHORE = ("river", "water", "boat", "fish", "reeds", "stream", "meadow", "bridge")
MODEL = "Pipeline(cluster=KMeans(restarts=3), number=2, grade=Softmax(temperature=0.05), sentences=1)"
EVIL = "<script>alert('meta')</script>"


def sentence(rng: random.Random, words: tuple[str, ...]) -> str:
    first, second, third = rng.sample(words, 3)
    return f"The {first} by the bank had a {second} and the {third}."


def documents(count: int = 60) -> list[dict[str, str]]:
    """Documents of two sentences: early ones are mostly about shores, late ones about money."""
    rng = random.Random(1)
    texts = []
    for number in range(count):
        words = MONEY if rng.random() < number / count else SHORE
        text = f"{sentence(rng, words)} {sentence(rng, words)}"
        party = "Whig" if number % 2 else "Tory"
        texts.append({"id": f"d{number}", "text": text, "year": str(1800 + 3 * number), "party": party})
    texts[0]["party"] = EVIL
    texts[1]["text"] += " <b>Bold</b> & <img src=x onerror=alert(1)> went to the bank with money, credit and a loan."
    texts[2]["text"] += " One quokka sat there."
    return texts


def sentence_documents(count: int) -> list[str]:
    """Texts of one sentence, in turn about money and shores."""
    rng = random.Random(2)
    return [sentence(rng, (MONEY, SHORE)[number % 2]) for number in range(count)]


def build_planted_index(folder: Path) -> Index:
    """Index these documents."""
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps(document) + "\n" for document in documents()), encoding="utf-8")
    return build_index([source], folder / "planted.index", as_analyser("Simple(lemmatise=False)"), processes=1)


class Server:
    """uvicorn in a thread of this process."""

    def __init__(self, app: Starlette) -> None:
        import uvicorn

        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.02)
        self.address = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        """Stop, and wait until it has."""
        self.server.should_exit = True
        self.thread.join(10)
