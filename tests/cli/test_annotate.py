"""``polyseme annotate``: new, check and invite."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")

from polyseme.errors import InputError
from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.store import Store
from polyseme.studio.study.questionnaire import QUESTIONS, ask_questions, format_study_toml
from polyseme.studio.study.settings import parse_study


@pytest.fixture
def usages(cli: Run, tmp_path: Path) -> Path:  # noqa: ARG001 - the folder that commands run in
    """Usages beside the study."""
    rows = [
        {"id": f"win.v.{number}", "lemma": "win.v", "text": f"They won {number}.", "start": 5, "end": 8}
        for number in range(1, 5)
    ]
    (tmp_path / "usages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "usages.jsonl"


def answers_of(**inputs: str) -> Callable[[str, str], str]:
    """Answers some questions, and takes what is offered for the others."""
    texts = {question.text: question.name for question in QUESTIONS}
    return lambda text, default: inputs.get(texts[text], default)


@pytest.mark.usefixtures("usages")
def test_new_writes_a_study_that_passes(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.prompt", lambda text, default, **_: answers_of(tasks="Usim SYNbest")(text, default))
    ran = cli("annotate", "new", "study.toml")
    assert (ran.code, ran.err) == (0, "")
    assert "It shows 4 usages of 1 lemma" in ran.out
    assert "polyseme annotate check study.toml" in ran.out
    assert Path("instructions.md").read_text().startswith("# Instructions")
    study = parse_study(Path("study.toml").read_text())
    assert study.groups == {"a": ("Usim", "SYNbest"), "b": ("SYNbest", "Usim")}
    checked = cli("annotate", "check", "study.toml")
    assert checked.code == 0
    assert "It shows 4 usages of 1 lemma, such as: They [won] 1.\n- Usim: 6 pages with 6 judgements\n" in checked.out
    assert "of group b sees 10 to 12 pages with 10 to 12 judgements, repeats included: about" in checked.out
    assert "3 annotators together: up to 36 judgements in about" in checked.out
    amount = json.loads(cli("annotate", "check", "study.toml", "--json").out)
    assert (amount["problems"], amount["tasks"][0]["pages"], amount["usages"]) == ([], 6, 4)
    again = cli("annotate", "new", "study.toml")
    assert again.code == 2
    assert "study.toml: this file exists already" in again.err
    assert cli("annotate", "new", "nowhere/study.toml").code == 2


def test_new_says_what_is_still_wrong(cli: Run) -> None:
    ran = cli("annotate", "new", "--defaults")
    assert ran.code == 0
    assert "'usages.jsonl' is neither a file or folder" in ran.err
    assert Path("study.toml").exists()


@pytest.mark.parametrize(
    "inputs, expected",
    [
        ({"tasks": "WSsim, WSbest", "other_order": "no"}, '[tasks]\na = ["WSsim", "WSbest"]\n'),
        ({"design": "per item", "judgements": "4"}, '[overlap]\ndesign = "per item"\njudgements = 4\n'),
        ({"design": "second", "share": "0.2"}, 'design = "second"\nshare = 0.2\n'),
        ({"tasks": "Usim", "pairs": "10"}, "pairs = 10\n"),
        ({"tasks": "Usim", "pairs": "triangle"}, 'pairs = "triangle"\n'),
        ({"lemmas": "win.v paper.n", "per_lemma": "5"}, 'lemmas = ["win.v", "paper.n"]\nper_lemma = 5\n'),
        ({"title": 'Say "so" \\ é 🙂\x7f'}, 'title = "Say \\"so\\" \\\\ é 🙂\\u007f"\n'),
        ({"repeats": "0.1"}, "[repeats]\nshare = 0.1\n"),
    ],
)
def test_answers_make_a_study(inputs: dict[str, str], expected: str) -> None:
    source = format_study_toml(ask_questions(answers_of(**inputs), pytest.fail))
    assert expected in source
    assert parse_study(source).title == inputs.get("title", "Word meaning in context")


def test_what_is_no_answer_is_asked_again() -> None:
    message: list[str] = []
    inputs = {
        "title": iter(["", "T"]),
        "tasks": iter(["WSsin", "", "WSsim Usim"]),
        "other_order": iter(["maybe", "No"]),
        "pairs": iter(["none", "0", "triangle"]),
        "seed": iter(["one", "-1", "7"]),
        "repeats": iter(["x", "2", "0"]),
    }
    texts = {question.text: question.name for question in QUESTIONS}
    answers = ask_questions(lambda text, default: next(inputs.get(texts[text], iter([default]))), message.append)
    assert (answers["tasks"], answers["seed"], answers["repeats"]) == ("WSsim Usim", "7", "0")
    assert len(message) == 10
    assert "'WSsin' is not a list of tasks; allowed are WSsim, Usim" in message[1]
    assert "'maybe' is neither yes nor no" in message
    assert "'none' is neither all nor triangle, nor a whole number, 1 or more" in message
    assert "b = " not in format_study_toml(answers)
    with pytest.raises(InputError, match="these answers do not describe a study"):
        format_study_toml({**answers, "judgements": "2"})


def test_check_warns_of_targets_inside_words(cli: Run, usages: Path) -> None:
    usages.write_text(usages.read_text().replace('"end": 8', '"end": 7', 1))
    Path("study.toml").write_text('title = "T"\nitems.usages = "usages.jsonl"\ntasks.a = ["SYNbest"]\n')
    ran = cli("annotate", "check", "study.toml")
    assert ran.code == 0
    assert ran.out.startswith(
        "T: the study can start, but look at this.\n- the target does not cover whole words in 1 usage"
    )
    assert "(win.v.1): They [wo]n 1.; check start and end" in ran.out


@pytest.mark.usefixtures("usages")
def test_check_says_how_long_a_small_study_takes(cli: Run) -> None:
    Path("study.toml").write_text(
        'title = "T"\nannotators = 1\nitems.usages = "usages.jsonl"\nitems.per_lemma = 1\ntasks.a = ["SYNbest"]\n'
    )
    assert cli("annotate", "check", "study.toml").out.endswith("sees 1 page with 1 judgement: about 1 minute.\n")


@pytest.mark.usefixtures("usages")
def test_check_says_all_that_is_wrong(cli: Run) -> None:
    source = 'title = "T"\nannotators = 1\n[items]\nusages = "usages.jsonl"\nper_lemma = 9\nsenses = "none"\n'
    Path("study.toml").write_text(f'{source}[tasks]\na = ["WSsim"]\n[overlap]\ndesign = "per item"\n')
    ran = cli("annotate", "check", "study.toml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == "study.toml: 3 problems"
    assert "per_lemma asks for 9 usages of win.v, but there are 4" in ran.err
    assert len(json.loads(cli("annotate", "check", "study.toml", "--json").out)["problems"]) == 3
    Path("study.toml").write_text('title = "T"\n[item]\n')
    assert "[items] is missing" in cli("annotate", "check", "study.toml").err


@pytest.mark.usefixtures("usages")
def test_invite(cli: Run) -> None:
    Path("study.toml").write_text(
        'title = "T"\n[items]\nusages = "usages.jsonl"\n[tasks]\na = ["Usim"]\nb = ["Usim"]\n'
    )
    ran = cli("annotate", "invite", "study.toml", "ann", "bob", "--address", "https://study.example/")
    assert ran.code == 0
    links = dict(line.split(": ", 1) for line in ran.out.splitlines())
    assert links["ann"].startswith("https://study.example/invitation/")
    assert cli("annotate", "invite", "study.toml", "boss", "--manager", "--json").code == 0
    store = Store.open("study.db")
    assert [(item.name, item.kind, item.group) for item in store.annotators()] == [
        ("ann", "annotator", "a"),
        ("bob", "annotator", "b"),
        ("boss", "manager", ""),
    ]
    invited = Accounts(store).find_invited(links["ann"].rpartition("/")[2])
    assert invited is not None
    assert invited.name == "ann"
    assert "the name 'ann' is in use" in cli("annotate", "invite", "study.toml", "ann").err
    assert cli("annotate", "invite", "study.toml", "ann", "--again").code == 0
    assert Accounts(store).find_invited(links["ann"].rpartition("/")[2]) is None
    store.close()


@pytest.mark.usefixtures("usages")
def test_invitations_lead_to_the_address_of_the_server(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    source = 'title = "T"\n[items]\nusages = "usages.jsonl"\n[tasks]\na = ["Usim"]\n'
    Path("study.toml").write_text(source)
    monkeypatch.setattr("uvicorn.run", lambda *_, **__: None)
    monkeypatch.setattr("os.environ", dict(os.environ))  # the command sets variables for worker processes
    assert "http://127.0.0.1:8000/invitation/" in cli("annotate", "invite", "study.toml", "ann").out
    for options, address in [
        (("--port", 8099), "http://127.0.0.1:8099"),
        (("--address", "https://x.example/"), "https://x.example"),
    ]:
        assert cli("annotate", "serve", "study.toml", "--insecure", *options).code == 0
        assert f"ann: {address}/invitation/" in cli("annotate", "invite", "study.toml", "ann", "--again").out


def test_a_whole_study_is_imported_into_a_new_folder(cli: Run, usages: Path) -> None:
    source = f'title = "T"\n[items]\nusages = "{usages}"\n[tasks]\na = ["Usim"]\n'
    Path("study.toml").write_text(source)
    cli("annotate", "invite", "study.toml", "ann")
    cli("annotate", "export", "study.toml", "-o", "whole.jsonl", "--format", "study")
    assert cli("annotate", "import", "whole.jsonl", "a/new/study.toml").code == 0
    assert Path("a/new/study.toml").read_text() == source


def test_what_lies_in_the_store_is_not_read_again(cli: Run, usages: Path) -> None:
    Path("study.toml").write_text('title = "T"\n[items]\nusages = "usages.jsonl"\n[tasks]\na = ["Usim"]\n')
    assert cli("annotate", "invite", "study.toml", "ann").code == 0
    usages.unlink()
    assert cli("annotate", "invite", "study.toml", "bob").code == 0
    Path("study.toml").write_text(Path("study.toml").read_text() + "\n[repeats]\nshare = 0.1\n")
    assert "'usages.jsonl' is neither a file or folder" in cli("annotate", "invite", "study.toml", "cy").err
