"""The first walk of docs/explanation/architecture.md: a usage, from text to a score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from polyseme.cli import main
from walks import read_walk, record_calls


def run(*arguments: object) -> None:
    """Run a command in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["polyseme", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
    assert not end.value.code


def test_a_usage_walks_from_text_to_a_score(root: Path, tmp_path: Path) -> None:
    examples, index, model, key = root / "examples", tmp_path / "my.index", tmp_path / "model", tmp_path / "my.key"
    walk = read_walk("A usage: from text to a score")
    usages = [json.loads(line) for line in (examples / "two-words.jsonl").read_text("utf-8").splitlines()]
    text = tmp_path / "texts.jsonl"
    text.write_text("".join(json.dumps({"text": usage["text"]}) + "\n" for usage in usages for _ in range(5)))
    with record_calls(walk) as calls:
        run("index", text, "--analyser", "simple", "-o", index)
        run("induce", index, "note", "line", "--model", "Pipeline(Bag(), number=2)", "-o", model)
        run("label", model, examples / "two-words.jsonl", "-o", key)
        run("score", "semeval-2013", key, "--gold", examples / "two-words-gold.key")
    assert calls == walk, "\n".join(calls)
