"""OntoNotes' sense inventories: an XML file for each lemma, whose senses are groups of WordNet's.

::

    <inventory lemma="win-v">
      <sense n="1" name="come first" type="" group="1">
        <commentary> … </commentary>
        <examples>We won.</examples>
        <mappings><wn version="2.1">1,3</wn><omega/><pb>win.01</pb></mappings>
      </sense>
    </inventory>

The lemma ``win-v`` is called ``win.v`` here, and a sense by its number ``n``. WordNet's senses are named by the number
that they have in some version, with commas between; what is no number there, such as ``NM``, says that there is none.
OntoNotes itself is to be had from the Linguistic Data Consortium.
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
    """A sense, and for each version of WordNet the numbers of the senses that it groups."""

    lemma: str
    id: str
    gloss: str
    examples: tuple[str, ...]
    wordnet: Mapping[str, tuple[int, ...]]


def read_ontonotes_senses(source: Source) -> Iterator[OntoNotesSense]:
    r"""The senses of a file, one after the other.

    >>> from polyseme.formats.files import Blob
    >>> text = b'<inventory lemma="win-v"><sense n="1"><wn version="2.1">1, 3</wn></sense></inventory>'
    >>> [(sense.lemma, sense.id, sense.wordnet) for sense in read_ontonotes_senses(Blob("win-v.xml", text))]
    [('win.v', '1', {'2.1': (1, 3)})]
    """
    seen = UniqueNames("sense", source)
    for element in read_elements(source, 2):
        if element.tag == "sense":
            seen.add(element.attribute("n"), element.line)
            yield _parse_sense(element)


def _parse_sense(element: Element) -> OntoNotesSense:
    inventory = element.parent
    name = "" if inventory is None else inventory.attribute("lemma")
    found = _LEMMA(name)
    if found is None:
        raise element.error(f"the lemma {quote_value(name)} does not end with a part of speech, as 'win-v' does")
    numbers: dict[str, tuple[int, ...]] = {}
    for each in element.named("wn"):
        version = each.attributes.get("version", "")
        numbers[version] = numbers.get(version, ()) + tuple(map(int, re.findall(r"\d+", each.text)))
    examples = (line.strip() for each in element.named("examples") for line in each.text.splitlines())
    gloss = element.attributes.get("name", "")
    return OntoNotesSense(
        f"{found[1]}.{found[2]}", element.attribute("n"), gloss, tuple(filter(None, examples)), numbers
    )


def read_ontonotes_inventory(source: Source) -> Inventory:
    """OntoNotes' own senses as an inventory."""
    return Inventory(
        Sense(each.id, each.lemma, gloss=each.gloss, examples=each.examples) for each in read_ontonotes_senses(source)
    )


FORMAT = FileFormat(
    "ontonotes",
    "a sense inventory of OntoNotes",
    lambda start: root_tag(start) == "inventory",
    readers={"inventory": read_ontonotes_inventory},
)
