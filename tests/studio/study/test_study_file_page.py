"""The reference page of study files describes every key, and its examples are studies."""

import re
from pathlib import Path

import pytest

from polyseme.settings import Settings
from polyseme.studio.study.settings import parse_study
from polyseme.studio.study.study_tables import (
    AnswerSettings,
    ControlSettings,
    ItemSettings,
    OverlapSettings,
    RepeatTable,
    RoundTable,
    ScaleTable,
    StudyTable,
    TrainingSettings,
)
from polyseme.studio.study.tasks import TASKS

REFERENCE = "docs/reference/study-file.md"
PAGES = (REFERENCE, "docs/how-to/plan-a-study.md")
MODELS_BY_HEADING: dict[str, type[Settings]] = {
    "`[items]`": ItemSettings,
    "`[[rounds]]`": RoundTable,
    "`[overlap]`": OverlapSettings,
    "`[scale]`": ScaleTable,
    "`[training]`": TrainingSettings,
    "`[controls]`": ControlSettings,
    "`[repeats]`": RepeatTable,
}
MINIMAL_TABLES = {
    "title": 'title = "Words"',
    "[items]": '[items]\nusages = "usages.jsonl"',
    "[tasks]": '[tasks]\na = ["Usim"]',
}


def read_section(root: Path, heading: str) -> str:
    """The section of the reference page under a heading."""
    page = (root / REFERENCE).read_text("utf-8")
    return page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize("heading", MODELS_BY_HEADING)
def test_every_key_of_a_table_is_in_its_section(root: Path, heading: str) -> None:
    section = read_section(root, heading)
    fields = MODELS_BY_HEADING[heading].model_fields
    keys = [field.alias or name for name, field in fields.items()]
    assert [key for key in keys if f"`{key}`" not in section] == []


def test_every_table_and_key_of_a_study_is_described(root: Path) -> None:
    page = (root / REFERENCE).read_text("utf-8")
    assert [key for key in StudyTable.model_fields if f"`{key}`" not in page and f"[{key}]" not in page] == []
    assert set(AnswerSettings.model_fields) <= set(ControlSettings.model_fields) & set(TrainingSettings.model_fields)


def test_all_tasks_are_described(root: Path) -> None:
    section = read_section(root, "`[tasks]`")
    assert [task for task in TASKS if f"| `{task}` |" not in section] == []


@pytest.mark.parametrize("page", PAGES)
def test_settings_in_pages_are_parts_of_a_study(root: Path, page: str) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (root / page).read_text("utf-8"), re.S)
    assert blocks
    for block in blocks:
        parse_study("\n".join([*(text for key, text in MINIMAL_TABLES.items() if key not in block), block]))
