"""Usages, sentences and ratings made by hypothesis; import them with ``from values import usages``."""

from hypothesis import strategies as st

from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage

XML_CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from(
    "\t\n\r\"'&<> é𝔸\u2028\x85"
)
"""What XML can hold, with what it must escape, and what would be lost if it did not, made common."""

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\t\n\r\"',;|\\&<> é𝔸\u2028"), max_size=30)
"""Any text, with what tables and markup give a meaning to made common."""

xml_texts = st.text(XML_CHARACTERS, max_size=30)
"""Any text that XML can hold."""

xml_names = st.text(XML_CHARACTERS, min_size=1, max_size=8)
"""Names, never empty, that XML can hold."""

word_names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
"""Names without white space and without control characters."""

pieces = st.binary(max_size=4) | st.sampled_from([b"<", b"&", b'"', b"\n", b"\xe9"])
"""What may be put into a file to damage it."""

parts_of_speech = st.sampled_from("nvar")

lemma_names = st.builds(lambda word, part: f"{word}.{part}", word_names, parts_of_speech)
"""Lemmas with their parts of speech, such as ``win.v``."""

metas = st.dictionaries(word_names, xml_names, max_size=2)
"""What else is known of a usage or a sentence."""


@st.composite
def usages(
    draw: st.DrawFn,
    *,
    texts: st.SearchStrategy[str] = texts,
    ids: st.SearchStrategy[str] = word_names,
    lemmas: st.SearchStrategy[str] = lemma_names,
    meta: st.SearchStrategy[dict[str, str]] = metas,
    min_target: int = 0,
    max_size: int = 5,
) -> list[Usage]:
    """Usages with ids of their own, whose targets lie anywhere in their texts; the pos is what ends the lemma."""
    usages = []
    for id in draw(st.lists(ids, max_size=max_size, unique=True)):
        lemma = draw(lemmas)
        text = draw(texts.filter(lambda text: len(text) >= min_target))
        start = draw(st.integers(0, len(text) - min_target))
        end = draw(st.integers(start + min_target, len(text)))
        usages.append(Usage(id, lemma, text, start, end, lemma.rpartition(".")[2], draw(meta)))
    return usages


@st.composite
def tokens(
    draw: st.DrawFn,
    *,
    forms: st.SearchStrategy[str] = word_names,
    names: st.SearchStrategy[str] = word_names,
    features: st.SearchStrategy[dict[str, str]] | None = None,
    max_size: int = 6,
) -> list[Token]:
    """Words with one space between each two; what an analysis says of a word may be missing."""
    tokens, at = [], 0
    for number, form in enumerate(draw(st.lists(forms, min_size=1, max_size=max_size))):
        lemma, tag, relation = (draw(st.just("") | names) for _ in range(3))
        tokens.append(
            Token(
                form,
                at,
                at + len(form),
                lemma,
                draw(st.just("") | parts_of_speech),
                tag,
                draw(st.none() | st.integers(0, number)),
                relation,
                tuple(draw(st.lists(names, max_size=2, unique=True))),
                draw(st.dictionaries(names, names, max_size=2) if features is None else features),
            )
        )
        at += len(form) + 1
    return tokens


@st.composite
def sentences(
    draw: st.DrawFn,
    *,
    words: st.SearchStrategy[list[Token]] | None = None,
    ids: st.SearchStrategy[str] = word_names,
    meta: st.SearchStrategy[dict[str, str]] = metas,
    max_size: int = 4,
) -> list[Sentence]:
    """Sentences with ids of their own, at least one word in each, and one space between each two words."""
    sentences = []
    for id in draw(st.lists(ids, max_size=max_size, unique=True)):
        sentence_words = draw(tokens() if words is None else words)
        text = " ".join(token.form for token in sentence_words)
        sentences.append(Sentence(id, text, tuple(sentence_words), draw(meta)))
    return sentences


@st.composite
def ratings(
    draw: st.DrawFn,
    *,
    names: st.SearchStrategy[str] = word_names,
    comments: st.SearchStrategy[str] = texts,
    undecided: bool = True,
    max_size: int = 8,
) -> Ratings:
    """Judgements, each annotator's of an item once, in any order; some could not decide."""
    values = st.integers(1, 5).map(float)
    value = (values | st.just(UNDECIDED)) if undecided else values
    tasks = st.sampled_from(["WSsim", "Usim"])
    few = st.shared(st.lists(names, min_size=1, max_size=3, unique=True), key="names of ratings")
    name = few.flatmap(st.sampled_from)
    items = st.tuples(name, tasks, lemma_names, name, name)
    judged = draw(st.lists(items, max_size=max_size, unique=True))
    return Ratings(Rating(*item, draw(value), draw(comments), draw(comments), draw(comments)) for item in judged)
