"""The pages of a study: usages are drawn, shown in their context, and put together with senses or in pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.inventory import Inventory
from polyseme.studio.assignment.blocks import seeded_fraction
from polyseme.studio.study.control_pages import build_pages_with_answers
from polyseme.studio.study.page_building import PageDraft, build_page, describe_missing_senses
from polyseme.studio.study.pages import Page, Passage
from polyseme.studio.study.passages import EXTRA_SENTENCES, build_passage
from polyseme.studio.study.settings import ItemSettings, RoundSettings, Study
from polyseme.studio.study.sources import SentenceContext, StudyUsages, load_study_inventory, load_study_usages
from polyseme.studio.study.tasks import TASKS
from polyseme.usage import Usage


def draw_pages(study: Study) -> list[Page]:
    """The pages of a study; an error says what is wrong with the first that cannot be made."""
    drawn = draft_pages(study)
    if drawn.problems:
        others = f" (and {count_noun(len(drawn.problems) - 1, 'more problem')})" if len(drawn.problems) > 1 else ""
        advice = "Type: polyseme annotate check STUDY.toml"
        raise InputError(f"the study has a problem: {drawn.problems[0]}{others}. {advice}")
    return drawn.pages


def draft_pages(study: Study) -> PageDraft:
    """The pages of a study, and all that is wrong with it."""
    drawn = PageDraft()
    senses = _load_senses(study, drawn)
    with_answers = build_pages_with_answers(study, senses, drawn)
    known = {(page.task, page.usage, page.other) for page in with_answers}
    for each in study.rounds:
        made = _draw_round(study, each, senses, drawn)
        drawn.pages += [page for page in made if (page.task, page.usage, page.other) not in known]
    drawn.pages += with_answers
    if not drawn.pages and not drawn.problems:
        drawn.problems.append("[items] usages: there is nothing to judge; name other usages or lemmas")
    return drawn


def _load_senses(study: Study, drawn: PageDraft) -> Inventory:
    needing = [task for task in study.tasks if TASKS[task].senses]
    if not needing:
        return Inventory([])
    if not study.items.senses:
        problem = f"[items] senses is missing, and {' and '.join(needing)} show the senses of a word"
        drawn.problems.append(f'{problem}; write senses = "wordnet-3.0", or name a file of senses')
        return Inventory([])
    found = drawn.attempt(lambda: load_study_inventory(study.items.senses, study.folder), "[items] senses")
    return Inventory([]) if found is None else found


def _draw_round(study: Study, round: RoundSettings, senses: Inventory, drawn: PageDraft) -> list[Page]:
    where = "[items] usages" if len(study.rounds) == 1 else f"[items] usages of round {round.name}"
    items = round.items
    width = items.context + EXTRA_SENTENCES
    text = drawn.attempt(lambda: load_study_usages(items.usages, study.folder, items.lemmas, width), where)
    if text is None:
        return []
    drawn.problems += [f"{where}: {problem}" for problem in _find_usage_problems(text, items)]
    by_lemma: dict[str, list[Usage]] = {}
    for usage in text.usages:
        if usage.target:
            by_lemma.setdefault(usage.lemma, []).append(usage)
    found: list[Page] = []
    for lemma in items.lemmas or by_lemma:
        chosen = _choose_usages(study, round, by_lemma.get(lemma, []), lemma, drawn)
        shown_ = [build_passage(usage, items.context, text.around.get(usage.id, SentenceContext())) for usage in chosen]
        found += _draw_lemma(study, round, lemma, shown_, senses, drawn)
    return sorted(found, key=lambda page: list(TASKS).index(page.task))


def _find_usage_problems(text: StudyUsages, items: ItemSettings) -> Iterator[str]:
    """What is wrong with usages, each problem once."""
    counts = Counter(usage.id for usage in text.usages)
    if twice := [name for name, count in counts.items() if count > 1]:
        yield f"the same name is given more than once to {_list_first(twice, 'usage')}; give each its own"
    if bare := [usage.id for usage in text.usages if not usage.target]:
        yield f"no target is marked in {_list_first(bare, 'usage')}; say where it begins and ends, or leave them out"
    there = {usage.lemma for usage in text.usages}
    for lemma in items.lemmas:
        if lemma not in there:
            yield f"there is no usage of {lemma}; leave it out, or name other usages"
    if items.by and (unknown := [usage.id for usage in text.usages if items.by not in usage.meta]):
        field = f"field {quote_value(items.by)}, by which the draw is made,"
        yield f"there is no {field} in the meta of {_list_first(unknown, 'usage')}"


def _list_first(names: Sequence[str], what: str) -> str:
    """How many there are, and the first few.

    >>> _list_first(["a", "b", "c", "d"], "usage")
    '4 usages (a, b, c …)'
    """
    return f"{count_noun(len(names), what)} ({', '.join(names[:3])}{' …' if len(names) > 3 else ''})"


# -- the draw --------------------------------------------------------------------------------------------------------


def _choose_usages(
    study: Study, round: RoundSettings, usages: list[Usage], lemma: str, drawn: PageDraft
) -> list[Usage]:
    """The usages of a lemma that are judged, in the order of their source."""
    wanted = round.items.per_lemma
    if not wanted or not usages:
        return usages
    if len(usages) < wanted:
        problem = f"[items] per_lemma asks for {count_noun(wanted, 'usage')} of {lemma}, and there are {len(usages)}"
        drawn.problems.append(f"{problem}; lower it, or find more")
        return usages
    names = set(sample_usages(usages, wanted, (study.seed, round.name), round.items.by))
    return [usage for usage in usages if usage.id in names]


def sample_usages(usages: Iterable[Usage], count: int, key: tuple[object, ...], by: str = "") -> list[str]:
    """So many usages, drawn by a key; of each value of a field of their meta as many as of the others, if possible.

    >>> usages = [Usage(str(n), "x", "x", 0, 1, meta={"genre": "ab"[n > 1]}) for n in range(10)]
    >>> sorted(usages[int(name)].meta["genre"] for name in sample_usages(usages, 4, (1,), "genre"))
    ['a', 'a', 'b', 'b']
    """
    strata: dict[str, list[str]] = {}
    for usage in sorted(usages, key=lambda usage: seeded_fraction(*key, usage.id)):
        strata.setdefault(str(usage.meta.get(by, "")) if by else "", []).append(usage.id)
    in_turn = (name for turn in zip_longest(*strata.values()) for name in turn if name is not None)
    return [name for name, _ in zip(in_turn, range(count), strict=False)]


def draw_usage_pairs(names: Sequence[str], wanted: str | int, key: tuple[object, ...]) -> list[tuple[int, int]]:
    """Pairs of usages by their places: all, or so many that every usage is in as many as the others, or nearly so.

    The usages stand in a circle in an order that the key draws; neighbours are paired first, then those at a distance
    of two, and so on.

    >>> draw_usage_pairs("abcd", "all", ())
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> sorted(place for pair in draw_usage_pairs("abcde", 5, (1,)) for place in pair)
    [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    """
    size = len(names)
    if isinstance(wanted, str):
        return [(one, other) for one in range(size) for other in range(one + 1, size)]
    circle = sorted(range(size), key=lambda place: seeded_fraction(*key, names[place], "pairs"))
    far = ((circle[at], circle[(at + step) % size]) for step in range(1, size // 2 + 1) for at in range(size))
    drawn = dict.fromkeys((min(pair), max(pair)) for pair in far)
    return sorted(list(drawn)[:wanted])


# -- pages -----------------------------------------------------------------------------------------------------------


def _draw_lemma(
    study: Study, round: RoundSettings, lemma: str, passages: list[Passage], senses: Inventory, drawn: PageDraft
) -> Iterator[Page]:
    """The pages of a lemma, for all tasks of the round."""
    of_lemma = senses.get(lemma, ())
    for task in round.tasks:
        if TASKS[task].pairs:
            yield from _draw_pairs(study, round, lemma, passages, drawn)
        elif TASKS[task].senses and not of_lemma:
            if passages and len(senses):
                drawn.problems.append(describe_missing_senses(study, lemma, senses))
        else:
            yield from (build_page(study, task, round.name, lemma, (each,), of_lemma) for each in passages)


def _draw_pairs(
    study: Study, round: RoundSettings, lemma: str, passages: list[Passage], drawn: PageDraft
) -> Iterator[Page]:
    wanted = round.items.pairs
    found = draw_usage_pairs([each.usage for each in passages], wanted, (study.seed, round.name))
    if not found:
        drawn.problems.append(f"[items] usages: Usim pairs usages of a lemma, and of {lemma} there is but one")
    elif isinstance(wanted, int) and len(found) < wanted:
        problem = f"[items] pairs asks for {wanted} of each lemma, and {lemma} has {count_noun(len(found), 'pair')}"
        drawn.problems.append(f"{problem}; lower it, or raise per_lemma")
    for one, other in found:
        yield build_page(study, "Usim", round.name, lemma, (passages[one], passages[other]), ())
