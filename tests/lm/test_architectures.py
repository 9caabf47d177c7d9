"""Substitutes and vectors of the kinds of models at Hugging Face: tiny ones with random weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme.errors import InputError
from polyseme.lm.hugging_face import HuggingFaceModel
from polyseme.lm.language_model import MissingHead, load_encoder, load_masked_model, predicts_words
from polyseme.lm.masked import MaskedLM
from polyseme.lm.word_tokens import find_word_tokens
from polyseme.usage import Usage
from polyseme.vectors.encoders import TokenEncoder

torch: Any = pytest.importorskip("torch", reason="torch is not installed; type: pip install 'polyseme[lm]'")
hub: Any = pytest.importorskip("transformers", reason="transformers is not installed")
tokenizers: Any = pytest.importorskip("tokenizers")

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")  # DeBERTa

TEXT = "the bank raised its rates , the Bank of the river ( or even ) shop shops Banks lend money"
USAGES = [
    Usage("1", "bank.n", "The bank, of the river", 4, 8),
    Usage("2", "bank.n", "the Bank raised its rates", 4, 8),
]
BERT_NAMES = {
    "unk_token": "[UNK]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}
ROBERTA_NAMES = {
    "cls_token": "<s>",
    "pad_token": "<pad>",
    "sep_token": "</s>",
    "unk_token": "<unk>",
    "mask_token": "<mask>",
}


def build_wordpiece() -> Any:
    """The tokenizer of a cased BERT."""
    words = [*BERT_NAMES.values(), *dict.fromkeys(TEXT.split()), "The", "##s", "[unused1]"]
    numbers = {word: number for number, word in enumerate(words)}
    backend = tokenizers.Tokenizer(tokenizers.models.WordPiece(numbers, unk_token="[UNK]"))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return finish_tokenizer(backend, BERT_NAMES)


def build_byte_level() -> Any:
    """The tokenizer of RoBERTa."""
    backend = tokenizers.Tokenizer(tokenizers.models.BPE())
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = tokenizers.decoders.ByteLevel()
    special = [tokenizers.AddedToken(name, lstrip=name == "<mask>", special=True) for name in ROBERTA_NAMES.values()]
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, show_progress=False, min_frequency=1
    )
    backend.train_from_iterator([TEXT, f" {TEXT}"], trainer)
    return finish_tokenizer(backend, ROBERTA_NAMES)


def build_sentence_piece() -> Any:
    """The tokenizer of XLM-R."""
    pieces = [*(f"▁{word}" for word in dict.fromkeys(TEXT.split())), "▁The", "▁", ",", ")", "s", "a"]
    scores = [*((name, 0.0) for name in ROBERTA_NAMES.values()), *((piece, -1.0) for piece in pieces)]
    backend = tokenizers.Tokenizer(tokenizers.models.Unigram(scores, unk_id=3))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="always")
    backend.decoder = tokenizers.decoders.Metaspace()
    return finish_tokenizer(backend, ROBERTA_NAMES)


def finish_tokenizer(backend: Any, names: dict[str, str]) -> Any:
    first, last = ((names[name], backend.token_to_id(names[name])) for name in ("cls_token", "sep_token"))
    mask = tokenizers.AddedToken(names["mask_token"], lstrip=True, special=True)  # it stands for a word with its space
    backend.add_special_tokens([mask])
    backend.post_processor = tokenizers.processors.BertProcessing(last, first)
    return hub.PreTrainedTokenizerFast(tokenizer_object=backend, **names)


SHAPE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
DISTILBERT_SHAPE = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 16}
ARCHITECTURES: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "Bert": (build_wordpiece, SHAPE),
    "DistilBert": (build_wordpiece, DISTILBERT_SHAPE),
    "MPNet": (build_wordpiece, SHAPE),
    "Electra": (build_wordpiece, {**SHAPE, "embedding_size": 16}),
    "DebertaV2": (build_sentence_piece, SHAPE),
    "XLMRoberta": (build_sentence_piece, SHAPE),
    "Roberta": (build_byte_level, SHAPE),
    "ModernBert": (build_byte_level, SHAPE),
}
"""The tokenizer and the shape of models, by the prefix of their classes."""


TOKENIZERS = pytest.mark.parametrize("model", ["MPNet", "Roberta", "XLMRoberta"], indirect=True)
"""A model with each kind of tokenizer."""


def save_model(folder: Path, architecture: str) -> str:
    """Save a masked language model."""
    build_tokenizer, shape = ARCHITECTURES[architecture]
    tokenizer = build_tokenizer()
    torch.manual_seed(0)
    special = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "cls", "sep")}
    numbers = {**special, "bos_token_id": tokenizer.cls_token_id, "eos_token_id": tokenizer.sep_token_id}
    config = getattr(hub, f"{architecture}Config")(
        vocab_size=len(tokenizer), max_position_embeddings=40, initializer_range=0.5, **numbers, **shape
    )
    tokenizer.save_pretrained(folder)
    getattr(hub, f"{architecture}ForMaskedLM")(config).save_pretrained(folder)
    return str(folder)


def save_encoder(folder: Path, model: str) -> str:
    """Save the encoder of a model, without the weights that predict words, as sentence encoders are saved."""
    hub.AutoTokenizer.from_pretrained(model).save_pretrained(folder)
    hub.AutoModel.from_pretrained(model).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module", params=ARCHITECTURES)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_model(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_model(tmp_path_factory.mktemp("roberta"), "Roberta")


def rank_words(model: HuggingFaceModel, text: str) -> list[str]:
    """Rank whole words at the mask, as transformers tokenises the text."""
    tokens = model.tokenizer(text.replace("_", model.tokenizer.mask_token), return_tensors="pt").input_ids
    with torch.no_grad():
        logits = model.model(tokens).logits[0, tokens[0].tolist().index(model.tokenizer.mask_token_id)]
    shares: dict[str, float] = {}
    begins_word = {"##": "", "Ġ": "Ġ", "▁": "▁"}[model.word_mark]
    for name, number in model.tokenizer.get_vocab().items():
        word = name.removeprefix(begins_word).lower()
        if name.startswith(begins_word) and word.isalpha():
            shares[word] = shares.get(word, 0.0) + float(logits.softmax(0)[number])
    return sorted(shares, key=lambda word: -shares[word])


def test_a_masked_model_ranks_the_words_of_its_vocabulary_as_transformers_does(model: str) -> None:
    assert predicts_words(model)
    loaded = load_masked_model(model)
    assert isinstance(loaded, HuggingFaceModel)
    for usage, text in zip(USAGES, ("The _ of the river", "the _ raised its rates"), strict=True):
        plain = Usage(usage.id, usage.lemma, usage.text.replace(",", ""), usage.start, usage.end)
        assert list(MaskedLM(model).substitutes([plain], 6)[0].words) == rank_words(loaded, text)[:6]


@TOKENIZERS
def test_words_are_the_same_in_upper_and_lower_case(model: str) -> None:
    words = MaskedLM(model).substitutes(USAGES, 100)[0].words
    assert {"bank", "the", "river"} <= set(words)
    assert all(word == word.lower() and word.isalpha() for word in words)
    assert not {"bank", "banks"} & set(MaskedLM(model, own=False).substitutes(USAGES, 100)[1].words)


def test_an_encoder_never_predicts_words_by_random_weights(model: str, tmp_path: Path) -> None:
    encoder = save_encoder(tmp_path / "encoder", model)
    assert not predicts_words(encoder)
    with pytest.raises(MissingHead, match="is an encoder and cannot predict words; name a masked language model"):
        MaskedLM(encoder).substitutes(USAGES, 5)
    one, other = (TokenEncoder(name, centred=False).vectors(USAGES) for name in (model, encoder))
    assert np.allclose(one, other, atol=1e-6)
    assert abs(float(one[0] @ one[1])) < 0.999


def test_an_encoder_without_its_own_weights_is_refused(roberta: str, tmp_path: Path) -> None:
    """As transformers reads files whose weights have other names, which it then draws at random."""
    save_encoder(tmp_path, roberta)
    weights = hub.AutoModel.from_pretrained(roberta).state_dict()
    (tmp_path / "model.safetensors").unlink()
    torch.save({f"inner.{name}": weight for name, weight in weights.items()}, tmp_path / "pytorch_model.bin")
    for load in (load_encoder, load_masked_model):
        with pytest.raises(InputError, match=r"its files lack \d+ weights, such as "):
            load(str(tmp_path))
    assert predicts_words(str(tmp_path))  # or may do so: the error is raised where the model is read


@TOKENIZERS
def test_long_texts_fit_the_positions_of_a_model_that_counts_them_from_padding(model: str) -> None:
    loaded, text = load_masked_model(model), "the river , " * 100
    usage = Usage("1", "bank.n", f"{text}bank {text}", len(text), len(text) + 4)
    assert loaded.max_tokens == 38
    assert len(MaskedLM(model, context=500).substitutes([usage], 5)[0]) == 5
    assert TokenEncoder(model, centred=False).vectors([usage]).shape == (1, 16)


def test_the_target_of_a_byte_level_model_is_read_as_in_its_text(roberta: str) -> None:
    """*bank* has another token after a space than at the start of a text."""
    model = load_masked_model(roberta)
    assert isinstance(model, HuggingFaceModel)
    ids = model.tokenizer("The bank of the river", return_tensors="pt").input_ids
    with torch.no_grad():
        best = model.model(ids).logits[0, model.tokenizer.convert_ids_to_tokens(ids[0].tolist()).index("Ġbank")]
    names = model.tokenizer.convert_ids_to_tokens(best.argsort(descending=True).tolist())
    expected = next(name[1:].lower() for name in names if name.startswith("Ġ") and name[1:].isalpha())
    usage = Usage("1", "bank.n", "The bank of the river", 4, 8)
    assert MaskedLM(roberta, pattern="T").substitutes([usage], 1)[0].words[0] == expected


def test_punctuation_after_a_word_keeps_its_token_in_sentence_piece(tmp_path: Path) -> None:
    model = load_masked_model(save_model(tmp_path, "XLMRoberta"))
    assert isinstance(model, HuggingFaceModel)
    names = model.tokenizer.convert_ids_to_tokens
    assert names(model.tokenise(", the")) == ["▁,", "▁the"]
    assert names(model.tokenise(", the", continued=True)) == [",", "▁the"]
    assert names(model.tokenise(" the river", continued=True)) == ["▁the", "▁river"]
    assert names(model.tokenise("s", continued=True))[-1] == "s"


def test_letters_that_look_like_marks_do_not_hide_words() -> None:
    """A vocabulary of many languages may have the Maltese letter Ġ."""
    vocabulary = ["[PAD]", "Ġ", "Ġan", "bank", "##s", "##ing", "##er", "[unused1]", "<unk>", "river"]
    assert find_word_tokens(vocabulary, {0}, str).words == ("ġ", "ġan", "bank", "river")
