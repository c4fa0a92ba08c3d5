"""PKCS#11 text fields: fixed width, padded with blanks (or, against the standard, NULs)."""

import unicodedata


def clean_text(field: bytes) -> str:
    """Return a field as text: up to the first NUL, blanks around it gone, fit to show.

    The standard says UTF-8 padded with blanks; modules also pad with NULs, leave rubbish after a
    NUL or write Latin-1. What is not UTF-8 and control characters become U+FFFD.
    """
    text = field.split(b"\0", 1)[0].decode("utf-8", "replace").strip()
    return "".join(
        "\ufffd" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") else char
        for char in text
    )
