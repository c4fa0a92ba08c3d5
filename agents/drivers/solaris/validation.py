"""The one place that decides what may become a word of a Solaris command. No shell is ever used.

Each rule has its reason and source: [src] the illumos sources of cryptoadm and ksslcfg, [man] their
man pages, [doc] the Logical Domains manuals. `path` in all functions names the parameter at fault.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from agents.changes.base import ChangeRefused

TOKEN_LABEL_BYTES = 32
"""`token=` takes at most 32 bytes [src cryptoadm]; PKCS#11 labels have 32 [standard]."""
SLOT_DESCRIPTION_BYTES = 64
"""`slot=` takes at most 64 bytes [src cryptoadm]."""
SOFTTOKEN = "pkcs11_softtoken"
"""Oracle: it "is a required part of Oracle Solaris and must not be disabled" [man]."""
MAX_COUNT = 4096
"""More units or virtual CPUs than any SPARC machine has; keeps absurd numbers from ldm."""

_DOMAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#.:;~()-]{0,127}")
_MECHANISM = re.compile(r"CKM_[A-Z0-9_]{1,60}")
_VENDOR_MECHANISM = re.compile(r"0x[89a-fA-F][0-9a-fA-F]{7}")
_KERNEL_SOFTWARE = re.compile(r"[a-z][a-z0-9_]{0,30}")
_KERNEL_HARDWARE = re.compile(r"[a-z][a-z0-9_]{0,30}/(?:0|[1-9][0-9]{0,3})")
_LIBRARY = re.compile(r"/[A-Za-z0-9_.+$/-]{1,1000}")
_LIBRARY_DIRECTORIES = ("/usr/lib/", "/usr/local/lib/", "/opt/")
_SHELL_SIGNS = {
    '"': "a double quote",
    "$": "a dollar sign",
    "`": "a backquote",
    "\\": "a backslash",
}
_FIELD_SIGNS = {"=": "an equals sign", ";": "a semicolon", ":": "a colon"}


class ProviderType(StrEnum):
    """What cryptoadm takes a provider for, by its name alone [src]."""

    LIBRARY = "library"
    KERNEL_SOFTWARE = "kernel_software"
    KERNEL_HARDWARE = "kernel_hardware"


def invalid(path: str, fault: str, remedy: str = "") -> ChangeRefused:
    """Return the refusal of a parameter: `counts.ldg1: …`."""
    return ChangeRefused("parameters.invalid", f"{path}: {fault}", remedy, path)


def only_keys(parameters: Mapping[str, Any], known: Iterable[str], path: str = "") -> None:
    """Refuse keys that nothing reads: a misspelt `force` must not be taken for its absence."""
    allowed = sorted(known)
    for key in parameters:
        if key not in allowed:
            raise invalid(f"{path}{key}", "no such parameter", f"Known: {', '.join(allowed)}.")


def flag(parameters: Mapping[str, Any], key: str) -> bool:
    """Return a truth value, False where it is missing. `"false"` is no truth value."""
    value = parameters.get(key, False)
    if not isinstance(value, bool):
        raise invalid(key, "must be true or false")
    return value


def whole_number(value: Any, path: str, *, low: int = 0, high: int = MAX_COUNT) -> int:
    """Return a number from `low` to `high`. A bool is none, though Python says it is."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise invalid(path, f"must be a whole number from {low} to {high}")
    return value


def text(value: Any, path: str) -> str:
    """Return a text that fits on a line and into an argv.

    NUL ends a C string; a newline or another control sign would split the line of the configuration
    file that the value lands in.
    """
    if not isinstance(value, str) or not value:
        raise invalid(path, "must be a text that is not empty")
    if any(ord(sign) < 0x20 or 0x7F <= ord(sign) < 0xA0 for sign in value):
        raise invalid(path, "holds a control sign or a line break")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise invalid(path, "is no valid Unicode") from error
    return value


def word(value: Any, path: str) -> str:
    """Return a text that stands as an argv word of its own.

    getopt would take a leading `-` for an option (`ldm set-crypto [-f] number ldom`) [doc].
    """
    result = text(value, path)
    if result.startswith("-"):
        raise invalid(path, "begins with `-`, which the command would take for an option")
    return result


def domain_name(value: Any, path: str) -> str:
    """Return a logical domain's name: letter or digit, then letters, digits, `-_+#.:;~()` [doc].

    Blanks and quotes are outside of that, and a name never reads as a number of units with a sign.
    """
    result = word(value, path)
    if not _DOMAIN.fullmatch(result):
        raise invalid(path, f"{result!r} is no name of a logical domain")
    return result


def spconfig_name(value: Any, path: str = "name") -> str:
    """Return a configuration name: the same signs as a domain's [doc], not `factory-default`.

    The service processor keeps that name for the configuration it was delivered with [doc].
    """
    result = domain_name(value, path)
    if result == "factory-default":
        raise invalid(path, "factory-default is the machine's own configuration", "Take another.")
    return result


def mechanism_name(value: Any, path: str) -> str:
    """Return a mechanism: `CKM_…`, or a vendor's number from 0x80000000 on, as cryptoadm lists it.

    `,` would make two of it and `=` cuts it off [src strtok], so neither sign is in the pattern.
    """
    result = text(value, path)
    if not (_MECHANISM.fullmatch(result) or _VENDOR_MECHANISM.fullmatch(result)):
        raise invalid(path, f"{result!r} is no mechanism name (CKM_…)")
    return result


def mechanism_names(value: Any, path: str) -> list[str]:
    """Return mechanisms, sorted and each once. `["*"]` means all of them and stands alone.

    A bad name is refused here: of a bad list a kernel provider applies the good ones, exit 0 [src].
    """
    if not isinstance(value, list):
        raise invalid(path, "must be a list of mechanism names")
    if "*" in value:
        if len(value) != 1:
            raise invalid(path, "`*` means all mechanisms and stands alone")
        return ["*"]
    return sorted({mechanism_name(name, f"{path}[{index}]") for index, name in enumerate(value)})


def token_label(value: Any, path: str = "token") -> str:
    """Return a token label that cryptoadm and ksslcfg both read as it is.

    At most 32 bytes [src]; not checked against real tokens by cryptoadm, so the kinds do [src].
    """
    return _label(value, path, TOKEN_LABEL_BYTES)


def slot_description(value: Any, path: str = "slot") -> str:
    """Return a slot description: at most 64 bytes [src], the other rules as for a label."""
    return _label(value, path, SLOT_DESCRIPTION_BYTES)


def _label(value: Any, path: str, limit: int) -> str:
    result = word(value, path)
    # 1. `=` ends the value (strtok); `;` and `:` end a field in /etc/crypto/pkcs11.conf [src].
    for sign, name in _FIELD_SIGNS.items():
        if sign in result:
            raise invalid(path, f"holds {name}, at which cryptoadm or its file would cut it off")
    # 2. SMF hands ksslcfg's flags to a shell; only double quotes are put round a label [src].
    for sign, name in _SHELL_SIGNS.items():
        if sign in result:
            raise invalid(path, f"holds {name}, which the SSL proxy's start method would act on")
    # 3. Tokens pad their labels with blanks, so blanks at the ends cannot be told from padding.
    if result != result.strip():
        raise invalid(path, "begins or ends with a blank")
    if len(result.encode("utf-8")) > limit:
        raise invalid(path, f"is longer than {limit} bytes")
    return result


def provider_type(name: str) -> ProviderType:
    """Return what cryptoadm takes a checked name for: `/…` library, `a` software, `a/0` device."""
    if name.startswith("/"):
        return ProviderType.LIBRARY
    return ProviderType.KERNEL_HARDWARE if "/" in name else ProviderType.KERNEL_SOFTWARE


def provider_name(value: Any, path: str = "provider") -> str:
    """Return a provider's name of one of the three forms [src]; `$ISA` is literal text [man].

    `metaslot` is none: cryptoadm matches it as a prefix, so `metaslotX` would be metaslot [src].
    """
    result = word(value, path)
    if result.startswith("/"):
        return _library(result, path)
    if result.startswith("metaslot"):
        raise invalid(path, f"{result!r} is metaslot to cryptoadm", "Use metaslot.configure.")
    if not (_KERNEL_SOFTWARE.fullmatch(result) or _KERNEL_HARDWARE.fullmatch(result)):
        raise invalid(
            path, f"{result!r} is no provider's name", "Write aes, ncp/0 or /path/lib.so."
        )
    return result


def _library(name: str, path: str) -> str:
    # 1. `=`, `:`, `;`, `,` and blanks separate in argv or in pkcs11.conf: not in the pattern [src].
    if not _LIBRARY.fullmatch(name):
        raise invalid(path, f"{name!r} holds a sign that cryptoadm or its file would misread")
    # 2. `$ISA` may stand once, as a directory; any other `$` means nothing to libpkcs11 [man].
    if "$" in name.replace("/$ISA/", "/", 1):
        raise invalid(path, "`$` may only stand in one directory named $ISA")
    # 3. `..` and `//` give one library two names, and the second passes by a rule for the first.
    if any(part in ("", ".", "..") for part in name.split("/")[1:]):
        raise invalid(path, "holds an empty part, `.` or `..`")
    # 4. Every program of the host loads it: only from directories that root alone writes to.
    if not name.startswith(_LIBRARY_DIRECTORIES):
        raise invalid(path, f"lies outside {', '.join(_LIBRARY_DIRECTORIES)}")
    return name


def force(parameters: Mapping[str, Any]) -> str:
    """Return the reason of a forced request, empty where it is not forced.

    A forced request without a reason is refused: a second person has to judge it.
    """
    if not flag(parameters, "force"):
        return ""
    reason = parameters.get("force_reason", "")
    if not isinstance(reason, str) or not reason.strip():
        raise invalid("force_reason", "is missing", "Say why it has to be forced.")
    return text(reason.strip(), "force_reason")


def mapping(parameters: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return a table of parameters, empty where it is missing."""
    value = parameters.get(key, {})
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise invalid(key, "must be a table")
    return value


def joined(names: Sequence[str]) -> str:
    """Return `mechanism=A,B`, the one word that cryptoadm takes (`all` for every mechanism) [src].

    One list per call: it counts its arguments, `disable` takes at most five [src].
    """
    return "mechanism=all" if list(names) == ["*"] else f"mechanism={','.join(names)}"
