"""Sense inventories of OntoNotes: an XML file for each lemma, whose senses are groups of WordNet senses.

::

    <inventory lemma="win-v">
      <sense n="1" name="come first" type="" group="1">
        <commentary> … </commentary>
        <examples>We won.</examples>
        <mappings><wn version="2.1">1,3</wn><omega/><pb>win.01</pb></mappings>
      </sense>
    </inventory>

The lemma ``win-v`` becomes ``win.v``, and a sense is called by its number ``n``. WordNet senses are listed by their
numbers in a version, with commas between; anything else, such as ``NM``, means that there is none. The Linguistic Data
Consortium distributes OntoNotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from polyseme.errors import quote_value
from polyseme.formats.files import Source
from polyseme.formats.registry import FileFormat
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, read_elements, root_tag
from polyseme.inventory import Inventory, Sense

_LEMMA = re.compile(r"([^\s-].*)-([a-z]+)", re.DOTALL).fullmatch


class OntoNotesSense(NamedTuple):
    """A sense, and the numbers of the WordNet senses that it groups, by version."""

    lemma: str
    id: str
    gloss: str
    examples: tuple[str, ...]
    wordnet: Mapping[str, tuple[int, ...]]


def read_ontonotes_senses(source: Source) -> Iterator[OntoNotesSense]:
    r"""Yield the senses of a file.

    >>> from polyseme.formats.files import Blob
    >>> text = b'<inventory lemma="win-v"><sense n="1"><wn version="2.1">1, 3</wn></sense></inventory>'
    >>> [(sense.lemma, sense.id, sense.wordnet) for sense in read_ontonotes_senses(Blob("win-v.xml", text))]
    [('win.v', '1', {'2.1': (1, 3)})]
    """
    ids = UniqueNames("sense", source)
    for element in read_elements(source, 2):
        if element.tag == "sense":
            ids.add(element.attribute("n"), element.line)
            yield _parse_sense(element)


def _parse_sense(element: Element) -> OntoNotesSense:
    inventory = element.parent
    name = "" if inventory is None else inventory.attribute("lemma")
    match = _LEMMA(name)
    if match is None:
        raise element.error(f"the lemma {quote_value(name)} does not end with a part of speech, as 'win-v' does")
    numbers: dict[str, tuple[int, ...]] = {}
    for senses in element.find_all("wn"):
        version = senses.attributes.get("version", "")
        numbers[version] = numbers.get(version, ()) + tuple(map(int, re.findall(r"\d+", senses.text)))
    lines = (line.strip() for examples in element.find_all("examples") for line in examples.text.splitlines())
    gloss, examples = element.attributes.get("name", ""), tuple(filter(None, lines))
    return OntoNotesSense(f"{match[1]}.{match[2]}", element.attribute("n"), gloss, examples, numbers)


def read_ontonotes_inventory(source: Source) -> Inventory:
    """Read the senses of OntoNotes as an inventory."""
    senses = read_ontonotes_senses(source)
    return Inventory(Sense(sense.id, sense.lemma, gloss=sense.gloss, examples=sense.examples) for sense in senses)


FORMAT = FileFormat(
    "ontonotes",
    "a sense inventory of OntoNotes",
    lambda start: root_tag(start) == "inventory",
    readers={"inventory": read_ontonotes_inventory},
)
