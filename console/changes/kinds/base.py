"""What the console knows of a kind of change: its words and the form of its parameters.

The agent judges every request again, against the host; here misspelt ones are caught early.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from console.core.errors import InvalidInput

SOLARIS = "solaris"
LINUX = "linux"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueKind:
    """A kind of change. `properties` and `required` are those of its parameters' JSON Schema."""

    name: str
    title: str
    sentence: str
    platforms: tuple[str, ...]
    properties: Mapping[str, Any]
    required: tuple[str, ...] = ()
    act: str = ""
    """What a driver does or cannot do; empty: its title says that."""
    any_of: tuple[str, ...] = ()
    """At least one of these has to be given."""

    @property
    def noun(self) -> str:
        """What it changes: `unit`, `metaslot` …"""
        return self.name.partition(".")[0]

    @property
    def parameters_schema(self) -> dict[str, Any]:
        """The JSON Schema (2020-12) of its parameters."""
        schema: dict[str, Any] = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": False,
            "properties": dict(self.properties),
            "required": list(self.required),
        }
        if self.any_of:
            schema["anyOf"] = [{"required": [name]} for name in self.any_of]
        return schema

    @property
    def defaults(self) -> dict[str, Any]:
        """The defaults of the parameters that have one; a request need not spell them out."""
        rules = self.properties.items()
        return {name: rule["default"] for name, rule in rules if "default" in rule}

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Raise InvalidInput `change.parameters`; `extra.fields` names each path that is wrong."""
        problems: dict[str, list[str]] = {}
        for error in Draft202012Validator(self.parameters_schema).iter_errors(parameters):
            problems.setdefault(_path_of(error), []).append(self._said(error))
        if problems:
            first, sentences = min(problems.items())
            text = f"{first}: {sentences[0]}"
            raise InvalidInput("change.parameters", text, extra={"fields": problems})

    def _said(self, error: ValidationError) -> str:
        if error.validator == "anyOf":
            return f"Give at least one of {', '.join(self.any_of)}."
        return error.message[:300]


def _path_of(error: ValidationError) -> str:
    path = "parameters"
    for step in error.absolute_path:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path
