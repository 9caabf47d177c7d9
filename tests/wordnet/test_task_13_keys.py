"""WordNet 3.1 and the data of SemEval-2013 Task 13, which uses it."""

from pathlib import Path

import pytest

from polyseme.baselines import AllSenses, SemCorMFS, SemCorRanked
from polyseme.datasets import load
from polyseme.labelling import Labelling
from polyseme.wordnet import WordNet


def lines_of(labelling: Labelling) -> list[tuple[str, str, dict[str, float]]]:
    return sorted((lemma, usage, dict(senses)) for lemma, usage, senses in labelling.rows())


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
@pytest.mark.parametrize(
    "baseline, key",
    [(SemCorMFS(), "semcor.mfs"), (SemCorRanked(), "semcor.all-senses")],
    ids=["MFS", "ranked"],
)
def test_the_semcor_baselines_line_by_line(data: Path, wordnet_31: WordNet, baseline: SemCorMFS, key: str) -> None:
    task = load("semeval-2013-task-13", data)
    assert lines_of(baseline(task.usages, wordnet_31)) == lines_of(task.baselines[key])


def test_all_senses_of_the_gold_key_are_in_wordnet(data: Path, wordnet_31: WordNet) -> None:
    gold = load("semeval-2013-task-13", data).gold
    assert len(gold.columns) == 339
    for lemma, sense in gold.columns:
        assert wordnet_31.sense(lemma, sense).id == sense
        assert wordnet_31.by_key(sense).gloss


def test_all_senses_of_usages(data: Path, wordnet_31: WordNet) -> None:
    usages = load("semeval-2013-task-13", data).usages
    labelled = AllSenses()(usages, wordnet_31)
    assert len(labelled) == 4664
    assert {len(wordnet_31[usage.lemma]) == len(labelled[usage.id]) for usage in usages} == {True}
