"""The script that chooses settings, on one word of the trial data: it finds what the part itself finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polyseme.induce.language.model import SMALL
from polyseme.induce.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.usage import Usage

pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")


def test_settings_are_tried_on_what_the_part_makes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import choosing

    monkeypatch.setenv("POLYSEME_DATA", str(data))
    every, gold = choosing.trial()
    usages = [usage for usage in every if usage.lemma == "add.v"]
    gold = gold.restrict([usage.id for usage in usages])
    part = Substitution(number=3)
    material = choosing.asked(usages, gold, SMALL, part.patterns)
    tried = choosing.labelled(material, choosing.Setting(part))
    made = part.fit(usages, ["add.v"], usages=usages).label(usages)
    scores = choosing.scores(gold, tried)
    assert set(scores) == set(choosing.COLUMNS)
    assert scores == pytest.approx(choosing.scores(gold, made), abs=3)
    settings = choosing.varied(part)
    assert {"chosen", "only _", "and T", "all patterns", "number=Silhouette"} <= set(settings)
    assert choosing.labelled(material, settings["vectors=0.0"]) != tried
    assert -100 <= choosing.agreement(material, part) <= 100
    assert choosing.agreement(material, part) != choosing.agreement(material, settings["vectors=0.0"].part)


def test_coarse_senses_are_lexicographer_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import choosing

    senses = ["bank%1:14:00::", "bank%1:14:01::", "bank%1:17:00::"] * 5
    usages = tuple(Usage(f"u{at}", "bank.n", "bank", 0, 4) for at in range(15))
    gold = Labelling([("bank.n", usage.id, {sense: 1.0}) for usage, sense in zip(usages, senses, strict=True)])
    other = Usage("o", "lake.n", "lake", 0, 4)
    known = {
        "bank.n": choosing.Known(usages, {}, np.zeros((15, 2))),
        "lake.n": choosing.Known((other,), {}, np.zeros((1, 2))),
    }
    every = Labelling(
        [*((gold.lemma(name), name, gold[name]) for name in gold), ("lake.n", "o", {"lake%1:17:00::": 1})]
    )
    found = choosing.coarse(choosing.Material(known, every))
    assert set(found.known) == {"bank.n"}
    assert [next(iter(found.gold[f"u{at}"])) for at in range(3)] == ["bank.n@14", "bank.n@14", "bank.n@17"]
