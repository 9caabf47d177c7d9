"""Tokenisation: the offsets of words and sentences in plain text, by patterns and lists, without a model.

Every character except white space belongs to exactly one word. A sentence ends at a full stop, a question or
exclamation mark or an ellipsis if the next word can begin a sentence, and at a blank line; a single line break is white
space. Text is split into blocks at blank lines, so that the blocks of a large document can be analysed separately, with
the same result.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, pairwise

from polyseme.corpus.languages import LanguageRules, get_language

Span = tuple[int, int]

BLOCK = 50_000
"""A block ends at the first blank line after this many characters."""

LINE_LIMIT = 10 * BLOCK
"""Without a blank line for this many characters, a block ends at the next white space."""

SENTENCE_LIMIT = 1_000
"""The greatest number of words of a sentence: tables and lists of words have no full stops."""

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n|\r[^\S\r\n]*\r(?!\n)|\u2029")
_SPACE = re.compile(r"\s")
_APOSTROPHES = re.compile("['’ʼ＇]")
_TRAILING = ".,;:!?'\"’”»)]}>*"
_CLOSING = frozenset("\"'”’»)]}›") | {"''"}
_OPENING = frozenset("\"'“‘„«([{‹¿¡`#@$£€") | {"``"}
_FINAL = frozenset(".!?…。！？؟।")
_BULLETS = frozenset("-–—•*·")


# -- blocks --------------------------------------------------------------------------------------------------------


def text_blocks(text: str) -> Iterator[Span]:
    r"""Yield the blocks of a text that can be analysed separately: each but the last ends after a blank line.

    >>> list(text_blocks("One.\n\nTwo."))
    [(0, 10)]
    """
    start = 0
    while start < len(text):
        end = _block_end(text, start)
        yield start, end
        start = end


def _block_end(text: str, start: int) -> int:
    blank = _BLANK_LINE.search(text, start + BLOCK, start + LINE_LIMIT)
    if blank:
        return blank.end()
    space = _SPACE.search(text, start + LINE_LIMIT)
    return space.end() if space else len(text)


# -- words ---------------------------------------------------------------------------------------------------------


def find_words(text: str, code: str = "en", start: int = 0, end: int = sys.maxsize) -> Iterator[Span]:
    """Yield the offsets of the words of a text; ``code`` is that of its language.

    >>> text = "I can't pay $1,000.50... Mr. O'Hara's dogs' well-known home-page is www.example.com/a."
    >>> [text[start:end] for start, end in find_words(text)]
    ['I', 'ca', "n't", 'pay', '$1,000.50', '...', 'Mr.', "O'Hara", "'s", 'dogs', "'", 'well-known', 'home-page', 'is',
     'www.example.com/a', '.']
    """
    rules = get_language(code)
    contracted, clitic = rules.contracted, rules.clitic
    for match in _word_pattern(code).finditer(text, start, end):
        if match.lastgroup == "link":
            yield from _split_link(match.start(), match[0])
        elif match.lastgroup == "apostrophe" and clitic:
            yield from _split_clitics(match.start(), match[0], clitic)
        elif match.lastgroup is None and (cut := contracted.get(match[0].lower())):
            yield match.start(), match.start() + cut
            yield match.start() + cut, match.end()
        else:
            yield match.span()


def _split_link(start: int, form: str) -> Iterator[Span]:
    """A link, and each punctuation mark after it."""
    end = start + len(form.rstrip(_TRAILING))
    yield start, end
    yield from ((position, position + 1) for position in range(end, start + len(form)))


def _split_clitics(start: int, form: str, clitic: re.Pattern[str]) -> Iterator[Span]:
    """The parts of a word with apostrophes: ``should|n't|'ve``, ``l'|homme``."""
    cuts = [0, *(match.start() for match in clitic.finditer(form) if match.start()), len(form)]
    yield from ((start + first, start + last) for first, last in pairwise(cuts))


@lru_cache(maxsize=64)
def _word_pattern(code: str) -> re.Pattern[str]:
    rules = get_language(code)
    letter = rf"[\w{_combining_marks()}\u00ad\u200c\u200d]"
    short = "|".join(map(re.escape, sorted((*rules.titles, *rules.short), reverse=True))) or r"(?!)"
    numbered = "|".join(map(re.escape, sorted(rules.numbered, reverse=True))) or r"(?!)"
    return re.compile(
        rf"""
        [A-Za-z]++(?=[\s,;])                                           # most words; the same as below, but faster
        | (?P<link>(?:(?:https?|ftp)://|www\.)[^\s<>"“”.,;:!?'’»)\]}}*][^\s<>"“”]*)
        | [\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+                          # an address
        | (?P<short>(?:[^\W\d_]\.){{2,}}(?!{letter}) | (?:[A-Z]\.)+[A-Z](?!{letter}) | (?:{short})\.
          | (?:{numbered})\.(?=\s?\d) | (?!I\.)[A-Z]\.(?=\s*[A-Z]))   # U.S.  Mr.  No. 5  J. Smith
        | [$£€¥]?\.?\d+(?:[.,:/]\d+)*%?{letter}*(?:[-‑]{letter}+)*     # 1,000.5  $5  50%  1990s  10-year
        | [#@]{letter}+
        | ['’](?:em|til|tis|twas|cause|\d\ds?)(?!{letter})             # 'em  '80s
        | (?P<apostrophe>{letter}+(?:(?:[-‑]|&(?=[A-Z])){letter}+)*(?:['’ʼ＇]{letter}+(?:-{letter}+)*)+)
        | {letter}+(?:(?:[-‑]|&(?=[A-Z])){letter}+)*
        | \.\.+ | …+ | [!?]+ | (?P<sign>[-=*~#+<>_|])(?P=sign)+ | `` | ''
        | \S
        """,
        re.VERBOSE,
    )


@lru_cache(maxsize=1)
def _combining_marks() -> str:
    r"""The combining marks, which ``\w`` does not match, as ranges of a pattern."""
    codes = [code for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code)) in ("Mn", "Mc")]
    runs = (list(run) for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]))
    return "".join(f"\\u{run[0][1]:04x}-\\u{run[-1][1]:04x}" for run in runs)


def straighten_apostrophes(form: str) -> str:
    """Replace typographic apostrophes in a form by plain ones.

    >>> straighten_apostrophes("don’t")
    "don't"
    """
    return form if form.isascii() else _APOSTROPHES.sub("'", form)


# -- sentences -----------------------------------------------------------------------------------------------------


def find_sentences(text: str, code: str = "en") -> Iterator[list[Span]]:
    """Yield the offsets of the words of a text, sentence by sentence.

    >>> text = 'Mr. Hall left the U.S. in May. "Why?" she asked. He paid $3.50.'
    >>> [text[words[0][0] : words[-1][1]] for words in find_sentences(text)]
    ['Mr. Hall left the U.S. in May.', '"Why?" she asked.', 'He paid $3.50.']
    """
    for start, end in text_blocks(text):
        yield from _find_sentences_in_block(text, code, start, end)


def _find_sentences_in_block(text: str, code: str, start: int, end: int) -> Iterator[list[Span]]:
    rules = get_language(code)
    sentence: list[Span] = []
    ended, last = False, start  # whether the words could be a whole sentence; where the last word ends
    for span in find_words(text, code, start, end):
        first, after = span
        form = text[first:after]
        closes = ended and _is_closing(form, first == last)
        if sentence and (
            (ended and not closes and _begins_sentence(text, last, span, sentence, rules))
            or (first > last + 1 and _BLANK_LINE.search(text, last, first))
            or len(sentence) == SENTENCE_LIMIT
        ):
            yield sentence
            sentence = []
        ended = closes or (form[-1] in _FINAL and _can_end_sentence(form, sentence, text))
        sentence.append(span)
        last = after
    if sentence:
        yield sentence


def _is_closing(form: str, adjacent: bool) -> bool:
    """Whether a word after the end of a sentence belongs to it: a bracket or a quotation mark."""
    return form in _CLOSING and (adjacent or form in ("''", "”", "»"))


def _can_end_sentence(form: str, before: list[Span], text: str) -> bool:
    """Whether a sentence can end after this word; the number of a list item, ``1.``, is no sentence."""
    if form != ".":
        return True
    return len(before) != 1 or not text[before[0][0] : before[0][1]].isdigit()


def _begins_sentence(text: str, last: int, span: Span, sentence: list[Span], rules: LanguageRules) -> bool:
    """Whether a sentence begins with this word, after a possible end of another."""
    word, letter = text[span[0] : span[1]], text[span[0]]
    if letter.islower() or not (letter.isalnum() or letter in _OPENING or word in _OPENING):
        return letter in _BULLETS and "\n" in text[last : span[0]]
    forms = (text[start:end] for start, end in reversed(sentence))
    final = next((form for form in forms if form not in _CLOSING), "")
    if not _FINAL.issuperset(final):  # an abbreviation
        return word in rules.starters and final[:-1] not in rules.titles
    if span[0] == last and letter.isalnum() and final == ".":  # as in "index.html"
        return False
    return not (rules.ordinals and final == "." and _is_ordinal(text, sentence))


def _is_ordinal(text: str, sentence: list[Span]) -> bool:
    """Whether the words end with a small number and a full stop: ``am 3. Mai``."""
    if len(sentence) < 2:
        return False
    start, end = sentence[-2]
    return end - start <= 2 and text[start:end].isdigit() and end == sentence[-1][0]
