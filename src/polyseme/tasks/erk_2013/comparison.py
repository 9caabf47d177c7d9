"""§4.7 to §8 of Erk, McCarthy & Gaylord (2013): comparisons of annotation schemes, and ratings by groups of senses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polyseme.agreement.group_similarity import compare_group_similarity
from polyseme.agreement.related_senses import build_sense_graph, correlation_histogram
from polyseme.agreement.scale_use import count_several_senses
from polyseme.agreement.scheme_comparison import (
    DISTANCE,
    OVERLAP,
    TAGS,
    USIM,
    WSSIM_MEAN,
    convert_tags_to_ratings,
    tabulate_usage_pairs,
    tabulate_usage_senses,
)
from polyseme.agreement.sense_conflicts import ConflictCount, count_correlation_conflicts
from polyseme.tasks.erk_2013.data import EAW_LEMMAS, ROUND_2, TRIAL, ErkData, WssimRound
from polyseme.tasks.published import DataFigures

RICH, DISMISS = "rich.a.119", "dismiss.v.908"
"""The example usages of §5.2 and §5.3."""


def compare_tags(data: ErkData) -> DataFigures:
    """Return the figures of §4.7.1: mean ratings and single senses, of SemCor in round 1, of WSbest in round 2.

    Where two senses of WSbest tie there is no mode; every sense of the usage counts as 1.
    """
    semcor = tabulate_usage_senses(data.first.ratings, tags=data.tags).correlation(WSSIM_MEAN, TAGS)
    table = tabulate_usage_senses(data.second.ratings)
    table = table.with_columns({TAGS: convert_tags_to_ratings(table.items, data.modes, untagged=1.0)})
    best = table.correlation(WSSIM_MEAN, TAGS)
    correlations = {"WSsim-1, SemCor's tags": semcor, "WSsim-2, WSbest": best}
    return {
        **{(system, "ρ"): correlation.rho for system, correlation in correlations.items()},
        **{(system, "p < .001"): correlation.p < 0.001 for system, correlation in correlations.items()},
    }


def compare_usage_similarity(data: ErkData) -> DataFigures:
    """Return the figures of §4.7.2: distances of WSsim-2's vectors and the averages of Usim-2."""
    table = tabulate_usage_pairs(data.pairs, wssim=data.second.ratings)
    system = "WSsim-2, Usim-2"
    return {
        (system, "lemmas"): len({pair.lemma for pair in data.pairs}),
        (system, "pairs of usages"): len(data.pairs),
        (system, "ρ of distance and similarity"): table.correlation(DISTANCE, USIM).rho,
    }


def compare_substitutes(data: ErkData) -> DataFigures:
    """Return the figures of §4.7.3: the overlap of substitutes, Usim-2 and WSsim-2."""
    lexsub, synbest = data.overlap(data.load("lexsub").substitutes), data.overlap(data.synonyms)
    table = tabulate_usage_pairs(wssim=data.second.ratings, substitutes=data.synonyms)
    distance = table.correlation(OVERLAP, DISTANCE)
    goes_with = "overlap of substitutes goes with Usim: ρ > 0, p < .001"
    return {
        ("LexSub, Usim-2", goes_with): lexsub.rho > 0 and lexsub.p < 0.001,
        ("SYNbest, Usim-2", goes_with): synbest.rho > 0 and synbest.p < 0.001,
        ("SYNbest, WSsim-2", "overlap of substitutes goes against distance: ρ < 0, p < .001"): distance.rho < 0
        and distance.p < 0.001,
        ("SYNbest", "stronger with Usim-2 than with WSsim-2"): synbest.rho > -distance.rho,
    }


# -- groups of senses ----------------------------------------------------------------------------------------------


def _get_sense(data: ErkData, lemma: str, number: int) -> str:
    """Return WordNet's sense of a number."""
    return data.load(ROUND_2).inventory[lemma][number - 1].id


def _are_grouped(data: ErkData, lemma: str, *numbers: int) -> bool:
    """Whether the senses of these numbers are in one EAW group."""
    return len({data.groups.group(lemma, _get_sense(data, lemma, number)) for number in numbers}) == 1


def _get_mean_rating(data: ErkData, usage: str, number: int) -> float:
    """Return the mean rating of a sense in round 2."""
    lemma = usage.rpartition(".")[0]
    rated = data.second.senses[lemma]
    column = rated.senses.index(_get_sense(data, lemma, number))
    return float(rated.means[rated.usages.index(usage), column])


def check_account_groups(data: ErkData) -> DataFigures:
    """Return the figures of §5.1: the EAW groups of account.n."""
    holds = _are_grouped(data, "account.n", 1, 2, 4, 8)
    return {("EAW", "senses 1, 2, 4 and 8 of account.n are in one group"): holds}


def check_group_conflicts(data: ErkData) -> DataFigures:
    """Return the figures of §5.2: conflicts with the EAW groups; in round 2 of the lemmas that the text names."""
    rounds = {
        "WSsim-1, EAW": data.conflicts(data.first),
        "WSsim-2, EAW": data.conflicts(data.second, EAW_LEMMAS),
    }
    senses = range(2, len(data.load(ROUND_2).inventory["rich.a"]) + 1)
    others = [_get_mean_rating(data, RICH, number) for number in senses]
    return {
        ("WSsim-1, EAW", "senses in a group"): data.coverage(data.first).mean_size,
        **{
            (system, name): value
            for system, conflicts in rounds.items()
            for name, value in _describe_conflicts(conflicts).items()
        },
        ("WSsim-2, EAW", "mean rating of sense 1 for rich.a.119"): _get_mean_rating(data, RICH, 1),
        ("WSsim-2, EAW", "mean rating of sense 3 for rich.a.119"): _get_mean_rating(data, RICH, 3),
        ("WSsim-2, EAW", "all other senses below 2 for rich.a.119"): max(others) < 2,
        ("WSsim-2, EAW", "senses 1, 3 and 8 of rich.a are in one group"): _are_grouped(data, "rich.a", 1, 3, 8),
    }


def _describe_conflicts(conflicts: tuple[ConflictCount, ...]) -> dict[str, float | str]:
    three, four, _, wide, widest = (conflict.share for conflict in conflicts)
    return {
        "different groups both ≥ 3: above 50 % of usages": three > 0.5,
        "different groups both ≥ 4: far fewer, but some": 0 < four < three / 2,
        "one group, one ≤ 2, other ≥ 4: between 20 % and 60 % of usages": 0.2 <= wide <= 0.6,
        "one group, one ≤ 2, other = 5: between 2 % and 15 % of usages": 0.02 <= widest <= 0.15,
    }


def relate_senses(data: ErkData) -> DataFigures:
    """Return the figures of §5.3: correlations between senses."""
    paper = data.load(TRIAL).inventory["paper.n"]
    one, four = paper[0].id, paper[3].id
    in_one_group = data.groups.group("paper.n", one) == data.groups.group("paper.n", four)
    return {
        **{("WSsim-1", name): value for name, value in _count_mixed_senses(data.first).items()},
        **{("WSsim-2", name): value for name, value in _count_mixed_senses(data.second).items()},
        ("WSsim-1", "ρ of senses 1 and 4 of paper.n"): data.first.rho(one, four),
        ("WSsim-1, EAW", "senses 1 and 4 of paper.n are in one group"): in_one_group,
        **_describe_dismiss(data),
        **_check_links(data),
    }


def _count_mixed_senses(ratings: WssimRound) -> dict[str, float | str]:
    three, four, five, weak, _, _, weaker, *_ = (
        conflict.usages for conflict in count_correlation_conflicts(ratings.senses, ratings.related)
    )
    bars = correlation_histogram(ratings.related)
    return {
        "negatively correlated senses both ≥ 3: usages": three,
        "negatively correlated senses both ≥ 4: usages": four,
        "negatively correlated senses both = 5: usages": five,
        "not positively correlated at p ≤ .05 both ≥ 3: usages": weak,
        "not positively correlated at p ≤ .01 both ≥ 3: usages": weaker,
        "about as many positive correlations as negative: 40 % to 60 %": 0.4
        <= bars.positive / (bars.positive + bars.negative)
        <= 0.6,
    }


def _describe_dismiss(data: ErkData) -> DataFigures:
    first, fifth = (_get_sense(data, "dismiss.v", number) for number in (1, 5))
    return {
        ("WSsim-2", "ρ of senses 1 and 5 of dismiss.v"): data.second.rho(first, fifth),
        ("WSsim-2", "mean rating of sense 1 for dismiss.v.908"): _get_mean_rating(data, DISMISS, 1),
        ("WSsim-2", "mean rating of sense 5 for dismiss.v.908"): _get_mean_rating(data, DISMISS, 5),
    }


def _check_links(data: ErkData) -> DataFigures:
    """Return the figures of Figure 5: the senses of account.n that are linked at ρ ≥ .5."""
    graph = build_sense_graph(data.second.related, "account.n", cut_off=0.5)
    links = {frozenset((edge.first, edge.second)) for edge in graph.edges}
    three, six, seven, eight = (_get_sense(data, "account.n", number) for number in (3, 6, 7, 8))
    neighbours = {sense for link in links if eight in link for sense in link} - {six, eight}
    is_separate = not any(frozenset((six, sense)) in links for sense in neighbours)
    not_a_clique = "sense 6 of account.n has ρ ≥ .5 with sense 8, and with no other that sense 8 has it with"
    return {
        ("WSsim-2", "senses 3 and 7 of account.n have ρ ≥ .5"): frozenset((three, seven)) in links,
        ("WSsim-2, EAW", "senses 3 and 7 of account.n are in different groups"): not _are_grouped(
            data, "account.n", 3, 7
        ),
        ("WSsim-2", not_a_clique): frozenset((six, eight)) in links and is_separate,
    }


def compare_usim_groups(data: ErkData) -> DataFigures:
    """Return the figures of §6: Usim-2 within and across the EAW groups of WSbest's modes."""
    pairs = [pair for pair in data.pairs if pair.lemma in EAW_LEMMAS]
    similar = compare_group_similarity(pairs, data.modes, data.groups)
    by_lemma = {lemma.name: lemma for lemma in similar.lemmas}
    lead = next(group for group in similar.groups if group.lemma == "lead.n" and group.group.endswith(".7"))
    new = by_lemma["new.a"]
    figures: dict[str, float | str] = {
        "mean Usim within groups 4 or above": similar.overall.within >= 4,
        "mean Usim across groups 2 or below": similar.overall.across <= 2,
        "groups with a mean Usim above 4": similar.share_above(4),
        "mean Usim in group 7 of lead.n": lead.mean,
        "lowest Usim of a pair in group 7 of lead.n": lead.least_similar[0].similarity,
        "suffer.v has no pairs across groups": by_lemma["suffer.v"].across_pairs == 0,
        "new.a has the same mean within and across groups": round(new.within, 1) == round(new.across, 1),
    }
    return {("Usim-2, EAW", name): value for name, value in figures.items()}


def compute_conclusion(data: ErkData) -> DataFigures:
    """Return the figures of §8, "between 23 % and 46 %": WSsim-2's answers with several senses at 5, and at 4 or 5."""
    five, four = count_several_senses(data.second.judgements, [5, 4])
    return {
        ("WSsim-2", "answers with several senses at 5"): five.share_of_answers,
        ("WSsim-2", "answers with several senses at 4 or 5"): four.share_of_answers,
    }


SECTIONS: Mapping[str, Callable[[ErkData], DataFigures]] = {
    "§4.7.1": compare_tags,
    "§4.7.2": compare_usage_similarity,
    "§4.7.3": compare_substitutes,
    "§5.1": check_account_groups,
    "§5.2": check_group_conflicts,
    "§5.3": relate_senses,
    "§6": compare_usim_groups,
    "§8": compute_conclusion,
}
"""The function for the figures of each section."""
