"""Tokens as programs see them: libpkcs11 in the probe's child process, as on every platform.

Only on a real Solaris host. A simulated one has no libpkcs11: what cryptoadm lists stands there.
"""

import sys

from agents.drivers.base import ScanContext
from agents.pkcs11.modules import ModuleRegistration, probe_modules
from agents.pkcs11.report import ModuleReport, module_report


def library_path() -> str:
    """Return libpkcs11 of this program's word size: Solaris keeps 64-bit libraries in `64`."""
    is_wide = sys.maxsize > 1 << 32
    return "/usr/lib/64/libpkcs11.so" if is_wide else "/usr/lib/libpkcs11.so"


def probe_tokens(scan: ScanContext) -> list[ModuleReport]:
    """Probe libpkcs11 and the modules that the agent's own configuration names."""
    paths = dict.fromkeys([library_path(), *scan.pkcs11.modules])
    modules = [ModuleRegistration(name=_name(path), path=path) for path in paths]
    outcomes = probe_modules(
        modules,
        module_timeout_seconds=scan.pkcs11.module_timeout_seconds,
        deadline=scan.deadline,
        environment=scan.pkcs11.environment,
    )
    return [
        module_report(module, outcome, scan.pkcs11.pins)
        for module, outcome in zip(modules, outcomes, strict=True)
    ]


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".so")
