"""The weights and the tokeniser of polyseme's small masked language model; ``FOLDER`` is where they are."""

from pathlib import Path

FOLDER = Path(__file__).parent
