"""The XML of SemEval-2010 Task 14: a file a lemma, with test or training data whose targets are not marked.

::

    <win.v.test>
    <win.v.1>It was late. <TargetSentence>We won at last. </TargetSentence>Nobody slept.</win.v.1>
    </win.v.test>

Training data have the root ``<win.v.train>`` and no ``<TargetSentence>``. The text of a usage is the whole text of
its instance. Its target is the first form of the lemma (see :mod:`polyseme.morphology`) in the target sentence, or else
in the text. The reader prefers a word of its own, then a part of a word with hyphens, then a misspelt form (``layed``,
``swiming``), as in web texts. If several words match, ``matches`` in the ``meta`` of the usage is their number. If none
matches, the target is empty, at the start of the target sentence, and ``target`` in the ``meta`` is ``not found``.
``part`` in the ``meta`` is ``test`` or ``train``, which have the same ids.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from polyseme.errors import InputError, InputWarning, count_noun, quote_value
from polyseme.formats.files import Source
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, read_elements, root_tag
from polyseme.morphology import possible_forms
from polyseme.usage import Usage

TARGET_SENTENCE = "TargetSentence"
MAX_LISTED_USAGES = 20
"""The number of usages without a target that a warning names."""

_ROOT = re.compile(r"(?P<lemma>(?P<word>.+)\.(?P<pos>[nvarj]))\.(?P<part>test|train)")


class _FileLemma(NamedTuple):
    """The lemma of a file and its part, from the tag of the root."""

    name: str
    word: str
    pos: str
    part: str


def read_semeval_2010_usages(source: Source) -> Iterator[Usage]:
    """Yield the usages of a file; a warning at its end names those whose target was not found.

    >>> from polyseme.formats.files import Blob
    >>> xml = b"<win.v.test><win.v.1>Late. <TargetSentence>We won.</TargetSentence></win.v.1></win.v.test>"
    >>> usage = next(read_semeval_2010_usages(Blob("win.v.xml", xml)))
    >>> usage.id, usage.text, usage.target
    ('win.v.1', 'Late. We won.', 'won')
    """
    ids, missing = UniqueNames("usage", source), []
    lemma: _FileLemma | None = None
    for instance in read_elements(source, 2):
        lemma = lemma or _file_lemma(instance)
        ids.add(instance.tag, instance.line)
        usage = _parse_usage(instance, lemma)
        if "target" in usage.meta:
            missing.append(usage.id)
        yield usage
    if missing:
        names = ", ".join(missing[:MAX_LISTED_USAGES]) + (", …" if len(missing) > MAX_LISTED_USAGES else "")
        problem = f"no form of the lemma was found in {count_noun(len(missing), 'usage')}; the target is empty there"
        warnings.warn(f"{source}: {problem} ({names})", InputWarning, stacklevel=2)


def _file_lemma(instance: Element) -> _FileLemma:
    name = instance.parent.tag if instance.parent else ""
    match = _ROOT.fullmatch(name)
    if not match:
        problem = f"the first element is <{name}>"
        raise InputError(f"{problem}; it must be called after its lemma, such as <win.v.test>", path=instance.source)
    return _FileLemma(*match.groups())


def _parse_usage(instance: Element, lemma: _FileLemma) -> Usage:
    if not re.fullmatch(re.escape(lemma.name) + r"\.\w+", instance.tag):
        raise instance.error(f"<{instance.tag}> among the instances of {lemma.name}; it must be <{lemma.name}.1> or so")
    text = instance.text
    first, last = _target_sentence(instance, len(text))
    matches = _find_forms(text, first, last, lemma) or _find_forms(text, 0, len(text), lemma)
    start, end = matches[0].span() if matches else (first, first)
    meta: dict[str, object] = {"part": lemma.part}
    if len(matches) > 1:
        meta["matches"] = len(matches)
    elif not matches:
        meta["target"] = "not found"
    return Usage(instance.tag, lemma.name, text, start, end, lemma.pos, meta)


def _target_sentence(instance: Element, length: int) -> tuple[int, int]:
    """Return the span of the target sentence; the whole text if none is marked."""
    spans, offset = [], 0
    for part in instance.parts:
        size = len(part if isinstance(part, str) else part.text)
        if isinstance(part, Element):
            if part.tag != TARGET_SENTENCE or part.children:
                raise part.error(f"<{part.tag}> in <{instance.tag}>; only <{TARGET_SENTENCE}> with text in it may be")
            spans.append((offset, offset + size))
        offset += size
    if len(spans) > 1:
        raise instance.error(f"{quote_value(instance.tag)} has {len(spans)} target sentences; it may have one")
    return spans[0] if spans else (0, length)


def _find_forms(text: str, first: int, last: int, lemma: _FileLemma) -> list[re.Match[str]]:
    """Find the forms of a lemma between two offsets by the first pattern that matches."""
    matches = (list(pattern.finditer(text, first, last)) for pattern in _form_patterns(lemma.word, lemma.pos))
    return next(filter(None, matches), [])


@lru_cache(maxsize=256)
def _form_patterns(word: str, pos: str) -> tuple[re.Pattern[str], ...]:
    """Compile the patterns in their order: forms as whole words, as parts of words, and misspelt forms."""
    proper, misspelt = _alternatives(possible_forms(word, pos)), _alternatives(_misspelt_forms(word, pos))
    whole, part = r"(?<![^\W_])(?<!\w-)(?:{})(?![^\W_]|-\w)", r"(?<![^\W_])(?:{})(?![^\W_])"
    patterns = (whole.format(proper), part.format(proper), part.format(misspelt))
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


def _misspelt_forms(word: str, pos: str) -> list[str]:
    """Return the word with regular endings added unchanged.

    >>> _misspelt_forms("lie", "v"), _misspelt_forms("swim", "v")
    (['lies', 'lieing', 'lied'], ['swims', 'swiming', 'swimed', 'swimes'])
    """
    after_e = word.endswith("e")
    endings = {"v": ["s", "ing", "d"] if after_e else ["s", "ing", "ed", "es"]}
    return [word + ending for ending in endings.get(pos, ["s"] if after_e else ["s", "es"])]


FORMAT = FileFormat(
    name="semeval-2010-task-14",
    title="XML of SemEval-2010 Task 14",
    recognises=lambda start: _ROOT.fullmatch(root_tag(start)) is not None,
    readers={"usages": read_semeval_2010_usages},
)
