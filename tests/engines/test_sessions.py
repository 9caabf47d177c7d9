"""A process has one session of Spark, which is never used for another master."""

import pytest

from polyseme.corpus import engine as engines
from polyseme.corpus.engine import Engine, connect
from polyseme.errors import InputError


@pytest.mark.parametrize("engine", [pytest.param("spark:local", marks=pytest.mark.xdist_group("spark"))], indirect=True)
def test_one_at_a_time(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert connect("spark:local").backend is not engine.backend
    monkeypatch.setattr(engines, "_check_master", lambda _: None)
    with pytest.raises(InputError, match=r"a Spark session on local\[\*\] is open, and there can be only one"):
        connect("spark://127.0.0.1:1")
