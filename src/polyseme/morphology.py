"""English inflection without a dictionary: the lemmas that a form may belong to, and the forms that a lemma may take.

The rules are generous, because a word that does not exist is not in any text. ``pos`` is ``n``, ``v``, ``a`` (or ``j``)
or ``r``. Case is ignored.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from polyseme.errors import InputError, quote_value
from polyseme.lemma import normalise_lemma, split_lemma

DETACHMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "v": (*(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
"""WordNet's rules of detachment (morphy(7WN)): an ending, and its replacement in the lemma."""

_OTHER_DETACHMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (("es", ""), ("es", "is")),
    "v": (("ied", "y"), ("ying", "ie"), ("ked", ""), ("king", "")),
    "a": (("ier", "y"), ("iest", "y")),
    "r": (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
}
"""Endings for which WordNet has no rule."""

_SPELLINGS = (("isation", "ization"), ("ise", "ize"), ("yse", "yze"))
_PREFIXES = (
    *("un", "re", "over", "under", "mis", "out", "fore", "up", "with", "inter", "pre", "down", "cross", "counter"),
)
_DOUBLES = re.compile(r"(?:^|[^aeiou]|qu)[aeiouy][bdfgklmnprstvz]$")  # travel, travelled
_MUST_DOUBLE = re.compile(r"(?:[^aeiou]*|[^aeiou]*qu)[aeiouy][bdfgklmnprtvz]")  # hop, hopped: hoped is of another verb
_PHRASAL = re.compile(r"([^_ ]+)([_ ].+)")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")


def normalise_pos(pos: str) -> str:
    """Return ``n``, ``v``, ``a`` or ``r``; ``j`` is an adjective too.

    >>> normalise_pos("j")
    'a'
    """
    letter = "a" if pos == "j" else pos
    if letter not in DETACHMENTS:
        raise InputError(f"there is no part of speech {quote_value(pos)}; allowed are n, v, a (or j) and r")
    return letter


def wordnet_candidates(form: str, pos: str, exceptions: Mapping[str, Sequence[str]] | None = None) -> tuple[str, ...]:
    """Return the possible lemmas of a form by the rules of WordNet; most of them are not words.

    A form in the exceptions has the lemmas listed there, then itself. Any other form is a candidate itself, and so is
    the result of each rule of detachment. The first word of a phrasal verb changes.

    Args:
        form: The inflected form.
        pos: The part of speech.
        exceptions: Irregular forms and their lemmas, as in WordNet's exception lists.

    >>> wordnet_candidates("geese", "n", {"geese": ["goose"]})
    ('goose', 'geese')
    >>> wordnet_candidates("asks_for", "v")
    ('asks_for', 'ask_for')
    """
    word, pos = form.lower(), normalise_pos(pos)
    if listed := (exceptions or {}).get(word):
        return tuple(dict.fromkeys((*listed, word)))
    if pos == "v" and (parts := _PHRASAL.match(word)):
        return tuple(lemma + parts[2] for lemma in wordnet_candidates(parts[1], pos, exceptions))
    lemmas = [word]
    if pos == "n" and word.endswith("ful"):
        lemmas += [lemma + "ful" for lemma in wordnet_candidates(word[:-3], pos, exceptions)]
    elif not (pos == "n" and (word.endswith("ss") or len(word) <= 2)):
        lemmas += _detach_endings(word, DETACHMENTS[pos])
    return tuple(dict.fromkeys(lemmas))


def possible_lemmas(form: str, pos: str) -> tuple[str, ...]:
    """Return the possible lemmas of a form by polyseme's own table and rules, irregular ones first.

    These are the lemmas whose :func:`possible_forms` include the form. Most of them are not words.

    >>> possible_lemmas("geese", "n")[0], possible_lemmas("swimming", "v")
    ('goose', ('swimming', 'swimme', 'swimm', 'swim'))
    """
    word, pos = form.lower(), normalise_pos(pos)
    if pos == "v" and (parts := _PHRASAL.match(word)):
        return tuple(lemma + parts[2] for lemma in possible_lemmas(parts[1], pos))
    if pos == "n" and len(word) > 3 and word.endswith("ful"):
        return tuple(dict.fromkeys((word, *(lemma + "ful" for lemma in possible_lemmas(word[:-3], pos)))))
    lemmas = [
        *_irregular_lemmas(word, pos),
        word,
        *_detach_endings(word, (*DETACHMENTS[pos], *_OTHER_DETACHMENTS[pos])),
    ]
    lemmas += [lemma[:-1] for lemma in lemmas if lemma[-2:-1] == lemma[-1:]]
    lemmas += [variant for lemma in lemmas for variant in _spelling_variants(lemma)]
    return tuple(lemma for lemma in dict.fromkeys(lemmas) if word in possible_forms(lemma, pos))


def is_form_of(form: str, lemma: str, pos: str) -> bool:
    """Whether a form can belong to a lemma; for many tokens and one lemma, look into :func:`possible_forms` instead.

    >>> is_form_of("Organised", "organize", "v"), is_form_of("lives", "life", "n"), is_form_of("lived", "life", "n")
    (True, True, False)
    """
    return form.lower() in possible_forms(lemma, pos)


def possible_forms(lemma: str, pos: str) -> frozenset[str]:
    """Return all forms that a lemma can take, itself included, in lower case.

    The first word of a phrasal verb changes, and the last word of any other lemma.

    >>> sorted(possible_forms("stop", "v"))
    ['stop', 'stopped', 'stopping', 'stops']
    >>> sorted(possible_forms("give_up", "v"))
    ['gave_up', 'give_up', 'given_up', 'gives_up', 'giving_up']
    """
    return _compute_forms(lemma.lower(), normalise_pos(pos))


def find_only_form(text: str, lemma: str, pos: str = "") -> tuple[int, int]:
    """Return the offsets of the only form of a lemma in a text; without a part of speech, its forms in all of them.

    Raises:
        ValueError: The text has no form of the lemma, or several.

    >>> find_only_form("Banks lend money.", "bank.n")
    (0, 5)
    """
    matches = list(_form_pattern(*split_lemma(normalise_lemma(lemma, pos))).finditer(text))
    if len(matches) != 1:
        problem = f"the text has {len(matches) or 'no'} forms of {quote_value(lemma)}, not one"
        remedy = "give start and end, which count its characters from 0"
        reason = "A table with 'lemma' is read as usages: rename it to index the texts only"
        raise ValueError(f"{problem}; {remedy}. {reason}")
    return matches[0].span()


@lru_cache(maxsize=256)
def _form_pattern(word: str, pos: str) -> re.Pattern[str]:
    """Compile a pattern of the forms of a word, longest first; the parts of a phrase may have a blank between."""
    forms = set().union(*(possible_forms(word, letter) for letter in pos or DETACHMENTS))
    alternatives = "|".join(map(re.escape, sorted(forms, key=lambda form: (-len(form), form)))).replace("_", "[_ ]")
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _compute_forms(lemma: str, pos: str) -> frozenset[str]:
    if pos == "v" and (parts := _PHRASAL.match(lemma)):
        return frozenset(form + parts[2] for form in _compute_forms(parts[1], pos))
    words = {lemma, *_spelling_variants(lemma)}
    return frozenset(form for word in words for form in (word, *_INFLECTIONS[pos](word), *_irregular_forms(word, pos)))


def _detach_endings(word: str, rules: Iterable[tuple[str, str]]) -> list[str]:
    """Replace each ending that the word has, if anything is left of it."""
    lemmas = (word.removesuffix(ending) + replacement for ending, replacement in rules if word.endswith(ending))
    return [lemma for lemma in lemmas if lemma]


def _spelling_variants(word: str) -> Iterator[str]:
    """Yield the word with British instead of American endings, or the reverse."""
    for one, other in (*_SPELLINGS, *((other, one) for one, other in _SPELLINGS)):
        stem = word.removesuffix(one)
        if stem != word and len(stem) >= 3 and re.search("[aeiouy]", stem):
            yield stem + other


# -- regular forms -------------------------------------------------------------------------------------------------


def _s_forms(word: str) -> Iterator[str]:
    if not _SIBILANT.search(word):
        yield word + "s"
    if _SIBILANT.search(word) or word.endswith("o"):
        yield word + "es"
    if re.search(r"[^aeiou]y$|quy$", word):
        yield word[:-1] + "ies"
    if re.search(r"[^aeiou][aeiou][sz]$|qu[aeiou]z$", word):
        yield word + word[-1] + "es"


def _noun_forms(word: str) -> Iterator[str]:
    yield from _s_forms(word)
    if word.endswith("man"):
        yield word[:-2] + "en"
    if word.endswith("is"):
        yield word[:-2] + "es"
    if len(word) > 3 and word.endswith("ful"):
        yield from (form + "ful" for form in _s_forms(word[:-3]))


def _vowel_stems(word: str) -> Iterator[str]:
    """Yield the stems to which an ending with an initial vowel is added."""
    if not _MUST_DOUBLE.fullmatch(word):
        yield word
    if _DOUBLES.search(word):
        yield word + word[-1]


def _verb_forms(word: str) -> Iterator[str]:
    yield from _s_forms(word)
    yield from _past_forms(word)
    if re.search(r"(?:ee|oe|ye|ue|ge|[^e])$|^[^aeiouy]+e$", word):
        yield from (stem + "ing" for stem in _vowel_stems(word))
    if word.endswith("ie"):
        yield word[:-2] + "ying"
    elif re.search(r"[aeiouy].*[^eoy]e$", word):
        yield word[:-1] + "ing"
    if word.endswith("c"):
        yield word + "king"


def _past_forms(word: str) -> Iterator[str]:
    """Yield the regular past of a verb, unless it has an irregular one only: ``seed`` is not the past of ``see``."""
    if _irregular_forms(word, "v") and not _has_regular_past(word):
        return
    if re.search(r"[^aeiou]y$", word):
        yield word[:-1] + "ied"
    elif word.endswith("c"):
        yield word + "ked"
    yield from (stem + ("d" if stem.endswith("e") else "ed") for stem in _vowel_stems(word))


def _comparison_forms(word: str) -> Iterator[str]:
    for ending in ("er", "est"):
        for stem in _vowel_stems(word):
            yield stem + (ending[1:] if stem.endswith("e") else ending)
        if re.search(r"[^aeiou]y$", word):
            yield word[:-1] + "i" + ending


_INFLECTIONS = {"n": _noun_forms, "v": _verb_forms, "a": _comparison_forms, "r": _comparison_forms}

# -- irregular forms -----------------------------------------------------------------------------------------------


def _irregular_forms(word: str, pos: str) -> tuple[str, ...]:
    """Look a word up in the table; a prefixed verb or a compound noun inflects like its last part."""
    forms = _irregular_forms_by_lemma()[pos]
    if word in forms:
        return forms[word]
    return tuple(start + form for start in _compound_prefixes(word, pos) for form in forms.get(word[len(start) :], ()))


def _irregular_lemmas(word: str, pos: str) -> tuple[str, ...]:
    lemmas = _irregular_lemmas_by_form()[pos]
    starts = ("", *_compound_prefixes(word, pos))
    return tuple(start + lemma for start in starts for lemma in lemmas.get(word[len(start) :], ()))


def _compound_prefixes(word: str, pos: str) -> list[str]:
    """Return what precedes the part that changes: ``with`` in ``withstood``, ``step-`` in ``step-children``."""
    if pos == "v":
        prefixes = [prefix for prefix in _PREFIXES if word.startswith(prefix)]
        return [*prefixes, *(prefix + "-" for prefix in prefixes if word.startswith(prefix + "-"))]
    start = max(map(word.rfind, "_- ")) + 1
    return [word[:start]] if start and pos == "n" else []


def _has_regular_past(word: str) -> bool:
    is_listed = word in _irregular_forms_by_lemma()["v"]
    roots = [word] if is_listed else [word[len(start) :] for start in _compound_prefixes(word, "v")]
    return any(root in _verbs_with_regular_past() for root in roots)


@lru_cache(maxsize=1)
def _read_irregular_forms() -> dict[str, str]:
    """Read ``irregular_forms.toml``, whose comments explain it."""
    return tomllib.loads(files("polyseme").joinpath("irregular_forms.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _verbs_with_regular_past() -> frozenset[str]:
    return frozenset(re.findall(r"(\S+)\*", _read_irregular_forms()["v"]))


@lru_cache(maxsize=1)
def _irregular_forms_by_lemma() -> dict[str, dict[str, tuple[str, ...]]]:
    tables: dict[str, dict[str, tuple[str, ...]]] = {}
    for pos, text in _read_irregular_forms().items():
        entries = (entry.split() for entry in text.split(","))
        tables[pos] = {lemma.removesuffix("*"): tuple(forms) for lemma, *forms in entries}
    return tables


@lru_cache(maxsize=1)
def _irregular_lemmas_by_form() -> dict[str, dict[str, tuple[str, ...]]]:
    tables: dict[str, dict[str, tuple[str, ...]]] = {}
    for pos, forms_by_lemma in _irregular_forms_by_lemma().items():
        lemmas = tables[pos] = {}
        for lemma, forms in forms_by_lemma.items():
            for form in forms:
                lemmas[form] = (*lemmas.get(form, ()), lemma)
    return tables
