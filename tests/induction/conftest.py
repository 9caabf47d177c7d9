"""A tiny masked language model of random weights."""

from __future__ import annotations

from typing import Any

import pytest

TEXT = """
the bank lends money a cash river floods wide and or even ( ) banks shop shops
by had loan deposit credit account water boat fish stream .
"""
"""The words that the model knows."""


@pytest.fixture(scope="session")
def masked_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    torch = pytest.importorskip("torch", reason="torch is not installed; type: pip install 'polyseme[lm]'")
    hub: Any = pytest.importorskip("transformers", reason="transformers is not installed")
    import tokenizers

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*special, *TEXT.split()]
    backend = tokenizers.Tokenizer(tokenizers.models.WordPiece({w: n for n, w in enumerate(words)}, unk_token="[UNK]"))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), special, strict=True))
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    config = hub.BertConfig(vocab_size=len(words), max_position_embeddings=32, initializer_range=0.5, **shape)
    folder = tmp_path_factory.mktemp("masked")
    hub.PreTrainedTokenizerFast(tokenizer_object=backend, model_max_length=32, **names).save_pretrained(folder)
    hub.BertForMaskedLM(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def encoder_model(masked_model: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its encoder, without the weights that predict words, as sentence encoders are saved."""
    hub: Any = pytest.importorskip("transformers", reason="transformers is not installed")
    folder = tmp_path_factory.mktemp("encoder")
    hub.AutoTokenizer.from_pretrained(masked_model).save_pretrained(folder)
    hub.BertModel.from_pretrained(masked_model).save_pretrained(folder)
    return str(folder)
