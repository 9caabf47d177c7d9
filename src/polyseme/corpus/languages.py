"""The rules of languages for tokenisation: abbreviations, and where words with an apostrophe are split."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


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


def get_language(code: str) -> LanguageRules:
    """Get the rules of a language by its code; most languages have none.

    >>> "Mr" in get_language("en").titles, get_language("tlh") == LanguageRules()
    (True, True)
    """
    return LANGUAGES.get(code, UNKNOWN_LANGUAGE)


def _split_words(*lists: str) -> frozenset[str]:
    return frozenset(word for text in lists for word in text.split())


UNKNOWN_LANGUAGE = LanguageRules()

_ELISION = re.compile(r"(?<=['’ʼ＇])(?=\w)")
"""After an apostrophe: ``l'|homme``."""

LANGUAGES: dict[str, LanguageRules] = {
    "en": LanguageRules(
        titles=_split_words(
            "Mr Mrs Ms Messrs Mme Mlle Dr Drs Prof Rev Hon Msgr Fr St Ste Gen Adm Col Capt Cpt Lt Sgt Cpl Maj Cmdr Gov",
            "Sen Sens Rep Reps Pres Supt Atty Gens Brig Ft Mt vs viz cf Mssrs ca approx",
        ),
        short=_split_words(
            "Jr Sr Esq Inc Ltd Co Corp Bros Dept Univ Assn Ave Blvd Rd etc al est Jan Feb Apr Jun Jul Aug Sep Sept Oct",
            "Nov Dec Mon Tue Tues Wed Thu Thurs Fri Calif Conn Colo Fla Ky Minn Okla Penn Pa Tenn Tex Va Wash Wis Ariz",
            "Ala Nev Neb Nebr Dak Mich Md Mo Mont Ind Ill ft lb lbs oz hr hrs cm mm km kg Ph.D Ph.Ds B.Sc M.Sc Ed",
            "Eds trans",
        ),
        numbered=_split_words("No Nos no nos Fig Figs fig figs p pp vol Vol ch Ch sec Sec art Art eq Eq Mar Sat Sun c"),
        starters=_split_words(
            "A After All Also Although Among An And Another Any As At Because Before Both But By During Each Either",
            "Even Every For From Further Had Has Have He Her Here His How However I If In Indeed Is It Its Last Later",
            "Let Many Meanwhile More Moreover Most My Neither Nevertheless No Nor Not Nothing Now Of On Once One Only",
            "Or Our Over Perhaps Several She Since So Some Still Such That The Their Then There Therefore These They",
            "This Those Though Through Thus To Today Under Until Upon We Were What When Where Whether Which While Who",
            "Why With Within Without Yes Yesterday Yet You Your",
        ),
        clitic=re.compile(r"(?<=\w)n['’ʼ＇]t(?!\w)|['’ʼ＇](?:s|m|d|ll|re|ve)(?!\w)", re.IGNORECASE),
        contracted={"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3},
    ),
    "de": LanguageRules(
        titles=_split_words(
            "Dr Prof Hr Fr Frl St Ing Dipl bzw ca vgl Hrsg hrsg sog evtl ggf inkl max min Abs Bd Nr Str Tel"
        ),
        short=_split_words("usw etc Jh Jhdt Co"),
        starters=_split_words(
            "Aber Alle Als Am An Auch Auf Aus Bei Da Dabei Damit Dann Das Dass Dem Den Denn Der Des Deshalb Die Dies",
            "Diese Dieser Dieses Doch Dort Du Durch Ein Eine Einem Einen Einer Er Es Für Hier Ich Ihr Ihre Im In Ist",
            "Jede Jetzt Man Mit Nach Nicht Noch Nun Nur Ob Oder Sein Seine Seit Sie So Und Unter Viele Vom Von Vor Was",
            "Weil Wenn Wer Wie Wir Wo Zu Zum Zur Zwar",
        ),
        ordinals=True,
    ),
    "fr": LanguageRules(
        titles=_split_words("M MM Mme Mmes Mlle Mlles Dr Pr St Ste Me Mgr av cf env p"),
        short=_split_words("etc"),
        starters=_split_words(
            "Au Aux Avec C Ce Ces Cet Cette Dans De Depuis Des Du Elle Elles En Et Il Ils Je La Le Les Leur Mais Nous",
            "On Ou Par Pour Quand Que Qui Sa Sans Ses Si Son Sur Tous Tout Un Une Vous",
        ),
        clitic=_ELISION,
    ),
    "es": LanguageRules(
        titles=_split_words("Sr Sra Sres Srta Dr Dra D Dña Ud Uds Vd Vds Prof Gral Lic Ing Av pág núm cf"),
        short=_split_words("etc"),
    ),
    "it": LanguageRules(titles=_split_words("Sig Sigg Sigra Dott Prof Avv Ing On pag cfr ecc"), clitic=_ELISION),
    "pt": LanguageRules(titles=_split_words("Sr Sra Srs Dr Dra Prof Profa Exmo Av pág núm"), short=_split_words("etc")),
    "nl": LanguageRules(
        titles=_split_words("dhr mevr mw dr drs prof ir ing mr ca bijv blz nr"), short=_split_words("enz etc")
    ),
    "ca": LanguageRules(
        titles=_split_words("Sr Sra Dr Dra Prof Av pàg núm"), short=_split_words("etc"), clitic=_ELISION
    ),
    **dict.fromkeys(
        ("cs", "da", "et", "fi", "hr", "hu", "is", "lv", "nb", "nn", "pl", "sk", "sl", "sr", "tr"),
        LanguageRules(ordinals=True),
    ),
}
