"""kstat: counters of the crypto drivers and the framework; they move with the clock."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.mechanisms import hardware_providers, software_providers
from agents.drivers.simulator.loads import moved
from agents.drivers.simulator.services.units import PROXY
from agents.drivers.simulator.world import now

_JOBS = {"aes": 34.0, "des": 0.0, "des3": 0.1, "md5": 0.4, "rc4": 1.2, "sha1": 9.0, "sha256": 2.5}
_KSSL = (
    "alloc_fails",
    "appdata_record_ins",
    "appdata_record_outs",
    "bad_pre_master_secret",
    "compute_mac_failure",
    "fallback_connections",
    "fatal_alerts",
    "full_handshakes",
    "no_suite_found",
    "proxy_fallback_failed",
    "record_decrypt_failure",
    "resumed_sessions",
    "sid_cache_hits",
    "sid_cache_lookups",
    "sid_uncached",
    "verify_mac_failure",
    "warning_alerts",
)
_HARDWARE = "hardware"
_KSSL_RATES = {"appdata_record_ins": 3.0, "appdata_record_outs": 4.5, "full_handshakes": 0.2}


@dataclass(frozen=True, slots=True)
class Kstat:
    """One kstat with its statistics."""

    module: str
    instance: int
    name: str
    category: str
    values: dict[str, str]


def run(call: Call) -> int:
    """`kstat [-p] [-m module] [-i n] [-n name] [-s statistic] [-c class]`; return the exit code."""
    is_plain, wanted = False, {}
    words = list(call.arguments)
    while words:
        word = words.pop(0)
        if word in ("-m", "-i", "-n", "-s", "-c") and words:
            wanted[word[1]] = words.pop(0)
        elif word == "-p":
            is_plain = True
        elif word.startswith("-"):
            call.complain("Usage:", "kstat [ -qlp ] [ -T d|u ] [ -c class ] [ -m module ]")
            return 2
        else:
            names = dict(zip("mins", word.split(":"), strict=False))
            wanted |= {letter: value for letter, value in names.items() if value}
    found = [kstat for kstat in kstats(call) if _fits(kstat, wanted)]
    for kstat in found:
        _print(call, kstat, wanted.get("s"), is_plain=is_plain)
    return 0 if found else int(call.variant("kstat.no_match"))


def _fits(kstat: Kstat, wanted: dict[str, str]) -> bool:
    has = {
        "m": kstat.module,
        "i": str(kstat.instance),
        "n": kstat.name,
        "c": kstat.category,
    }
    fits = all(has[letter] == value for letter, value in wanted.items() if letter in has)
    return fits and ("s" not in wanted or wanted["s"] in kstat.values)


def _print(call: Call, kstat: Kstat, only: str | None, *, is_plain: bool) -> None:
    up = now() - call.world.control.booted_at
    rows = {**kstat.values, "crtime": "140.5127823", "snaptime": f"{up:.7f}"}
    if is_plain:
        rows["class"] = kstat.category
        lead = f"{kstat.module}:{kstat.instance}:{kstat.name}:"
        call.say(*(f"{lead}{k}\t{rows[k]}" for k in sorted(rows) if only in (None, k)))
        return
    call.say(f"module: {kstat.module:<30.30}  instance: {kstat.instance:<6d}")
    call.say(f"name:   {kstat.name:<30.30}  class:    {kstat.category}")
    call.say(*(f"\t{k:<30}  {rows[k]}" for k in sorted(rows) if only in (None, k)), "")


def kstats(call: Call) -> Iterator[Kstat]:
    """Yield all kstats that there are."""
    edition = call.world.edition
    if edition.has_units and call.variant("kstat.nostats") == "no":
        if call.world.control.maus:
            yield _ncp(call)
            yield _n2cp(call)
        yield _n2rng(call)
    yield from _framework(call)
    if any(name.startswith(f"{PROXY}:kssl-") for name in call.world.services):
        values = {f"kssl_{name}": _moved(call, _KSSL_RATES.get(name, 0.0)) for name in _KSSL}
        yield Kstat("kssl", 0, "kssl_stats", "crypto", values)


def _moved(call: Call, per_second: float, what: str = "") -> str:
    """Return a counter that moved at a rate since the control domain's boot, by the load."""
    return str(math.floor(moved(call.world, what) * per_second))


def _ncp(call: Call) -> Kstat:
    values = {name: _moved(call, 0.0, _HARDWARE) for name in ("dsasign", "dsaverify")}
    values |= {
        "rsaprivate": _moved(call, 1.2, _HARDWARE),
        "rsapublic": _moved(call, 1.1, _HARDWARE),
    }
    for place, _unit in enumerate(call.world.control.maus):
        values[f"mau{place}submit"] = _moved(call, 1.15, _HARDWARE)
        values[f"mau{place}qfull"] = _moved(call, 0.0, "full")
        values[f"mau{place}update_failure"] = "0"
    return Kstat("ncp", 0, "ncp0", call.variant("kstat.class"), values)


def _n2cp(call: Call) -> Kstat:
    form = call.variant("kstat.n2cp_jobs")
    suffix = "jobs" if form == "jobs" else ""
    jobs = {} if form == "none" else _JOBS
    values = {f"{name}{suffix}": _moved(call, rate, _HARDWARE) for name, rate in jobs.items()}
    for place, _unit in enumerate(call.world.control.maus):
        values[f"cwq{place}state"] = "online"
        values[f"cwq{place}submit"] = _moved(call, 23.6, _HARDWARE)
        values[f"cwq{place}qfull"] = _moved(call, 0.002, "full")
        values[f"cwq{place}qupdate_failure"] = "0"
    return Kstat("n2cp", 0, call.variant("kstat.n2cp_name"), call.variant("kstat.class"), values)


def _n2rng(call: Call) -> Kstat:
    values = {"status": "online", "rngjobs": _moved(call, 1.4), "rngbytes": _moved(call, 11.2)}
    for chip in range(call.world.edition.chips):
        values[f"rng{chip}-state"] = "online"
        for cell in range(3):
            values[f"rng{chip}-cell{cell}-bias"] = "3"
            values[f"rng{chip}-cell{cell}-entropy"] = str(4087 + 5 * cell)
    return Kstat("n2rng", 0, "n2rng0", "misc", values)


def _framework(call: Call) -> Iterator[Kstat]:
    names = list(software_providers(call.world.edition))
    names += [
        f"{name.replace('/', '_')}_{number}"
        for number, name in enumerate(hardware_providers(call.world.edition), start=1)
    ]
    for place, name in enumerate(names):
        rate = 23.0 if name.startswith("n2cp") else 1.1 if name.startswith("ncp") else 0.02 * place
        what = _HARDWARE if name.startswith(("n2cp_", "ncp_")) else "software"
        total = _moved(call, rate, what)
        values = {
            "kcf_ops_total": total,
            "kcf_ops_passed": total,
            "kcf_ops_failed": "0",
            "kcf_ops_returned_busy": _moved(call, rate * 0.001, what),
        }
        yield Kstat("kcf", 0, f"{name}_provider_stats"[:30], "crypto", values)
    values = {"idle threads in pool": "0", "max threads in pool": "1024", "threads in pool": "0"}
    yield Kstat("kcf", 0, "framework_stats", "crypto", values)
