"""The XML of SemEval-2010 Task 14: a file a lemma, test or training data, in which targets are not marked.

::

    <win.v.test>
    <win.v.1>It was late. <TargetSentence>We won at last. </TargetSentence>Nobody slept.</win.v.1>
    </win.v.test>

Training data have the root ``<win.v.train>`` and no ``<TargetSentence>``. The text of a usage is the whole text of
its instance. Its target is the first form of the lemma (see :mod:`polyseme.morphology`) in the target sentence, else
in the text: a word of its own if there is one, else part of a word with hyphens, else a misspelt form (``layed``,
``swiming``), as web texts have them. If there are several such words, ``matches`` in the usage's meta says how many.
Where none is found the usage has an empty target, at the start of its target sentence, and ``target`` in its meta says
``not found``. ``part`` in its meta is ``test`` or ``train``: their ids are the same.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from polyseme.errors import InputError, InputWarning, quote_value
from polyseme.formats.files import Source
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, read_elements, root_tag
from polyseme.morphology import possible_forms
from polyseme.usage import Usage

TARGET_SENTENCE = "TargetSentence"
MAX_LISTED_USAGES = 20
"""How many usages without a target a warning names."""

_ROOT = re.compile(r"(?P<lemma>(?P<word>.+)\.(?P<pos>[nvarj]))\.(?P<part>test|train)")


class _FileLemma(NamedTuple):
    """What a file is about, as its first element says."""

    name: str
    word: str
    pos: str
    part: str


def read_semeval_2010_usages(source: Source) -> Iterator[Usage]:
    """The usages of a file, one after the other; one warning at its end names those whose target was not found.

    >>> from polyseme.formats.files import Blob
    >>> xml = b"<win.v.test><win.v.1>Late. <TargetSentence>We won.</TargetSentence></win.v.1></win.v.test>"
    >>> usage = next(read_semeval_2010_usages(Blob("win.v.xml", xml)))
    >>> usage.id, usage.text, usage.target
    ('win.v.1', 'Late. We won.', 'won')
    """
    seen, lost = UniqueNames("usage", source), []
    lemma: _FileLemma | None = None
    for instance in read_elements(source, 2):
        lemma = lemma or _file_lemma(instance)
        seen.add(instance.tag, instance.line)
        usage = _parse_usage(instance, lemma)
        if "target" in usage.meta:
            lost.append(usage.id)
        yield usage
    _warn_about_missing_targets(source, lost)


def _warn_about_missing_targets(source: Source, lost: list[str]) -> None:
    if lost:
        some = ", ".join(lost[:MAX_LISTED_USAGES]) + (", …" if len(lost) > MAX_LISTED_USAGES else "")
        usages = f"{len(lost)} usages" if len(lost) > 1 else "1 usage"
        problem = f"no form of the lemma was found in {usages}, kept with an empty target"
        warnings.warn(f"{source}: {problem} ({some})", InputWarning, stacklevel=3)


def _file_lemma(instance: Element) -> _FileLemma:
    name = instance.parent.tag if instance.parent else ""
    found = _ROOT.fullmatch(name)
    if not found:
        problem = f"the first element is <{name}>"
        raise InputError(f"{problem}; it must be called after its lemma, such as <win.v.test>", path=instance.source)
    return _FileLemma(*found.groups())


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
    """Where the target sentence stands in the text; the whole text where none is marked."""
    found, at = [], 0
    for part in instance.parts:
        size = len(part if isinstance(part, str) else part.text)
        if isinstance(part, Element):
            if part.tag != TARGET_SENTENCE or part.children:
                raise part.error(f"<{part.tag}> in <{instance.tag}>; only <{TARGET_SENTENCE}> with text in it may be")
            found.append((at, at + size))
        at += size
    if len(found) > 1:
        raise instance.error(f"{quote_value(instance.tag)} has {len(found)} target sentences; it may have one")
    return found[0] if found else (0, length)


def _find_forms(text: str, first: int, last: int, lemma: _FileLemma) -> list[re.Match[str]]:
    """The forms of a lemma between two places, in the best way in which there are any."""
    for pattern in _form_patterns(lemma.word, lemma.pos):
        if found := list(pattern.finditer(text, first, last)):
            return found
    return []


@lru_cache(maxsize=256)
def _form_patterns(word: str, pos: str) -> tuple[re.Pattern[str], ...]:
    """What to look for, one after the other: forms as whole words, as parts of words, and misspelt forms."""
    proper, misspelt = _alternatives(possible_forms(word, pos)), _alternatives(_misspelt_forms(word, pos))
    whole, part = r"(?<![^\W_])(?<!\w-)(?:{})(?![^\W_]|-\w)", r"(?<![^\W_])(?:{})(?![^\W_])"
    wanted = (whole.format(proper), part.format(proper), part.format(misspelt))
    return tuple(re.compile(each, re.IGNORECASE) for each in wanted)


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


def _misspelt_forms(word: str, pos: str) -> list[str]:
    """A regular ending put straight to the word.

    >>> _misspelt_forms("lie", "v"), _misspelt_forms("swim", "v")
    (['lies', 'lieing', 'lied'], ['swims', 'swiming', 'swimed', 'swimes'])
    """
    after_e = word.endswith("e")
    endings = {"v": ["s", "ing", "d"] if after_e else ["s", "ing", "ed", "es"]}
    return [word + ending for ending in endings.get(pos, ["s"] if after_e else ["s", "es"])]


def _recognise(start: bytes) -> bool:
    return _ROOT.fullmatch(root_tag(start)) is not None


FORMAT = FileFormat(
    name="semeval-2010-task-14",
    title="XML of SemEval-2010 Task 14",
    recognises=_recognise,
    readers={"usages": read_semeval_2010_usages},
)
