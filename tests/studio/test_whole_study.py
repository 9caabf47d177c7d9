"""A simulated study from its file to the gold key: annotators with different noise, and a truth to recover."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")

from cli.conftest import Run, cli  # noqa: F401 - a fixture
from polyseme.formats import read_labelling, read_ratings
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page
from polyseme.studio.web.app import create_application

if TYPE_CHECKING:
    from starlette.testclient import TestClient

NOISE = {"ann": 0.3, "bea": 0.5, "cat": 0.7, "dan": 0.9, "eve": 9.0}
"""Annotator → the standard deviation of their answers from the truth; the last one is careless."""

CAREFUL = ("ann", "bea", "cat")

Truth = Mapping[str, Mapping[str, float]]
"""Usage → sense → how far it applies, from 1 to 5."""


@dataclass
class Person:
    """Somebody who knows the truth and answers near it, in a browser."""

    name: str
    client: TestClient
    truth: Truth
    dice: random.Random

    def feels(self, usage: str, sense: str) -> float:
        """How far a sense applies, as this person sees it now."""
        return self.truth[usage][sense] + self.dice.gauss(0, NOISE[self.name])

    def fields(self, page: Page) -> dict[str, str]:
        """What this person fills in."""
        values = {target: self.feels(page.usage, target) for target in page.targets}
        if page.task == "WSbest":
            return {"best": max(values, key=lambda target: values[target])}
        rounded = (str(min(5, max(1, round(value)))) for value in values.values())
        return {f"rating{number}": value for number, value in enumerate(rounded, start=1)}

    def enter(self, link: str) -> None:
        """Use the invitation link."""
        address = "/" + link.split("/", 3)[3]
        csrf = hidden_field(self.client.get(address).text, "csrf")
        assert self.client.post(address, data={"csrf": csrf}, follow_redirects=False).status_code == 303

    def answer(self, assigned: AssignedPage, *, clicks: bool) -> None:
        """Answer a page: by its form, as without JavaScript, or click by click."""
        html = self.client.get(f"/page/{assigned.number}").text
        fields, csrf = self.fields(assigned.page), hidden_field(html, "csrf")
        if not clicks:
            sent = {**fields, "csrf": csrf, "form": hidden_field(html, "form"), "opened": hidden_field(html, "opened")}
            reply = self.client.post(f"/page/{assigned.number}", data=sent, follow_redirects=False)
            assert (reply.status_code, reply.headers["location"]) == (303, f"/page/{assigned.number + 1}")
            return
        for name, value in fields.items():
            body = {"fields": {name: [value]}, "request": f"{assigned.number}-{name}", "milliseconds": 900}
            reply = self.client.post(f"/page/{assigned.number}/answer", json=body, headers={"X-CSRF-Token": csrf})
            assert reply.status_code == 200
        assert reply.json()["complete"]


def hidden_field(html: str, name: str) -> str:
    """A hidden field."""
    match = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert match, name
    return match[1]


def work(person: Person, store: Store, pages: int | None = None) -> Iterator[AssignedPage]:
    """Answer pages until there are none, or so many."""
    who = next(annotator.id for annotator in store.annotators() if annotator.name == person.name)
    done = 0
    while (assigned := store.current_page(who)) is not None and done != pages:
        person.answer(assigned, clicks=done % 3 == 0)
        yield assigned
        done += 1


def simulate_study(cli: Run, truth_of: Any) -> Truth:  # noqa: F811
    """Invite people to study.toml, let them do all of it, and export it while they do; the truth that they knew."""
    from starlette.testclient import TestClient

    ran = cli("annotate", "check", "study.toml")
    assert ran.code == 0, ran.err
    links = json.loads(cli("annotate", "invite", "study.toml", *NOISE, "--json").out)
    with closing(Store.open("study.db")) as store:
        truth: Truth = truth_of([page for page in store.pages() if page.task == "WSsim"])
        app = create_application(store, secure=False)
        people = [Person(name, TestClient(app), truth, random.Random(f"7 {name}")) for name in NOISE]
        for person in people:
            person.enter(links[person.name])
            assert len(list(work(person, store, 3))) == 3
        assert cli("annotate", "export", "study.toml", "-o", "halfway.jsonl").code == 0
        for person in people:
            assert sum(1 for _ in work(person, store)) == sum(1 for _ in store.pages()) - 3
            assert "Thank" in person.client.get("/").text
        complete = {progress.annotator: progress.complete for progress in store.progress()}
        assert complete == dict.fromkeys(NOISE, sum(1 for _ in store.pages()))
        whole = store.ratings()
    for name in ("ratings.csv", "ratings.tsv", "ratings.parquet", "ratings.jsonl"):
        assert cli("annotate", "export", "study.toml", "-o", name).code == 0
        assert read_ratings(name) == whole
    assert 0 < len(read_ratings("halfway.jsonl")) < len(whole)
    return truth


def check_agreement(cli: Run) -> None:  # noqa: F811
    """The commands tell who is careful, and how much those agree."""
    agreement = json.loads(cli("agreement", "ratings.csv", "--task", "WSsim", "--json").out)["WSsim"]["agreement"]
    assert agreement["counts"]["annotators"] == len(NOISE)
    assert agreement["counts"]["undecided"] == 0
    between = {frozenset((pair["first"], pair["second"])): pair["value"] for pair in agreement["pairs"]}
    assert len(between) == 10
    careful = [value for pair, value in between.items() if pair <= set(CAREFUL)]
    of_eve = [value for pair, value in between.items() if "eve" in pair]
    assert min(careful) > 0.7
    assert max(of_eve) < 0.4
    assert between[frozenset(("ann", "bea"))] > between[frozenset(("cat", "dan"))]
    best = json.loads(cli("agreement", "ratings.csv", "--task", "WSbest", "--json").out)
    assert best["WSbest"]["agreement"]["counts"]["annotators"] == len(NOISE)


def correlate_with_truth(key: str, truth: Truth) -> float:
    """Spearman's ρ of a gold key's weights with the truth, over all usages and senses; a sense not listed has 1."""
    from scipy.stats import spearmanr

    gold = read_labelling(key)
    pairs = [
        (value, gold[usage].get(sense, 1.0) if usage in gold else 1.0)
        for usage, senses in truth.items()
        for sense, value in senses.items()
    ]
    true_values, gold_values = zip(*pairs, strict=True)
    return float(spearmanr(true_values, gold_values).statistic)


def check_gold(cli: Run, truth: Truth) -> None:  # noqa: F811
    """The gold is near the truth, nearer than one person, and nearest where a model weighs the people."""
    options_by_name = {"mean": [], "median": ["--combine", "median"], "model": ["--combine", "model"]}
    correlations = {}
    for name, options in options_by_name.items():
        ran = cli("gold", "ratings.csv", "--task", "WSsim", "-o", f"{name}.key", *options)
        assert ran.code == 0, ran.err
        correlations[name] = correlate_with_truth(f"{name}.key", truth)
    assert correlations["mean"] > 0.85
    assert correlations["median"] > 0.9
    assert correlations["model"] > 0.95
    people = json.loads(Path("model.key.json").read_text())["model"]["annotators"]
    noise = {name: people[name]["noise"]["value"] for name in NOISE}
    assert noise["ann"] == min(noise.values()) < 0.4
    assert noise["cat"] < noise["dan"] < noise["eve"]
    ran = cli("gold", "ratings.csv", "--task", "WSbest", "--combine", "mode", "-o", "best.key")
    assert ran.code == 0, ran.err
    best = read_labelling("best.key")
    right = [usage for usage, senses in truth.items() if max(senses, key=senses.__getitem__) in best[usage]]
    assert len(right) >= 0.9 * len(truth)
    assert cli("annotate", "export", "study.toml", "-o", "gold", "--format", "gold").code == 0
    assert Path("gold/WSsim.key").read_text() == Path("mean.key").read_text()


STUDY = """
title = "How far does each sense apply?"
instructions = "Rate every sense."
seed = 3
{items}
[tasks]
a = ["WSsim", "WSbest"]
b = ["WSbest", "WSsim"]
"""


def plant_truth(pages: list[Page], best: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """A truth in which the senses that are named apply most, and some of the others a little."""
    dice = random.Random(11)
    return {
        page.usage: {
            target: 1 + 4 * best[page.usage][target]
            if target in best[page.usage]
            else dice.choice([1.0, 1.0, 2.0, 3.0])
            for target in page.targets
        }
        for page in pages
    }


def test_gold_recovers_the_truth_of_a_small_study(cli: Run) -> None:  # noqa: F811
    """Twelve usages of two lemmas, four senses each."""
    lemmas = {"win.v": "won", "bank.n": "bank"}
    usages: list[dict[str, object]] = [
        {"id": f"{lemma}.{number}", "lemma": lemma, "text": f"So it {word} {number}.", "start": 6, "end": 6 + len(word)}
        for lemma, word in lemmas.items()
        for number in range(1, 7)
    ]
    senses: list[dict[str, object]] = [
        {"id": f"{lemma}%{n}", "lemma": lemma, "gloss": f"meaning {n}"} for lemma in lemmas for n in range(1, 5)
    ]
    files: dict[str, list[dict[str, object]]] = {"usages.jsonl": usages, "senses.jsonl": senses}
    for name, rows in files.items():
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    items = '[items]\nusages = "usages.jsonl"\nsenses = "senses.jsonl"'
    Path("study.toml").write_text(STUDY.format(items=items))
    dice = random.Random(5)
    best = {str(each["id"]): {f"{each['lemma']}%{dice.randint(1, 4)}": 1.0} for each in usages}
    truth = simulate_study(cli, lambda pages: plant_truth(pages, best))
    assert len(truth) == 12
    check_agreement(cli)
    check_gold(cli, truth)


@pytest.mark.usefixtures("wordnet_31")
def test_gold_recovers_the_truth_of_task_13(cli: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """Usages of SemEval-2013 Task 13 with the senses of WordNet 3.1; the truth is its gold key, made graded."""
    import polyseme

    if not (data / "semeval-2013-task-13").exists():
        pytest.skip("the data set semeval-2013-task-13 is not here")
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    lemmas = '["win.v", "paper.n", "dark.j"]'
    items = f'[items]\nusages = "semeval-2013-task-13"\nlemmas = {lemmas}\nper_lemma = 5\nsenses = "wordnet-3.1"'
    Path("study.toml").write_text(STUDY.format(items=items))
    gold = polyseme.load("semeval-2013-task-13").gold
    truth = simulate_study(cli, lambda pages: plant_truth(pages, {page.usage: gold[page.usage] for page in pages}))
    assert len(truth) == 15
    check_agreement(cli)
    check_gold(cli, truth)
