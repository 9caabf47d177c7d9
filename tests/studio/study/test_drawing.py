"""The pages of a study, from files, data sets and indexes."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.rating import CHOICE, WSSIM
from polyseme.studio.study.checks import check_study
from polyseme.studio.study.drawing import draft_pages, draw_pages, draw_usage_pairs, sample_usages
from polyseme.studio.study.pages import Page
from polyseme.studio.study.passages import build_passage
from polyseme.studio.study.settings import Study, parse_study
from polyseme.studio.study.sources import SentenceContext, load_study_inventory
from polyseme.usage import Usage

StudyWriter = Callable[..., Study]


@pytest.fixture
def write_study(tmp_path: Path) -> StudyWriter:
    """Return a function that writes a study beside its usages and senses."""
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

    def write(items: str = "", tasks: str = '"WSsim"', rest: str = "", top: str = "") -> Study:
        items_table = items if "usages" in items else f'usages = "u.jsonl"\n{items}'
        senses_key = "" if "senses" in items else 'senses = "s.jsonl"\n'
        source = f'title = "T"\n{top}\n[items]\n{items_table}\n{senses_key}[tasks]\na = [{tasks}]\n{rest}'
        return parse_study(source, folder=tmp_path)

    return write


def tally(pages: list[Page]) -> Counter[tuple[str, str]]:
    return Counter((page.task, page.lemma) for page in pages)


def test_every_task_has_its_pages(write_study: StudyWriter) -> None:
    pages = draw_pages(write_study("several = false\nsubstitutes = 3", '"WSsim", "Usim", "WSbest", "SYNbest"'))
    assert tally(pages) == {
        (task, lemma): 15 if task == "Usim" else 6
        for task in ("WSsim", "Usim", "WSbest", "SYNbest")
        for lemma in ("win.v", "ask.v")
    }
    assert len({page.name for page in pages}) == len(pages)
    first = {page.task: page for page in reversed(pages)}
    assert (first["WSsim"].targets, first["WSsim"].scale) == (("win.v%1", "win.v%2", "win.v%3"), WSSIM)
    assert (first["WSsim"].senses[0].gloss, first["WSsim"].senses[0].examples) == ("sense 1", ("y z",))
    assert (first["Usim"].targets, first["Usim"].undecided, first["Usim"].senses) == (("win.v.2",), True, ())
    assert (first["WSbest"].max_choices, first["WSbest"].scale, first["SYNbest"].max_choices) == (1, CHOICE, 3)
    assert all(passage.target in ("won", "asked") for page in pages for passage in page.passages)
    assert {page.max_choices for page in draw_pages(write_study("", '"WSbest"'))} == {3}


def test_the_seed_determines_the_pages(write_study: StudyWriter) -> None:
    study = write_study("per_lemma = 3", '"WSsim", "Usim"')
    assert draw_pages(study) == draw_pages(study)
    assert tally(draw_pages(study)) == {(task, lemma): 3 for task in ("WSsim", "Usim") for lemma in ("win.v", "ask.v")}
    assert {page.usage for page in draw_pages(write_study("per_lemma = 3", top="seed = 2"))} != {
        p.usage for p in draw_pages(study)
    }


def test_samples_are_stratified_by_a_field(write_study: StudyWriter) -> None:
    pages = draw_pages(write_study('lemmas = ["win.v"]\nper_lemma = 4\nby = "genre"'))
    assert Counter(int(page.usage[-1]) % 2 for page in pages) == {0: 2, 1: 2}
    usages = [Usage(str(number), "x", "x", 0, 1, meta={"genre": "rare" if number < 2 else "b"}) for number in range(20)]
    drawn = sample_usages(usages, 10, (1,), "genre")
    assert sum(int(name) < 2 for name in drawn) == 2
    assert len(set(drawn)) == 10


@pytest.mark.parametrize("size", [2, 3, 5, 6, 9])
def test_usages_occur_almost_equally_often_in_pairs(size: int) -> None:
    names = [f"u{number}" for number in range(size)]
    everything = list(combinations(range(size), 2))
    assert draw_usage_pairs(names, "all", ()) == draw_usage_pairs(names, len(everything), (1,)) == everything
    for count in range(1, len(everything) + 1):
        drawn = draw_usage_pairs(names, count, (1,))
        assert len(set(drawn)) == count
        counts = Counter(place for pair in drawn for place in pair)
        assert max(counts.values()) - min(counts[place] for place in range(size)) <= 2


def test_rounds_have_their_own_items(write_study: StudyWriter) -> None:
    first = '[[rounds]]\nname = "x"\nlemmas = ["win.v"]\nper_lemma = 2\n'
    rest = f'{first}[[rounds]]\nname = "y"\nlemmas = ["ask.v"]\n[rounds.tasks]\na = ["Usim"]'
    pages = draw_pages(write_study(rest=rest))
    assert Counter((page.round, page.task, page.lemma) for page in pages) == {
        ("x", "WSsim", "win.v"): 2,
        ("y", "Usim", "ask.v"): 15,
    }


# -- context ---------------------------------------------------------------------------------------------------------

TEXT = "One is here. Two is here. Three won here. Four is here. Five is here."


@pytest.mark.parametrize(
    "context, displayed, before, after",
    [
        (0, "Three won here.", "One is here. Two is here.", "Four is here. Five is here."),
        (1, "Two is here. Three won here. Four is here.", "One is here.", "Five is here."),
        (2, TEXT, "", ""),
        (9, TEXT, "", ""),
    ],
)
def test_passages_have_as_many_sentences_as_the_study_says(
    context: int, displayed: str, before: str, after: str
) -> None:
    usage = Usage("u", "win.v", TEXT, TEXT.index("won"), TEXT.index("won") + 3)
    passage = build_passage(usage, context)
    assert (passage.text, passage.before, passage.after, passage.target) == (displayed, before, after, "won")
    assert passage.left + passage.target + passage.right == passage.text
    assert passage.wider == bool(before or after)


@pytest.mark.parametrize("context", [0, 1, 2, 3])
def test_passages_extend_into_neighbouring_sentences(context: int) -> None:
    neighbours = SentenceContext(("A a.", "B b."), ("C c.", "D d."))
    passage = build_passage(Usage("u", "win.v", "We won.", 3, 6), context, neighbours)
    sentences = ["A a.", "B b.", "We won.", "C c.", "D d."][max(0, 2 - context) : 3 + context]
    assert (passage.text, passage.target) == (" ".join(sentences), "won")
    assert " ".join(filter(None, [passage.before, passage.text, passage.after])) == "A a. B b. We won. C c. D d."


@pytest.mark.parametrize("text", ["won", "  won", "won\n\n", "🙂 won", "won won won"])
def test_passages_of_unusual_texts_have_their_target(text: str) -> None:
    assert build_passage(Usage("u", "win.v", text, text.index("won"), text.index("won") + 3), 1).target == "won"


def test_usages_can_bring_their_context(write_study: StudyWriter, tmp_path: Path) -> None:
    row = {"id": "1", "lemma": "win.v", "text": "We won.", "start": 3, "end": 6, "before": "It rained.", "after": "So."}
    (tmp_path / "v.jsonl").write_text(json.dumps(row))
    pages = draw_pages(write_study('usages = "v.jsonl"\ncontext = 0', '"SYNbest"'))
    assert (pages[0].passages[0].text, pages[0].passages[0].before) == ("We won.", "It rained.")


def test_usages_come_from_an_index_with_context(write_study: StudyWriter, tmp_path: Path) -> None:
    from polyseme.corpus.analysers import as_analyser
    from polyseme.corpus.indexing import build_index

    (tmp_path / "text.txt").write_text("Rain fell. The bank was closed. We left. The bank was open. It was late.")
    build_index([tmp_path / "text.txt"], tmp_path / "index", as_analyser("english"), processes=1)
    study = write_study('usages = "index"\nlemmas = ["bank.n"]\ncontext = 0', '"Usim"')
    [page] = draw_pages(study)
    assert [each.text for each in page.passages] == ["The bank was closed.", "The bank was open."]
    assert page.passages[0].before == "Rain fell."
    assert page.passages[0].after == "We left. The bank was open. It was late."
    [problem] = check_study(write_study('usages = "index"', '"Usim"'))[0]
    assert "name yours" in problem


@pytest.mark.usefixtures("wordnet_30")
def test_usages_come_from_a_data_set_and_senses_from_wordnet(
    write_study: StudyWriter, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    items = 'usages = "semeval-2013-task-13-trial"\nlemmas = ["win.v"]\nper_lemma = 10\nsenses = "wordnet-3.0"'
    pages = draw_pages(write_study(items))
    assert len(pages) == 10
    assert len(pages[0].senses) == 4
    assert all(sense.gloss for sense in pages[0].senses)


# -- right answers ---------------------------------------------------------------------------------------------------

ROWS = "annotator,task,lemma,usage,target,value\n" + "".join(
    f"key,WSsim,win.v,win.v.{usage},win.v%{sense},{value}\n"
    for usage in (1, 2)
    for sense, value in ((1, 5), (2, 1), (3, 1))
)


def test_control_and_training_pages_replace_ordinary_ones(write_study: StudyWriter, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(ROWS)
    (tmp_path / "c.csv").write_text(ROWS.replace("win.v.1", "win.v.3").replace("win.v.2", "win.v.4"))
    pages = draw_pages(write_study(rest='[training]\nanswers = "t.csv"\n[controls]\nanswers = "c.csv"\ntolerance = 0'))
    assert Counter((page.role, page.lemma) for page in pages) == {
        ("", "win.v"): 2,
        ("", "ask.v"): 6,
        ("training", "win.v"): 2,
        ("control", "win.v"): 2,
    }
    assert len({page.usage for page in pages}) == 12
    key = next(page for page in pages if page.role == "training")
    assert (key.right, key.tolerance, key.name) == (
        {"win.v%1": 5, "win.v%2": 1, "win.v%3": 1},
        1,
        "training/WSsim/win.v.1",
    )


@pytest.mark.parametrize(
    "change, message",
    [
        (("win.v%1,5", "win.v%1,9"), "is not on the scale"),
        (("win.v%1,5", "win.v%7,5"), "'win.v%7' is not on this page"),
        (("key,WSsim,win.v,win.v.2,win.v%3,1\n", ""), "has an incomplete answer: Rate meaning 3"),
        (("win.v.2", "win.v.99"), "there is no usage 'win.v.99' of win.v"),
        (("WSsim", "Usim"), "no answer is for a task of this study"),
        (("win.v,win.v.2", "lose.v,win.v.2"), "there is no usage 'win.v.2' of lose.v"),
        (("win.v%2,1\n", "win.v%2,1\nkey,WSsim,win.v,win.v.1,win.v%2,2\n"), "has two right answers"),
    ],
)
def test_wrong_right_answers_are_problems(
    write_study: StudyWriter, tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    (tmp_path / "t.csv").write_text(ROWS.replace(*change, 1) if "%" in change[0] else ROWS.replace(*change))
    problems = check_study(write_study(rest='[training]\nanswers = "t.csv"'))[0]
    assert any(message in problem and problem.startswith("[training] ") for problem in problems), problems


# -- problems ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "items, tasks, rest, message",
    [
        ('usages = "none.jsonl"', '"Usim"', "", "'none.jsonl' is neither a file or folder"),
        ('senses = "none.csv"', '"WSsim"', "", "'none.csv' is neither a file"),
        ('senses = ""', '"WSsim", "WSbest"', "", "[items] senses is missing, but pages of WSsim and WSbest show"),
        ('lemmas = ["lose.v"]', '"WSsim"', "", "there is no usage of lose.v"),
        ("per_lemma = 7", '"WSsim"', "", "per_lemma asks for 7 usages of win.v, but there are 6"),
        (
            'per_lemma = 2\nby = "colour"',
            '"WSsim"',
            "",
            "by is 'colour', a field that is missing from the meta of 12 usages",
        ),
        ("per_lemma = 1", '"Usim"', "", "Usim needs pairs of usages, but win.v has only one usage"),
        ("pairs = 16", '"Usim"', "", "pairs asks for 16 of each lemma, but win.v has 15 pairs"),
        ("", '"WSsim"', '[training]\nanswers = "none.csv"', "none.csv: there is no such file"),
        (
            "",
            '"WSsim"',
            '[overlap]\ndesign = "per item"\njudgements = 4',
            "judgements is 4, but only 3 annotators will do WSsim",
        ),
    ],
)
def test_problems_of_a_study_are_listed(
    write_study: StudyWriter, items: str, tasks: str, rest: str, message: str
) -> None:
    study = write_study(items, tasks, rest, top="annotators = 3")
    problems, outline = check_study(study)
    assert any(message in problem for problem in problems), problems
    assert outline is None
    if draft_pages(study).problems:
        with pytest.raises(InputError, match="the study has a problem"):
            draw_pages(study)


def test_missing_senses_and_targets_are_problems(write_study: StudyWriter, tmp_path: Path) -> None:
    rows = [
        {"id": "1", "lemma": "win.v", "text": "We.", "start": 2, "end": 2},
        {"id": "2", "lemma": "winn.v", "text": "We won.", "start": 3, "end": 6},
    ]
    (tmp_path / "v.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    problems = check_study(write_study('usages = "v.jsonl"'))[0]
    assert problems == [
        "[items] usages: no target is marked in 1 usage (1); mark its start and end, or leave them out",
        "[items] senses: winn.v has no senses in s.jsonl. Did you mean win.v?",
    ]


@pytest.mark.parametrize(
    "text, start, end, example",
    [
        ("The bank shut.", 4, 7, "The [ban]k shut."),
        ("The bank shut.", 5, 8, "The b[ank] shut."),
        ("The bank shut.", 4, 9, "The [bank ]shut."),
        ("Das Flußbett lag.", 4, 8, "Das [Fluß]bett lag."),
        ("The bank shut.", 4, 8, ""),
        ("The “bank”.", 5, 9, ""),
        ("我们去银行取钱。", 3, 5, ""),
        ("bank", 0, 4, ""),
    ],
)
def test_targets_that_are_parts_of_words_are_a_warning(
    write_study: StudyWriter, tmp_path: Path, text: str, start: int, end: int, example: str
) -> None:
    row = {"id": "u1", "lemma": "bank.n", "text": text, "start": start, "end": end}
    (tmp_path / "v.jsonl").write_text(json.dumps(row))
    problems, outline = check_study(write_study('usages = "v.jsonl"', '"SYNbest"'))
    assert outline is not None
    assert not problems
    assert outline.example == f"{text[:start]}[{text[start:end]}]{text[end:]}"
    message = f"the target does not cover whole words in 1 usage (u1): {example}; check start and end"
    assert outline.warnings == ((message,) if example else ())


def test_groups_too_small_for_the_overlap_are_a_problem(write_study: StudyWriter) -> None:
    study = write_study(rest='b = ["Usim"]\n[overlap]\ndesign = "per item"\njudgements = 2', top="annotators = 3")
    assert check_study(study)[0] == [
        "[overlap] judgements is 2, but only 1 annotator will do Usim; lower it, or raise annotators"
    ]
    assert check_study(write_study(rest='[overlap]\ndesign = "second"', top="annotators = 1"))[0]


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", "not JSON"),
        ('{"id": "a"}', "lemma is missing"),
        ('{"id": 1, "lemma": "x"}', "id is 1; it must be text"),
        ('{"id": "a", "lemma": "x", "synonyms": "b"}', "synonyms is 'b'; it must be a list of texts"),
    ],
)
def test_malformed_lines_of_senses_are_refused(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "s.jsonl").write_text(f"{line}\n")
    with pytest.raises(InputError, match=message):
        load_study_inventory("s.jsonl", tmp_path)


# -- the outline ---------------------------------------------------------------------------------------------------


def test_the_outline_counts_pages_judgements_and_hours(write_study: StudyWriter) -> None:
    problems, outline = check_study(write_study("per_lemma = 4", '"WSsim", "Usim"', "[repeats]\nshare = 0.5"))
    assert not problems
    assert outline is not None
    assert [(each.task, each.pages, each.judgements) for each in outline.tasks] == [("WSsim", 8, 24), ("Usim", 12, 12)]
    assert (outline.lemmas, outline.usages) == (2, 8)
    assert 8 + 12 + 4 + 6 <= outline.groups["a"].pages <= 8 + 12 + 4 + 6 + 1
    assert outline.tasks[0].hours == pytest.approx(8 * (8 + 3 * 4) / 3600)


def test_the_outline_counts_a_share_where_pages_are_assigned_on_demand(write_study: StudyWriter) -> None:
    rest = '[overlap]\ndesign = "per item"\njudgements = 2'
    _, outline = check_study(write_study(rest=rest, top="annotators = 4"))
    assert outline is not None
    assert (outline.groups["a"].pages, outline.groups["a"].judgements) == (6, 18)
    assert outline.total is not None
    assert (outline.total.pages, outline.total.judgements) == (24, 72)
    _, second = check_study(write_study(rest='[overlap]\ndesign = "second"\nshare = 0.5', top="annotators = 2"))
    assert second is not None
    assert second.groups["a"].pages == 6
