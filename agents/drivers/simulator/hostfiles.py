"""The files of a simulated host that programs and drivers of Keyrack read or edit."""

from agents.drivers.simulator.cryptoadm.mechanisms import (
    KERNEL_LIBRARY,
    SOFTTOKEN_LIBRARY,
    software_providers,
)
from agents.drivers.simulator.editions import Edition

SOFTTOKEN_LABEL = "Sun Software PKCS#11 softtoken"
SOFTTOKEN_SLOT = "Sun Crypto Softtoken"
TPM_LIBRARY = "/usr/lib/security/$ISA/pkcs11_tpm.so"
DRIVER_FOLDER = "/platform/sun4v/kernel/drv"


def host_files(edition: Edition) -> dict[str, str]:
    """Return path → text of all files that the simulated host is delivered with."""
    files = {
        "/etc/release": _release(edition),
        "/etc/crypto/pkcs11.conf": _pkcs11_conf(),
        "/etc/crypto/kcf.conf": _kcf_conf(edition),
        "/opt/acme/lib/libacmepkcs11.so": "",
        "/usr/lib/security/pkcs11_kernel.so": "",
        "/usr/lib/security/pkcs11_softtoken.so": "",
    }
    if edition.has_units:
        for driver in ("ncp", "n2cp", "n2rng"):
            files[f"{DRIVER_FOLDER}/{driver}.conf"] = _driver_conf(driver)
    return files


def _release(edition: Edition) -> str:
    if edition.release == "5.11":
        name = f"Oracle Solaris {edition.solaris} SPARC"
    elif edition.solaris in ("10 5/09", "10 10/09"):
        name = f"Solaris {edition.solaris} s10s SPARC"
    else:
        name = f"Oracle Solaris {edition.solaris} s10s SPARC"
    return f"{name:>48}\n"


def _pkcs11_conf() -> str:
    options = (
        "metaslot_status=enabled",
        "metaslot_auto_key_migrate=enabled",
        f"metaslot_token={SOFTTOKEN_LABEL}",
        f"metaslot_slot={SOFTTOKEN_SLOT}",
    )
    lines = ("# PKCS#11 providers; no programming interface.", f"metaslot:{';'.join(options)}")
    return "\n".join([*lines, KERNEL_LIBRARY, SOFTTOKEN_LIBRARY]) + "\n"


def _kcf_conf(edition: Edition) -> str:
    lines = ["# Providers of the kernel; no programming interface."]
    for name, mechanisms in software_providers(edition).items():
        lines.append(f"{name}:supportedlist={','.join(mechanisms)}" if mechanisms else name)
    return "\n".join(lines) + "\n"


def _driver_conf(driver: str) -> str:
    return f'# Driver {driver}.\nname="{driver}" parent="root";\n'
