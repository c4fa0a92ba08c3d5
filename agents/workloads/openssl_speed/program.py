"""Asks this host's OpenSSL what it is, what it uses and what it can do. Measures nothing."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agents.executors import process
from agents.executors.process import CommandNotStarted, CommandResult
from agents.parsers.base import UnexpectedOutput
from agents.parsers.openssl import (
    AlgorithmList,
    CpuSettings,
    OpensslVersion,
    parse_algorithm_list,
    parse_cpusettings,
    parse_version,
)

_ASK_SECONDS = 10.0


class Runner(Protocol):
    """`agents.executors.process.run_command`, or a run's own `run_command`."""

    def __call__(
        self,
        argv: Sequence[str],
        *,
        timeout_seconds: float,
        env: Mapping[str, str] | None = None,
    ) -> CommandResult: ...


class OpensslUnusable(Exception):
    """There is no OpenSSL that we can use; the text is a sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpensslFacts:
    """What one `openssl` program said of itself."""

    path: str
    version: OpensslVersion
    settings: CpuSettings
    ciphers: AlgorithmList
    digests: AlgorithmList
    identity: str
    """A hash over everything that its answers depend on: program, library, providers, settings."""


def find_openssl() -> str | None:
    """Return the path of `openssl` on the fixed PATH that all our commands get."""
    return shutil.which("openssl", path=process.FIXED_ENVIRONMENT["PATH"])


def ask_openssl(run: Runner) -> OpensslFacts:
    """Ask the host's openssl. A handful of calls of a few milliseconds each.

    Raises OpensslUnusable where there is none, where it is not OpenSSL 3.0 or later, or where it
    cannot say which instructions it uses: without that word no mask can be proven.
    """
    path = find_openssl()
    if path is None:
        raise OpensslUnusable("There is no openssl program on this host: install package openssl.")
    said: dict[str, str] = {}

    def ask(*words: str) -> str:
        said[" ".join(words)] = text = _ask(run, path, *words)
        return text

    version = _version(ask("version", "-a"))
    settings = read_settings(run, path)
    ciphers = parse_algorithm_list(ask("list", "-cipher-algorithms"))
    digests = parse_algorithm_list(ask("list", "-digest-algorithms"))
    ask("list", "-providers")
    if settings is None:
        raise OpensslUnusable(
            f"OpenSSL {version.version} does not say which CPU instructions it uses on this "
            "machine, so nothing would prove that switching them off had an effect."
        )
    said["settings"] = settings.text
    return OpensslFacts(
        path=path,
        version=version,
        settings=settings,
        ciphers=ciphers,
        digests=digests,
        identity=_identity(path, said),
    )


def read_settings(
    run: Runner, path: str, env: Mapping[str, str] | None = None
) -> CpuSettings | None:
    """Return what `openssl info -cpusettings` says under `env`; None where it says nothing."""
    try:
        return parse_cpusettings(_ask(run, path, "info", "-cpusettings", env=env))
    except UnexpectedOutput:
        return None


def _version(text: str) -> OpensslVersion:
    try:
        version = parse_version(text)
    except UnexpectedOutput as error:
        raise OpensslUnusable(f"The openssl program here gives no version: {error}") from error
    major = version.version.partition(".")[0]
    if version.product != "OpenSSL" or not major.isdigit() or int(major) < 3:
        raise OpensslUnusable(
            f"The openssl program here is {version.product} {version.version}; this job needs "
            "OpenSSL 3.0 or later, which can say which CPU instructions it uses."
        )
    return version


def _ask(run: Runner, path: str, *words: str, env: Mapping[str, str] | None = None) -> str:
    """Return stdout; empty where it failed, as older programs do for words they do not know."""
    try:
        result = run([path, *words], timeout_seconds=_ASK_SECONDS, env=env)
    except CommandNotStarted as error:
        raise OpensslUnusable(f"{error}.") from error
    return result.stdout if result.is_ok else ""


def _identity(path: str, said: Mapping[str, str]) -> str:
    stat = Path(path).resolve().stat()
    parts = [path, str(stat.st_size), str(stat.st_mtime_ns)]
    for key in sorted(said):
        parts += [key, said[key]]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
