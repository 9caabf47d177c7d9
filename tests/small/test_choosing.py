"""The script that chooses settings, on one word of the trial data: it finds what the part itself finds."""

from __future__ import annotations

import os
import re
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from polyseme.clustering.number_of_clusters import AdaptedGap
from polyseme.datasets import load
from polyseme.induction.substitution import ALL_PATTERNS, Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.usage import Usage

pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")


def test_settings_are_tried_on_what_the_part_makes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import choosing

    monkeypatch.setenv("POLYSEME_DATA", str(data))
    every, gold = choosing.load_trial()
    usages = [usage for usage in every if usage.lemma == "add.v"]
    gold = gold.restrict([usage.id for usage in usages])
    part = Substitution(number=3)
    material = choosing.ask_model(usages, gold, SMALL_MODEL, part.patterns)
    tried = choosing.label_usages(material, choosing.Setting(part))
    expected = part.fit(usages, ["add.v"], usages=usages).label(usages)
    scores = choosing.score_labels(gold, tried)
    assert set(scores) == set(choosing.COLUMNS)
    assert scores == pytest.approx(choosing.score_labels(gold, expected), abs=3)
    settings = choosing.list_settings(part, ALL_PATTERNS)
    assert {"chosen", "only _", "and T", "all patterns", "number=Silhouette"} <= set(settings)
    assert choosing.label_usages(material, settings["vectors=0.0"]) != tried
    assert -100 <= choosing.correlate_with_gold(material, part) <= 100
    without_vectors = settings["vectors=0.0"].part
    assert choosing.correlate_with_gold(material, part) != choosing.correlate_with_gold(material, without_vectors)


def test_paragraphs_are_usages_with_what_is_around_them(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import choosing

    monkeypatch.setenv("POLYSEME_DATA", str(data))
    monkeypatch.setattr(choosing, "COARSE", choosing.COARSE._replace(lemmas=4, most=40))
    usages, gold = choosing.load_paragraphs()
    assert len({usage.lemma for usage in usages}) == 4
    assert all(".group." in sense for name in gold for sense in gold[name])
    assert all(usage.text[usage.start : usage.end] == usage.target for usage in usages)
    long = [len(usage.text.split()) for usage in usages]
    assert np.mean(long) > choosing.WORDS_PER_USAGE
    usage_by_id = {usage.id: usage for usage in load("semcor-3.0").usages if usage.id in gold}
    assert all(
        usage_by_id[usage.id].text in usage.text and usage_by_id[usage.id].target == usage.target for usage in usages
    )


def test_sentences_are_widened_on_either_side_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import choosing

    monkeypatch.setattr(choosing, "WORDS_PER_USAGE", 7)
    texts = {"d.1": "far away", "d.2": "one two", "d.3": "a bank here", "d.4": "three four", "d.5": "too far"}
    usage = choosing.widen_usage(Usage("d.3.2", "bank.n", "a bank here", 2, 6), texts)
    assert (usage.text, usage.target) == ("one two a bank here three four", "bank")


def test_what_is_left_out_on_the_tests_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import ablations

    chosen, *others = ablations.list_ablations(Substitution()).values()
    assert len(others) > 5
    assert all(other.part != chosen.part or other.more for other in others)


def test_answers_are_kept_and_not_mixed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import choosing
    import model_answers

    times = []

    def ask() -> choosing.Answers:
        times.append(1)
        usage = Usage("win.v.1", "win.v", "They win.", 5, 8)
        rows = sp.csr_array(np.array([[0.5, 0.0, 0.25]]))
        by_lemma = {"win.v": choosing.LemmaAnswers((usage,), {"_": rows}, np.ones((1, 2)))}
        return {"trial": choosing.Material(by_lemma, Labelling([("win.v", usage.id, {"a": 1.0})]))}

    path = tmp_path / "new" / "answers"
    for _ in range(2):
        material = model_answers.stored_answers(path, choosing.describe_question("small", "_"), ask)["trial"]
        assert material.gold == ask()["trial"].gold
        assert material.answers["win.v"].usages[0].target == "win"
        assert choosing.build_vectors(material.answers["win.v"], Substitution(patterns=("_",), power=1.0)).shape == (
            1,
            5,
        )
    assert len(times) == 1 + 2
    with pytest.raises(SystemExit, match="answers to another question"):
        model_answers.stored_answers(path, choosing.describe_question("small", "T"), ask)
    monkeypatch.setattr(choosing, "WORDS_PER_USAGE", 9)
    with pytest.raises(SystemExit, match="answers to another question"):
        model_answers.stored_answers(path, choosing.describe_question("small", "_"), ask)
    model_answers.stored_answers(None, choosing.describe_question("small", "T"), ask)
    assert len(times) == 1 + 2 + 1
    assert list(path.parent.iterdir()) == [path]


def test_weights_in_a_folder_are_another_question_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import model_answers

    (tmp_path / "model.onnx").write_text("one")
    before = model_answers.describe_model(str(tmp_path))
    assert model_answers.describe_model(str(tmp_path)) == before
    os.utime(tmp_path / "model.onnx", (1, 1))
    assert model_answers.describe_model(str(tmp_path)) != before


def test_seeds_change_all_that_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import ablations

    chosen = Substitution(number=AdaptedGap())
    first, second = ablations.list_seeds(chosen, 2).values()
    assert first.part == chosen
    steps: Any = second.part.steps()
    assert (steps.number.seed, steps.cluster.seed) == (1, 1)
    assert ablations.format_row("x", [1.0, 2.0, 3.0, nan, nan, nan, 0.5]) == "| x | 1.0 | 2.0 | 3.0 |  |  |  | 0.500 |"
    spread = ablations.format_row("x", [1.0] * 6 + [0.5], [0.25] * 6 + [0.01])
    assert spread == "| x |" + " 1.0 ± 0.2 |" * 6 + " 0.500 ± 0.010 |"


def test_sentences_are_found_as_an_index_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import small

    texts = ["They use it. Mr. Hall used what was of use. No.", "Unused."]
    usages = list(small.sentences_with("use.v", re.compile(r"\b(?:use|used)\b"), texts))
    assert [(usage.id, usage.text, usage.start) for usage in usages] == [
        ("u0", "They use it.", 5),
        ("u1", "Mr. Hall used what was of use.", 9),
        ("u2", "Mr. Hall used what was of use.", 26),
    ]
