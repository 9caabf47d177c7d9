"""A real kernel: it shows HTML and bars of progress, and an interruption leaves what is complete."""

from __future__ import annotations

from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient", reason="notebooks are run by nbclient")
nbformat = pytest.importorskip("nbformat", reason="notebooks are read by nbformat")
pytest.importorskip("ipykernel", reason="notebooks need a kernel")

PROGRESS = """
from polyseme import progress
progress.NOTEBOOK_DELAY = progress.NOTEBOOK_INTERVAL = 0
list(progress.track("abc", 3, "Reading"))
"""
DISPLAY = """
import polyseme as ps
ps.Labelling.from_dict({"win.v.1": {"a": 0.6, "b": 0.4}}, lemma="win.v")
"""
INTERRUPTION = """
from polyseme.induction import resumable_labelling
resumable_labelling.CHECKPOINT_BATCH = 2

def label(usages):
    if usages[0].id == "4":
        raise KeyboardInterrupt
    return ps.Labelling((usage.lemma, usage.id, {"a": 1}) for usage in usages)

usages = resumable_labelling.UsageList([ps.Usage(str(n), "bank.n", "bank", 0, 4) for n in range(9)])
with resumable_labelling.label_resumably(label, usages, None, "") as labels:
    print(list(labels))
"""


def test_a_kernel_shows_values_progress_and_partial_work() -> None:
    messages: list[dict[str, Any]] = []

    cells = [nbformat.v4.new_code_cell(code) for code in (PROGRESS, DISPLAY, INTERRUPTION)]
    client = nbclient.NotebookClient(nbformat.v4.new_notebook(cells=cells), timeout=60)
    process = client.process_message

    def record(message: dict[str, Any], cell: Any, number: int) -> Any:
        messages.append(message)
        return process(message, cell, number)

    client.process_message = record
    client.execute()
    bars = [message["content"].get("data", {}).get("text/html", "") for message in messages]
    assert '<progress value="1" max="3"></progress> Reading: 1 of 3' in bars
    assert [output["data"] for output in cells[0].outputs[:-1]] == [{}]  # the bar has gone
    assert "a <b>0.60</b>" in cells[1].outputs[0]["data"]["text/html"]
    assert cells[1].outputs[0]["data"]["text/plain"].startswith("<Labelling of 1 usage")
    text = "".join(output["text"] for output in cells[2].outputs)
    assert "['0', '1', '2', '3']" in text
    assert "InputWarning: stopped after 4 of 9 usages" in text
