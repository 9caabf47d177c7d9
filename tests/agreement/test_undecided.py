"""Who could not decide what."""

import numpy as np

from polyseme.agreement.judgements import collect_judgements
from polyseme.agreement.undecided_judgements import find_undecided
from polyseme.rating import UNDECIDED, Rating, Ratings


def test_numbers_are_those_of_the_judgements() -> None:
    rng = np.random.default_rng(0)
    rows = [
        Rating(
            f"p{who}", "Usim", "a.n", f"u{min(one, two)}", f"u{max(one, two)}", UNDECIDED if rng.random() < 0.3 else 4.0
        )
        for who, one, two in rng.integers(0, 6, (80, 3)).tolist()
    ]
    ratings = Ratings(rows)
    found = collect_judgements(ratings)
    open_ = find_undecided(ratings, found)
    assert (open_.items, open_.annotators) == (found.items, found.annotators)
    assert len(open_) == found.left_out.undecided > 0
    cells = [set(zip(each.item.tolist(), each.annotator.tolist(), strict=True)) for each in (found, open_)]
    assert not cells[0] & cells[1]
    assert len(cells[0] | cells[1]) == len({(row.annotator, row.item) for row in rows})


def test_nobody() -> None:
    ratings = Ratings([Rating("ann", "WSsim", "a.n", "u", "s", 3)])
    assert len(find_undecided(ratings, collect_judgements(ratings))) == 0
