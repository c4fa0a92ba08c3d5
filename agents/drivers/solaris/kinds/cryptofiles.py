"""Policies as /etc/crypto/pkcs11.conf and kcf.conf have them: what cryptoadm wrote, as a check.

Both files say that they are no API; they are only compared with what cryptoadm lists, never
written. Formats: illumos cryptoadm and libcryptoutil.
"""

from dataclasses import dataclass

from agents.pkcs11.names import mechanism_name

LIBRARIES_FILE = "/etc/crypto/pkcs11.conf"
KERNEL_FILE = "/etc/crypto/kcf.conf"
_RANDOM = "random"
"""kcf.conf keeps a disabled random feature as one more word of the disabled list."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Which mechanisms are disabled: all but `exceptions`, or none but `exceptions`."""

    is_all_disabled: bool = False
    exceptions: frozenset[str] = frozenset()

    def is_disabled(self, mechanism: str) -> bool:
        """Return whether one mechanism is disabled."""
        return (mechanism in self.exceptions) != self.is_all_disabled

    def disabling(self, names: frozenset[str]) -> "Policy":
        """Return the policy after `cryptoadm disable … mechanism=<names>` [src]."""
        changed = self.exceptions - names if self.is_all_disabled else self.exceptions | names
        return Policy(self.is_all_disabled, changed)

    def enabling(self, names: frozenset[str]) -> "Policy":
        """Return the policy after `cryptoadm enable … mechanism=<names>` [src]."""
        changed = self.exceptions | names if self.is_all_disabled else self.exceptions - names
        return Policy(self.is_all_disabled, changed)


def configured_policy(text: str, provider: str) -> Policy:
    """Return a provider's policy from the text of its file.

    A provider without an entry, or an entry without a list, has everything enabled.
    """
    for line in text.splitlines():
        if line.strip() == provider:
            return Policy()
        if line.strip().startswith(f"{provider}:"):
            return _policy(line.strip()[len(provider) + 1 :])
    return Policy()


def _policy(fields: str) -> Policy:
    for entry in fields.split(";"):
        key, _, value = entry.partition("=")
        names = frozenset(_name(word) for word in value.split(",") if word.strip())
        if key.strip() == "disabledlist":
            return Policy(False, names - {_RANDOM})
        if key.strip() == "enabledlist":
            return Policy(True, names)
    return Policy()


def _name(word: str) -> str:
    """pkcs11.conf writes numbers (`%#010x`), kcf.conf names."""
    word = word.strip()
    try:
        number = int(word, 16) if word.lower().startswith("0x") else None
    except ValueError:
        number = None
    return word if number is None else mechanism_name(number)
