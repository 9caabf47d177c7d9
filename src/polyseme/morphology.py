"""English inflection without a dictionary: the lemmas that a form may belong to, and the forms that a lemma may take.

Rules are generous: a word that does not exist is nobody's form in a text. ``pos`` is ``n``, ``v``, ``a`` (or ``j``) or
``r``; words are compared in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from polyseme.errors import InputError, quote_value

DETACHMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "v": (*(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
"""WordNet's rules of detachment (morphy(7WN)): an ending, and what the lemma has in its place."""

_OTHER_DETACHMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (("es", ""), ("es", "is")),
    "v": (("ied", "y"), ("ying", "ie"), ("ked", ""), ("king", "")),
    "a": (("ier", "y"), ("iest", "y")),
    "r": (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
}
"""The endings of our own rules that WordNet has no rule for."""

_SPELLINGS = (("isation", "ization"), ("ise", "ize"), ("yse", "yze"))
_PREFIXES = (
    "un",
    "re",
    "over",
    "under",
    "mis",
    "out",
    "fore",
    "up",
    "with",
    "inter",
    "pre",
    "down",
    "cross",
    "counter",
)
_DOUBLES = re.compile(r"(?:^|[^aeiou]|qu)[aeiouy][bdfgklmnprstvz]$")  # travel, travelled
_MUST_DOUBLE = re.compile(r"(?:[^aeiou]*|[^aeiou]*qu)[aeiouy][bdfgklmnprtvz]")  # hop, hopped: hoped is of another verb
_PHRASAL = re.compile(r"([^_ ]+)([_ ].+)")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")


def normalise_pos(pos: str) -> str:
    """``n``, ``v``, ``a`` or ``r`` for a part of speech; ``j`` is an adjective too.

    >>> normalise_pos("j")
    'a'
    """
    found = "a" if pos == "j" else pos
    if found not in DETACHMENTS:
        raise InputError(f"there is no part of speech {quote_value(pos)}; allowed are n, v, a (or j) and r")
    return found


def wordnet_candidates(form: str, pos: str, exceptions: Mapping[str, Sequence[str]] | None = None) -> tuple[str, ...]:
    """The possible lemmas by WordNet's rules; most are no words.

    A form that stands in the exceptions has the lemmas given there, and can be a lemma itself; nothing is detached from
    it. Any other can be a lemma itself, or have one by detachment. Of a phrasal verb the first word changes.

    >>> wordnet_candidates("geese", "n", {"geese": ["goose"]})
    ('goose', 'geese')
    >>> wordnet_candidates("asks_for", "v")
    ('asks_for', 'ask_for')
    """
    word, kind = form.lower(), normalise_pos(pos)
    if known := (exceptions or {}).get(word):
        return tuple(dict.fromkeys((*known, word)))
    if kind == "v" and (parts := _PHRASAL.match(word)):
        return tuple(lemma + parts[2] for lemma in wordnet_candidates(parts[1], kind, exceptions))
    found = [word]
    if kind == "n" and word.endswith("ful"):
        found += [lemma + "ful" for lemma in wordnet_candidates(word[:-3], kind, exceptions)]
    elif not (kind == "n" and (word.endswith("ss") or len(word) <= 2)):
        found += _detach_endings(word, DETACHMENTS[kind])
    return tuple(dict.fromkeys(found))


def possible_lemmas(form: str, pos: str) -> tuple[str, ...]:
    """The possible lemmas of a form by polyseme's own table and rules, irregular ones first; most are no words.

    They are those whose :func:`forms` include it.

    >>> possible_lemmas("geese", "n")[0], possible_lemmas("swimming", "v")
    ('goose', ('swimming', 'swimme', 'swimm', 'swim'))
    """
    word, kind = form.lower(), normalise_pos(pos)
    if kind == "v" and (parts := _PHRASAL.match(word)):
        return tuple(lemma + parts[2] for lemma in possible_lemmas(parts[1], kind))
    if kind == "n" and len(word) > 3 and word.endswith("ful"):
        return tuple(dict.fromkeys((word, *(lemma + "ful" for lemma in possible_lemmas(word[:-3], kind)))))
    found = [
        *_irregular_lemmas(word, kind),
        word,
        *_detach_endings(word, (*DETACHMENTS[kind], *_OTHER_DETACHMENTS[kind])),
    ]
    found += [lemma[:-1] for lemma in found if lemma[-2:-1] == lemma[-1:]]
    found += [other for lemma in found for other in _spelling_variants(lemma)]
    return tuple(lemma for lemma in dict.fromkeys(found) if word in possible_forms(lemma, kind))


def is_form_of(form: str, lemma: str, pos: str) -> bool:
    """Whether a form can be one of a lemma; for many tokens and one lemma, look into :func:`forms` instead.

    >>> is_form_of("Organised", "organize", "v"), is_form_of("lives", "life", "n"), is_form_of("lived", "life", "n")
    (True, True, False)
    """
    return form.lower() in possible_forms(lemma, pos)


def possible_forms(lemma: str, pos: str) -> frozenset[str]:
    """All forms that a lemma can take, itself included, in small letters.

    Of a phrasal verb the first word changes, of everything else the last.

    >>> sorted(possible_forms("stop", "v"))
    ['stop', 'stopped', 'stopping', 'stops']
    >>> sorted(possible_forms("give_up", "v"))
    ['gave_up', 'give_up', 'given_up', 'gives_up', 'giving_up']
    """
    return _compute_forms(lemma.lower(), normalise_pos(pos))


@lru_cache(maxsize=4096)
def _compute_forms(lemma: str, kind: str) -> frozenset[str]:
    words = {lemma, *_spelling_variants(lemma)}
    if kind == "v" and (parts := _PHRASAL.match(lemma)):
        return frozenset(form + parts[2] for form in _compute_forms(parts[1], kind))
    return frozenset(
        form for word in words for form in (word, *_INFLECTIONS[kind](word), *_irregular_forms(word, kind))
    )


def _detach_endings(word: str, rules: Iterable[tuple[str, str]]) -> list[str]:
    """The word with each ending replaced that it has, if anything is left of it."""
    found = (word.removesuffix(ending) + lemma for ending, lemma in rules if word.endswith(ending))
    return [lemma for lemma in found if lemma]


def _spelling_variants(word: str) -> Iterator[str]:
    """The same word with British instead of American endings, or the reverse."""
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
    """What an ending that starts with a vowel is put to."""
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
    """The regular past of a verb, unless it has only another one: ``seed`` is not of ``see``."""
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


def _irregular_forms(word: str, kind: str) -> tuple[str, ...]:
    """What the table says of a word; of a verb with a prefix or a compound noun, what it says of their last part."""
    known = _irregular_forms_by_lemma()[kind]
    if word in known:
        return known[word]
    return tuple(start + form for start in _compound_prefixes(word, kind) for form in known.get(word[len(start) :], ()))


def _irregular_lemmas(word: str, kind: str) -> tuple[str, ...]:
    known = _irregular_lemmas_by_form()[kind]
    return tuple(
        start + lemma for start in ("", *_compound_prefixes(word, kind)) for lemma in known.get(word[len(start) :], ())
    )


def _compound_prefixes(word: str, kind: str) -> list[str]:
    """What may stand before the part that changes: ``with`` in ``withstood``, ``step-`` in ``step-children``."""
    if kind == "v":
        prefixes = [prefix for prefix in _PREFIXES if word.startswith(prefix)]
        return [*prefixes, *(prefix + "-" for prefix in prefixes if word.startswith(prefix + "-"))]
    start = max(map(word.rfind, "_- ")) + 1
    return [word[:start]] if start and kind == "n" else []


@lru_cache(maxsize=1)
def _irregular_forms_by_lemma() -> dict[str, dict[str, tuple[str, ...]]]:
    tables = {}
    for kind, text in _IRREGULAR_FORMS.items():
        table: dict[str, tuple[str, ...]] = {}
        for entry in text.split(","):
            lemma, *found = entry.split()
            table[lemma.removesuffix("*")] = tuple(found)
        tables[kind] = table
    return tables


def _has_regular_past(word: str) -> bool:
    known = _irregular_forms_by_lemma()["v"]
    roots = [word] if word in known else [word[len(start) :] for start in _compound_prefixes(word, "v")]
    return any(root in _verbs_with_regular_past() for root in roots)


@lru_cache(maxsize=1)
def _verbs_with_regular_past() -> frozenset[str]:
    return frozenset(re.findall(r"(\S+)\*", _IRREGULAR_FORMS["v"]))


@lru_cache(maxsize=1)
def _irregular_lemmas_by_form() -> dict[str, dict[str, tuple[str, ...]]]:
    tables = {}
    for kind, table in _irregular_forms_by_lemma().items():
        reverse: dict[str, tuple[str, ...]] = {}
        for lemma, found in table.items():
            for form in found:
                reverse[form] = (*reverse.get(form, ()), lemma)
        tables[kind] = reverse
    return tables


_IRREGULAR_FORMS = {
    "v": """
abide* abode, alight* alit, arise arose arisen, awake* awoke awoken, be am is are was were been being, bear bore borne
born, beat beaten, become became, befall befell befallen, beget begot begat begotten, begin began begun, behold beheld
beholden, bend bent, bereave* bereft, beseech* besought, beset besetting, bespeak bespoke bespoken, bet* betting, bid
bade bidden, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought,
broadcast* broadcast, browbeat browbeaten, build built, burn* burnt, burst burst, bus* bussed bussing, bust* bust, buy
bought, can* could, cast cast, catch caught, chide* chid chidden, choose chose chosen, cleave* cleft clove cloven,
cling clung, clothe* clad, come came, cost* cost, creep crept, cut cut, deal dealt, die* dying, dig dug, dive* dove,
do does did done, draw drew drawn, dream* dreamt, drink drank drunk, drive drove driven, dwell* dwelt, dye* dyeing,
eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, fit* fit, flee fled, fling flung, fly
flew flown, forbear forbore forborne, forbid forbade forbad forbidden, forget forgot forgotten, forgive forgave
forgiven, forgo forwent forgone forgoes, forsake forsook forsaken, forswear forswore forsworn, freeze froze frozen,
gas* gassed gassing, get got gotten, gild* gilt, gird* girt, give gave given, go goes went gone, grind ground, grow
grew grown, hamstring hamstrung, handicap* handicapped handicapping, hang* hung, have has had having, hear heard,
heave* hove, hew* hewn, hide hid hidden, hit hit, hold held, hurt hurt, input* input inputting, keep kept, kidnap*
kidnapped kidnapping, kneel* knelt, knit* knit, know knew known, lade* laden, inlay* inlaid, lay laid, lead led, lean*
leant, leap* leapt, learn* learnt, leave left, lend lent, let let, lie* lay lain lying, light* lit, lose lost, make
made, may might, mean meant, meet met, melt* molten, mimic* mimicked mimicking, mow* mown, offset* offset offsetting,
partake partook partaken, pay paid, picnic* picnicked picnicking, plead* pled, program* programmed programming, prove*
proven, put put, quit* quit, quiz* quizzed quizzing, read read, relay* relaid, rend rent, rid* rid, ride rode ridden,
ring rang rung, rise rose risen, rive* riven, run ran, saw* sawn, say said says, see saw seen, seek sought, sell sold,
send sent, set set, sew* sewn, shake shook shaken, shall should, shave* shaven, shear* shore shorn, shed shed, shine*
shone, shit* shat, shoe* shod shoeing, shoot shot, show* shown, shred* shred, shrink shrank shrunk shrunken, shrive*
shrove shriven, shut shut, sing sang sung, singe* singeing, sink sank sunk sunken, sit sat, slay slew slain, sleep
slept, slide slid, sling slung, slink slunk, slit slit, smell* smelt, smite smote smitten, sneak* snuck, sow* sown,
speak spoke spoken, speed* sped, spell* spelt, spend spent, spill* spilt, spin spun span, spit* spat, split split,
spoil* spoilt, spread spread, spring sprang sprung, stand stood, stave* stove, steal stole stolen, stick stuck, sting
stung, stink stank stunk, strew* strewn, stride strode stridden, strike struck stricken, string strung, strive* strove
striven, swear swore sworn, sweat* sweat, sweep swept, swell* swollen, swim swam swum, swing swung, take took taken,
teach taught, tear tore torn, telecast telecast, tell told, think thought, thrive* throve thriven, throw threw thrown,
thrust thrust, tie* tying, tread* trod trodden, typeset typeset, vie* vying, wake* woke woken, wear wore worn, weave*
wove woven, wed* wed, weep wept, wet* wet, will* would, win won, wind* wound, work* wrought, worship* worshipped
worshipping, wring wrung, write wrote written
""",
    "n": """
addendum addenda, adieu adieux, afterlife afterlives, alga algae, alumna alumnae, alveolus alveoli, alumnus alumni,
amoeba amoebae, antenna antennae, apex apices, appendix appendices, aquarium aquaria, attorney_general
attorneys_general, automaton automata, axis axes, bacillus bacilli, bacterium bacteria, basis bases, beau beaux, beef
beeves, bookshelf bookshelves, bronchus bronchi, brother brethren, brother-in-law brothers-in-law, bureau bureaux, bus
busses, cactus cacti, calf calves, chateau chateaux, cherub cherubim, child children, concerto concerti, corpus
corpora, court-martial courts-martial, crisis crises, criterion criteria, curriculum curricula, datum data,
daughter-in-law daughters-in-law, diagnosis diagnoses, die dice, dormouse dormice, dwarf dwarves, elf elves, ellipsis
ellipses, emphasis emphases, erratum errata, eyetooth eyeteeth, father-in-law fathers-in-law, focus foci, foot feet,
forefoot forefeet, formula formulae, forum fora, fungus fungi, ganglion ganglia, gas gasses, gateau gateaux, genius
genii, genus genera, gladiolus gladioli, goose geese, graffito graffiti, grandchild grandchildren, half halves,
hanger-on hangers-on, hippopotamus hippopotami, honorarium honoraria, hoof hooves, housewife housewives, hypothesis
hypotheses, index indices, kibbutz kibbutzim, knife knives, larva larvae, leaf leaves, libretto libretti, life lives,
loaf loaves, locus loci, looker-on lookers-on, louse lice, man men, matrix matrices, maximum maxima, medium media,
memorandum memoranda, midwife midwives, milieu milieux, millennium millennia, minimum minima, minutia minutiae,
momentum momenta, mother-in-law mothers-in-law, mouse mice, nebula nebulae, neurosis neuroses, nucleus nuclei, oasis
oases, octopus octopi, opus opera, ovum ova, ox oxen, paparazzo paparazzi, parenthesis parentheses, passer-by
passers-by, passerby passersby, penknife penknives, penny pence, person people, phenomenon phenomena, phylum phyla,
plateau plateaux, quantum quanta, quiz quizzes, radius radii, referendum referenda, runner-up runners-up, scarf
scarves, schema schemata, schoolchild schoolchildren, self selves, septum septa, seraph seraphim, serum sera, sheaf
sheaves, shelf shelves, sister-in-law sisters-in-law, son-in-law sons-in-law, spectrum spectra, stadium stadia, staff
staves, stepchild stepchildren, stigma stigmata, stimulus stimuli, stratum strata, supernova supernovae, syllabus
syllabi, symposium symposia, synopsis synopses, synthesis syntheses, tableau tableaux, tempo tempi, terminus termini,
thesis theses, thief thieves, tooth teeth, trauma traumata, turf turves, vertebra vertebrae, vertex vertices, virtuoso
virtuosi, vita vitae, vortex vortices, werewolf werewolves, wharf wharves, wife wives, wolf wolves, woman women
""",
    "a": """
good better best, well better best, bad worse worst, ill worse worst, far farther farthest further furthest, little
less least lesser, much more most, many more most, old elder eldest, shy shier shiest, sly slier sliest, dry drier
driest, spry sprier spriest, wry wrier wriest, cruel crueller cruellest, grey greyer greyest, gay gayer gayest, coy
coyer coyest, real realer realest
""",
    "r": """
well better best, badly worse worst, ill worse worst, far farther farthest further furthest, little less least, much
more most
""",
}
"""Irregular forms as facts of English: a lemma and the forms that no rule gives, or not only a rule.

Of a verb the regular past is not used any more, unless it has a star.
"""
