"""The one call, and how what it gives is printed."""

from pathlib import Path

import pytest

from disambiguation.planted import Planted, small
from polyseme import disambiguate
from polyseme.disambiguation.calibration import Calibration
from polyseme.disambiguation.disambiguated_text import DisambiguatedText, build_disambiguator
from polyseme.disambiguation.networks import UKBGraph
from polyseme.disambiguation.ppr import PPR
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.text_bars import render_bar, render_text
from polyseme.errors import InputError, InputWarning
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

FIRST, SECOND = "lamp%1:06:00::", "lamp%1:10:00::"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return small(tmp_path)


def weights(text: DisambiguatedText) -> list[dict[str, float]]:
    return [{sense.id: sense.weight for sense in word.senses} for word in text]


def test_words_with_their_senses(sources: Sources) -> None:
    with pytest.warns(InputWarning, match="1 word is not in WordNet of an unknown version: 'zebra'"):
        text = disambiguate("A Wick. The zebra's lamps glowed.", Planted(), wordnet=sources)
    assert [(word.form, word.lemma, word.start, word.end) for word in text] == [
        ("Wick", "wick.n", 2, 6),
        ("lamps", "lamp.n", 20, 25),
        ("glowed", "glow.v", 26, 32),
    ]
    assert weights(text) == [{}, {FIRST: 0.75, SECOND: 0.25}, {"glow%2:43:00::": 1.0}]
    assert text[1].senses[0].gloss == "a thing that gives light"
    assert text.unknown == ("zebra",)
    assert len(text) == len(text.words) == 3


def test_the_context_counts_and_need_not_be_there(sources: Sources) -> None:
    text = disambiguate("Geese saw lamps.", Planted(), target="lamp", wordnet=sources)
    assert [sense.id for sense in text[0].senses] == [SECOND, FIRST]
    assert weights(disambiguate("LAMP", Planted(), wordnet=sources)) == [{FIRST: 0.75, SECOND: 0.25}]


def test_a_neighbouring_sentence_counts(sources: Sources) -> None:
    text = disambiguate("Geese stop. Lamps.", Planted(), target="lamp.n", wordnet=sources)
    assert text[0].senses[0].id == SECOND


def test_fewer_senses_and_another_scale(sources: Sources) -> None:
    def weights_with(**options: object) -> list[dict[str, float]]:
        return weights(disambiguate("A lamp.", Planted(), wordnet=sources, **options))  # type: ignore[arg-type]

    assert weights_with(keep=0.5) == [{FIRST: 1.0}]
    assert weights_with(scale="1-5") == [{FIRST: 5.0, SECOND: pytest.approx(1 + 4 / 3)}]
    assert weights_with(scale=Calibration((0.0, 1.0), (2.0, 3.0))) == [{FIRST: 3.0, SECOND: pytest.approx(2 + 1 / 3)}]


def test_json_lists_words_with_senses(sources: Sources) -> None:
    (lamp,) = disambiguate("A lamp.", Planted(), wordnet=sources).to_json()
    assert lamp == {
        "usage": "2-6",
        "start": 2,
        "end": 6,
        "form": "lamp",
        "lemma": "lamp.n",
        "senses": [
            {"id": FIRST, "weight": 0.75, "gloss": "a thing that gives light"},
            {"id": SECOND, "weight": 0.25, "gloss": "(slang) a look"},
        ],
    }


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_text(sources: Sources, text: str) -> None:
    with pytest.raises(InputError, match="the text is empty; write a sentence"):
        disambiguate(text, Planted(), wordnet=sources)


def test_a_text_without_the_target(sources: Sources) -> None:
    with pytest.raises(InputError, match="the target 'goose' does not occur"):
        disambiguate("A lamp.", Planted(), wordnet=sources, target="goose")


def test_a_model_that_gives_no_senses_of_the_dictionary(sources: Sources) -> None:
    with pytest.raises(
        InputError, match=r"the model gives 'lamp\.n\.one', which is not a sense of WordNet of an unknown version"
    ):
        disambiguate("A lamp.", "OneCluster", wordnet=sources)


def test_a_graph_with_nodes_of_its_own(sources: Sources, tmp_path: Path) -> None:
    (tmp_path / "relations.txt").write_text("u:a v:b\nu:b v:c\n")
    (tmp_path / "dictionary.txt").write_text("lamp a c\nglow b\n")
    graph = UKBGraph(str(tmp_path / "relations.txt"), str(tmp_path / "dictionary.txt"))
    text = disambiguate("The lamp glows.", PPR(graph=graph), wordnet=sources, target="lamp")
    assert sorted(text[0].senses) == [("a", 0.5, ""), ("c", 0.5, "")]


def test_models_by_name(sources: Sources) -> None:
    assert weights(disambiguate("A lamp.", "semcormfs", wordnet=sources)) == [{FIRST: 1.0}]
    with pytest.raises(
        InputError, match=r"'Squares' does not label usages with a dictionary's senses; these do: .*MFS"
    ):
        build_disambiguator("Squares")
    with pytest.raises(InputError, match=r"there is no part 'SemCorMFSS'; did you mean .*SemCorMFS"):
        build_disambiguator("SemCorMFSS")


def test_a_wordnet_as_the_source(sources: Sources) -> None:
    assert weights(disambiguate("A lamp.", "SemCorMFS", wordnet=sources.wordnet)) == [{FIRST: 1.0}]


def test_the_version_of_wordnet(wordnet_31: WordNet) -> None:
    text = disambiguate("He sat on the BANKS of the river, and had ice cream.", "SemCorMFS", target="bank")
    assert [word.senses[0].id for word in text] == [wordnet_31["bank.n"][0].id]


# -- printed -------------------------------------------------------------------------------------------------------


def test_senses_are_printed_with_bars_and_glosses(sources: Sources) -> None:
    with pytest.warns(InputWarning, match="not in WordNet of an unknown version: 'has'"):
        output = str(disambiguate("The\nlamp has a wick. It glows.", Planted(), wordnet=sources))
    assert output.splitlines() == [
        "The lamp has a wick.",
        "",
        "  lamp (lamp.n)",
        "    0.75 █████████     lamp%1:06:00::  a thing that gives light",
        "    0.25 ███           lamp%1:10:00::  (slang) a look",
        "",
        "  wick (wick.n)",
        "    the model has no weights for its senses",
        "",
        "It glows.",
        "",
        "  glows (glow.v)",
        "    1.00 ████████████  glow%2:43:00::  give off light",
    ]


def test_bars_are_of_the_scale(sources: Sources) -> None:
    output = str(disambiguate("A lamp.", Planted(), wordnet=sources, scale="1-5"))
    assert "5.00 ████████████  lamp" in output
    assert "2.33 ████          lamp" in output


LONG = "a very long definition " * 6


def many(number: int) -> list[tuple[str, float, str]]:
    return [(f"thing%1:03:{place:02}::", 1 / number, LONG) for place in range(number)]


@pytest.mark.parametrize("width", [20, 40, 60, 71, 72, 80, 100, 200])
def test_lines_are_no_wider_than_the_terminal(width: int) -> None:
    usage = Usage("u", "thing.n", "The thing is " + "very " * 30 + "long.", 4, 9)
    output = render_text([(usage, many(3))], width=width)
    least = 32  # a key must stay whole
    assert max(map(len, output.splitlines())) <= max(width, least)
    assert output.count("definition") == 18


def test_a_pipe_has_one_line_a_sense() -> None:
    usage = Usage("u", "thing.n", "A thing.", 2, 7)
    assert len(render_text([(usage, many(3))], width=1000).splitlines()) == 3 + 3


def test_many_senses_are_cut_unless_all_are_asked_for() -> None:
    usage = Usage("u", "thing.n", "A thing.", 2, 7)
    output = render_text([(usage, many(8))], width=1000)
    assert output.count("thing%1:03") == 5
    assert output.endswith("\n    … and 3 more")
    assert "more" not in render_text([(usage, many(5))])
    assert render_text([(usage, many(8))], top=7).count("thing%1:03") == 7
    assert "more" not in render_text([(usage, many(8))], top=7)


def test_usages_without_text() -> None:
    assert render_text([(Usage("u", "thing.n", "", 0, 0), many(1))]).startswith("(no text)\n\n  thing.n\n    1.00 ████")
    assert render_text([]) == ""


@pytest.mark.parametrize(
    "share, bar", [(0.0, "  "), (1.0, "██"), (2.0, "██"), (-1.0, "  "), (0.5, "█ "), (1 / 16, "▏ ")]
)
def test_a_bar_is_filled_by_its_share(share: float, bar: str) -> None:
    assert render_bar(share, 2) == bar
