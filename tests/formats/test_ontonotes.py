"""OntoNotes' sense inventories; the file is our own."""

import pytest

from polyseme.errors import InputError
from polyseme.formats.files import Blob
from polyseme.formats.ontonotes import read_ontonotes_inventory, read_ontonotes_senses
from polyseme.formats.registry import recognise_format

TEXT = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE inventory SYSTEM "inventory.dtd">
<inventory lemma="take-place-v">
 <commentary>senses of ours</commentary>
 <sense group="1" n="1" name="happen &amp; be held" type="Event">
  <examples>
   The match took place.

   It will take place.
  </examples>
  <mappings><gr_sense/><wn version="2.1">1,12</wn><wn version="2.0">2</wn><pb/></mappings>
  <SENSE_META clarity=""/>
 </sense>
 <sense group="1" n="2" name="none of these" type=""><mappings><wn version="2.1">NM</wn></mappings></sense>
 <WORD_META authors="" sample_score="-"/>
</inventory>
"""


def test_senses_are_read_with_their_glosses() -> None:
    first, second = read_ontonotes_senses(Blob("take-place-v.xml", TEXT))
    assert (first.lemma, first.id, first.gloss) == ("take-place.v", "1", "happen & be held")
    assert first.examples == ("The match took place.", "It will take place.")
    assert first.wordnet == {"2.1": (1, 12), "2.0": (2,)}
    assert second.wordnet == {"2.1": ()}


def test_as_an_inventory() -> None:
    blob = Blob("take-place-v.xml", TEXT)
    assert recognise_format(blob, "inventory").name == "ontonotes"
    assert [sense.id for sense in read_ontonotes_inventory(blob)["take-place.v"]] == ["1", "2"]


@pytest.mark.parametrize(
    "text, message",
    [
        (
            b'<inventory lemma="win"><sense n="1"/></inventory>',
            "a:1: the lemma 'win' does not end with a part of speech",
        ),
        (b'<inventory><sense n="1"/></inventory>', "a:1: <inventory> lacks the attribute 'lemma'"),
        (b'<inventory lemma="win-v">\n<sense/></inventory>', "a:2: <sense> lacks the attribute 'n'"),
        (b'<inventory lemma="win-v"><sense n="1"/><sense n="1"/></inventory>', "sense '1'"),
        (b'<inventory lemma="win-v"><sense n="1">', "not well-formed XML"),
    ],
)
def test_faults_are_errors_with_their_cause(text: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        list(read_ontonotes_senses(Blob("a", text)))
    assert message in str(error.value)
