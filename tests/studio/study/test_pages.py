"""Pages: which answers they take, what these change, and when there are enough."""

import json

import pytest

from studio.conftest import page
from polyseme.errors import InputError
from polyseme.studio.study.pages import Judgement, Page, PageAnswers, check_text
from polyseme.studio.study.tasks import NO_SUBSTITUTE

A, B, C = "win.v%a", "win.v%b", "win.v%c"


def taken(shown: Page, *judgements: tuple[str, float | None], **values: float) -> dict[str, float | None]:
    """What is recorded of judgements, beside values given before."""
    before = PageAnswers({f"win.v%{name}" if len(name) == 1 else name: value for name, value in values.items()})
    found = shown.accept([Judgement(*each) for each in judgements], before)
    assert len({each.target for each in found}) == len(found)
    return {each.target: each.value for each in found}


def test_wssim_wants_every_sense() -> None:
    shown = page(1)
    assert shown.targets == (A, B, C)
    assert shown.missing(PageAnswers({A: 1, C: 5})) == ["Sense 2 is not rated yet."]
    assert shown.missing_targets(PageAnswers({A: 1, C: 5})) == (B,)
    assert not shown.missing(PageAnswers({A: 1, B: 3, C: 5}))


def test_usim_takes_cannot_decide() -> None:
    shown = page(1, "Usim")
    assert (shown.targets, shown.usage, shown.other) == (("win.v.2",), "win.v.1", "win.v.2")
    assert shown.missing(PageAnswers()) == ["Say how similar in meaning the two are."]
    assert taken(shown, ("win.v.2", None)) == {"win.v.2": None}
    assert not shown.missing(PageAnswers({"win.v.2": None}))


@pytest.mark.parametrize("value", [0, 6, 2.5, float("nan"), float("inf"), -1, None])
def test_what_is_off_the_scale_is_refused(value: float | None) -> None:
    with pytest.raises(InputError, match="a whole number from 1 to 5"):
        taken(page(1), (A, value))


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest"])
def test_a_target_of_another_page_is_refused(task: str) -> None:
    with pytest.raises(InputError, match=r"'win\.v\.9' is not judged on this page"):
        taken(page(1, task), ("win.v.9", 1))


def test_wsbest_takes_one_and_withdraws_the_other() -> None:
    shown = page(1, "WSbest")
    assert taken(shown, (A, 1)) == {A: 1}
    assert taken(shown, (B, 1), a=1) == {B: 1, A: 0}
    assert taken(shown, (A, 0), a=1) == {A: 0}
    assert taken(shown, (A, 1), (B, 1)) == {B: 1, A: 0}
    assert shown.missing(PageAnswers({A: 0})) == ["Choose the sense that fits best."]
    assert shown.missing_targets(PageAnswers({A: 0})) == (A, B, C)
    assert not shown.missing(PageAnswers({A: 0, B: 1}))
    assert PageAnswers({A: 0, B: 1}).chosen == (B,)


def test_wsbest_with_several() -> None:
    shown = page(1, "WSbest", max_choices=2)
    assert taken(shown, (B, 1), a=1) == {B: 1}
    with pytest.raises(InputError, match="3 answers are chosen; allowed are at most 2"):
        taken(shown, (C, 1), a=1, b=1)
    assert taken(shown, (C, 1), (A, 0), a=1, b=1) == {C: 1, A: 0}


def test_a_choice_is_nothing_but_one_or_zero() -> None:
    for value in (2, None, 0.5, float("nan")):
        with pytest.raises(InputError, match="is no choice"):
            taken(page(1, "WSbest"), (A, value))


def test_synbest_takes_one_word_or_none() -> None:
    shown = page(1, "SYNbest")
    assert shown.targets == ()
    assert taken(shown, ("  gain  the prize ", 1)) == {"gain the prize": 1}
    assert taken(shown, ("get", 1), gain=1) == {"get": 1, "gain": 0}
    assert taken(shown, (NO_SUBSTITUTE, None), gain=1) == {NO_SUBSTITUTE: None, "gain": 0}
    assert not shown.missing(PageAnswers({NO_SUBSTITUTE: None, "gain": 0}))
    before = PageAnswers({NO_SUBSTITUTE: None})
    assert shown.accept([Judgement("gain", 1)], before) == [Judgement("gain", 1), Judgement(NO_SUBSTITUTE, 0)]
    assert shown.missing(PageAnswers({"gain": 0})) == ["Write a word that could stand here, or say that there is none."]


def test_synbest_with_three() -> None:
    shown = page(1, "SYNbest", max_choices=3)
    assert taken(shown, ("a1", 1), ("b1", 1), ("c1", 1)) == {"a1": 1, "b1": 1, "c1": 1}
    assert taken(shown, (NO_SUBSTITUTE, None), gain=1, get=1) == {NO_SUBSTITUTE: None, "gain": 0, "get": 0}
    assert shown.accept([Judgement("gain", 1)], PageAnswers({NO_SUBSTITUTE: None}))[-1] == Judgement(NO_SUBSTITUTE, 0)


@pytest.mark.parametrize("word", ["", "   ", "x" * 101, "a\0b"])
def test_what_is_no_substitute(word: str) -> None:
    with pytest.raises(InputError):
        taken(page(1, "SYNbest"), (word, 1))


def test_an_invalid_usage_wants_nothing_more() -> None:
    for task in ("WSsim", "Usim", "WSbest", "SYNbest"):
        assert page(1, task).missing(PageAnswers())
        assert not page(1, task).missing(PageAnswers(invalid="unclear"))
        assert not page(1, task).missing_targets(PageAnswers(invalid="unclear"))


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest", "SYNbest"])
def test_what_is_stored_is_read_back(task: str) -> None:
    shown = page(1, task, role="training", right={"x": 1.0, "y": None}, tolerance=1.0, max_choices=2)
    content = json.loads(json.dumps(shown.content()))
    assert Page.from_content(shown.name, shown.task, shown.round, shown.lemma, shown.role, content) == shown


def test_feedback_on_ratings() -> None:
    shown = page(1, role="training", right={A: 1, B: 3, C: 5}, tolerance=1)
    told = shown.feedback(PageAnswers({A: 2, B: 5, C: 5}))
    assert [(each.answer, each.right, each.good) for each in told] == [(2, 1, True), (5, 3, False), (5, 5, True)]
    assert not any(each.good for each in shown.feedback(PageAnswers({A: 1, B: 3, C: 5}, invalid="unclear")))
    assert [each.answer for each in shown.feedback(PageAnswers({A: 2}))] == [2, None, None]


def test_feedback_on_cannot_decide() -> None:
    shown = page(1, "Usim", role="training", right={"win.v.2": None}, tolerance=1)
    assert shown.feedback(PageAnswers({"win.v.2": None}))[0].good
    assert not shown.feedback(PageAnswers({"win.v.2": 3}))[0].good
    other = page(1, "Usim", role="training", right={"win.v.2": 4}, tolerance=1)
    assert not other.feedback(PageAnswers({"win.v.2": None}))[0].good


def test_feedback_on_choices() -> None:
    shown = page(1, "WSbest", role="training", right={A: 1}, tolerance=1)
    assert [each.good for each in shown.feedback(PageAnswers({A: 1}))] == [True]
    told = shown.feedback(PageAnswers({B: 1}))
    assert [(each.target, each.answer, each.right, each.good) for each in told] == [(A, 0, 1, False), (B, 1, 0, False)]
    assert [each.good for each in shown.feedback(PageAnswers({A: 1, B: 0}))] == [True]


def test_texts_that_cannot_be_kept() -> None:
    assert check_text("🙂 مرحبا <b>", "comment") == "🙂 مرحبا <b>"
    for text in ("x" * 10_001, "a\0b", "\ud800"):
        with pytest.raises(InputError, match="the comment"):
            check_text(text, "comment")
