"""Pages: which answers they accept, what these change, and when a page is complete."""

import json

import pytest

from polyseme.errors import InputError
from polyseme.studio.study.pages import Judgement, Page, PageAnswers, check_text
from polyseme.studio.study.tasks import NO_SUBSTITUTE
from studio.conftest import page

A, B, C = "win.v%a", "win.v%b", "win.v%c"


def accept(sheet: Page, *judgements: tuple[str, float | None], **values: float) -> dict[str, float | None]:
    """Return what a page records of judgements, beside earlier values."""
    before = PageAnswers({f"win.v%{name}" if len(name) == 1 else name: value for name, value in values.items()})
    accepted = sheet.accept([Judgement(*each) for each in judgements], before)
    assert len({each.target for each in accepted}) == len(accepted)
    return {each.target: each.value for each in accepted}


def test_wssim_needs_a_rating_of_every_sense() -> None:
    sheet = page(1)
    assert sheet.targets == (A, B, C)
    assert sheet.missing(PageAnswers({A: 1, C: 5})) == ["Rate meaning 2."]
    assert sheet.missing_targets(PageAnswers({A: 1, C: 5})) == (B,)
    assert not sheet.missing(PageAnswers({A: 1, B: 3, C: 5}))


def test_usim_accepts_cannot_decide() -> None:
    sheet = page(1, "Usim")
    assert (sheet.targets, sheet.usage, sheet.other) == (("win.v.2",), "win.v.1", "win.v.2")
    assert sheet.missing(PageAnswers()) == ["Rate how similar the two meanings are."]
    assert accept(sheet, ("win.v.2", None)) == {"win.v.2": None}
    assert not sheet.missing(PageAnswers({"win.v.2": None}))


@pytest.mark.parametrize("value", [0, 6, 2.5, float("nan"), float("inf"), -1, None])
def test_values_off_the_scale_are_refused(value: float | None) -> None:
    with pytest.raises(InputError, match="a whole number from 1 to 5"):
        accept(page(1), (A, value))


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest"])
def test_a_target_of_another_page_is_refused(task: str) -> None:
    with pytest.raises(InputError, match=r"'win\.v\.9' is not on this page"):
        accept(page(1, task), ("win.v.9", 1))


def test_wsbest_accepts_one_sense_and_withdraws_the_other() -> None:
    sheet = page(1, "WSbest")
    assert accept(sheet, (A, 1)) == {A: 1}
    assert accept(sheet, (B, 1), a=1) == {B: 1, A: 0}
    assert accept(sheet, (A, 0), a=1) == {A: 0}
    assert accept(sheet, (A, 1), (B, 1)) == {B: 1, A: 0}
    assert sheet.missing(PageAnswers({A: 0})) == ["Choose the meaning that fits best."]
    assert sheet.missing_targets(PageAnswers({A: 0})) == (A, B, C)
    assert not sheet.missing(PageAnswers({A: 0, B: 1}))
    assert PageAnswers({A: 0, B: 1}).chosen == (B,)


def test_wsbest_accepts_several_senses_up_to_a_limit() -> None:
    sheet = page(1, "WSbest", max_choices=2)
    assert accept(sheet, (B, 1), a=1) == {B: 1}
    with pytest.raises(InputError, match="3 answers are too many; choose at most 2"):
        accept(sheet, (C, 1), a=1, b=1)
    assert accept(sheet, (C, 1), (A, 0), a=1, b=1) == {C: 1, A: 0}


def test_choices_are_one_or_zero() -> None:
    for value in (2, None, 0.5, float("nan")):
        with pytest.raises(InputError, match="is not a choice"):
            accept(page(1, "WSbest"), (A, value))


def test_synbest_accepts_one_substitute_or_none() -> None:
    sheet = page(1, "SYNbest")
    assert sheet.targets == ()
    assert accept(sheet, ("  gain  the prize ", 1)) == {"gain the prize": 1}
    assert accept(sheet, ("get", 1), gain=1) == {"get": 1, "gain": 0}
    assert accept(sheet, (NO_SUBSTITUTE, None), gain=1) == {NO_SUBSTITUTE: None, "gain": 0}
    assert not sheet.missing(PageAnswers({NO_SUBSTITUTE: None, "gain": 0}))
    before = PageAnswers({NO_SUBSTITUTE: None})
    assert sheet.accept([Judgement("gain", 1)], before) == [Judgement("gain", 1), Judgement(NO_SUBSTITUTE, 0)]
    assert sheet.missing(PageAnswers({"gain": 0})) == ["Write a word or phrase, or tick “No word fits”."]


def test_synbest_accepts_several_substitutes_up_to_a_limit() -> None:
    sheet = page(1, "SYNbest", max_choices=3)
    assert accept(sheet, ("a1", 1), ("b1", 1), ("c1", 1)) == {"a1": 1, "b1": 1, "c1": 1}
    assert accept(sheet, (NO_SUBSTITUTE, None), gain=1, get=1) == {NO_SUBSTITUTE: None, "gain": 0, "get": 0}
    assert sheet.accept([Judgement("gain", 1)], PageAnswers({NO_SUBSTITUTE: None}))[-1] == Judgement(NO_SUBSTITUTE, 0)


@pytest.mark.parametrize("word", ["", "   ", "x" * 101, "a\0b"])
def test_empty_long_and_invalid_substitutes_are_refused(word: str) -> None:
    with pytest.raises(InputError):
        accept(page(1, "SYNbest"), (word, 1))


def test_pages_with_an_invalid_usage_are_complete() -> None:
    for task in ("WSsim", "Usim", "WSbest", "SYNbest"):
        assert page(1, task).missing(PageAnswers())
        assert not page(1, task).missing(PageAnswers(invalid="unclear"))
        assert not page(1, task).missing_targets(PageAnswers(invalid="unclear"))


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest", "SYNbest"])
def test_pages_are_built_from_their_stored_content(task: str) -> None:
    sheet = page(1, task, role="training", right={"x": 1.0, "y": None}, tolerance=1.0, max_choices=2)
    content = json.loads(json.dumps(sheet.content()))
    assert Page.from_content(sheet.name, sheet.task, sheet.round, sheet.lemma, sheet.role, content) == sheet


def test_feedback_on_ratings_has_a_tolerance() -> None:
    sheet = page(1, role="training", right={A: 1, B: 3, C: 5}, tolerance=1)
    feedback = sheet.feedback(PageAnswers({A: 2, B: 5, C: 5}))
    assert [(each.answer, each.right, each.good) for each in feedback] == [(2, 1, True), (5, 3, False), (5, 5, True)]
    assert not any(each.good for each in sheet.feedback(PageAnswers({A: 1, B: 3, C: 5}, invalid="unclear")))
    assert [each.answer for each in sheet.feedback(PageAnswers({A: 2}))] == [2, None, None]


def test_feedback_compares_cannot_decide() -> None:
    sheet = page(1, "Usim", role="training", right={"win.v.2": None}, tolerance=1)
    assert sheet.feedback(PageAnswers({"win.v.2": None}))[0].good
    assert not sheet.feedback(PageAnswers({"win.v.2": 3}))[0].good
    other = page(1, "Usim", role="training", right={"win.v.2": 4}, tolerance=1)
    assert not other.feedback(PageAnswers({"win.v.2": None}))[0].good


def test_feedback_lists_wrong_choices() -> None:
    sheet = page(1, "WSbest", role="training", right={A: 1}, tolerance=1)
    assert [each.good for each in sheet.feedback(PageAnswers({A: 1}))] == [True]
    feedback = sheet.feedback(PageAnswers({B: 1}))
    assert [(each.target, each.answer, each.right, each.good) for each in feedback] == [
        (A, 0, 1, False),
        (B, 1, 0, False),
    ]
    assert [each.good for each in sheet.feedback(PageAnswers({A: 1, B: 0}))] == [True]


def test_texts_that_cannot_be_stored_are_refused() -> None:
    assert check_text("🙂 مرحبا <b>", "comment") == "🙂 مرحبا <b>"
    for text in ("x" * 10_001, "a\0b", "\ud800"):
        with pytest.raises(InputError, match="the comment"):
            check_text(text, "comment")
