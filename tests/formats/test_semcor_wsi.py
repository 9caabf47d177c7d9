"""The CSV of SemCor-WSI."""

import pytest

from polyseme.errors import InputError
from polyseme.formats.files import Blob
from polyseme.formats.semcor_wsi import read_semcor_wsi_gold, read_semcor_wsi_usages

HEAD = "sentence,lemma,lexsn,wnsn,pos,position\n"


def blob(*rows: str) -> Blob:
    return Blob("dev.csv", (HEAD + "\n".join(rows) + "\n").encode())


def test_usages_are_numbered_by_lemma_and_words_of_a_phrase_are_apart() -> None:
    source = blob('We sat by New_York .,sit,2:35:00::,1,VB,"(3, 6)"', 'They sit .,sit,2:35:01::,2,VB,"(5, 8)"')
    usages = list(read_semcor_wsi_usages(source))
    assert [usage.id for usage in usages] == ["sit.v.1", "sit.v.2"]
    assert [usage.target for usage in usages] == ["sat", "sit"]
    assert usages[0].text == "We sat by New York ."
    assert dict(read_semcor_wsi_gold(source)) == {"sit.v.1": {"sit%2:35:00::": 1.0}, "sit.v.2": {"sit%2:35:01::": 1.0}}


@pytest.mark.parametrize(
    "row, message",
    [
        ('We sat .,sit,2:35:00::,1,XX,"(3, 6)"', r"dev\.csv:2: pos 'XX' is none of NN, VB, JJ"),
        ('We sat .,sit,2:35:00::,1,VB,"(3, 60)"', r"dev\.csv:2: position '\(3, 60\)' is not a part of the sentence"),
        ("We sat .,sit,2:35:00::,1,VB,3", r"it reads \(first, end\), counted from 0"),
    ],
)
def test_errors_name_the_line(row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_semcor_wsi_usages(blob(row)))
