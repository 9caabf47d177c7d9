"""The script that chooses settings, on one word of the trial data: it finds what the part itself finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyseme.induce.language.model import SMALL
from polyseme.induce.substitution import Substitution

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
    assert {"chosen", "only _", "without _", "with T", "number=Silhouette"} <= set(settings)
    assert choosing.labelled(material, settings["vectors=0.0"]) != tried
