"""Which algorithms `openssl speed` can measure here: listed by OpenSSL, then tried once each.

Trying takes about 25 ms an algorithm and is done once per program, library and configuration; the
answer is kept in the agent's state directory.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.executors.process import CommandNotStarted
from agents.workloads.openssl_speed.program import OpensslFacts, Runner

_CATALOGUE = 1
"""Raise this when the lists below change, so that kept answers are asked again."""

_CIPHERS = (
    *(f"aes-{bits}-{mode}" for bits in (128, 192, 256) for mode in ("cbc", "ctr", "gcm")),
    *(f"aes-{bits}-{mode}" for bits in (128, 192, 256) for mode in ("ccm", "ocb", "ecb")),
    *("aes-128-xts", "aes-256-xts", "chacha20", "chacha20-poly1305", "des-ede3-cbc"),
    *(f"aria-{bits}-{mode}" for bits in (128, 256) for mode in ("cbc", "gcm")),
    *("camellia-128-cbc", "camellia-256-cbc", "sm4-cbc", "sm4-ctr"),
    *("rc4", "bf-cbc", "cast5-cbc", "des-cbc", "idea-cbc", "seed-cbc", "rc2-cbc"),
)
"""Left out because speed times their error path or its own misuse: wrap, SIV, CTS, CBC-HMAC."""

_DIGESTS = (
    *("sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256"),
    *("sha3-224", "sha3-256", "sha3-384", "sha3-512", "blake2b512", "blake2s256"),
    *("sm3", "md5", "ripemd160", "md4", "whirlpool"),
)
_SIGNATURES = (
    *("rsa1024", "rsa2048", "rsa3072", "rsa4096", "rsa7680"),
    *("dsa1024", "dsa2048", "ecdsap224", "ecdsap256", "ecdsap384", "ecdsap521"),
    *("ed25519", "ed448"),
)

_TRY_SECONDS = ("0.02", "0.3")
_KILL_AFTER = "0.05"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmChoices:
    """What can be measured here, in a fixed order, and why the rest of what we know cannot."""

    available: tuple[str, ...]
    unavailable: dict[str, str] = field(default_factory=dict)


def is_signature(algorithm: str) -> bool:
    """Whether it has sign and verify instead of input sizes."""
    return algorithm in _SIGNATURES


def operations_of(algorithm: str) -> tuple[str, ...]:
    """Return what one command times for it, one loop each."""
    if is_signature(algorithm):
        return ("sign", "verify")
    return ("encrypt",) if algorithm in _CIPHERS else ("digest",)


def speed_arguments(algorithm: str, size_bytes: int | None) -> list[str]:
    """Return the arguments that name an algorithm to `openssl speed`."""
    if is_signature(algorithm):
        return [algorithm]
    return ["-bytes", str(size_bytes), "-evp", algorithm]


def algorithm_choices(
    openssl: OpensslFacts, run: Runner, state_dir: Path, *, tries_at_once: int = 1
) -> AlgorithmChoices:
    """Return what this OpenSSL can measure; from the kept answer where nothing has changed.

    `tries_at_once` above 1 needs a `run` that may be called from several threads.
    """
    path = state_dir / "openssl_speed_choices.json"
    key = f"{_CATALOGUE}:{openssl.identity}"
    if kept := _load(path, key):
        return kept
    listed, unavailable = _listed(openssl)
    with ThreadPoolExecutor(tries_at_once) as pool:
        answers = list(pool.map(lambda name: _try(openssl.path, name, run), listed))
    unavailable.update({answer.name: answer.reason for answer in answers if answer.reason})
    choices = AlgorithmChoices(
        available=tuple(answer.name for answer in answers if not answer.reason),
        unavailable=unavailable,
    )
    if all(answer.is_certain for answer in answers):
        _keep(path, key, choices)
    return choices


def _listed(openssl: OpensslFacts) -> tuple[list[str], dict[str, str]]:
    listed: list[str] = []
    unavailable: dict[str, str] = {}
    for names, offered in ((_CIPHERS, openssl.ciphers), (_DIGESTS, openssl.digests)):
        for name in names:
            if name in offered.provided:
                listed.append(name)
            elif name in offered.legacy:
                unavailable[name] = "known to OpenSSL, but no active provider offers it (legacy)"
            else:
                unavailable[name] = f"not in OpenSSL {openssl.version.version} here"
    return [*listed, *_SIGNATURES], unavailable


@dataclass(frozen=True, slots=True)
class _Answer:
    name: str
    reason: str
    is_certain: bool


def _try(openssl_path: str, name: str, run: Runner) -> _Answer:
    """Start the real command and end its timed loop after a moment.

    SIGALRM is how speed itself ends a loop, so a cipher's run ends as a complete one; a signature's
    second loop is killed. An algorithm that cannot be used ends by itself, at once and with an
    error. Where there is no timeout(1) of GNU coreutils, OpenSSL's list is believed.
    """
    words = ["speed", "-mr", "-elapsed", "-seconds", "1", *speed_arguments(name, 64)]
    stderr = ""
    for seconds in _TRY_SECONDS:
        argv = ["timeout", "--foreground", "-s", "ALRM", "-k", _KILL_AFTER, seconds]
        try:
            result = run([*argv, openssl_path, *words], timeout_seconds=10.0)
        except CommandNotStarted:
            return _Answer(name, "", False)
        stderr = result.stderr
        if _did_work(stderr) or "timeout" in stderr:
            return _Answer(name, "", "timeout" not in stderr)
        if result.returncode in (1, 2) and not result.timed_out:
            return _Answer(name, _reason(stderr.splitlines()), True)
    return _Answer(name, "" if "+DT" in stderr else "did not start within 0.3 s", False)


def _did_work(stderr: str) -> bool:
    return any(int(count) > 0 for count in re.findall(r"^\+R\d*:(\d+):", stderr, re.MULTILINE))


def _reason(lines: Iterable[str]) -> str:
    """The library's words without addresses and line numbers, which differ at every call."""
    text = ""
    for line in lines:
        if match := re.search(r"error:[0-9A-F]+:([^:]*):[^:]*:([^:]*):", line):
            return f"{match[1]}: {match[2]}"
        if line and not line.startswith("+"):
            text = line.strip()[:120]
    return text or "openssl speed refused it without a word"


def _load(path: Path, key: str) -> AlgorithmChoices | None:
    try:
        kept: Any = json.loads(path.read_text("utf-8"))
        if kept["key"] != key:
            return None
        return AlgorithmChoices(
            available=tuple(kept["available"]), unavailable=dict(kept["unavailable"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(path: Path, key: str, choices: AlgorithmChoices) -> None:
    """Write it whole or not at all. A state directory that cannot be written costs only time."""
    kept = {"key": key, "available": choices.available, "unavailable": choices.unavailable}
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            json.dump(kept, file)
        os.replace(file.name, path)
    except OSError:
        return
