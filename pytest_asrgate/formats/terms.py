"""The contract that a file of hypotheses or a score file says it was made under."""

from collections.abc import Mapping
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.values import UNKNOWN, shown

__all__ = ["DECODE_LANGUAGE", "header_language", "recorded_terms", "scoring_terms"]

# The contract term for the language that the engine was told, where texts are scored as one of their own.
DECODE_LANGUAGE = "decode_language"


def _recorded_recipe(recipe: Mapping[str, Any], where: str) -> dict[str, object]:
    """The terms of a recipe, each of the kind that a gate file's recipe has; DatasetError for any other."""
    from pydantic import ValidationError  # noqa: PLC0415 - slow to import, and many files name no recipe

    from pytest_asrgate.config import Recipe  # noqa: PLC0415 - as above
    from pytest_asrgate.config.recipe import CONTRACT_FIELDS  # noqa: PLC0415 - as above

    found = {name: recipe[name] for name in CONTRACT_FIELDS if name in recipe}
    decode = recipe.get("decode")
    if decode is not None and found.setdefault("decoding", decode) != decode:
        raise DatasetError(f"{where}: recipe.decoding is {shown(found['decoding'])} and decode {shown(decode)}")
    # A decoding that we cannot ask for may still be named; it is then no match for any gate.
    checked = {name: value for name, value in found.items() if name != "decoding"}
    try:
        recorded = Recipe.model_validate(checked).contract()
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(["recipe", *(str(part) for part in problem["loc"])])
        raise DatasetError(f"{where}: {key}: {problem['msg'].removeprefix('Value error, ')}") from error
    terms: dict[str, object] = {name: recorded[name] for name in checked}
    if "decoding" in found:
        terms["decoding"] = shown(found["decoding"]).strip("'")
    return terms


def recorded_terms(header: Mapping[str, Any], where: str) -> dict[str, object]:
    """The contract terms that a header names, each of the kind that a recipe has; DatasetError for any other.

    Upstream's name for the decoding is `decode`.
    """
    recipe = header.get("recipe")
    if recipe is not None and not isinstance(recipe, dict):
        raise DatasetError(f"{where}: recipe must be an object; it is {shown(recipe)}")
    recipe = {name: value for name, value in (recipe or {}).items() if value != UNKNOWN}
    terms = _recorded_recipe(recipe, where) if recipe else {}
    # Upstream's switch for models that tell speakers apart; "default" leaves it to the model, and says nothing.
    if isinstance(recipe.get("diarize"), str | bool) and recipe["diarize"] != "default":
        terms["diarize"] = recipe["diarize"]
    named = (header.get("language"), recipe.get("language"))
    language = next((tag for tag in named if tag is not None and tag != UNKNOWN), None)
    if language is not None:
        if not isinstance(language, str) or not language.strip():
            raise DatasetError(f"{where}: language must be a text such as en; it is {shown(language)}")
        terms["language"] = "+".join(canonical_language(tag) for tag in language.split("+"))
    if isinstance(header.get("manifest_sha256"), str):
        terms["manifest"] = header["manifest_sha256"]
    return terms


def header_language(terms: Mapping[str, object]) -> str | None:
    """The language that recorded terms name; None for `auto`, which is a way to guess one."""
    language = terms.get("language")
    return language if isinstance(language, str) and language not in {"", "auto"} else None


def scoring_terms(named: Mapping[str, Any], where: str) -> dict[str, object]:
    """The `normaliser` and `dediarize` that texts were scored under, where named; DatasetError for a wrong kind.

    Upstream's name for the latter is `dediarized`.
    """
    terms: dict[str, object] = {}
    normaliser = named.get("normaliser")
    if normaliser is not None:
        if not isinstance(normaliser, str) or not normaliser:
            raise DatasetError(f"{where}: normaliser must be a text that is not empty; it is {shown(normaliser)}")
        terms["normaliser"] = normaliser
    said = {key: named[key] for key in ("dediarize", "dediarized") if named.get(key) is not None}
    for key, value in said.items():
        if not isinstance(value, bool):
            raise DatasetError(f"{where}: {key} must be true or false; it is {shown(value)}")
        if terms.setdefault("dediarize", value) != value:
            raise DatasetError(f"{where}: dediarize and dediarized differ; a file is one or the other")
    return terms
