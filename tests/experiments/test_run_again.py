"""Runs after others: nothing is done twice, what was stopped is not taken for done, and what is other is made anew."""

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from experiments.banks import MODEL, TESTED, UNLEARNT
from experiments.runs import LEARNT, ran, unable
from polyseme.datasets import load
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import run_inducers
from polyseme.experiments.plan import read_plan
from polyseme.formats import write_usages
from polyseme.induction.duluth import Duluth
from polyseme.induction.fitting import INTERRUPTED
from polyseme.induction.model import SenseModel
from polyseme.induction.squares import Squares
from polyseme.usage import Usage


def times(folder: Path) -> dict[str, int]:
    """When models, keys and tables of indexes were written."""
    kept = [*folder.glob("models/*/*"), *folder.glob("keys/*"), *folder.glob("corpus-*/*/*")]
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in kept}


def test_what_was_stopped_is_not_kept(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of some of the lemmas would be taken for one of all of them next time."""
    models, whole = "[\"Duluth(variant='R-13')\"]", Duluth.fit

    def some(self: Duluth, corpus: Any, lemmas: Any, **options: Any) -> SenseModel:
        made = whole(self, corpus, list(lemmas)[:1], **options)
        return replace(made, missed={"crane.n": INTERRUPTED})

    monkeypatch.setattr(Duluth, "fit", some)
    with pytest.raises(KeyboardInterrupt):
        ran(results, loading, models=models, lemmas=LEARNT)
    monkeypatch.setattr(Duluth, "fit", whole)
    found = ran(results, loading, models=models, lemmas=LEARNT)
    assert found.rows[0].facts["labelled"] == 1.0


def test_a_second_run_does_nothing_again(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    first, written = ran(results, loading), times(results)
    assert len([name for name in written if name.startswith("models/")]) == 2
    assert len([name for name in written if name.startswith("keys/")]) == 1
    monkeypatch.setattr(Squares, "fit", unable)
    monkeypatch.setattr("polyseme.induction.model.SenseModel.label", unable)
    said: list[str] = []
    path = results.parent / "plan.toml"
    assert run_inducers(read_plan(path), results, loading, said.append) == first
    assert times(results) == written
    assert said == ["indexing"]


def test_what_is_done_is_said(before: Path, results: Path, loading: Load) -> None:
    shutil.rmtree(results / "models")
    shutil.rmtree(results / "keys")
    said: list[str] = []
    run_inducers(read_plan(before.parent / "plan.toml"), results, loading, said.append)
    assert said == [
        "indexing",
        f"inducing by {MODEL}",
        f"{MODEL}: bank.n",
        f"{MODEL}: crane.n",
        f"labelling by {MODEL}",
    ]
    assert {path.name for path in (results / "keys").iterdir()} == {path.name for path in (before / "keys").iterdir()}


def test_another_task_takes_what_is_there(results: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    written = times(results)
    monkeypatch.setattr(Squares, "fit", unable)
    ran(results, loading, task='"semeval-2010"', title='"Again"', systems='["all"]')
    ran(results, loading, task='"jurgens-2012"')
    assert times(results) == written


def test_other_models_and_other_lemmas_are_made(results: Path, loading: Load) -> None:
    written = times(results)
    found = ran(results, loading, models=f'["{MODEL}", "Squares(delta=0.25, sigma=0.3)"]')
    assert [row.name for row in found.rows[:2]] == [MODEL, "Squares(delta=0.25, sigma=0.3)"]
    assert len(list((results / "models").iterdir())) == len(list((results / "keys").iterdir())) == 2
    ran(results, loading, lemmas=LEARNT)
    assert len(list((results / "models").iterdir())) == len(list((results / "keys").iterdir())) == 3
    now = times(results)
    assert {name: now[name] for name in written} == written


def test_other_text_is_labelled_anew(results: Path, loading: Load, folder: Path, tmp_path: Path) -> None:
    """Also under the same names; the model is not made again."""
    other = Path(shutil.copytree(folder, tmp_path / "data"))
    usages = other / "banks" / "usages.jsonl"
    first, *others = usages.read_text().splitlines()
    usages.write_text("\n".join([json.dumps(json.loads(first) | {"text": "The bank.", "start": 4, "end": 8}), *others]))
    labelled = ran(results, loading).rows[0].facts["labelled"]
    again = ran(results, partial(load, data=other)).rows[0].facts["labelled"]
    assert labelled - again == pytest.approx(1 / (TESTED + UNLEARNT))
    assert len(list((results / "models").iterdir())) == 1


def test_another_lemma_of_the_same_text_is_labelled_anew(results: Path, loading: Load, folder: Path) -> None:
    """A usage under a wrong lemma, which is then mended, does not keep its key."""
    wrong = Path(shutil.copytree(folder, results.parent / "data"))
    for name in ("usages.jsonl", "gold.key"):
        text = (wrong / "banks" / name).read_text()
        old, new = {"gold.key": ("bank.n bank.n.0 ", "crane.n bank.n.0 ")}.get(name, ('"bank.n"', '"crane.n"'))
        (wrong / "banks" / name).write_text(text.replace(old, new, 1))
    ran(results, partial(load, data=wrong))
    again, fresh = ran(results, loading), ran(results.parent / "fresh", loading)
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
    given = [Usage(f"u{at}", "bank.n", f"The bank of {word}.", 4, 8) for at, word in enumerate(("rivers", "loans"))]
    write_usages(given, tmp_path / "u.jsonl")
    (tmp_path / "g.key").write_text("bank.n u0 shore\nbank.n u1 money\n")
    files = {"data": "", "usages": '"u.jsonl"', "gold": '"g.key"', "sources": '["bank.conllu"]'}
    found = {}
    for analyser in ("Simple(lemmatise=False)", "English()"):
        made = ran(tmp_path / "results", loading, analyser=f'"{analyser}"', models='["Squares(minimum=1)"]', **files)
        found[analyser] = made.rows[0].facts["labelled"]
    assert found == {"Simple(lemmatise=False)": 0.0, "English()": 1.0}
