"""The papers' own worked examples, computed by polyseme."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from math import comb
from typing import Any

from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.mapping import MostProbable
from polyseme.measures.melamed_resnik import MelamedResnik, SenseHierarchy
from polyseme.measures.partitions import PairedF
from polyseme.tasks import protocols
from polyseme.tasks.published import ReproducedFigure


def compute_worked_examples(task: str) -> list[ReproducedFigure]:
    """Every figure that a paper prints for its worked example, beside ours.

    >>> [cell.ours for cell in compute_worked_examples("semeval-2010") if cell.figure == "sense"]
    ['G3']
    """
    text = files("polyseme.tasks").joinpath("figures", "worked_examples.toml").read_text(encoding="utf-8")
    return list(EXAMPLES[task](tomllib.loads(text)[task]))


def _jurgens_2012(example: Mapping[str, Any]) -> Iterator[ReproducedFigure]:
    """Jurgens 2012, Figure 1."""
    inventory = Inventory(Sense(sense, "win.v") for sense in example["senses"])
    gold = Labelling.from_dict({"win.v.i": example["gold"]}, lemma="win.v")
    for answer in example["answers"]:
        system = Labelling.from_dict({"win.v.i": answer["senses"]}, lemma="win.v")
        figures = protocols.jurgens_2012(gold, system, mapping="none", inventory=inventory).figures()
        name = ", ".join(f"{sense}: {weight}" for sense, weight in answer["senses"].items())
        for figure, printed in answer.items():
            if figure != "senses":
                yield ReproducedFigure("jurgens-2012", "Figure 1", name, figure, printed, figures[figure])


def _semeval_2010(example: Mapping[str, Any]) -> Iterator[ReproducedFigure]:
    """SemEval-2010 Task 14, Table 3 and the examples of §3."""
    pairs = [
        (sense, cluster)
        for cluster, row in example["table"].items()
        for sense, count in zip(example["senses"], row, strict=True)
        for _ in range(count)
    ]
    usages = [f"x.{number}" for number in range(len(pairs))]
    gold = Labelling.hard(usages, [sense for sense, _ in pairs], lemma="x")
    system = Labelling.hard(usages, [cluster for _, cluster in pairs], lemma="x")
    figures = protocols.semeval_2010(gold, system).figures()
    figures |= {f"paired_f.{name}": value for name, value in PairedF()(gold, system).total().items()}
    mapped = MostProbable().fit(system, gold)(Labelling.from_dict({"x.new": example["vector"]}, lemma="x"))
    answer: dict[str, str | float] = {**figures, **_pair_counts(example["table"])}
    ((answer["sense"], answer["score"]),) = mapped["x.new"].items()
    for figure, printed in example.items():
        if figure in answer:
            yield ReproducedFigure("semeval-2010", "worked example", "Table 3", figure, printed, answer[figure])


def _pair_counts(table: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """How many pairs of usages share a cluster, which is a row; a sense, which is a column; or both."""
    groups = {
        "clusters": [sum(row) for row in table.values()],
        "senses": [sum(column) for column in zip(*table.values(), strict=True)],
        "both": [count for row in table.values() for count in row],
    }
    return {f"pairs.{name}": float(sum(comb(size, 2) for size in sizes)) for name, sizes in groups.items()}


def _senseval(example: Mapping[str, Any]) -> Iterator[ReproducedFigure]:
    """Melamed & Resnik, the cases of §1, §3 and §4."""
    tree = SenseHierarchy(example["tree"])
    for case in example["cases"]:
        measure = MelamedResnik("mixed" if case["section"] == "4" else "fine", hierarchy=tree)
        gold = Labelling.from_dict({"x.i": dict.fromkeys(case["gold"], 1.0)}, lemma="x")
        answer = _distribution(case["answer"])
        system = Labelling.from_dict({"x.i": answer}, lemma="x")
        shown = "; ".join(f"{weight:.2g} {sense}" if len(answer) > 1 else sense for sense, weight in answer.items())
        name = case.get("name") or f"{' & '.join(case['gold'])} → {shown}"
        yield ReproducedFigure(
            "senseval", f"§{case['section']}", name, "score", case["score"], measure(gold, system).total()["recall"]
        )


def _distribution(answer: Mapping[str, float] | Sequence[str]) -> dict[str, float]:
    """Senses without weights share uniformly."""
    return dict(answer) if isinstance(answer, Mapping) else dict.fromkeys(answer, 1 / len(answer))


EXAMPLES = {"jurgens-2012": _jurgens_2012, "semeval-2010": _semeval_2010, "senseval": _senseval}
