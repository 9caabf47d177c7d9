"""How near 8 bits are to single precision: what is counted, by hand, and all of it with the shipped model twice."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benches import single_run_command
from polyseme.lm.language_model import SMALL_MODEL, SpecialTokens, load_masked_model, locate_model


@pytest.fixture
def fidelity(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "bench"))
    return importlib.import_module("fidelity")


@pytest.mark.parametrize(
    "bytes_, weights, share",
    [
        ([[255, 255]], [[100], [100]], 1.0),
        ([[255, 255]], [[100, 64, -100], [100, 64, -100]], 2 / 3),
        ([[255, 255]], [[100], [-100]], 0.0),
        ([[255, 191], [255, 192]], [[127], [2]], 1 / 2),  # 32,767 and 32,769
        ([[255, 128], [255, 129]], [[-128], [-1]], 1 / 2),  # -32,768 and -32,769
        ([[0, 255, 255, 0]], [[127], [127], [127], [127]], 0.0),
        ([[0, 255, 255, 255], [128, 128, 128, 128]], [[127], [127], [127], [127]], 1 / 4),
    ],
)
def test_two_products_are_added_in_16_bits(
    fidelity: Any, bytes_: list[list[int]], weights: list[list[int]], share: float
) -> None:
    assert fidelity.beyond(np.array(bytes_, np.uint8), np.array(weights, np.int8)) == pytest.approx(share)


def test_what_is_said_and_seen_is_compared(fidelity: Any) -> None:
    one, other = np.log([[0.5, 0.5], [0.9, 0.1]]), np.array([[0.0, 0.0], [log(0.1), log(0.9)]]) + 7
    assert fidelity.coefficients(one, other) == pytest.approx([1, 2 * sqrt(0.09)])
    one, other = np.array([[[1.0, 0], [0, 2]]]), np.array([[[3.0, 0], [1, 1]]])
    assert fidelity.cosines(one, other)[0] == pytest.approx([1, sqrt(0.5)])


def test_places_are_masked_where_there_is_text(fidelity: Any) -> None:
    pieces = np.array(([8, 9, 10] + [3] * 59) * 3, np.uint16)
    drawn = fidelity.windows(pieces, SpecialTokens((2,), (3,), 4), 40)
    assert drawn.rows.shape == (40, fidelity.WIDTH)
    assert set(drawn.rows[:, 0]) == {2}
    assert set(drawn.rows[:, -1]) == {3}
    at = np.arange(40), drawn.places
    assert set(drawn.rows[at]) == {8, 9, 10}
    assert set(drawn.masked[at]) == {4}
    assert (drawn.rows != drawn.masked).sum() == 40
    again = fidelity.windows(pieces, SpecialTokens((2,), (3,), 4), 40)
    assert all((one == other).all() for one, other in zip(drawn, again, strict=True))


@pytest.fixture
def shards(root: Path, tmp_path: Path) -> Path:
    """What ``training.shards`` writes, as far as it is needed here; of a text of ours."""
    pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")
    pytest.importorskip("onnx", reason="the graph is read with onnx; type: pip install 'polyseme[training]'")
    shutil.copy(Path(locate_model(SMALL_MODEL), "tokenizer.json"), tmp_path)
    text = " ".join((root / "README.md").read_text("utf-8").split())
    np.array(load_masked_model(SMALL_MODEL).tokenise(text), np.uint16).tofile(tmp_path / "validation.bin")
    return tmp_path


@pytest.fixture
def weights(root: Path, shards: Path) -> Path:
    """The weights of the shipped model, as ``training.train`` writes them; what was rounded stays so."""
    pytest.importorskip("torch", reason="torch is not installed; type: pip install 'polyseme[lm]'")
    place = shards / "again.packed"
    command = [sys.executable, "-m", "training.weight_recovery", locate_model(SMALL_MODEL), "--output", str(place)]
    subprocess.run(command, cwd=root, check=True)
    return place


def test_numbers_in_8_bits_are_near_to_single_precision_with_the_shipped_weights(
    root: Path, shards: Path, weights: Path
) -> None:
    single = str(shards / "single")
    command = [sys.executable, "-m", "training.graph", str(weights), str(shards), "--output", single, "--single"]
    subprocess.run(command, cwd=root, check=True)
    command = single_run_command(root / "bench" / "fidelity.py", single, str(shards), "--windows", "48")
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr or ran.stdout
    match = re.search(r"Bhattacharyya (\S+), .*cosine (\S+) in the mean", ran.stdout, re.S)
    assert match, ran.stdout
    assert 0.998 < float(match[1]) < 1
    assert 0.997 < float(match[2]) < 1


def test_what_each_kind_of_matrix_costs(root: Path, shards: Path, weights: Path) -> None:
    command = single_run_command(root / "bench" / "rounding.py", str(weights), str(shards), "--windows", "8")
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr or ran.stdout
    rows = re.findall(r"^\| ([a-z ,]+) \| (\S+) \| (\S+) \| [\d,]+ \| [\d.]+ \|$", ran.stdout, re.M)
    apart = {name: float(far) for name, _, far in rows}
    assert len(apart) == 10, ran.stdout
    assert apart["single precision"] == 0
    assert 0 < apart["all, as shipped"] < apart["all"]
    assert apart["out"] < apart["down"] < apart["all"]


def test_the_shipped_model_is_as_near_to_itself_as_can_be(root: Path, shards: Path) -> None:
    command = single_run_command(
        root / "bench" / "fidelity.py", locate_model(SMALL_MODEL), str(shards), "--windows", "4"
    )
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr or ran.stdout
    assert ran.stdout.startswith("4 masked places: Bhattacharyya 1.0000, the same first guess at 100.0 %\n")
    assert re.search(r"^248 vectors: cosine 1\.0000 in the mean, 1\.0000 or less", ran.stdout, re.M), ran.stdout
    match = re.search(r"^([\d,]+) sums of two products: (\S+) beyond 16 bits, (\S+) for layers\.", ran.stdout, re.M)
    assert match, ran.stdout
    assert int(match[1].replace(",", "")) > 1e8
    assert 0 < float(match[2]) <= float(match[3]) < 1e-4
