"""The tables of PhiTag: each alone, a folder of them, and what they cannot hold."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.formats import read_inventory, read_ratings, read_usages
from polyseme.formats.files import Blob
from polyseme.formats.phitag import read_phitag_uses, write_phitag_senses, write_phitag_uses
from polyseme.formats.phitag_folder import write_phitag_folder
from polyseme.formats.phitag_judgments import read_phitag_instances, write_phitag_judgments
from polyseme.inventory import Inventory, Sense
from polyseme.rating import UNDECIDED, Item, Rating, Ratings, Scale
from polyseme.usage import Usage
from polyseme.wordnet.lexicon import WordNet
from strategies import attempt
from values import ratings, usages

USES = "dataID\tcontext\tindices_target_token\tindices_target_sentence\tlemma\n"
ONE, TWO = "1\t We won it.\t4:8\t0:11\twin.v\n", '2\t"They said ""win""."\t11:14\t0:16\twin.v\n'
INSTANCES = "instanceID\tdataIDs\tlabel_set\tnon_label\n"
plain_texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)
JUDGMENTS = "instanceID\tlabel\tcomment\tannotator\n"


def folder(tmp_path: Path, instances: str, judgments: str) -> Path:
    place = tmp_path / "win.v"
    place.mkdir(exist_ok=True)
    (place / "uses.tsv").write_text(USES + ONE + TWO)
    (place / "senses.tsv").write_text("senseID\tdefinition\tlemma\ns1\tbe first\twin.v\n")
    (place / "instances.tsv").write_text(INSTANCES + instances)
    (place / "judgments.tsv").write_text(JUDGMENTS + judgments)
    (place / "guidelines.md").write_text("# How to judge\n")
    return place


def uses(*rows: str) -> list[Usage]:
    return list(read_phitag_uses(Blob("uses.tsv", (USES + "".join(rows)).encode())))


def test_blanks_around_a_target_are_not_part_of_it() -> None:
    (usage,) = uses(ONE)
    assert (usage.text, usage.target, usage.pos, dict(usage.meta)) == (" We won it.", "won", "v", {})


def test_a_quoted_cell_is_unquoted_and_one_that_only_begins_with_a_quote_is_not() -> None:
    (quoted,) = uses(TWO)
    assert (quoted.text, quoted.target) == ('They said "win".', "win")
    (plain,) = uses('3\t"Win!" they said.\t1:4\t0:6\twin.v\n')
    assert (plain.text, plain.target) == ('"Win!" they said.', "Win")
    assert plain.meta == {"indices_target_sentence": "0:6"}


@pytest.mark.parametrize("spans, target", [("[3, 6]", "won"), ("3:6", "won"), ("3:6,10:13", "won")])
def test_spans_as_they_are_written_in_the_wild(spans: str, target: str) -> None:
    (usage,) = uses(f"1\tWe won it won.\t{spans}\t0:14\twin.v\n")
    assert usage.target == target
    assert ("indices_target_token" in usage.meta) == (spans.count(":") > 1)


@pytest.mark.parametrize("spans", ["3:99", "6:3", "won", ""])
def test_a_target_outside_its_context_is_an_error(spans: str) -> None:
    with pytest.raises(InputError, match=r"uses.tsv:2: the target .* is not a part of the context"):
        uses(f"1\tWe won.\t{spans}\t0:7\twin.v\n")


def test_the_instance_tells_the_task(tmp_path: Path) -> None:
    instances = "a\t1,2\t1,2,3,4\t-\nb\t1,s1\t5,4,3,2,1\t-\nc\t1, s1\t(0, 1)\t-\nd\t1\t\t-\n"
    judgments = "a\t4.0\t \tann\nb\t 5 \tgood\tann\nc\t1\t-\tbob\nd\tgain \t-\tbob\nd\t\t-\tann\na\t-\tno idea\tbob\n"
    place = folder(tmp_path, instances, judgments)
    expected = [
        Rating("ann", "Usim", "win.v", "1", "2", 4),
        Rating("ann", "WSsim", "win.v", "1", "s1", 5, "good"),
        Rating("bob", "WSbest", "win.v", "1", "s1", 1),
        Rating("bob", "SYNbest", "win.v", "1", "gain ", 1),
        Rating("ann", "SYNbest", "win.v", "1", "-", UNDECIDED),
        Rating("bob", "Usim", "win.v", "1", "2", UNDECIDED, "no idea"),
    ]
    assert read_ratings(place) == Ratings(expected)
    assert read_ratings(place / "judgments.tsv") == Ratings(expected)
    assert [usage.id for usage in read_usages(place)] == ["1", "2"]
    assert [sense.gloss for sense in read_inventory(place)["win.v"]] == ["be first"]


def test_usages_that_every_task_lists_come_once(tmp_path: Path) -> None:
    """An id is unique within a lemma, not within the folder."""
    texts = [Usage("1", lemma, "We won.", 3, 6, "v", {"group": "early"}) for lemma in ("win.v", "beat.v")]
    for task in ("wssim", "lexsub"):
        for usage in texts:
            (tmp_path / task / usage.lemma).mkdir(parents=True)
            write_phitag_uses([usage], tmp_path / task / usage.lemma / "uses.tsv")
    assert sorted(read_usages(tmp_path), key=lambda usage: usage.lemma) == texts[::-1]
    write_phitag_uses([Usage("1", "win.v", "We won.", 0, 2, "v")], tmp_path / "wssim" / "win.v" / "uses.tsv")
    problem = r"wssim/win.v/uses.tsv: usage '1' of 'win.v' has another text, target or pos in .*lexsub/win.v/uses.tsv"
    with pytest.raises(InputError, match=problem):
        list(read_usages(tmp_path))


@pytest.mark.parametrize(
    "instances, judgments, problem",
    [
        (
            "a\t1,2\t1,2,3,4\t-\n",
            "b\t4\t-\tann\n",
            r"judgments.tsv:2: .* of instance 'b', which instances.tsv does not list",
        ),
        ("a\t1,2\t1,2,3,4\t-\n", "a\t4\t-\t\n", r"judgments.tsv:2: the judgement of instance 'a' names no annotator"),
        (
            "a\t1,2\t1,2,3,4\t-\n",
            "a\t5\t-\tann\n",
            r"label '5' of instance 'a' is not one of its label_set, 1, 2, 3, 4",
        ),
        ("a\t1,2,3\t1,2\t-\n", "a\t1\t-\tann\n", r"instances.tsv:2: dataIDs '1,2,3' is not a usage"),
        ("a\t1\t\t-\na\t2\t\t-\n", "a\tx\t-\tann\n", r"instances.tsv:3: instance 'a' is given in line 2"),
    ],
)
def test_what_does_not_fit_together_is_an_error(tmp_path: Path, instances: str, judgments: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_ratings(folder(tmp_path, instances, judgments))


@pytest.mark.parametrize(
    "instances, label, judgement",
    [("a\t1,2\t1,2,3,4\t-\n", "4", "a by ann"), ("a\t1\t\t-\n", "gain", "a by ann, gain")],
)
def test_an_annotator_judges_an_instance_once(tmp_path: Path, instances: str, label: str, judgement: str) -> None:
    place = folder(tmp_path, instances, f"a\t{label}\t-\tann\na\t{label}\t-\tbob\na\t{label}\t-\tann\n")
    with pytest.raises(InputError, match=rf"judgments.tsv:4: judgement '{judgement}' is given in line 2 already"):
        read_ratings(place)


def test_a_graded_judgement_is_not_given_twice_with_two_values(tmp_path: Path) -> None:
    place = folder(tmp_path, "a\t1,s1\t1,2,3,4,5\t-\n", "a\t4\t-\tann\na\t5\t-\tann\n")
    with pytest.raises(InputError, match=r"judgments.tsv:3: judgement 'a by ann' is given in line 2 already"):
        read_ratings(place)


def test_several_substitutes_and_hidden_repeats_are_judgements_of_their_own(tmp_path: Path) -> None:
    lemma = tmp_path.name
    best = [Rating("ann", "SYNbest", lemma, "u", target, 1) for target in ("gain", "get")]
    graded = Rating("ann", "WSsim", lemma, "u", "s", 4)
    again = [graded._replace(role="repeat"), graded._replace(round="2"), graded._replace(role="control", order=7)]
    ratings = Ratings([*best, graded, *again, graded._replace(role="control", order=9)])
    write_phitag_judgments(ratings, tmp_path / "judgments.tsv")
    assert read_ratings(tmp_path / "judgments.tsv") == ratings
    with pytest.raises(InputError, match=r"judgments.tsv:3: judgement 'u-s by ann' is given in line 2 already"):
        write_phitag_judgments([graded, graded._replace(value=5)], tmp_path / "judgments.tsv")


def test_judgements_alone_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "judgments.tsv").write_text(JUDGMENTS + "a\t1\t-\tann\n")
    with pytest.raises(InputError, match=r"judgments.tsv: there is no instances.tsv beside it"):
        read_ratings(tmp_path / "judgments.tsv")


def test_a_whole_folder_comes_back(tmp_path: Path) -> None:
    texts = [Usage(f"win.v.{number}", "win.v", '"We won."', 4, 7, "v") for number in (1, 2)]
    texts.append(Usage("bank", "bank", "A bank.", 2, 6, "n", {"group": "early"}))
    senses = Inventory([Sense("s1", "win.v", "be first"), Sense("s2", "win.v")])
    ratings = Ratings(
        [
            Rating("ann", "Usim", "win.v", "win.v.1", "win.v.2", 4, "so so", order=3, milliseconds=1200),
            Rating("ann", "WSsim", "win.v", "win.v.1", "s2", UNDECIDED, round="1", group="first"),
            Rating("bob", "WSbest", "win.v", "win.v.1", "s1", 1, role="repeat", time="2026-01-01"),
            Rating("bob", "SYNbest", "bank", "bank", "shore line", 1),
            Rating("ann", "SYNbest", "bank", "bank", "-", UNDECIDED),
        ]
    )
    write_phitag_folder(tmp_path, texts, ratings, senses, items=[Item("WSsim", "win.v", "win.v.2", "s1")])
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*")) == [
        "lexsub/bank",
        "urel/win.v",
        "wsbest/win.v",
        "wssim/win.v",
    ]
    assert {repr(rating) for rating in read_ratings(tmp_path)} == {
        repr(rating._replace(value=float(rating.value))) for rating in ratings
    }
    usages_again = list(read_usages(tmp_path))
    assert sorted(usage.id for usage in usages_again) == ["bank", "win.v.1", "win.v.2"]
    assert set(usages_again) == set(texts)
    assert next(iter(read_usages(tmp_path / "lexsub"))).meta["group"] == "early"
    assert read_inventory(tmp_path) == senses
    assert len(read_phitag_instances(tmp_path / "wssim" / "win.v" / "instances.tsv")) == 2


def test_other_scales(tmp_path: Path) -> None:
    rows = [Rating(who, "WSsim", "win", "u", "s", value) for who, value in (("ann", 0), ("bob", 7))]
    place = tmp_path / "win"
    place.mkdir()
    write_phitag_judgments(rows, place / "judgments.tsv")
    assert read_ratings(place / "judgments.tsv") == Ratings(rows)
    with pytest.raises(InputError, match="label '7' of instance 'u-s' is not one of its label_set, 0, 1, 2"):
        write_phitag_judgments(rows, place / "judgments.tsv", Scale(0, ("", "", "")))


@pytest.mark.parametrize(
    "rating, problem",
    [
        (Rating("ann", "Usim", "win", "u", "v", 4), "would be read back with another task, 'WSsim'"),
        (Rating("ann", "WSsim", "lose", "u", "s", 4), "would be read back with another lemma, 'win'"),
        (Rating("ann", "WSsim", "win", "u", "s", 4, "-"), "would be read back with another comment, ''"),
        (Rating("ann", "SYNbest", "win", "u", " ", 1), "would be read back with another target, '-'"),
        (Rating("ann", "SYNbest", "win", "u", "gain", 0), "would be read back with another value"),
        (Rating("ann", "WSsim", "win", "u", "s", 2.5), r"label '2.5' of instance 'u-s' is not one of its label_set"),
        (Rating("ann", "WSsim", "win", "a,b", "s", 2), "dataIDs 'a,b,s' is not a usage"),
        (Rating("ann", "SYNbest", "win", "u", "two\nlines", 1), "which a tab-separated cell without quotes cannot"),
    ],
)
def test_ratings_without_a_place_in_the_tables_are_refused_before_anything_is_written(
    tmp_path: Path, rating: Rating, problem: str
) -> None:
    path = tmp_path / "win" / "judgments.tsv"
    path.parent.mkdir()
    with pytest.raises(InputError, match=problem):
        write_phitag_judgments([rating], path)
    assert not list(path.parent.iterdir())
    good = Rating("ann", "WSsim", "win", "u", "s", 4)
    write_phitag_judgments([good], path)
    with pytest.raises(InputError, match=problem):
        write_phitag_judgments([good._replace(usage="other"), rating], path)
    assert read_ratings(path) == Ratings([good])


def test_items_without_ratings_are_instances_only(tmp_path: Path) -> None:
    write_phitag_judgments([], tmp_path / "judgments.tsv", items=[Item("SYNbest", tmp_path.name, "u", "-")])
    assert [instance.usage for instance in read_phitag_instances(tmp_path / "instances.tsv").values()] == ["u"]
    assert read_ratings(tmp_path / "judgments.tsv") == Ratings([])


@pytest.mark.parametrize(
    "usage, target, value, problem",
    [
        (Usage("u", "win", "We won.", 3, 6), "s", 2.5, "label '2.5' of instance 'u-s' is not one of its label_set"),
        (Usage("b,1", "win", "We won.", 3, 6), "s", 2, "dataIDs 'b,1,s' is not a usage"),
        (Usage("u", "win", "We won.", 3, 6), "s,1", 2, "dataIDs 'u,s,1' is not a usage"),
        (Usage("u", "win", "We won it.", 2, 6), "s", 2, "usage 'u' would be read back as another"),
        (Usage("u", "win", "We\twon.", 3, 6), "s", 2, "which a tab-separated cell without quotes cannot"),
        (Usage("u", "win", "We won.", 3, 6, meta={"year": 1900}), "s", 2, "usage 'u' would be read back as another"),
    ],
)
def test_the_guide_names_what_a_folder_cannot_hold(
    tmp_path: Path, usage: Usage, target: str, value: float, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        write_phitag_folder(tmp_path, [usage], [Rating("ann", "WSsim", "win", usage.id, target, value)])


def test_a_folder_has_no_synonyms_and_examples_and_only_usages_that_are_judged(tmp_path: Path) -> None:
    texts = [Usage(name, "win", "We won.", 3, 6) for name in ("judged", "other")]
    senses = Inventory([Sense("s", "win", "be first", ("gain",), ("They won.",), 3, "top")])
    write_phitag_folder(tmp_path, texts, [Rating("ann", "WSsim", "win", "judged", "s", 5)], senses)
    assert list(read_usages(tmp_path)) == texts[:1]
    assert read_inventory(tmp_path) == Inventory([Sense("s", "win", "be first")])


def test_what_cannot_be_a_folder(tmp_path: Path) -> None:
    usage = Usage("u", "a/b", "x", 0, 1)
    with pytest.raises(InputError, match="the lemma 'a/b' cannot be the name of a folder"):
        write_phitag_folder(tmp_path, [usage], [Rating("ann", "SYNbest", "a/b", "u", "x", 1)])
    with pytest.raises(InputError, match="usage 'v' is judged, but not among the usages"):
        write_phitag_folder(tmp_path, [usage], [Rating("ann", "SYNbest", "b", "v", "x", 1)])
    with pytest.raises(InputError, match="PhiTag has no task 'Ranking'"):
        write_phitag_folder(tmp_path, [usage], [Rating("ann", "Ranking", "b", "u", "x", 1)])


@settings(max_examples=60)
@given(usages())
def test_usages_are_read_back_as_they_are_or_refused(
    tmp_path_factory: pytest.TempPathFactory, texts: list[Usage]
) -> None:
    path = tmp_path_factory.mktemp("phitag") / "uses.tsv"
    if attempt(lambda: write_phitag_uses(texts, path)) is None:
        assert list(read_phitag_uses(path)) == texts


@settings(max_examples=60)
@given(ratings(comments=plain_texts))
def test_ratings_are_read_back_as_they_are_or_refused(tmp_path_factory: pytest.TempPathFactory, rows: Ratings) -> None:
    path = tmp_path_factory.mktemp("phitag") / "judgments.tsv"
    judged = Ratings(row._replace(task="WSsim", lemma=path.parent.name) for row in rows)
    if attempt(lambda: write_phitag_judgments(judged, path)) is None:
        assert read_ratings(path, "phitag-judgments") == judged


def test_senses_keep_what_is_inside_quotes(tmp_path: Path) -> None:
    senses = Inventory([Sense('"a"', "x", '"quoted"'), Sense("b", "x", " blank ")])
    write_phitag_senses(senses, tmp_path / "senses.tsv")
    assert read_inventory(tmp_path / "senses.tsv") == senses
    with pytest.raises(InputError, match="the sense 'a' has no lemma"):
        write_phitag_senses(Inventory([Sense("a", "")]), tmp_path / "senses.tsv")


def test_the_real_ratings_come_back(data: Path, wordnet_30: WordNet, tmp_path: Path) -> None:
    assert wordnet_30.version == "3.0"
    real = load("erk-2013-round-2", data)
    write_phitag_folder(tmp_path, real.usages, real.ratings, real.inventory)
    assert {repr(rating) for rating in read_ratings(tmp_path)} == {repr(rating) for rating in real.ratings}
    assert sorted(map(repr, read_usages(tmp_path))) == sorted(map(repr, real.usages))
    assert len(list(read_usages(data / "erk-2013-round-2"))) == 260
