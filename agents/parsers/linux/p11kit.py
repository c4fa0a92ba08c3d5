"""p11-kit's configuration files: `*.module` and `pkcs11.conf` (pkcs11.conf(5))."""

from agents.parsers.base import UnexpectedOutput


def parse_p11_kit_config(text: str) -> dict[str, str]:
    """Return the `field: value` lines; the last of a field wins, as in p11-kit.

    p11-kit refuses a whole file for one bad line, a section header or a PEM block, and so does
    this: UnexpectedOutput.
    """
    fields: dict[str, str] = {}
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or line.startswith("["):
            raise UnexpectedOutput(number, raw)
        fields[name.strip()] = value.strip()
    return fields
