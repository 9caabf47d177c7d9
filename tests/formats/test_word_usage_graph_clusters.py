"""The ``clusters.csv`` of word usage graphs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.errors import InputError
from polyseme.formats import read_labelling, write_labelling
from polyseme.formats.files import Blob
from polyseme.formats.word_usage_graph import read_wug_clusters, write_wug_clusters
from polyseme.labelling import Labelling


def test_clusters_are_senses_of_the_folders_lemma(tmp_path: Path) -> None:
    folder = tmp_path / "plane_nn"
    folder.mkdir()
    (folder / "clusters.csv").write_text("identifier\tcluster\nu1\t0\nu2\t1\nu3\t-1\n")
    labelling = read_labelling(folder / "clusters.csv")
    assert dict(labelling) == {"u1": {"plane_nn.0": 1.0}, "u2": {"plane_nn.1": 1.0}}
    assert labelling.lemma("u1") == "plane_nn"
    write_wug_clusters(labelling, folder / "again.csv", noise={"u3": "plane_nn"})
    assert (folder / "again.csv").read_text() == (folder / "clusters.csv").read_text()


clusters = st.dictionaries(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1),
    st.tuples(st.sampled_from(["plane_nn", "win.v", "bar"]), st.integers(0, 20)),
    min_size=1,
)


@given(clusters=clusters)
def test_written_values_are_read_back_unchanged(
    clusters: dict[str, tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    labelling = Labelling((lemma, usage, {f"{lemma}.{number}": 1.0}) for usage, (lemma, number) in clusters.items())
    path = tmp_path_factory.mktemp("graph") / "clusters.csv"
    write_labelling(labelling, path, "usage-graph-clusters")
    assert read_labelling(path) == labelling


@pytest.mark.parametrize(
    "senses, problem",
    [
        ({"win.1": 1.0, "win.2": 0.5}, "usage 'u' has 2 senses, the first of weight 1; here it can have one cluster"),
        ({"win.1": 0.5}, "usage 'u' has 1 senses?, the first of weight 0.5"),
        ({"win%2:33:00::": 1.0}, "'win%2:33:00::', and a cluster is called by its lemma and a number: win.1"),
        ({"win.-1": 1.0}, "has the sense 'win.-1'"),
    ],
)
def test_what_cannot_be_written(senses: dict[str, float], problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=problem):
        write_wug_clusters(Labelling([("win", "u", senses)]), tmp_path / "clusters.csv")
    assert not (tmp_path / "clusters.csv").exists()


@pytest.mark.parametrize(
    "row, problem", [("u1\tx", "cluster 'x' of usage 'u1' is not a whole number"), ("u\t1\nu\t2", "u")]
)
def test_what_cannot_be_read(row: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_wug_clusters(Blob("clusters.csv", f"identifier\tcluster\n{row}\n".encode()))
