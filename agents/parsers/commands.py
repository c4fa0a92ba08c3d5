"""Which parser reads the output of which command line, as an admin would type it."""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents.parsers import openssl
from agents.parsers.linux import cpuinfo, keyvalues, openssl_list, os_release, p11kit, proc_crypto
from agents.parsers.solaris import cryptoadm, files, kstat, ldm, processors, services
from agents.parsers.solaris.text import chosen_text, lines_of

_ENDS = frozenset(("|", ";", "&&", "||", ">", ">>", "2>&1", "<", "2>/dev/null"))
_LEADS = frozenset(("sudo", "pfexec", "time", "env", "nice", "command"))
_ASSIGNMENT = re.compile(r"\w+=\S*")
_LDM_LISTS = re.compile(r"list|ls|list-(?:dom|domain|bindings|constraints|services)|ls-\w[\w-]*")
_LDM_ALIASES = {"ls": "list", "list-dom": "list", "list-domain": "list"}


class UnknownCommand(ValueError):
    """No parser reads this command's output; the text lists those that are read."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line without its path, its pipe, and what runs it (`pfexec`)."""

    program: str
    arguments: tuple[str, ...]

    @property
    def action(self) -> str:
        """The subcommand under its first name."""
        first = next((word for word in self.arguments if not word.startswith("-")), "")
        return _ldm_action(first) if self.program == "ldm" else first

    @property
    def options(self) -> frozenset[str]:
        """Letters of the options."""
        return frozenset(
            letter for word in self.arguments if re.fullmatch(r"-\w+", word) for letter in word[1:]
        )


@dataclass(frozen=True, slots=True)
class CommandParser:
    """One parser and the commands it reads; `says` is how a list of commands names it."""

    name: str
    says: str
    program: str
    parse: Callable[[str], Any]
    fits: Callable[[CommandLine], bool] = lambda command: True


@dataclass(frozen=True, slots=True)
class Reading:
    """What a parser understood of one output."""

    parser: CommandParser
    understood: Any


def read_output(command: str, text: str) -> Reading:
    """Read what a command printed. `text` may be a whole session; its fitting part is read.

    Raises UnknownCommand, and UnexpectedOutput where the text is not that command's output.
    """
    wanted = command_line(command)
    parser = parser_of(wanted)

    def is_same(said: str) -> bool:
        other = command_line(said)
        return (other.program, other.action, other.options) == (
            wanted.program,
            wanted.action,
            wanted.options,
        )

    def is_alike(said: str) -> bool:
        other = command_line(said)
        return _parser_or_none(other) is parser

    part = chosen_text(text, is_same)
    return Reading(parser, parser.parse(chosen_text(text, is_alike) if part is text else part))


def command_line(text: str) -> CommandLine:
    """Split a command line; what stands behind a pipe or a redirection is no part of it."""
    try:
        words = shlex.split(text[:4000])
    except ValueError:
        words = text[:4000].split()
    end = next((n for n, word in enumerate(words) if word in _ENDS), len(words))
    words = words[:end]
    while words and (words[0] in _LEADS or _ASSIGNMENT.fullmatch(words[0])):
        words = words[1:]
    program = words[0].rpartition("/")[2] if words else ""
    if words and "/" in words[0] and not program.isidentifier():
        return CommandLine("cat", (words[0],))
    return CommandLine(program, tuple(words[1:]))


def parser_of(command: CommandLine) -> CommandParser:
    """Return the parser of a command. Raises UnknownCommand."""
    found = _parser_or_none(command)
    if found is None:
        known = ", ".join(dict.fromkeys(parser.says for parser in PARSERS))
        name = " ".join((command.program, *command.arguments)).strip() or "an empty command"
        raise UnknownCommand(f"No parser reads the output of {name!r}. These are read: {known}.")
    return found


def _parser_or_none(command: CommandLine) -> CommandParser | None:
    return next((p for p in PARSERS if p.program == command.program and p.fits(command)), None)


def _ldm_action(word: str) -> str:
    plain = f"list{word[2:]}" if word.startswith("ls-") else word
    plain = "list-spconfig" if plain in ("list-config", "list-spconfigs") else plain
    return _LDM_ALIASES.get(plain, plain)


def _acts(*names: str) -> Callable[[CommandLine], bool]:
    return lambda command: command.action in names


def _has(*words: str) -> Callable[[CommandLine], bool]:
    return lambda command: any(word in command.arguments for word in words)


def _reads(*names: str) -> Callable[[CommandLine], bool]:
    """Fit a file by the end of its path."""
    return lambda command: command.action.endswith(names)


def _plainly(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Let a parser of plain output read a pasted session."""
    return lambda text: parse("\n".join(line.text for line in lines_of(text)).strip("\n") + "\n")


def _is_ldm_listing(command: CommandLine) -> bool:
    return _LDM_LISTS.fullmatch(command.action) is not None


PARSERS: tuple[CommandParser, ...] = (
    CommandParser("ldm-version", "ldm -V", "ldm", ldm.parse_ldm_version, _has("-V", "--version")),
    CommandParser(
        "ldm-devices", "ldm list-devices", "ldm", ldm.parse_ldm_devices, _acts("list-devices")
    ),
    CommandParser(
        "ldm-spconfig", "ldm list-spconfig", "ldm", ldm.parse_ldm_spconfigs, _acts("list-spconfig")
    ),
    CommandParser(
        "ldm-listing",
        "ldm list, list-bindings, list-constraints",
        "ldm",
        ldm.parse_ldm_listing,
        _is_ldm_listing,
    ),
    CommandParser(
        "ldm-notices",
        "ldm set-crypto and other changes",
        "ldm",
        ldm.parse_ldm_notices,
        lambda command: not command.action.startswith("list"),
    ),
    CommandParser(
        "cryptoadm", "cryptoadm list", "cryptoadm", cryptoadm.parse_cryptoadm, _acts("list")
    ),
    CommandParser(
        "cryptoadm-messages",
        "cryptoadm disable and other changes",
        "cryptoadm",
        cryptoadm.parse_cryptoadm_messages,
    ),
    CommandParser("kstat", "kstat", "kstat", kstat.parse_kstat),
    CommandParser("psrinfo", "psrinfo", "psrinfo", processors.parse_psrinfo),
    CommandParser("isainfo", "isainfo", "isainfo", processors.parse_isainfo),
    CommandParser("uname", "uname -a", "uname", processors.parse_uname),
    CommandParser("svcs", "svcs", "svcs", services.parse_svcs),
    CommandParser("svcprop", "svcprop", "svcprop", services.parse_svcprop),
    CommandParser("kssl-messages", "ksslcfg", "ksslcfg", services.parse_kssl_messages),
    CommandParser("kssl-messages", "kssladm", "kssladm", services.parse_kssl_messages),
    CommandParser("netstat", "netstat -na", "netstat", services.parse_netstat),
    CommandParser(
        "pktool-tokens", "pktool tokens", "pktool", files.parse_pktool_tokens, _acts("tokens")
    ),
    CommandParser(
        "openssl-engine", "openssl engine", "openssl", files.parse_engines, _acts("engine")
    ),
    CommandParser(
        "openssl-version",
        "openssl version",
        "openssl",
        _plainly(openssl.parse_version),
        _acts("version"),
    ),
    CommandParser("openssl-speed", "openssl speed", "openssl", openssl.parse_speed, _acts("speed")),
    CommandParser(
        "openssl-providers",
        "openssl list -providers",
        "openssl",
        _plainly(openssl_list.parse_openssl_providers),
        _has("-providers"),
    ),
    CommandParser(
        "p11-kit-config",
        "p11-kit print-config",
        "p11-kit",
        _plainly(p11kit.parse_p11_kit_config),
        _acts("print-config"),
    ),
    CommandParser(
        "framework-file",
        "cat /etc/crypto/pkcs11.conf",
        "cat",
        files.parse_framework_file,
        _reads("pkcs11.conf", "kcf.conf"),
    ),
    CommandParser(
        "cpuinfo", "cat /proc/cpuinfo", "cat", _plainly(cpuinfo.parse_cpuinfo), _reads("cpuinfo")
    ),
    CommandParser(
        "proc-crypto",
        "cat /proc/crypto",
        "cat",
        _plainly(proc_crypto.parse_proc_crypto),
        _reads("/proc/crypto"),
    ),
    CommandParser(
        "os-release",
        "cat /etc/os-release",
        "cat",
        _plainly(os_release.parse_os_release),
        _reads("os-release"),
    ),
    CommandParser(
        "meminfo", "cat /proc/meminfo", "cat", _plainly(keyvalues.parse_meminfo), _reads("meminfo")
    ),
    CommandParser(
        "driver-file", "cat …/n2cp.conf", "cat", files.parse_driver_file, _reads(".conf")
    ),
)
