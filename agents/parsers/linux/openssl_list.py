"""`openssl list -providers|-engines|-…-algorithms` of OpenSSL 3 (apps/list.c)."""

import re
from dataclasses import dataclass

from agents.parsers.base import UnexpectedOutput

_OID = re.compile(r"^\d+(\.\d+)+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpensslProvider:
    """One section of `openssl list -providers -verbose`. `identity` is the name in openssl.cnf."""

    identity: str
    name: str = ""
    version: str = ""
    status: str = ""
    build: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvidedAlgorithm:
    """An algorithm that a provider offers: its first name that is no OID, and the provider."""

    name: str
    provider: str


def parse_openssl_providers(text: str) -> list[OpensslProvider]:
    """Parse `openssl list -providers [-verbose]`. Raises UnexpectedOutput without the heading."""
    lines = text.split("\n")
    if lines[0].strip() != "Providers:":
        raise UnexpectedOutput(1, lines[0])
    sections: list[tuple[str, dict[str, str]]] = []
    for number, line in enumerate(lines[1:], start=2):
        depth = len(line) - len(line.lstrip(" "))
        if not line.strip():
            continue
        if depth == 2:
            sections.append((line.strip(), {}))
        elif depth == 4 and sections:
            key, _, value = line.strip().partition(":")
            sections[-1][1][key] = value.strip()
        elif not sections:
            raise UnexpectedOutput(number, line)
    return [
        OpensslProvider(
            identity=identity,
            name=values.get("name", ""),
            version=values.get("version", ""),
            status=values.get("status", ""),
            build=values.get("build info", ""),
        )
        for identity, values in sections
    ]


def parse_openssl_engines(text: str) -> list[str]:
    """Return the ids of loaded engines (`openssl list -engines`). Raises UnexpectedOutput."""
    lines = text.split("\n")
    if lines[0].strip() != "Engines:":
        raise UnexpectedOutput(1, lines[0])
    return [line.strip() for line in lines[1:] if line.strip()]


def parse_openssl_provided(text: str) -> list[ProvidedAlgorithm]:
    """Return what `openssl list -…-algorithms` says providers offer, in its order.

    `{ OID, NAME, ALIAS } @ provider` and `NAME @ provider` count (after `IDs:` too); headings and
    the old tables (`Legacy:`, `ALIAS => NAME`) do not. Raises UnexpectedOutput for a line with `@`
    and no name.
    """
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        names, at, provider = line.strip().removeprefix("IDs: ").rpartition(" @ ")
        if not at:
            continue
        words = [word.strip() for word in names.strip("{} ").split(",")]
        name = next((word for word in words if word and not _OID.match(word)), "")
        if not name:
            name = next((word for word in words if word), "")
        if not name or not provider.strip():
            raise UnexpectedOutput(number, line)
        found.append(ProvidedAlgorithm(name=name, provider=provider.strip()))
    return found
