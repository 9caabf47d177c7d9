"""After Ctrl-C, commands say how to go on."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("_beside_a_model")


class Interruption(NamedTuple):
    """A command, the function that is interrupted, a file that it leaves, and the advice if that is there."""

    command: str
    function: str
    stored: str = ""
    advice: str = ""


INTERRUPTIONS = (
    Interruption(
        "index new.jsonl -o out",
        "polyseme.interface.indexing.indexing.build_index",
        "out/manifest.json",
        "the same command resumes; out keeps all complete parts",
    ),
    Interruption("induce my.index bank.n -o out --model Squares", "polyseme.induction.squares.Squares.fit"),
    Interruption(
        "label model new.jsonl -o out.key",
        "polyseme.labelling_run.LabellingRun.label",
        "out.key.part/checkpoint.json",
        "the same command resumes from out.key.part",
    ),
    Interruption(
        "run examples/small.toml -o out",
        "polyseme.interface.experiments.run_plan",
        "out/small.json",
        "the same command resumes; complete steps are in out",
    ),
    Interruption(
        "reproduce jurgens-2012 --table 2 -o out",
        "polyseme.experiments.reproduction.reproduce_models",
        "out/small.json",
        "the same command resumes; complete steps are in out",
    ),
    Interruption(
        "demo --folder out",
        "polyseme.reports.demo.demo_page",
        "out/sotu.index/manifest.json",
        "the same command resumes from out/sotu.index",
    ),
)


@pytest.mark.parametrize("case", INTERRUPTIONS, ids=[case.command.split()[0] for case in INTERRUPTIONS])
def test_an_interrupted_command_says_how_to_go_on(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Interruption
) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(case.function, interrupt)
    ran = cli(*case.command.split())
    assert ran == (130, "", "stopped: nothing is complete yet; the same command starts again\n")
    if case.stored:
        (tmp_path / case.stored).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / case.stored).write_text("")
        assert cli(*case.command.split()).err == f"stopped: {case.advice}\n"
