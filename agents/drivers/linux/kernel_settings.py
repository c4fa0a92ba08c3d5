"""Host-wide settings of the kernel: FIPS mode and TLS in the kernel. Absent is not off."""

import re

from agents.drivers.linux.host import kernel_release
from agents.drivers.linux.tree import Tree
from agents.parsers.linux.keyvalues import parse_meminfo, parse_tls_stat
from agents.wire.inventory import Attribute, Gauge

_FIPS = "/proc/sys/crypto/fips_enabled"
_TLS_STAT = "/proc/net/tls_stat"
NOT_AVAILABLE = "not available"

_TLS_NAMES = {
    "TlsCurrTxSw": "ktls.current_tx_sw",
    "TlsCurrRxSw": "ktls.current_rx_sw",
    "TlsCurrTxDevice": "ktls.current_tx_device",
    "TlsCurrRxDevice": "ktls.current_rx_device",
    "TlsTxSw": "ktls.tx_sw",
    "TlsRxSw": "ktls.rx_sw",
    "TlsTxDevice": "ktls.tx_device",
    "TlsRxDevice": "ktls.rx_device",
    "TlsDecryptError": "ktls.decrypt_errors",
    "TlsRxDeviceResync": "ktls.rx_device_resyncs",
    "TlsDecryptRetry": "ktls.decrypt_retries",
}


def kernel_settings(tree: Tree) -> dict[str, Attribute]:
    """Return `fips.kernel` and `ktls` in words.

    Without CONFIG_CRYPTO_FIPS there is no file, and FIPS mode is `not available` rather than
    disabled. /proc/net/tls_stat exists only while the tls module is loaded.
    """
    fips = {"1": "enabled", "0": "disabled", None: NOT_AVAILABLE}
    word = tree.read_word(_FIPS)
    return {"fips.kernel": fips.get(word, word), "ktls": _ktls(tree)}


def _ktls(tree: Tree) -> str:
    if tree.exists(_TLS_STAT):
        return "loaded"
    modules = tree.read(f"/lib/modules/{kernel_release(tree)}/modules.dep") or ""
    is_there = any(line.startswith("kernel/net/tls/tls.ko") for line in modules.splitlines())
    return "not loaded" if is_there else NOT_AVAILABLE


def kernel_gauges(tree: Tree) -> list[Gauge]:
    """Return kTLS counters, uptime, load, free memory and entropy; what is absent gives none."""
    counters = tree.parse(_TLS_STAT, parse_tls_stat) or {}
    found: dict[str, float | None] = {
        _TLS_NAMES.get(name, _snake(name)): float(value) for name, value in counters.items()
    }
    found["host.uptime_seconds"] = _first_float(tree.read("/proc/uptime"))
    for index, name in enumerate(("host.load_1m", "host.load_5m", "host.load_15m")):
        found[name] = _first_float(tree.read("/proc/loadavg"), index)
    memory = tree.parse("/proc/meminfo", parse_meminfo) or {}
    found["host.memory_available_bytes"] = memory.get("MemAvailable")
    found["host.entropy_bits"] = tree.read_int("/proc/sys/kernel/random/entropy_avail")
    return [
        Gauge(name=name, subject_key="host", value=float(value))
        for name, value in found.items()
        if value is not None
    ]


def _snake(name: str) -> str:
    """`TlsTxRekeyOk`, a counter of newer kernels, becomes `ktls.tx_rekey_ok`."""
    return "ktls." + re.sub(r"(?<!^)(?=[A-Z])", "_", name.removeprefix("Tls")).lower()


def _first_float(text: str | None, index: int = 0) -> float | None:
    words = (text or "").split()
    try:
        value = float(words[index])
    except (IndexError, ValueError):
        return None
    return value if value == value and abs(value) < 1e18 else None
