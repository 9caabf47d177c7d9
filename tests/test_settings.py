"""Settings files: values are taken as they are written, and errors say where, what is allowed and what to write."""

from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from polyseme.errors import InputError
from polyseme.settings import Settings, list_allowed, parse_settings, suggest_name, validate_settings

Size = Annotated[Literal["all"] | Annotated[int, Field(ge=1)], Field(description="all, or a number")]
Texts = Annotated[tuple[str, ...], Field(strict=False, description="a list of texts")]


class Part(Settings):
    """A table of a list."""

    name: str
    size: Size = "all"


class Top(Settings):
    """A whole file."""

    title: str = Field(description="text in quotes", examples=['title = "Words"'])
    order: Literal["random", "lemma"] = "random"
    share: float = Field(0.5, ge=0, le=1, description="a number from 0 to 1")
    names: Texts = ()
    part: Part | None = None
    parts: tuple[Part, ...] = Field((), strict=False, description="tables, each after [[parts]]")

    @model_validator(mode="after")
    def _check_names(self) -> "Top":
        if "title" in self.names:
            raise ValueError("title is no name")
        return self


def test_settings_are_parsed_and_frozen() -> None:
    top = parse_settings(Top, 'title = "T"\nshare = 1\nnames = ["a"]\npart.name = "p"\n[[parts]]\nname = "q"\nsize = 3')
    assert (top.share, top.names, top.part, top.parts) == (1.0, ("a",), Part(name="p"), (Part(name="q", size=3),))
    with pytest.raises(ValueError, match="frozen"):
        top.title = "U"


def test_errors_name_the_key_the_value_and_what_is_allowed() -> None:
    for source, message in [
        ("title = ", "f.toml:1: this is not TOML: "),
        ("", 'f.toml: title is missing. Write: title = "Words"'),
        ("title = 5", "f.toml: title is 5; it must be text in quotes"),
        ('title = "T"\ntitel = 1', "f.toml: the key 'titel' is not known; allowed are title, order"),
        ('title = "T"\ntitel = 1', "Did you mean title?"),
        ('title = "T"\norder = "lema"', "order is 'lema'; allowed are random, lemma. Did you mean lemma?"),
        ('title = "T"\nshare = true', "share is True; it must be a number from 0 to 1"),
        ('title = "T"\nshare = nan', "share is nan; it must be a number from 0 to 1"),
        ('title = "T"\nnames = ["a", 1]', "names is ['a', 1]; it must be a list of texts"),
        ('title = "T"\nnames = ["title"]', "f.toml: title is no name"),
        ('title = "T"\npart = 3', "part is 3; it must be a table: [part]"),
        ('title = "T"\npart.size = 1', '[part] name is missing. Write: name = "…"'),
        ('title = "T"\npart = {name = "p", size = 0}', "[part] size is 0; it must be all, or a number"),
        ('title = "T"\nparts = [{name = "p"}, {name = "q", size = "no"}]', "[parts] size is 'no'; it must be all, or"),
        (
            'title = "T"\nparts = [{name = "p", sise = 1}]',
            "[parts] has the key 'sise', which is not known; allowed",
        ),
        ('title = "T"\nparts = [1]', "parts is [1]; it must be tables, each after [[parts]]"),
    ]:
        with pytest.raises(InputError) as error:
            parse_settings(Top, source, "f.toml")
        assert message in str(error.value), source


def test_errors_of_parsed_tables_have_a_line() -> None:
    with pytest.raises(InputError, match=r"^s.jsonl:7: size is 0; it must be all, or a number$"):
        validate_settings(Part, {"name": "p", "size": 0}, "s.jsonl", 7)


def test_near_misses_are_suggested_in_any_case() -> None:
    assert suggest_name("usim", ("WSsim", "Usim")) == ". Did you mean Usim?"
    assert suggest_name("xyz", ("WSsim", "Usim")) == ""
    assert list_allowed("x", ["a", "b"]) == "allowed are a, b"
