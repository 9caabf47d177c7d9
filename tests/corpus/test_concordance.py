"""The usages of a word in an index."""

import json
import re
from pathlib import Path

import pytest

from polyseme.corpus.concordance import count_occurrences, draw_usages, find_usages, find_usages_near, read_usages_at
from polyseme.corpus.document_filter import DocumentFilter
from polyseme.corpus.index import LAYOUT, Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError

TEXTS = [
    {"id": "old", "text": "A bank by the river. The Bank was steep.", "date": 1850},
    {"id": "new", "text": "The bank raised its rates. It rained. A lender is a bank.", "date": 1950},
]


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    from polyseme.corpus import indexing

    monkeypatch.setattr(indexing, "PART_TOKENS", 10)
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, TEXTS)))
    return build_index([tmp_path / "a.jsonl"], tmp_path / "i", Simple(lemmatise=False), processes=1)


def test_usages_are_in_the_order_of_the_text(index: Index) -> None:
    usages = list(find_usages(index, "bank"))
    assert [usage.id for usage in usages] == [
        "a.jsonl#old.1.2",
        "a.jsonl#old.2.2",
        "a.jsonl#new.1.2",
        "a.jsonl#new.3.5",
    ]
    assert [usage.target for usage in usages] == ["bank", "Bank", "bank", "bank"]
    assert usages[0].text == "A bank by the river."
    assert dict(usages[3].meta) == {"date": "1950", "document": "a.jsonl#new"}


def test_usages_are_read_by_sentence_and_position(index: Index) -> None:
    """Sentence and position, as they are numbered through the index."""
    usages = read_usages_at(index, {(3, 1): "rain.v", (0, 1): "bank.n"})
    assert {place: (usage.id, usage.lemma, usage.pos, usage.target) for place, usage in usages.items()} == {
        (0, 1): ("a.jsonl#old.1.2", "bank.n", "n", "bank"),
        (3, 1): ("a.jsonl#new.2.2", "rain.v", "v", "rained"),
    }
    assert read_usages_at(index, {}) == {}


def test_documents_are_selected_by_a_condition(index: Index) -> None:
    assert [usage.meta["date"] for usage in find_usages(index, "bank", where=DocumentFilter("date > 1900"))] == [
        "1950",
        "1950",
    ]
    assert not list(find_usages(index, "bank", where=DocumentFilter("date > 2000")))


def test_a_sample_depends_on_the_seed(index: Index) -> None:
    all_ids = [usage.id for usage in find_usages(index, "bank")]
    draws = {tuple(usage.id for usage in find_usages(index, "bank", sample=2, seed=seed)) for seed in range(20)}
    assert len(draws) > 2
    assert all(len(draw) == 2 and list(draw) == sorted(draw, key=all_ids.index) for draw in draws)
    assert [usage.id for usage in find_usages(index, "bank", sample=99)] == all_ids
    assert len(list(draw_usages(find_usages(index, "bank"), 3))) == 3


def test_a_missing_word_causes_a_suggestion(index: Index) -> None:
    with pytest.raises(InputError, match=r"'bnk' does not occur; did you mean bank\?"):
        find_usages(index, "bnk")
    with pytest.raises(InputError, match=r"'xylophone' does not occur; check its spelling$"):
        find_usages(index, "xylophone")


def test_usages_near_relatives(index: Index) -> None:
    (usage,) = find_usages_near(index, "bank", ["lender", "nowhere"], label="bank%1:14:00::")
    assert usage.id == "a.jsonl#new.3.5"
    assert usage.meta["relatives"] == "lender"
    assert usage.meta["sense"] == "bank%1:14:00::"
    assert len(list(find_usages_near(index, "bank", ["rained"], sentences=2))) == 2
    assert not list(find_usages_near(index, "bank", ["rained"]))
    assert not list(find_usages_near(index, "bank", ["nowhere"]))
    assert not list(find_usages_near(index, "bank", ["river"], where=DocumentFilter("date > 1900")))


CONLLU = """# newdoc id = one
# sent_id = 1
1\tCredit\tcredit\tNOUN\t_\t_\t_\t_\t_\t_
2\tunions\tunion\tNOUN\t_\t_\t_\t_\t_\t_
3\tare\tbe\tVERB\t_\t_\t_\t_\t_\t_
4\tbanks\tbank\tNOUN\t_\t_\t_\t_\t_\t_

# sent_id = 2
1\tBanks\tbank\tNOUN\t_\t_\t_\t_\t_\t_
2\tsaving\tsave\tVERB\t_\t_\t_\t_\t_\t_
3\tbank\tbank\tNOUN\t_\t_\t_\t_\t_\t_
4\tlend\tlend\tVERB\t_\t_\t_\t_\t_\t_

# sent_id = 3
1\tHuman\thuman\tADJ\t_\t_\t_\t_\t_\t_
2\trights\tright\tNOUN\t_\t_\t_\t_\t_\t_
3\tbank\tbank\tNOUN\t_\t_\t_\t_\t_\t_
4\tcredit\tcredit\tNOUN\t_\t_\t_\t_\t_\t_

# newdoc id = two
# sent_id = 4
1\tUnion\tunion\tNOUN\t_\t_\t_\t_\t_\t_
2\tbank\tbank\tNOUN\t_\t_\t_\t_\t_\t_
3\tbanking_concern\tbanking_concern\tNOUN\t_\t_\t_\t_\t_\t_

"""


@pytest.fixture
def tagged(tmp_path: Path) -> Index:
    (tmp_path / "t.conllu").write_text(CONLLU)
    return build_index([tmp_path / "t.conllu"], tmp_path / "t", Simple(lemmatise=False), processes=1)


@pytest.mark.parametrize(
    "relative, expected",
    [
        ("credit_union.n", {"one.1.4"}),  # not across sentences, nor documents
        ("credit_union", {"one.1.4"}),
        ("credit_union.v", set()),
        ("saving_bank.n", {"one.2.1", "one.2.3"}),  # by form, whatever its part of speech
        ("save_bank.n", {"one.2.1", "one.2.3"}),
        ("human_rights.n", {"one.3.3"}),
        ("rights.n", set()),  # a single word by its lemma alone
        ("Human_right.n", {"one.3.3"}),
        ("banking_concern.n", {"two.1.2"}),  # as one token
        ("union.n", {"one.1.4", "two.1.2"}),
        ("union.v", set()),
        ("bank.n", set()),
        ("union_credit.n", set()),
        ("_", set()),
    ],
)
def test_expressions_match_by_lemma_form_and_part_of_speech(tagged: Index, relative: str, expected: set[str]) -> None:
    usages = list(find_usages_near(tagged, "bank.n", [relative]))
    assert {usage.id.removeprefix("t.conllu#") for usage in usages} == expected
    assert all(usage.meta["relatives"] == relative for usage in usages)


def test_several_relatives_in_neighbouring_sentences(tagged: Index) -> None:
    sought = ["credit_union.n", "human_rights.n", "lend.v", "riverbank.n"]
    near = {usage.id.split("#")[1]: usage.meta["relatives"] for usage in find_usages_near(tagged, "bank.n", sought)}
    assert near == {
        "one.1.4": "credit_union.n",
        "one.2.1": "lend.v",
        "one.2.3": "lend.v",
        "one.3.3": "human_rights.n",
    }
    near = {
        usage.id.split("#")[1]: usage.meta["relatives"]
        for usage in find_usages_near(tagged, "bank.n", sought, sentences=2)
    }
    assert near["one.1.4"] == "credit_union.n, lend.v"
    assert near["one.2.1"] == "credit_union.n, human_rights.n, lend.v"
    assert "two.1.2" not in near  # the next sentence, but of another document
    assert count_occurrences(tagged, sought) == {
        "credit_union.n": 1,
        "human_rights.n": 1,
        "lend.v": 1,
        "riverbank.n": 0,
    }
    with pytest.raises(InputError, match="sentences is 0"):
        find_usages_near(tagged, "bank.n", sought, sentences=0)


def list_lemmas(index: Index) -> list[list[str]]:
    """The words of each sentence, without their parts of speech."""
    words: list[list[str]] = [[] for _ in range(index.manifest["sentences"])]
    for part in index.parts("tokens", ["sentence", "word"]):
        for sentence, word in zip(*(part.column(name).to_pylist() for name in ("sentence", "word")), strict=True):
            words[sentence].append(re.sub(r"\.[nva]$", "", index.vocabulary[word]))
    return words


@pytest.mark.parametrize("name", ["index", "tagged"])
def test_expressions_match_as_by_brute_force(request: pytest.FixtureRequest, name: str) -> None:
    """All pairs of words, adjacent or not, and a few triples."""
    corpus: Index = request.getfixturevalue(name)
    sentences = list_lemmas(corpus)
    words = sorted({word for sentence in sentences for word in sentence if word.isalpha()})
    sought = [f"{one}_{other}" for one in words for other in words]
    triples = [sentence[at : at + 3] for sentence in sentences for at in range(len(sentence) - 2)]
    sought += ["_".join(triple) for triple in triples if set(triple) <= set(words)]
    text = [f"_{'_'.join(sentence)}_" for sentence in sentences]
    counts = count_occurrences(corpus, sought)
    assert sum(counts.values()) > 10
    assert counts == {words: sum(sentence.count(f"_{words}_") for sentence in text) for words in sought}


def test_parts_of_speech_are_ignored_in_an_index_without(index: Index) -> None:
    """The lemma and its relatives lose their parts of speech, so that a verb of the same form is the word itself."""
    (usage,) = find_usages_near(index, "bank.n", ["lender.n", "bank.v"])
    assert (usage.id, usage.lemma, usage.pos, usage.meta["relatives"]) == ("a.jsonl#new.3.5", "bank", "", "lender.n")
    assert len(list(find_usages_near(index, "bank.n", ["its_rates.n"]))) == 1
    with pytest.raises(InputError, match="'bnk' does not occur"):
        find_usages_near(index, "bnk.n", ["lender.n"])


def test_an_empty_index_has_no_usages(tmp_path: Path) -> None:
    manifest = {"layout": LAYOUT, "finished": True, "parts": [], "documents": 0, "sentences": 0, "tokens": 0}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    index = Index.open(tmp_path)
    assert read_usages_at(index, {(0, 1): "bank.n"}) == {}
    assert count_occurrences(index, ["bank.n"]) == {"bank.n": 0}


def test_a_number_has_no_part_of_speech(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It grew by 3.5 points.")
    index = build_index([tmp_path / "a.txt"], tmp_path / "i", Simple(lemmatise=False), processes=1)
    assert [(usage.target, usage.pos) for usage in find_usages(index, "3.5")] == [("3.5", "")]


def test_conditions_on_missing_fields_are_refused(index: Index) -> None:
    assert {usage.meta["date"] for usage in find_usages(index, "bank", where=DocumentFilter("'old' in document"))} == {
        "1850"
    }
    with pytest.raises(InputError, match=r"no document has 'dat', .*; the fields are: date, document$"):
        find_usages(index, "bank", where=DocumentFilter("dat > 1900"))
    with pytest.raises(InputError, match="no document has 'dat'"):
        find_usages_near(index, "bank", ["river"], where=DocumentFilter("dat > 1900"))
