"""Settings files: TOML that pydantic validates, with errors that say where, what is allowed and what to write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from polyseme.errors import InputError, quote_value
from polyseme.toml import parse_toml

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails


class Settings(BaseModel):
    """A table of a settings file; unknown keys are errors.

    Error messages quote the ``description`` of a field after "it must be"; a field without one must be a table. Where a
    required key is missing, they quote the first of its ``examples``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


S = TypeVar("S", bound=Settings)


def parse_settings(model: type[S], source: str, path: object = None) -> S:
    """Parse and validate the text of a settings file.

    Args:
        model: What the whole file holds.
        source: The text, in TOML.
        path: The file, for error messages.

    Raises:
        InputError: The text is not TOML; or a key is missing, unknown, or has a value that is not allowed.
    """
    return validate_settings(model, parse_toml(source, path), path)


def validate_settings(model: type[S], table: Mapping[str, Any], path: object = None, line: int | None = None) -> S:
    """Validate a table that is already parsed.

    Args:
        model: What the table holds.
        table: The table.
        path: Its file, for error messages.
        line: Its line in the file, for error messages.

    Raises:
        InputError: A key is missing, unknown, or has a value that is not allowed.
    """
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise InputError(explain_error(error, model, table), path=path, line=line) from None


def explain_error(error: ValidationError, model: type[BaseModel], table: Mapping[str, Any]) -> str:
    """Say of the first error of a table which key is wrong, what its value is, what is allowed and what to write."""
    return _explain(error.errors()[0], model, table)


def _explain(error: ErrorDetails, model: type[BaseModel], value: Any) -> str:
    """Say which key is wrong, what its value is, what is allowed and what to write."""
    fields, field, keys = _fields(model), None, []
    for part in error["loc"]:
        if isinstance(part, int):  # an entry of a list: messages quote a table, but not a single text of several
            value = value[part] if isinstance(value[part], dict) else value
        elif isinstance(value, dict):  # other parts name a type of a union
            keys.append(part)
            value = value.get(part)
            if part in fields:
                field = fields[part]
                fields = _fields(field.annotation)
    *tables, key = keys or [""]
    table = f"[{'.'.join(tables)}] " if tables else ""
    if error["type"] == "extra_forbidden":
        subject = f"{table}has the key {quote_value(key)}, which" if table else f"the key {quote_value(key)}"
        return f"{subject} is not known; {list_allowed(key, fields)}"
    if error["type"] == "missing":
        example = field.examples[0] if field and field.examples else f'{key} = "…"'
        return f"{f'[{key}]' if example.startswith('[') else table + key} is missing. Write: {example}"
    if error["type"] == "value_error" and isinstance(value, dict):
        return f"[{key}]: {error['ctx']['error']}" if key else str(error["ctx"]["error"])
    if error["type"] == "value_error":
        problem = str(error["ctx"]["error"])
    elif error["type"] == "literal_error" and field and not field.description:
        problem = list_allowed(str(value), get_args(field.annotation))
    else:
        description = field.description if field else error["msg"]
        problem = f"it must be {description or f'a table: [{key}]'}"
    return f"{table}{key} is {quote_value(value)}; {problem}"


def _fields(annotation: Any) -> dict[str, FieldInfo]:
    """Return the fields, by key, of the settings that an annotation names, also in a list or as an option."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {field.alias or name: field for name, field in annotation.model_fields.items()}
    return next(filter(None, map(_fields, get_args(annotation))), {})


def list_allowed(name: str, allowed: Iterable[str]) -> str:
    """List the names that are allowed, and suggest the one that was probably meant.

    >>> list_allowed("WSim", ("WSsim", "Usim"))
    'allowed are WSsim, Usim. Did you mean WSsim?'
    """
    return f"allowed are {', '.join(allowed)}{suggest_name(name, allowed)}"


def suggest_name(name: str, allowed: Iterable[str]) -> str:
    """Suggest the name that was probably meant, as the end of a message; empty if none is near.

    >>> suggest_name("WSim", ("WSsim", "Usim"))
    '. Did you mean WSsim?'
    """
    by_lowercase = {each.lower(): each for each in allowed}
    matches = get_close_matches(name.lower(), by_lowercase, n=1, cutoff=0.6)
    return f". Did you mean {by_lowercase[matches[0]]}?" if matches else ""
