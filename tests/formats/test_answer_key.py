"""Answer keys: three loading rules, what is tolerated, what is refused, and nothing lost on the way."""

import math
import time
import warnings
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyseme.errors import InputError, InputWarning
from polyseme.formats.answer_key import (
    LOADING_RULES,
    format_key,
    load_key,
    parse_key,
    read_key,
    write_key,
)
from polyseme.labelling import Labelling
from strategies import as_rows, attempt, is_consistent, key_labellings, names

ALLOWED = "A key line reads: lemma usage sense/weight sense/weight …"
rules = pytest.mark.parametrize("rule", LOADING_RULES)


def senses(line: str, rule: str = "as-written") -> dict[str, float]:
    """What one usage is labelled with, given the labels of its line."""
    return parse_key(f"win.v win.v.1 {line}".encode(), rule)["win.v.1"]


def problem(data: bytes) -> str:
    """What is said about a key that cannot be read."""
    with pytest.raises(InputError) as caught:
        parse_key(data, path="out.key")
    return str(caught.value)


# -- the line ------------------------------------------------------------------------------------------------------


def test_a_small_key() -> None:
    key = b"win.v win.v.1 a/0.6 b/0.4\n\n!! a comment\nadd.v add.v.1 a !! no weight\n"
    labelling = parse_key(key)
    assert as_rows(labelling) == [
        ("win.v", "win.v.1", [("a", 0.6), ("b", 0.4)]),
        ("add.v", "add.v.1", [("a", 1.0)]),
    ]
    assert is_consistent(labelling)


@pytest.mark.parametrize("key", [b"", b"\n", b"!! only a comment", b"\xef\xbb\xbf", b" \t\r\n", b"!!"])
def test_empty_keys(key: bytes) -> None:
    assert parse_key(key) == Labelling()


@pytest.mark.parametrize(
    "key",
    [
        b"x u1 a/1 b/2\nx u2 c/3",
        b"x u1 a/1 b/2\r\nx u2 c/3\r\n",
        b"x u1 a/1 b/2\rx u2 c/3\r",
        b"\xef\xbb\xbfx u1 a/1 b/2\nx u2 c/3\n",
        b"x u1 a/1 b/2\n\xef\xbb\xbfx u2 c/3\n",  # two files joined
        b"  x\tu1  a/1 \t b/2  \n\n\n\tx u2 c/3\v\f\n",
        b"x u1 a/1 b/2 !! c/4\n!!\nx u2 c/3!!x u3 d/1\n",
    ],
)
def test_harmless_deviations_are_tolerated(key: bytes) -> None:
    assert as_rows(parse_key(key)) == [("x", "u1", [("a", 1.0), ("b", 2.0)]), ("x", "u2", [("c", 3.0)])]


@pytest.mark.parametrize(
    "name", ["win%2:33:00::", "a/b", "/", "a//", "ñandú", "a\u00a0b", "a\u00a0", "\u2028", "\x1c", "a!b!"]
)
def test_names_may_hold_anything_else(name: str) -> None:
    labelling = parse_key(f"{name} {name} {name}/0.5\n".encode())
    assert as_rows(labelling) == [(name, name, [(name, 0.5)])]


# -- weights -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, weight",
    [
        *[("1", 1), ("0.5", 0.5), (".5", 0.5), ("5.", 5), ("+1", 1), ("1e-3", 0.001), ("1E3", 1000)],
        *[("0", 0), ("-0", 0), ("-0.0", 0), ("00.50", 0.5), ("1e-999", 0), ("5e-324", 5e-324), ("1e308", 1e308)],
    ],
)
def test_weights_are_parsed_as_numbers(text: str, weight: float) -> None:
    parsed = senses(f"a/{text}")["a"]
    assert parsed == weight
    assert math.copysign(1, parsed) == 1


@pytest.mark.parametrize(
    "text",
    ["o.5", "", "1_000", "nan", "NaN", "-nan", "0x10", "０.５", "1,5", "1\u00a0", "1\x1c", "½", "1e", "+-1", "²"],
)
def test_a_weight_that_is_not_a_number_is_an_error(text: str) -> None:
    quoted = repr(text)
    expected = f"out.key:2: weight {quoted} of sense 'win.v.2' is not a number. {ALLOWED}"
    assert problem(f"win.v win.v.1 a/1\nwin.v win.v.1 a/1 win.v.2/{text} b/1".encode()) == expected


@pytest.mark.parametrize("text", ["-0.5", "-1e-300", "inf", "-inf", "Infinity", "1e999", "-1e999", "9" * 400])
def test_negative_or_infinite(text: str) -> None:
    assert "of sense 'a' is negative or infinite. A key line reads" in problem(f"x u1 a/{text}".encode())


def test_weight_without_a_sense() -> None:
    assert problem(b"x u1 a/1\nx u2 /1") == f"out.key:2: '/1' has a weight but no sense. {ALLOWED}"


def test_one_word() -> None:
    assert problem(b"x u1 a/1\n\nwin.v\n") == f"out.key:3: only one word, 'win.v'. {ALLOWED}"


def test_the_line_of_the_first_wrong_weight_is_named() -> None:
    key = b"".join(b"x u%d a/1 b/1\n" % number for number in range(1, 10)) + b"x u10 a/1 b/? c/1\nx u11 b/?\n"
    assert problem(key).startswith("out.key:10: weight '?' of sense 'b' is not a number.")


def test_lines_that_will_be_replaced_are_checked_too() -> None:
    assert problem(b"x u1 a/?\nx u1 a/1\n").startswith("out.key:1: weight '?'")


def test_usage_with_two_lemmas() -> None:
    expected = "out.key:3: usage 'u1' belongs to 'y' here and to 'x' in line 1; a usage has one lemma"
    assert problem(b"x u1 a/1\nx u2 a/1\ny u1 a/1\n") == expected


@pytest.mark.parametrize("line", ["{long}", "x u1 a/{long}", "x u1 {long}/b", "x u1 /{long}", "x {long} a\ny {long} a"])
def test_messages_are_short_even_for_10_megabytes(line: str) -> None:
    assert len(problem(line.format(long="ü" * 5_000_000).encode())) < 400


def test_a_line_of_10_megabytes() -> None:
    labels = [f"sense{number:06}/{number}" for number in range(600_000)]
    key = f"x u1 {' '.join(labels)}\nx u2 {'b' * 10_000_000}/0.5\n".encode()
    labelling = parse_key(key)
    assert len(labelling["u1"]) == 600_000
    assert labelling["u1"]["sense599999"] == 599_999
    assert labelling["u2"] == {"b" * 10_000_000: 0.5}


# -- loading rules -------------------------------------------------------------------------------------------------


def test_as_written() -> None:
    assert senses("a/3 b c/0") == {"a": 3, "b": 1, "c": 0}
    assert senses("a/0.1 b/1 a/0.2 a") == {"a": 0.1 + 0.2 + 1, "b": 1}
    assert list(senses("c/1 a/1 b/1")) == ["c", "a", "b"]


def test_semeval_2013_weights_are_divided_by_the_largest() -> None:
    def read(line: str) -> dict[str, float]:
        return senses(line, "semeval-2013")

    assert read("a/3 b/4 c/0") == {"a": 0.75, "b": 1.0, "c": 0.0}
    assert read("a/3 b c/0") == {"a": 1, "b": 1, "c": 1}  # a weight is missing
    assert read("a/3 b/4 a/0.5") == {"a": 1, "b": 1}  # a sense is repeated
    assert read("a/0 b/0") == {"a": 0, "b": 0}
    assert read("a") == {"a": 1}
    assert read("a/5e-324 b/1e308") == {"a": 0, "b": 1}


def test_senseval_weights_become_probabilities() -> None:
    def read(line: str) -> dict[str, float]:
        return senses(line, "senseval")

    assert read("a/0.3 b/0.5") == {"a": 0.3, "b": 0.5}  # the rest is not attempted
    assert read("a/3 b/1") == {"a": 0.75, "b": 0.25}
    assert read("a b c d") == dict.fromkeys("abcd", 0.25)
    assert read("a b/0.9") == {"a": 0.5, "b": 0.5}  # mixed
    assert read("a") == {"a": 1}
    assert read("a/0 b/0") == {"a": 0, "b": 0}
    assert read("a/0.6 a/0.8 b/0.6") == pytest.approx({"a": 0.7, "b": 0.3})
    assert read("a/1e308 b/1e308 c/1e308") == pytest.approx(dict.fromkeys("abc", 1 / 3))
    tenth = dict.fromkeys("abcdefghij", 0.1)
    assert read(" ".join(f"{sense}/0.1" for sense in tenth)) == tenth  # adds up to exactly 1


def test_rules_look_at_each_line_by_itself() -> None:
    key = b"x u1 a/2 b/4\nx u2 a b/4\nx u3\nx u4 a/2 a/2\ny u5 a/2 b/8\n"
    with pytest.warns(InputWarning, match="1 line names no sense"):
        labelling = parse_key(key, "semeval-2013")
    assert dict(labelling) == {
        "u1": {"a": 0.5, "b": 1},
        "u2": {"a": 1, "b": 1},
        "u4": {"a": 1},
        "u5": {"a": 0.25, "b": 1},
    }


def test_an_unknown_loading_rule_is_an_error() -> None:
    with pytest.raises(InputError, match="no loading rule 'task13'; allowed are as-written, semeval-2013, senseval"):
        parse_key(b"", "task13")


@rules
def test_repeated_weights_that_add_up_to_too_much(rule: str) -> None:
    with pytest.raises(InputError, match=r"^out\.key: usage 'u2' has a weight that is negative or not finite: the we"):
        parse_key(b"x u1 a/1\nx u2 a/1e308 b/1 a/1e308\n", rule, "out.key")


@given(key_labellings)
def test_rules_of_a_key_without_oddities(labelling: Labelling) -> None:
    key = format_key(labelling).encode()
    assert parse_key(key, "semeval-2013") == labelling.normalise("max")
    assert set(parse_key(key, "senseval")) == set(labelling)
    assert all(sum(weights.values()) < 1 + 1e-9 for weights in parse_key(key, "senseval").values())


# -- tolerated with a warning --------------------------------------------------------------------------------------


def test_line_without_a_sense() -> None:
    with pytest.warns(InputWarning) as caught:
        labelling = parse_key(b"x u1\nx u2 a/1\nx u3 !! a/1\n", path="out.key")
    assert [str(warning.message) for warning in caught] == [
        "out.key: 2 lines name no sense; their usages count as unlabelled (lines 1, 3)"
    ]
    assert list(labelling) == ["u2"]
    assert "u1" not in labelling


def test_the_last_line_of_a_usage_wins_in_the_place_of_the_first() -> None:
    with pytest.warns(InputWarning) as caught:
        labelling = parse_key(b"x u1 a/1 b/1\nx u2 a/1\nx u1 c/2\n", path="out.key")
    assert [str(warning.message) for warning in caught] == [
        "out.key: 1 line was replaced by a later line for the same usage (line 1)"
    ]
    assert as_rows(labelling) == [("x", "u1", [("c", 2.0)]), ("x", "u2", [("a", 1.0)])]


def test_load_key_tells_the_usages_without_a_sense(tmp_path: Path) -> None:
    (tmp_path / "out.key").write_text("x u1\nx u2 a/1\nx u3\nx u3 a/1\nx u4 a/1\nx u4\n")
    with pytest.warns(InputWarning):
        loaded = load_key(tmp_path / "out.key")
    assert (list(loaded.labelling), loaded.unlabelled) == (["u2", "u3"], (("x", "u1"), ("x", "u4")))


def test_each_line_is_said_once() -> None:
    with pytest.warns(InputWarning) as caught:
        labelling = parse_key(b"x u1\nx u1 a/1\nx u2 a/1\nx u2\n")
    assert sorted(str(warning.message) for warning in caught) == [
        "key: 1 line names no sense; its usage counts as unlabelled (line 4)",
        "key: 2 lines were replaced by a later line for the same usage (lines 1, 3)",
    ]
    assert dict(labelling) == {"u1": {"a": 1.0}}


def test_only_a_few_lines_are_named() -> None:
    with pytest.warns(InputWarning, match=r"900 lines name no sense; .* \(lines 1, 2, 3, 4, 5, …\)$"):
        parse_key(b"".join(b"x u%d\n" % number for number in range(900)))


def test_a_clean_key_says_nothing() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parse_key(b"x u1 a/1\nx u2 a/0\n")
    assert caught == []


# -- writing -------------------------------------------------------------------------------------------------------


@given(key_labellings)
@example(Labelling([("x", "u1", {"a": 5e-324, "b": 1.7976931348623157e308, "c": 0.0, "d": 2.0**53, "e": 1e22})]))
@example(Labelling([("a/b", "\u00a0", {"\u00a0/": 0.1, "!": 1 / 3}), ("a/b", "x\u3000", {"/1": 1e15, "\ufffe": 1e16})]))
def test_written_values_are_read_back_unchanged(labelling: Labelling) -> None:
    again = parse_key(format_key(labelling).encode())
    assert again == labelling
    assert as_rows(again) == as_rows(labelling.heaviest_first())
    assert again.columns == labelling.heaviest_first().columns


def test_keys_are_written_heaviest_sense_first() -> None:
    labelling = Labelling([("x", "u1", {"s1": 0.2, "s2": 0.5, "s3": 0.2, "s4": 0.1})])
    assert format_key(labelling) == "x u1 s2/0.5 s1/0.2 s3/0.2 s4/0.1\n"


def test_a_key_from_elsewhere_is_written_in_its_own_order() -> None:
    """Its first sense is its answer, and must be so when it is read again."""
    text = "x u1 a/0.2 b/0.8\n"
    assert format_key(parse_key(text.encode())) == text


@given(names)
def test_a_name_is_refused_or_survives(name: str) -> None:
    for labelling in (
        Labelling([("x", "u1", {name: 0.5})]),
        Labelling([("x", name, {"a": 0.5})]),
        Labelling([(name, "u1", {"a": 0.5})]),
    ):
        key = attempt(partial(format_key, labelling))
        if isinstance(key, InputError):
            assert repr(name) in str(key)
            words = name.replace("!!", " ").replace("\0", " ").removeprefix("\ufeff").encode().split()
            assert words != [name.encode()]
        else:
            assert as_rows(parse_key(key.encode())) == as_rows(labelling.heaviest_first())


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "a b",
        "a\t",
        "\na",
        "a\r",
        "\v",
        "a\fb",
        "!!",
        "a!!b",
        "a!!",
        "\0",
        "a\0b",
        "\ud800",
        "a\udfff",
        "\ufeffa",
    ],
)
@pytest.mark.parametrize("place", range(3))
def test_names_that_cannot_be_written(name: str, place: int) -> None:
    row = [("x", "u1", "a")[number] if number != place else name for number in range(3)]
    labelling = Labelling([(row[0], row[1], {row[2]: 1})])
    with pytest.raises(InputError) as caught:
        format_key(labelling)
    assert repr(name) in str(caught.value)
    assert "rename it, or write JSON Lines or Parquet" in str(caught.value)


def test_weights_are_written_plainly() -> None:
    labelling = Labelling([("x", "u1", {"e": 1e15, "d": 100, "a": 1, "f": 1 / 3, "c": 0.1, "b": 0})])
    assert format_key(labelling) == "x u1 e/1000000000000000.0 d/100 a/1 f/0.3333333333333333 c/0.1 b/0\n"


@pytest.mark.parametrize("name", ["out.key", "out.key.gz", "out.key.bz2", "out.key.xz", "out.key.zst", "out"])
def test_files_are_listed(name: str, tmp_path: Path) -> None:
    labelling = Labelling([("x", "u1", {"a": 0.1, "b": 0}), ("ÿ", "u2", {"ü": 3})])
    write_key(labelling, tmp_path / name)
    assert as_rows(read_key(tmp_path / name)) == as_rows(labelling.heaviest_first())
    assert as_rows(read_key(str(tmp_path / name), "semeval-2013")) == as_rows(
        labelling.normalise("max").heaviest_first()
    )


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.key"
    path.write_text("x u1 a/?\n")
    with pytest.raises(InputError) as caught:
        read_key(path)
    assert str(caught.value) == f"{path}:1: weight '?' of sense 'a' is not a number. {ALLOWED}"


# -- size ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 3), st.integers(1, 3))
def test_long_keys_are_read_in_full(lemmas: int, labels: int) -> None:
    lines = [
        (f"l{n % (lemmas + 1)}", f"u{n}", {f"s{(n + k) % 7}": float(k) for k in range(labels)}) for n in range(300)
    ]
    labelling = Labelling(lines)
    assert as_rows(parse_key(format_key(labelling).encode())) == as_rows(labelling.heaviest_first())


def test_reading_takes_time_in_proportion_to_size() -> None:
    def seconds(lines: int) -> float:
        key = b"".join(b"x u%d c%d/1\n" % (number, number % 50) for number in range(lines))
        best = math.inf
        for _ in range(3):
            start = time.process_time()
            assert len(parse_key(key)) == lines
            best = min(best, time.process_time() - start)
        return best

    assert seconds(80_000) < 40 * seconds(8_000)
