"""The guide's examples on the real WordNets, which doctest cannot skip where they are not installed."""

import re
from pathlib import Path
from typing import Any

import pytest

from polyseme.wordnet import WordNet


@pytest.mark.usefixtures("wordnet_30")
def test_examples_of_the_guide(root: Path, wordnet_31: WordNet) -> None:
    page = (root / "docs" / "how-to" / "use-wordnet.md").read_text()
    names: dict[str, Any] = {}
    count = 0
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        if ">>>" not in block:
            for line in filter(None, block.splitlines()):
                code, arrow, value = line.partition("  # → ")
                if arrow:
                    assert repr(eval(code, names)) == value, code
                    count += 1
                else:
                    exec(code, names)
    assert count > 10
    assert names["english"].version == wordnet_31.version
