"""The pages of a study, from files, data sets and indexes."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.rating import CHOICE, WSSIM
from polyseme.studio.study.checks import check_study, find_study_problems
from polyseme.studio.study.drawing import draft_pages, draw_pages, draw_usage_pairs, sample_usages
from polyseme.studio.study.pages import Page
from polyseme.studio.study.passages import build_passage
from polyseme.studio.study.settings import Study, parse_study
from polyseme.studio.study.sources import SentenceContext, load_study_inventory
from polyseme.usage import Usage

Written = Callable[..., Study]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes usages, senses and a study beside them."""
    usages = [
        {
            "id": f"{lemma}.{number}",
            "lemma": lemma,
            "text": f"It began. They {word} once. Number {number}.",
            "start": 15,
        }
        | {"end": 15 + len(word), "genre": "ab"[number % 2]}
        for lemma, word in (("win.v", "won"), ("ask.v", "asked"))
        for number in range(1, 7)
    ]
    senses = [
        {"id": f"{lemma}%{number}", "lemma": lemma, "gloss": f"sense {number}", "synonyms": ["x"], "examples": ["y z"]}
        for lemma in ("win.v", "ask.v")
        for number in range(1, 4)
    ]
    for name, rows in (("u.jsonl", usages), ("s.jsonl", senses)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    def study(items: str = "", tasks: str = '"WSsim"', rest: str = "", top: str = "") -> Study:
        given = items if "usages" in items else f'usages = "u.jsonl"\n{items}'
        senses_ = "" if "senses" in items else 'senses = "s.jsonl"\n'
        source = f'title = "T"\n{top}\n[items]\n{given}\n{senses_}[tasks]\na = [{tasks}]\n{rest}'
        return parse_study(source, folder=tmp_path)

    return study


def tally(made: list[Page]) -> Counter[tuple[str, str]]:
    return Counter((page.task, page.lemma) for page in made)


def test_all_tasks(written: Written) -> None:
    made = draw_pages(written("several = false\nsubstitutes = 3", '"WSsim", "Usim", "WSbest", "SYNbest"'))
    assert tally(made) == {
        (task, lemma): 15 if task == "Usim" else 6
        for task in ("WSsim", "Usim", "WSbest", "SYNbest")
        for lemma in ("win.v", "ask.v")
    }
    assert len({page.name for page in made}) == len(made)
    first = {page.task: page for page in reversed(made)}
    assert (first["WSsim"].targets, first["WSsim"].scale) == (("win.v%1", "win.v%2", "win.v%3"), WSSIM)
    assert (first["WSsim"].senses[0].gloss, first["WSsim"].senses[0].examples) == ("sense 1", ("y z",))
    assert (first["Usim"].targets, first["Usim"].undecided, first["Usim"].senses) == (("win.v.2",), True, ())
    assert (first["WSbest"].max_choices, first["WSbest"].scale, first["SYNbest"].max_choices) == (1, CHOICE, 3)
    assert all(passage.target in ("won", "asked") for page in made for passage in page.passages)
    assert {page.max_choices for page in draw_pages(written("", '"WSbest"'))} == {3}


def test_the_same_study_has_the_same_pages(written: Written) -> None:
    study = written("per_lemma = 3", '"WSsim", "Usim"')
    assert draw_pages(study) == draw_pages(study)
    assert tally(draw_pages(study)) == {(task, lemma): 3 for task in ("WSsim", "Usim") for lemma in ("win.v", "ask.v")}
    assert {page.usage for page in draw_pages(written("per_lemma = 3", top="seed = 2"))} != {
        p.usage for p in draw_pages(study)
    }


def test_the_draw_takes_as_many_of_each_source(written: Written) -> None:
    made = draw_pages(written('lemmas = ["win.v"]\nper_lemma = 4\nby = "genre"'))
    assert Counter(int(page.usage[-1]) % 2 for page in made) == {0: 2, 1: 2}
    usages = [Usage(str(number), "x", "x", 0, 1, meta={"genre": "rare" if number < 2 else "b"}) for number in range(20)]
    drawn = sample_usages(usages, 10, (1,), "genre")
    assert sum(int(name) < 2 for name in drawn) == 2
    assert len(set(drawn)) == 10


@pytest.mark.parametrize("size", [2, 3, 5, 6, 9])
def test_pairs_are_balanced(size: int) -> None:
    names = [f"u{number}" for number in range(size)]
    everything = list(combinations(range(size), 2))
    assert draw_usage_pairs(names, "all", ()) == draw_usage_pairs(names, len(everything), (1,)) == everything
    for wanted in range(1, len(everything) + 1):
        drawn = draw_usage_pairs(names, wanted, (1,))
        assert len(set(drawn)) == wanted
        counts = Counter(place for pair in drawn for place in pair)
        assert max(counts.values()) - min(counts[place] for place in range(size)) <= 2


def test_rounds_have_their_own_items(written: Written) -> None:
    first = '[[rounds]]\nname = "x"\nlemmas = ["win.v"]\nper_lemma = 2\n'
    rest = f'{first}[[rounds]]\nname = "y"\nlemmas = ["ask.v"]\n[rounds.tasks]\na = ["Usim"]'
    made = draw_pages(written(rest=rest))
    assert Counter((page.round, page.task, page.lemma) for page in made) == {
        ("x", "WSsim", "win.v"): 2,
        ("y", "Usim", "ask.v"): 15,
    }


# -- context ---------------------------------------------------------------------------------------------------------

TEXT = "One is here. Two is here. Three won here. Four is here. Five is here."


@pytest.mark.parametrize(
    "context, shown, before, after",
    [
        (0, "Three won here.", "One is here. Two is here.", "Four is here. Five is here."),
        (1, "Two is here. Three won here. Four is here.", "One is here.", "Five is here."),
        (2, TEXT, "", ""),
        (9, TEXT, "", ""),
    ],
)
def test_so_many_sentences_are_shown(context: int, shown: str, before: str, after: str) -> None:
    usage = Usage("u", "win.v", TEXT, TEXT.index("won"), TEXT.index("won") + 3)
    found = build_passage(usage, context)
    assert (found.text, found.before, found.after, found.target) == (shown, before, after, "won")
    assert found.left + found.target + found.right == found.text
    assert found.wider == bool(before or after)


@pytest.mark.parametrize("context", [0, 1, 2, 3])
def test_sentences_around_are_shown_too(context: int) -> None:
    around = SentenceContext(("A a.", "B b."), ("C c.", "D d."))
    found = build_passage(Usage("u", "win.v", "We won.", 3, 6), context, around)
    shown = ["A a.", "B b.", "We won.", "C c.", "D d."][max(0, 2 - context) : 3 + context]
    assert (found.text, found.target) == (" ".join(shown), "won")
    assert " ".join(filter(None, [found.before, found.text, found.after])) == "A a. B b. We won. C c. D d."


@pytest.mark.parametrize("text", ["won", "  won", "won\n\n", "🙂 won", "won won won"])
def test_odd_texts_are_shown(text: str) -> None:
    assert build_passage(Usage("u", "win.v", text, text.index("won"), text.index("won") + 3), 1).target == "won"


def test_context_may_be_given_with_a_usage(written: Written, tmp_path: Path) -> None:
    row = {"id": "1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "before": "It rained.", "after": "So."}
    (tmp_path / "v.jsonl").write_text(json.dumps(row))
    made = draw_pages(written('usages = "v.jsonl"\ncontext = 0', '"SYNbest"'))
    assert (made[0].passages[0].text, made[0].passages[0].before) == ("We won.", "It rained.")


def test_usages_of_an_index(written: Written, tmp_path: Path) -> None:
    from polyseme.corpus.analysers import as_analyser
    from polyseme.corpus.indexing import build_index

    (tmp_path / "text.txt").write_text("Rain fell. The bank was closed. We left. The bank was open. It was late.")
    build_index([tmp_path / "text.txt"], tmp_path / "index", as_analyser("english"), processes=1)
    study = written('usages = "index"\nlemmas = ["bank.n"]\ncontext = 0', '"Usim"')
    [page] = draw_pages(study)
    assert [each.text for each in page.passages] == ["The bank was closed.", "The bank was open."]
    assert page.passages[0].before == "Rain fell."
    assert page.passages[0].after == "We left. The bank was open. It was late."
    [problem] = find_study_problems(written('usages = "index"', '"Usim"'))
    assert "write which to judge" in problem


@pytest.mark.usefixtures("wordnet_30")
def test_a_data_set_and_wordnet(written: Written, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    items = 'usages = "semeval-2013-task-13-trial"\nlemmas = ["win.v"]\nper_lemma = 10\nsenses = "wordnet-3.0"'
    made = draw_pages(written(items))
    assert len(made) == 10
    assert len(made[0].senses) == 4
    assert all(sense.gloss for sense in made[0].senses)


# -- right answers ---------------------------------------------------------------------------------------------------

ROWS = "annotator,task,lemma,usage,target,value\n" + "".join(
    f"key,WSsim,win.v,win.v.{usage},win.v%{sense},{value}\n"
    for usage in (1, 2)
    for sense, value in ((1, 5), (2, 1), (3, 1))
)


def test_control_and_training_pages(written: Written, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(ROWS)
    (tmp_path / "c.csv").write_text(ROWS.replace("win.v.1", "win.v.3").replace("win.v.2", "win.v.4"))
    made = draw_pages(written(rest='[training]\nanswers = "t.csv"\n[controls]\nanswers = "c.csv"\ntolerance = 0'))
    assert Counter((page.role, page.lemma) for page in made) == {
        ("", "win.v"): 2,
        ("", "ask.v"): 6,
        ("training", "win.v"): 2,
        ("control", "win.v"): 2,
    }
    assert len({page.usage for page in made}) == 12
    key = next(page for page in made if page.role == "training")
    assert (key.right, key.tolerance, key.name) == (
        {"win.v%1": 5, "win.v%2": 1, "win.v%3": 1},
        1,
        "training/WSsim/win.v.1",
    )


@pytest.mark.parametrize(
    "change, said",
    [
        (("win.v%1,5", "win.v%1,9"), "is not on the scale"),
        (("win.v%1,5", "win.v%7,5"), "'win.v%7' is not judged on this page"),
        (("key,WSsim,win.v,win.v.2,win.v%3,1\n", ""), "has no full answer: Sense 3 is not rated yet"),
        (("win.v.2", "win.v.99"), "there is no usage 'win.v.99' of win.v"),
        (("WSsim", "Usim"), "there are none for a task of this study"),
        (("win.v,win.v.2", "lose.v,win.v.2"), "there is no usage 'win.v.2' of lose.v"),
        (("win.v%2,1\n", "win.v%2,1\nkey,WSsim,win.v,win.v.1,win.v%2,2\n"), "has two right answers"),
    ],
)
def test_wrong_answers(written: Written, tmp_path: Path, change: tuple[str, str], said: str) -> None:
    (tmp_path / "t.csv").write_text(ROWS.replace(*change, 1) if "%" in change[0] else ROWS.replace(*change))
    found = find_study_problems(written(rest='[training]\nanswers = "t.csv"'))
    assert any(said in problem and problem.startswith("[training] ") for problem in found), found


# -- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "items, tasks, rest, said",
    [
        ('usages = "none.jsonl"', '"Usim"', "", "'none.jsonl' is no file or folder"),
        ('senses = "none.csv"', '"WSsim"', "", "senses are 'none.csv', which is no file"),
        ('senses = ""', '"WSsim", "WSbest"', "", "[items] senses is missing, and WSsim and WSbest show the senses"),
        ('lemmas = ["lose.v"]', '"WSsim"', "", "there is no usage of lose.v"),
        ("per_lemma = 7", '"WSsim"', "", "per_lemma asks for 7 usages of win.v, and there are 6"),
        (
            'per_lemma = 2\nby = "colour"',
            '"WSsim"',
            "",
            "there is no field 'colour', which by names, in the meta of 12 usages",
        ),
        ("per_lemma = 1", '"Usim"', "", "Usim pairs usages of a lemma, and win.v has only one"),
        ("pairs = 16", '"Usim"', "", "pairs asks for 16 of each lemma, and win.v has 15 pairs"),
        ("", '"WSsim"', '[training]\nanswers = "none.csv"', "none.csv: there is no such file"),
        (
            "",
            '"WSsim"',
            '[overlap]\ndesign = "per item"\njudgements = 4',
            "judgements is 4, and 3 annotators are expected",
        ),
    ],
)
def test_what_is_wrong_is_said(written: Written, items: str, tasks: str, rest: str, said: str) -> None:
    study = written(items, tasks, rest, top="annotators = 3")
    found, outline = check_study(study)
    assert any(said in problem for problem in found), found
    assert outline is None
    assert found == find_study_problems(study)
    if draft_pages(study).problems:
        with pytest.raises(InputError, match="the study has a problem"):
            draw_pages(study)


def test_senses_and_targets_that_are_missing(written: Written, tmp_path: Path) -> None:
    rows = [
        {"id": "1", "lemma": "win.v", "text": "We.", "start": 2, "end": 2},
        {"id": "2", "lemma": "winn.v", "text": "We won.", "start": 3, "end": 6},
    ]
    (tmp_path / "v.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = find_study_problems(written('usages = "v.jsonl"'))
    assert found == [
        "[items] usages: no target is marked in 1 usage (1); say where it begins and ends, or leave them out",
        "[items] senses: winn.v has no senses in s.jsonl. Did you mean win.v?",
    ]


def test_groups_that_cannot_give_so_many_judgements(written: Written) -> None:
    study = written(rest='b = ["Usim"]\n[overlap]\ndesign = "per item"\njudgements = 2', top="annotators = 3")
    assert find_study_problems(study) == [
        "[overlap] judgements is 2, and 1 annotator of the 3 expected to do Usim; lower it, or raise annotators"
    ]
    assert find_study_problems(written(rest='[overlap]\ndesign = "second"', top="annotators = 1"))


@pytest.mark.parametrize(
    "line, said",
    [
        ("{", "not JSON"),
        ('{"id": "a"}', "lemma is missing"),
        ('{"id": 1, "lemma": "x"}', "id is 1; it must be text"),
        ('{"id": "a", "lemma": "x", "synonyms": "b"}', "synonyms is 'b'; it must be a list of texts"),
    ],
)
def test_senses_that_cannot_be_read(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "s.jsonl").write_text(f"{line}\n")
    with pytest.raises(InputError, match=said):
        load_study_inventory("s.jsonl", tmp_path)


# -- what it amounts to ----------------------------------------------------------------------------------------------


def test_what_a_study_amounts_to(written: Written) -> None:
    found, outline = check_study(written("per_lemma = 4", '"WSsim", "Usim"', "[repeats]\nshare = 0.5"))
    assert not found
    assert outline is not None
    assert [(each.task, each.pages, each.judgements) for each in outline.tasks] == [("WSsim", 8, 24), ("Usim", 12, 12)]
    assert (outline.lemmas, outline.usages) == (2, 8)
    assert 8 + 12 + 4 + 6 <= outline.groups["a"].pages <= 8 + 12 + 4 + 6 + 1
    assert outline.tasks[0].hours == pytest.approx(8 * (8 + 3 * 4) / 3600)


def test_on_demand_everyone_does_a_share(written: Written) -> None:
    rest = '[overlap]\ndesign = "per item"\njudgements = 2'
    _, outline = check_study(written(rest=rest, top="annotators = 4"))
    assert outline is not None
    assert (outline.groups["a"].pages, outline.groups["a"].judgements) == (6, 18)
    _, second = check_study(written(rest='[overlap]\ndesign = "second"\nshare = 0.5', top="annotators = 2"))
    assert second is not None
    assert second.groups["a"].pages == 6
