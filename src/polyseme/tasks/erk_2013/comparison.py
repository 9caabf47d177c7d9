"""§4.7 to §8 of Erk, McCarthy & Gaylord (2013): schemes beside one another, and ratings beside groups of senses."""

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
from polyseme.tasks.published import DataFigures, state_verdict

RICH, DISMISS = "rich.a.119", "dismiss.v.908"
"""The usages that §5.2 and §5.3 take as examples."""


def tags(study: ErkData) -> DataFigures:
    """§4.7.1: single senses against mean ratings; SemCor's in round 1, the mode of WSbest in round 2.

    Where two senses of WSbest tie there is no mode, and every sense of the usage counts as 1.
    """
    semcor = tabulate_usage_senses(study.first.ratings, tags=study.tags).correlation(WSSIM_MEAN, TAGS)
    table = tabulate_usage_senses(study.second.ratings)
    table = table.with_columns({TAGS: convert_tags_to_ratings(table.items, study.modes, untagged=1.0)})
    best = table.correlation(WSSIM_MEAN, TAGS)
    both = {"WSsim-1, SemCor's tags": semcor, "WSsim-2, WSbest": best}
    return {
        **{(system, "ρ"): correlation.rho for system, correlation in both.items()},
        **{(system, "p < .001"): state_verdict(correlation.p < 0.001) for system, correlation in both.items()},
    }


def usage_similarity(study: ErkData) -> DataFigures:
    """§4.7.2: distances of WSsim-2's vectors against the averages of Usim-2."""
    table = tabulate_usage_pairs(study.pairs, wssim=study.second.ratings)
    system = "WSsim-2, Usim-2"
    return {
        (system, "lemmas"): len({pair.lemma for pair in study.pairs}),
        (system, "pairs of usages"): len(study.pairs),
        (system, "ρ of distance and similarity"): table.correlation(DISTANCE, USIM).rho,
    }


def substitutes(study: ErkData) -> DataFigures:
    """§4.7.3: the overlap of substitutes against Usim-2 and WSsim-2."""
    lexsub, own = study.overlap(study.load("lexsub").substitutes), study.overlap(study.synonyms)
    table = tabulate_usage_pairs(wssim=study.second.ratings, substitutes=study.synonyms)
    distance = table.correlation(OVERLAP, DISTANCE)
    goes_with = "overlap of substitutes goes with Usim: ρ > 0, p < .001"
    return {
        ("LexSub, Usim-2", goes_with): state_verdict(lexsub.rho > 0 and lexsub.p < 0.001),
        ("SYNbest, Usim-2", goes_with): state_verdict(own.rho > 0 and own.p < 0.001),
        ("SYNbest, WSsim-2", "overlap of substitutes goes against distance: ρ < 0, p < .001"): state_verdict(
            distance.rho < 0 and distance.p < 0.001
        ),
        ("SYNbest", "stronger with Usim-2 than with WSsim-2"): state_verdict(own.rho > -distance.rho),
    }


# -- groups of senses ----------------------------------------------------------------------------------------------


def _sense(study: ErkData, lemma: str, number: int) -> str:
    """WordNet's sense of this number."""
    return study.load(ROUND_2).inventory[lemma][number - 1].id


def _together(study: ErkData, lemma: str, *numbers: int) -> bool:
    """Whether the senses of these numbers are in one EAW group."""
    return len({study.groups.group(lemma, _sense(study, lemma, number)) for number in numbers}) == 1


def _mean(study: ErkData, usage: str, number: int) -> float:
    """The mean rating of a sense in round 2."""
    lemma = usage.rpartition(".")[0]
    rated = study.second.senses[lemma]
    column = rated.senses.index(_sense(study, lemma, number))
    return float(rated.means[rated.usages.index(usage), column])


def account(study: ErkData) -> DataFigures:
    """§5.1: the EAW groups of account.n."""
    holds = _together(study, "account.n", 1, 2, 4, 8)
    return {("EAW", "senses 1, 2, 4 and 8 of account.n are in one group"): state_verdict(holds)}


def coarse(study: ErkData) -> DataFigures:
    """§5.2: conflicts with the EAW groups; in round 2 of the lemmas that the text names."""
    rounds = {
        "WSsim-1, EAW": study.conflicts(study.first),
        "WSsim-2, EAW": study.conflicts(study.second, EAW_LEMMAS),
    }
    senses = range(2, len(study.load(ROUND_2).inventory["rich.a"]) + 1)
    others = [_mean(study, RICH, number) for number in senses]
    return {
        ("WSsim-1, EAW", "senses in a group"): study.coverage(study.first).mean_size,
        **{
            (system, name): value
            for system, conflicts in rounds.items()
            for name, value in _conflicts(conflicts).items()
        },
        ("WSsim-2, EAW", "mean rating of sense 1 for rich.a.119"): _mean(study, RICH, 1),
        ("WSsim-2, EAW", "mean rating of sense 3 for rich.a.119"): _mean(study, RICH, 3),
        ("WSsim-2, EAW", "all other senses below 2 for rich.a.119"): state_verdict(max(others) < 2),
        ("WSsim-2, EAW", "senses 1, 3 and 8 of rich.a are in one group"): state_verdict(
            _together(study, "rich.a", 1, 3, 8)
        ),
    }


def _conflicts(conflicts: tuple[ConflictCount, ...]) -> dict[str, float | str]:
    three, four, _, wide, widest = (conflict.share for conflict in conflicts)
    return {
        "different groups both ≥ 3: above 50 % of usages": state_verdict(three > 0.5),
        "different groups both ≥ 4: far fewer, but some": state_verdict(0 < four < three / 2),
        "one group, one ≤ 2, other ≥ 4: between 20 % and 60 % of usages": state_verdict(0.2 <= wide <= 0.6),
        "one group, one ≤ 2, other = 5: between 2 % and 15 % of usages": state_verdict(0.02 <= widest <= 0.15),
    }


def relations(study: ErkData) -> DataFigures:
    """§5.3: correlations between senses."""
    paper = study.load(TRIAL).inventory["paper.n"]
    one, four = paper[0].id, paper[3].id
    together = study.groups.group("paper.n", one) == study.groups.group("paper.n", four)
    return {
        **{("WSsim-1", name): value for name, value in _mixed(study.first).items()},
        **{("WSsim-2", name): value for name, value in _mixed(study.second).items()},
        ("WSsim-1", "ρ of senses 1 and 4 of paper.n"): study.first.rho(one, four),
        ("WSsim-1, EAW", "senses 1 and 4 of paper.n are in one group"): state_verdict(together),
        **_dismiss(study),
        **_linked(study),
    }


def _mixed(ratings: WssimRound) -> dict[str, float | str]:
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
        "about as many positive correlations as negative: 40 % to 60 %": state_verdict(
            0.4 <= bars.positive / (bars.positive + bars.negative) <= 0.6
        ),
    }


def _dismiss(study: ErkData) -> DataFigures:
    first, fifth = (_sense(study, "dismiss.v", number) for number in (1, 5))
    return {
        ("WSsim-2", "ρ of senses 1 and 5 of dismiss.v"): study.second.rho(first, fifth),
        ("WSsim-2", "mean rating of sense 1 for dismiss.v.908"): _mean(study, DISMISS, 1),
        ("WSsim-2", "mean rating of sense 5 for dismiss.v.908"): _mean(study, DISMISS, 5),
    }


def _linked(study: ErkData) -> DataFigures:
    """Figure 5: the senses of account.n that are linked at ρ ≥ .5."""
    graph = build_sense_graph(study.second.related, "account.n", cut_off=0.5)
    links = {frozenset((edge.first, edge.second)) for edge in graph.edges}
    three, six, seven, eight = (_sense(study, "account.n", number) for number in (3, 6, 7, 8))
    neighbours = {sense for link in links if eight in link for sense in link} - {six, eight}
    apart = not any(frozenset((six, sense)) in links for sense in neighbours)
    not_a_clique = "sense 6 of account.n has ρ ≥ .5 with sense 8, and with no other that sense 8 has it with"
    return {
        ("WSsim-2", "senses 3 and 7 of account.n have ρ ≥ .5"): state_verdict(frozenset((three, seven)) in links),
        ("WSsim-2, EAW", "senses 3 and 7 of account.n are in different groups"): state_verdict(
            not _together(study, "account.n", 3, 7)
        ),
        ("WSsim-2", not_a_clique): state_verdict(frozenset((six, eight)) in links and apart),
    }


def usim_groups(study: ErkData) -> DataFigures:
    """§6: Usim-2 within and across the EAW groups of WSbest's modes, of the lemmas that the text names."""
    pairs = [pair for pair in study.pairs if pair.lemma in EAW_LEMMAS]
    similar = compare_group_similarity(pairs, study.modes, study.groups)
    of_lemma = {lemma.name: lemma for lemma in similar.lemmas}
    lead = next(group for group in similar.groups if group.lemma == "lead.n" and group.group.endswith(".7"))
    new = of_lemma["new.a"]
    figures: dict[str, float | str] = {
        "mean Usim within groups 4 or above": state_verdict(similar.overall.within >= 4),
        "mean Usim across groups 2 or below": state_verdict(similar.overall.across <= 2),
        "groups with a mean Usim above 4": similar.share_above(4),
        "mean Usim in group 7 of lead.n": lead.mean,
        "lowest Usim of a pair in group 7 of lead.n": lead.least_similar[0].similarity,
        "suffer.v has no pairs across groups": state_verdict(of_lemma["suffer.v"].across_pairs == 0),
        "new.a has the same mean within and across groups": state_verdict(round(new.within, 1) == round(new.across, 1)),
    }
    return {("Usim-2, EAW", name): value for name, value in figures.items()}


def conclusion(study: ErkData) -> DataFigures:
    """§8: "between 23 % and 46 %", which are WSsim-2's shares of answers with several senses at 5, and at 4 or 5."""
    five, four = count_several_senses(study.second.judgements, [5, 4])
    return {
        ("WSsim-2", "answers with several senses at 5"): five.share_of_answers,
        ("WSsim-2", "answers with several senses at 4 or 5"): four.share_of_answers,
    }


SECTIONS: Mapping[str, Callable[[ErkData], DataFigures]] = {
    "§4.7.1": tags,
    "§4.7.2": usage_similarity,
    "§4.7.3": substitutes,
    "§5.1": account,
    "§5.2": coarse,
    "§5.3": relations,
    "§6": usim_groups,
    "§8": conclusion,
}
"""Section → its figures."""
