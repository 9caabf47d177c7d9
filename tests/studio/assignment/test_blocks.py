"""Which page an annotator sees when."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.studio.assignment.blocks import (
    MIN_REPEAT_GAP,
    Block,
    PageEntry,
    ScheduledPage,
    TrainingMarks,
    expected_page_count,
    has_failed_training,
    iter_next_pages,
    judgement_limit,
    next_training_page,
    plan_blocks,
    reaches_pass_mark,
    seeded_fraction,
    select_double_judged,
    smallest_group,
)
from studio.conftest import make_study

TWO = 'a = ["WSsim", "WSbest"]\nb = ["WSbest", "WSsim"]'


def entries(count: int, task: str = "WSsim", role: str = "", round: str = "1", start: int = 0) -> list[PageEntry]:
    """Pages of two lemmas."""
    prefix = role or round
    return [
        PageEntry(
            start + number, f"{prefix}/{task}/{number}", task, "" if role else round, f"{'ab'[number % 2]}.n", role
        )
        for number in range(count)
    ]


def walk(block: Block) -> list[ScheduledPage]:
    """Return all pages of a block for an annotator who is alone."""
    seen: list[ScheduledPage] = []
    while (step := next(iter_next_pages(block, seen), None)) is not None:
        seen.append(step)
    return seen


def pages(steps: Sequence[ScheduledPage], role: str) -> list[int]:
    return [step.page for step in steps if step.role == role]


def test_seed_and_annotator_determine_the_order() -> None:
    study = make_study("seed = 3")
    first, again, other = (plan_blocks(study, entries(50), who, "a")[0].ordinary for who in ("ann", "ann", "bob"))
    assert first == again
    assert first != other
    assert sorted(first) == sorted(other) == list(range(50))
    assert plan_blocks(make_study("seed = 4"), entries(50), "ann", "a")[0].ordinary != first
    assert plan_blocks(study, entries(60), "ann", "a")[0].ordinary != tuple(range(60))


def test_every_page_is_first_equally_often() -> None:
    firsts = Counter(plan_blocks(make_study(), entries(5), f"ann{each}", "a")[0].ordinary[0] for each in range(500))
    assert all(60 < count < 140 for count in firsts.values())


def test_pages_of_one_lemma_can_stay_together() -> None:
    study = replace(make_study(), items=make_study().items.model_copy(update={"order": "lemma"}))
    block = plan_blocks(study, entries(20), "ann", "a")[0]
    lemmas = [page % 2 for page in block.ordinary]
    assert sum(one != other for one, other in pairwise(lemmas)) == 1
    assert list(block.ordinary[:10]) != sorted(block.ordinary[:10])


def test_groups_order_the_tasks() -> None:
    study, all_entries = make_study(tasks=TWO), [*entries(3), *entries(3, "WSbest", start=3)]
    assert [block.task for block in plan_blocks(study, all_entries, "ann", "a")] == ["WSsim", "WSbest"]
    assert [block.task for block in plan_blocks(study, all_entries, "ann", "b")] == ["WSbest", "WSsim"]


def test_rounds_come_one_after_the_other() -> None:
    study = make_study(tasks=TWO, overlap='[[rounds]]\nname = "x"\n[[rounds]]\nname = "y"')
    all_entries = [*entries(2, round="x"), *entries(2, round="y", start=2), *entries(2, "WSbest", round="y", start=4)]
    blocks = plan_blocks(study, all_entries, "ann", "b")
    assert [(block.round, block.task) for block in blocks] == [
        ("x", "WSbest"),
        ("x", "WSsim"),
        ("y", "WSbest"),
        ("y", "WSsim"),
    ]
    assert [sorted(block.ordinary) for block in blocks] == [[], [0, 1], [4, 5], [2, 3]]


def test_control_pages_are_evenly_spaced() -> None:
    block = Block("1", "WSsim", tuple(range(20)), controls=(100, 101, 102), every=5)
    steps = walk(block)
    assert pages(steps, "") == list(range(20))
    assert [place for place, step in enumerate(steps) if step.role == "control"] == [5, 11, 17]
    assert pages(steps, "control") == [100, 101, 102]
    assert expected_page_count(block, 20) == len(steps)


def test_control_pages_are_distributed_over_rounds() -> None:
    text = '[[rounds]]\nname = "x"\n[[rounds]]\nname = "y"\n[controls]\nanswers = "c.csv"\nevery = 2'
    all_entries = [*entries(4, round="x"), *entries(4, round="y", start=4), *entries(5, role="control", start=8)]
    one, other = plan_blocks(make_study(overlap=text), all_entries, "ann", "a")
    assert sorted([*one.controls, *other.controls]) == [8, 9, 10, 11, 12]
    assert (one.every, other.every) == (2, 2)


@given(
    count=st.integers(0, 60),
    share=st.floats(0.01, 0.5),
    phase=st.floats(0, 0.999),
    every=st.sampled_from([0, 2, 7]),
    gaps=st.lists(st.integers(MIN_REPEAT_GAP, MIN_REPEAT_GAP + 9), min_size=60, max_size=60),
)
def test_repeats_never_follow_their_page_directly(
    count: int, share: float, phase: float, every: int, gaps: list[int]
) -> None:
    block = Block("1", "WSsim", tuple(range(count)), (100, 101), (), every, share, phase, dict(enumerate(gaps)))
    steps = walk(block)
    assert pages(steps, "") == list(range(count))
    repeated = pages(steps, "repeat")
    assert len(set(repeated)) == len(repeated)
    for page in repeated:
        first, again = (place for place, step in enumerate(steps) if step.page == page)
        assert again - first >= 2
    expected = int(count * share + phase)
    assert expected - 1 <= len(repeated) <= expected
    assert len(steps) <= expected_page_count(block, count) <= len(steps) + 1


def test_repeats_come_many_pages_later() -> None:
    block = plan_blocks(make_study(overlap="[repeats]\nshare = 0.2"), entries(100), "ann", "a")[0]
    steps = walk(block)
    repeated = pages(steps, "repeat")
    assert len(repeated) == 20
    gaps = []
    for page in repeated:
        first, again = (place for place, step in enumerate(steps) if step.page == page)
        gaps.append(again - first)
    assert sum(gap >= MIN_REPEAT_GAP for gap in gaps) >= 19
    assert len(set(gaps)) > 4


def test_all_remaining_pages_are_candidates() -> None:
    block = Block("1", "WSsim", (1, 2, 3))
    assert list(iter_next_pages(block, [ScheduledPage(1, "")])) == [ScheduledPage(2, ""), ScheduledPage(3, "")]


def test_training_continues_until_it_is_passed() -> None:
    block = Block("1", "WSsim", (1,), training=(8, 9))
    good, bad = TrainingMarks(3, 3), TrainingMarks(0, 3)
    assert next_training_page(block, [], 0.8) == ScheduledPage(8, "training")
    assert next_training_page(block, [good], 0.8) == ScheduledPage(9, "training")
    assert next_training_page(block, [good, good], 0.8) is None
    assert next_training_page(block, [good, bad], 0.8) == ScheduledPage(8, "training")
    assert next_training_page(block, [good, bad, good], 0.8) == ScheduledPage(9, "training")
    assert next_training_page(block, [good, bad, good, good], 0.8) is None
    assert next_training_page(Block("1", "WSsim", (1,)), [], 0.8) is None
    assert not has_failed_training(block, [good, bad], 0.8, 2)
    assert has_failed_training(block, [good, bad, bad, good], 0.8, 2)
    assert not has_failed_training(block, [bad, bad, good, good], 0.8, 2)
    assert reaches_pass_mark([TrainingMarks(4, 5)], 0.8)
    assert not reaches_pass_mark([TrainingMarks(3, 4)], 0.8)


def test_training_is_in_the_first_block_of_its_task() -> None:
    text = '[[rounds]]\nname = "x"\n[[rounds]]\nname = "y"\n[training]\nanswers = "t.csv"'
    all_entries = [*entries(2, round="x"), *entries(2, round="y", start=2), *entries(2, role="training", start=8)]
    blocks = plan_blocks(make_study(overlap=text), all_entries, "ann", "a")
    assert [block.training for block in blocks] == [(8, 9), ()]


def test_the_design_limits_the_judges_of_a_page() -> None:
    assert judgement_limit(make_study(), is_first=False) is None
    assert judgement_limit(make_study(overlap='[overlap]\ndesign = "per item"\njudgements = 4'), is_first=False) == 4
    second = make_study(overlap='[overlap]\ndesign = "second"')
    assert [judgement_limit(second, is_first=each) for each in (True, False)] == [None, 1]


def test_a_share_of_each_lemma_has_a_second_judge() -> None:
    study = make_study(overlap='[overlap]\ndesign = "second"\nshare = 0.1')
    all_entries = [*entries(60), *entries(3, role="control", start=100)]
    chosen = select_double_judged(study, all_entries)
    assert Counter((entry.lemma, entry.role) for entry in chosen if not entry.role) == {("a.n", ""): 3, ("b.n", ""): 3}
    assert sum(entry.role == "control" for entry in chosen) == 3
    assert select_double_judged(study, all_entries) == chosen
    assert len(select_double_judged(study, entries(4))) == 2


def test_pairs_with_hubs_come_first_where_implied_pairs_are_skipped() -> None:
    names = "abcdef"
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    all_entries = [
        PageEntry(number, f"1/Usim/{one}/{other}", "Usim", "1", "x.n", "", one, other)
        for number, (one, other) in enumerate(pairs)
    ]
    study = make_study(tasks='a = ["Usim"]', overlap='[[rounds]]\nname = "1"\npairs = "triangle"')
    order = [pairs[page] for page in plan_blocks(study, all_entries, "ann", "a")[0].ordinary]
    hub = set(order[0]) & set(order[1])
    assert all(hub <= set(pair) for pair in order[:5])
    assert not any(hub <= set(pair) for pair in order[5:])


@pytest.mark.parametrize("members, smallest", [([], "a"), (["a"], "b"), (["a", "b"], "a"), (["b", "b"], "a")])
def test_groups_are_balanced(members: list[str], smallest: str) -> None:
    assert smallest_group(["a", "b"], members) == smallest


def test_seeded_fractions_are_uniform() -> None:
    drawn = [seeded_fraction(1, each) for each in range(1000)]
    assert all(0 <= each < 1 for each in drawn)
    assert 0.45 < sum(drawn) / 1000 < 0.55
