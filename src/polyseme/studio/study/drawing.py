"""The draw: samples usages, cuts them out of their context, and puts them on pages with senses or in pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, zip_longest

from polyseme.agreement.grouping import group_by
from polyseme.errors import InputError, count_noun, quote_value
from polyseme.studio.assignment.blocks import seeded_fraction
from polyseme.studio.study.control_pages import build_pages_with_answers
from polyseme.studio.study.page_building import PageDraft, exclude_pages
from polyseme.studio.study.pages import Page, Passage
from polyseme.studio.study.settings import RoundSettings, Study
from polyseme.studio.study.study_tables import ItemSettings
from polyseme.studio.study.tasks import TASKS
from polyseme.usage import Usage


def draw_pages(study: Study) -> list[Page]:
    """Draw the pages of a study.

    Raises:
        InputError: The study has problems; the message gives the first of them.
    """
    draft = draft_pages(study)
    if draft.problems:
        first, *others = draft.problems
        other_problems = f" (and {count_noun(len(others), 'more problem')})" if others else ""
        raise InputError(f"the study has a problem: {first}{other_problems}")
    return draft.pages


def draft_pages(study: Study) -> PageDraft:
    """Draw the pages of a study, and collect all its problems."""
    draft = PageDraft(study)
    draft.load_senses()
    answer_pages = build_pages_with_answers(draft)
    for study_round in study.rounds:
        draft.pages += exclude_pages(_draw_round(draft, study_round), answer_pages)
    draft.pages += answer_pages
    if not draft.pages and not draft.problems:
        draft.problems.append("[items] usages: there is no usage to judge; name other usages or lemmas")
    return draft


def _draw_round(draft: PageDraft, study_round: RoundSettings) -> list[Page]:
    """Draw the pages of a round, task by task."""
    items, many = study_round.items, len(draft.study.rounds) > 1
    key = f"[items] usages of round {study_round.name}" if many else "[items] usages"
    loaded = draft.load_usages(items.usages, items.lemmas, key)
    if loaded is None:
        return []
    draft.problems += [f"{key}: {problem}" for problem in _find_usage_problems(loaded.usages, items)]
    by_lemma = group_by((usage for usage in loaded.usages if usage.target), lambda usage: usage.lemma)
    pages: list[Page] = []
    for lemma in items.lemmas or by_lemma:
        usages = _choose_usages(draft, study_round, by_lemma.get(lemma, []), lemma)
        pages += _draw_lemma(draft, study_round, lemma, draft.build_passages(loaded, usages))
    return sorted(pages, key=lambda page: list(TASKS).index(page.task))


def _find_usage_problems(usages: Sequence[Usage], items: ItemSettings) -> Iterator[str]:
    """Find the problems of usages, each kind once."""
    counts = Counter(usage.id for usage in usages)
    if repeated := [name for name, count in counts.items() if count > 1]:
        yield f"{list_first(repeated)} share an id with another usage; give each usage its own id"
    if unmarked := [usage.id for usage in usages if not usage.target]:
        yield f"no target is marked in {list_first(unmarked)}; mark its start and end, or leave them out"
    lemmas = {usage.lemma for usage in usages}
    for lemma in items.lemmas:
        if lemma not in lemmas:
            yield f"there is no usage of {lemma}; leave it out, or name other usages"
    if items.by and (lacking := [usage.id for usage in usages if items.by not in usage.meta]):
        yield f"by is {quote_value(items.by)}, a field that is missing from the meta of {list_first(lacking)}"


def list_first(usages: Sequence[str]) -> str:
    """Count usages, and list the first few.

    >>> list_first(["a", "b", "c", "d"])
    '4 usages (a, b, c …)'
    """
    return f"{count_noun(len(usages), 'usage')} ({', '.join(usages[:3])}{' …' if len(usages) > 3 else ''})"


# -- usages ----------------------------------------------------------------------------------------------------------


def _choose_usages(draft: PageDraft, study_round: RoundSettings, usages: list[Usage], lemma: str) -> list[Usage]:
    """Choose the usages of a lemma to judge, in the order of their source."""
    count = study_round.items.per_lemma
    if not count or not usages:
        return usages
    if len(usages) < count:
        problem = f"[items] per_lemma asks for {count_noun(count, 'usage')} of {lemma}, but there are {len(usages)}"
        draft.problems.append(f"{problem}; lower it, or add usages")
        return usages
    names = set(sample_usages(usages, count, (draft.study.seed, study_round.name), study_round.items.by))
    return [usage for usage in usages if usage.id in names]


def sample_usages(usages: Iterable[Usage], count: int, seed: tuple[object, ...], by: str = "") -> list[str]:
    """Draw a stratified random sample of usages.

    Args:
        usages: The usages to draw from.
        count: How many to draw.
        seed: The random seed: any objects; equal ones draw the same sample.
        by: A field of the usages' ``meta``; each of its values gets equally many usages, as far as possible.

    Returns:
        The names of the usages.

    >>> usages = [Usage(str(n), "x", "x", 0, 1, meta={"genre": "ab"[n > 1]}) for n in range(10)]
    >>> sorted(usages[int(name)].meta["genre"] for name in sample_usages(usages, 4, (1,), "genre"))
    ['a', 'a', 'b', 'b']
    """
    shuffled = sorted(usages, key=lambda usage: seeded_fraction(*seed, usage.id))
    strata = group_by(shuffled, lambda usage: str(usage.meta.get(by, "")) if by else "")
    alternating = (usage.id for turn in zip_longest(*strata.values()) for usage in turn if usage is not None)
    return list(islice(alternating, count))


# -- pages -----------------------------------------------------------------------------------------------------------


def _draw_lemma(draft: PageDraft, study_round: RoundSettings, lemma: str, passages: list[Passage]) -> Iterator[Page]:
    """Draw the pages of a lemma, for all tasks of the round."""
    for task in study_round.tasks:
        if TASKS[task].pairs:
            yield from _draw_pairs(draft, study_round, lemma, passages)
        elif passages and (len(draft.senses) or not TASKS[task].senses):
            try:
                senses = draft.find_senses(task, lemma)
            except InputError as error:
                draft.problems.append(f"[items] senses: {error}")
            else:
                yield from (draft.build_page(task, study_round.name, lemma, (each,), senses) for each in passages)


def _draw_pairs(draft: PageDraft, study_round: RoundSettings, lemma: str, passages: list[Passage]) -> Iterator[Page]:
    """Draw the Usim pages of a lemma."""
    selection, usages = study_round.items.pairs, [passage.usage for passage in passages]
    pairs = draw_usage_pairs(usages, selection, (draft.study.seed, study_round.name))
    if not pairs:
        draft.problems.append(f"[items] usages: Usim needs pairs of usages, but {lemma} has only one usage")
    elif isinstance(selection, int) and len(pairs) < selection:
        problem = f"[items] pairs asks for {selection} of each lemma, but {lemma} has {count_noun(len(pairs), 'pair')}"
        draft.problems.append(f"{problem}; lower it, or raise per_lemma")
    for first, second in pairs:
        yield draft.build_page("Usim", study_round.name, lemma, (passages[first], passages[second]), ())


def draw_usage_pairs(usages: Sequence[str], selection: str | int, seed: tuple[object, ...]) -> list[tuple[int, int]]:
    """Draw pairs of usages for Usim: all, or a sample that spreads over the usages.

    For a sample, the usages stand in a circle in random order. Neighbours are paired first, then usages at a distance
    of two, and so on.

    Args:
        usages: The names of the usages of a lemma.
        selection: The number of pairs, or ``"all"``.
        seed: The random seed: any objects; equal ones draw the same pairs.

    Returns:
        The positions of both usages of each pair.

    >>> draw_usage_pairs("abcd", "all", ())
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> sorted(position for pair in draw_usage_pairs("abcde", 5, (1,)) for position in pair)
    [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    """
    size = len(usages)
    if isinstance(selection, str):
        return list(combinations(range(size), 2))
    circle = sorted(range(size), key=lambda position: seeded_fraction(*seed, usages[position], "pairs"))
    distances = range(1, size // 2 + 1)
    pairs = ((circle[start], circle[(start + distance) % size]) for distance in distances for start in range(size))
    distinct = dict.fromkeys((min(pair), max(pair)) for pair in pairs)
    return sorted(islice(distinct, selection))
