"""Runs that continue: nothing is computed twice, and interrupted work is not taken for complete."""

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from experiments.banks import MODEL, TESTED, UNLEARNT
from experiments.runs import LEARNT, fail_if_called, run_banks
from polyseme.datasets import load
from polyseme.experiments.plan import read_plan
from polyseme.experiments.run import run_plan
from polyseme.formats import write_usages
from polyseme.induction.duluth import Duluth
from polyseme.induction.fitting import INTERRUPTED
from polyseme.induction.model import SenseModel
from polyseme.induction.squares import Squares
from polyseme.tasks.task import Load
from polyseme.usage import Usage


def modification_times(folder: Path) -> dict[str, int]:
    """When models, keys and tables of indexes were written."""
    files = [*folder.glob("models/*/*"), *folder.glob("keys/*"), *folder.glob("corpus-*/*/*")]
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in files}


def test_an_interrupted_model_is_not_stored(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of some of the lemmas would be taken for one of all of them next time."""
    models, whole = "[\"Duluth(variant='R-13')\"]", Duluth.fit

    def fit_one_lemma(self: Duluth, corpus: Any, lemmas: Any, **options: Any) -> SenseModel:
        model = whole(self, corpus, list(lemmas)[:1], **options)
        return replace(model, missed={"crane.n": INTERRUPTED})

    monkeypatch.setattr(Duluth, "fit", fit_one_lemma)
    with pytest.raises(KeyboardInterrupt):
        run_banks(results, loading, models=models, lemmas=LEARNT)
    monkeypatch.setattr(Duluth, "fit", whole)
    run = run_banks(results, loading, models=models, lemmas=LEARNT)
    assert run.rows[0].facts["labelled"] == 1.0


def test_a_second_run_computes_nothing(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    first, written = run_banks(results, loading), modification_times(results)
    assert len([name for name in written if name.startswith("models/")]) == 2
    assert len([name for name in written if name.startswith("keys/")]) == 1
    monkeypatch.setattr(Squares, "fit", fail_if_called)
    monkeypatch.setattr("polyseme.induction.model.SenseModel.label", fail_if_called)
    steps: list[str] = []
    path = results.parent / "plan.toml"
    assert run_plan(read_plan(path), results, loading, steps.append) == first
    assert modification_times(results) == written
    assert steps == ["indexing"]


def test_steps_are_shown(before: Path, results: Path, loading: Load) -> None:
    shutil.rmtree(results / "models")
    shutil.rmtree(results / "keys")
    steps: list[str] = []
    run_plan(read_plan(before.parent / "plan.toml"), results, loading, steps.append)
    assert steps == [
        "indexing",
        f"inducing by {MODEL}",
        f"{MODEL}: bank.n",
        f"{MODEL}: crane.n",
        f"labelling by {MODEL}",
    ]
    assert {path.name for path in (results / "keys").iterdir()} == {path.name for path in (before / "keys").iterdir()}


def test_another_task_uses_the_same_models_and_keys(
    results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = modification_times(results)
    monkeypatch.setattr(Squares, "fit", fail_if_called)
    run_banks(results, loading, task='"semeval-2010"', title='"Again"', systems='["all"]')
    run_banks(results, loading, task='"jurgens-2012"')
    assert modification_times(results) == written


def test_other_models_and_other_lemmas_are_computed(results: Path, loading: Load) -> None:
    written = modification_times(results)
    run = run_banks(results, loading, models=f'["{MODEL}", "Squares(delta=0.25, sigma=0.3)"]')
    assert [row.name for row in run.rows[:2]] == [MODEL, "Squares(delta=0.25, sigma=0.3)"]
    assert len(list((results / "models").iterdir())) == len(list((results / "keys").iterdir())) == 2
    run_banks(results, loading, lemmas=LEARNT)
    assert len(list((results / "models").iterdir())) == len(list((results / "keys").iterdir())) == 3
    now = modification_times(results)
    assert {name: now[name] for name in written} == written


def test_other_text_is_labelled_anew(results: Path, loading: Load, folder: Path, tmp_path: Path) -> None:
    """Also under the same names; the model is not made again."""
    other = Path(shutil.copytree(folder, tmp_path / "data"))
    usages = other / "banks" / "usages.jsonl"
    first, *others = usages.read_text().splitlines()
    usages.write_text("\n".join([json.dumps(json.loads(first) | {"text": "The bank.", "start": 4, "end": 8}), *others]))
    labelled = run_banks(results, loading).rows[0].facts["labelled"]
    again = run_banks(results, partial(load, data=other)).rows[0].facts["labelled"]
    assert labelled - again == pytest.approx(1 / (TESTED + UNLEARNT))
    assert len(list((results / "models").iterdir())) == 1


def test_another_lemma_of_the_same_text_is_labelled_anew(results: Path, loading: Load, folder: Path) -> None:
    """A usage under a wrong lemma, which is then corrected, is labelled again."""
    wrong = Path(shutil.copytree(folder, results.parent / "data"))
    for name in ("usages.jsonl", "gold.key"):
        text = (wrong / "banks" / name).read_text()
        old, new = {"gold.key": ("bank.n bank.n.0 ", "crane.n bank.n.0 ")}.get(name, ('"bank.n"', '"crane.n"'))
        (wrong / "banks" / name).write_text(text.replace(old, new, 1))
    run_banks(results, partial(load, data=wrong))
    again, fresh = run_banks(results, loading), run_banks(results.parent / "fresh", loading)
    assert again.rows == fresh.rows
    assert len(list((results / "keys").iterdir())) == 2


CONLLU = "".join(
    f"1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tbank\tbank\tNOUN\t_\t_\t0\troot\t_\t_\n"
    f"3\tof\tof\tADP\t_\t_\t4\tcase\t_\t_\n4\t{one}\t{one}\tNOUN\t_\t_\t2\tnmod\t_\t_\n"
    f"5\tand\tand\tCCONJ\t_\t_\t6\tcc\t_\t_\n6\t{other}\t{other}\tNOUN\t_\t_\t4\tconj\t_\t_\n\n"
    for field in (("river", "boat", "water", "fish"), ("money", "loan", "credit", "cash"))
    for one in field
    for other in field
    if one != other
)
"""An analysed corpus, which two analysers do not tell apart; but they read usages in two ways."""


def test_another_analyser_has_another_model(tmp_path: Path, loading: Load) -> None:
    (tmp_path / "bank.conllu").write_text(CONLLU)
    usages = [
        Usage(f"u{number}", "bank.n", f"The bank of {word}.", 4, 8) for number, word in enumerate(("rivers", "loans"))
    ]
    write_usages(usages, tmp_path / "u.jsonl")
    (tmp_path / "g.key").write_text("bank.n u0 shore\nbank.n u1 money\n")
    files = {"data": "", "usages": '"u.jsonl"', "gold": '"g.key"', "sources": '["bank.conllu"]'}
    labelled = {}
    for analyser in ("Simple(lemmatise=False)", "English()"):
        run = run_banks(
            tmp_path / "results", loading, analyser=f'"{analyser}"', models='["Squares(minimum=1)"]', **files
        )
        labelled[analyser] = run.rows[0].facts["labelled"]
    assert labelled == {"Simple(lemmatise=False)": 0.0, "English()": 1.0}
