"""The rules of languages for tokenisation, from ``languages.toml``: abbreviations, and how apostrophes split words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class LanguageRules:
    """The rules of one language.

    Args:
        titles: Abbreviations that end no sentence.
        short: Abbreviations that can end a sentence before one of ``starters``.
        numbered: Abbreviations before a number.
        starters: Words that start a sentence.
        clitic: Finds where a word with an apostrophe is split.
        contracted: Words without an apostrophe that are split too, and where.
        ordinals: Whether ``3.`` is the third.
    """

    titles: frozenset[str] = frozenset()
    short: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    clitic: re.Pattern[str] | None = None
    contracted: Mapping[str, int] = field(default_factory=dict)
    ordinals: bool = False


@cache
def get_language(code: str) -> LanguageRules:
    """Get the rules of a language by its code; most languages have none.

    >>> "Mr" in get_language("en").titles, get_language("tlh") == LanguageRules()
    (True, True)
    """
    rules: dict[str, Any] = dict(_read_languages().get(code, {}))
    for name in ("titles", "short", "numbered", "starters"):
        rules[name] = frozenset(rules.get(name, "").split())
    clitic = re.compile(rules["clitic"], re.IGNORECASE) if "clitic" in rules else None
    return LanguageRules(**{**rules, "clitic": clitic})


@cache
def _read_languages() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
