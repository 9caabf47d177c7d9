"""bench/models.py with a masked language model and its encoder: tiny ones with random weights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def test_the_bench_scores_any_model(
    root: Path, data: Path, masked_model: str, encoder_model: str, tmp_path: Path
) -> None:
    output = tmp_path / "models.json"
    script = str(root / "bench" / "models.py")
    command = [sys.executable, script, masked_model, encoder_model, "--alone", "--share", "0.004", "-o", str(output)]
    environment = {**os.environ, "POLYSEME_DATA": str(data)}
    process = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert process.returncode == 0, process.stderr
    figures = {row["name"]: row for row in json.loads(output.read_text("utf-8"))["rows"]}
    masked, encoder = (f"Substitution(model={Path(model).name})" for model in (masked_model, encoder_model))
    assert {"one sense per lemma", masked, encoder, f"{encoder[:-1]}, probability=0.84)"} <= set(figures)
    assert f"{masked[:-1]}, vectors=0)" in figures
    assert f"{encoder[:-1]}, vectors=0)" not in figures
    assert all(0 <= row["bcubed.f1"] <= 1 for row in figures.values())
    assert figures["one sense per lemma"]["facts"] == {"clusters": 1.0}
    assert process.stdout.count("\n| Substitution(") == len(figures) - 1
