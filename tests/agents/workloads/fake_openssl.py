"""A stand-in `openssl` that answers from files, for outputs that no real one gives to order."""

from pathlib import Path

_SCRIPT = """#!/bin/sh
cd '{folder}' || exit 9
echo "$@" >> calls
case "$1" in
  version) cat version ;;
  info) if [ -n "$OPENSSL_ia32cap" ]; then cat info_masked; else cat info; fi ;;
  list) cat "list$2" ;;
  speed)
    for word; do last=$word; done
    if [ -e "refuses_$last" ]; then cat "refuses_$last" >&2; exit 1; fi
    cat speed_stdout; cat speed_stderr >&2; exit "$(cat speed_code)" ;;
esac
"""

_ANSWERS = {
    "version": "OpenSSL 3.2.9 1 Feb 2025 (Library: OpenSSL 3.2.9 1 Feb 2025)\nplatform: fake\n",
    "info": "OPENSSL_ia32cap=0x0200000200000001:0x0000060020000001\n",
    "info_masked": "OPENSSL_ia32cap=0x1:0x1 env:~0x200000200000000\n",
    "list-cipher-algorithms": "Legacy:\n  RC4\nProvided:\n  { 1.2, AES-128-CBC } @ default\n"
    "  ChaCha20-Poly1305 @ default\n",
    "list-digest-algorithms": "Legacy:\nProvided:\n  { 1.3, SHA2-256, SHA256 } @ default\n",
    "list-providers": "Providers:\n  default\n",
    "speed_stdout": "+H:8192\n+F:25:AES-128-CBC:81920000.00\n",
    "speed_stderr": "+DT:AES-128-CBC:1:8192\n+R:100:AES-128-CBC:0.010000\n",
    "speed_code": "0\n",
}
"""Says that AES and SHA instructions are there, that the mask for both works, and 82 MB/s."""


class FakeOpenssl:
    """The program's folder; `answer` changes what it says from then on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "openssl"
        program.write_text(_SCRIPT.format(folder=folder))
        program.chmod(0o755)
        self.answer(**_ANSWERS)

    def answer(self, **files: str) -> None:
        """Set answers by file name; dashes may be written as underscores after `list`."""
        for name, text in files.items():
            (self.folder / name.replace("list_", "list-").replace("_algo", "-algo")).write_text(
                text
            )

    def calls(self, word: str) -> list[str]:
        """Return the command lines so far that begin with `word`."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line for line in lines if line.startswith(word)]
