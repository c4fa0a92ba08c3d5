"""svcs: instances with state and time."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.services.units import instances, matching, stime

_COLUMNS = {"state": "STATE", "stime": "STIME", "fmri": "FMRI"}
_WIDTHS = {"state": 14, "stime": 8}


def run(call: Call) -> int:
    """`svcs [-aH] [-o state,stime,fmri] [pattern …]`; return the exit code."""
    columns = ["state", "stime", "fmri"]
    has_heads, has_all, patterns = True, False, []
    words = list(call.arguments)
    while words:
        word = words.pop(0)
        if word == "-o" and words:
            columns = [name.lower() for name in words.pop(0).split(",")]
        elif word.startswith("-") and len(word) > 1:
            has_heads = has_heads and "H" not in word
            has_all = has_all or "a" in word
        else:
            patterns.append(word)
    unknown = [name for name in columns if name not in _COLUMNS]
    if unknown:
        call.complain(f'svcs: Unknown column "{unknown[0]}".')
        return 2
    return _print(call, columns, patterns, has_heads=has_heads, has_all=has_all)


def _print(
    call: Call, columns: list[str], patterns: list[str], *, has_heads: bool, has_all: bool
) -> int:
    code = 0
    known = instances(call)
    names = [n for n, service in known.items() if has_all or service["state"] != "disabled"]
    if patterns:
        names = []
        for pattern in patterns:
            found = matching(call, pattern)
            if not found:
                call.complain(f'svcs: Pattern "{pattern}" doesn\'t match any instances')
                code = 1
            names += found
    if has_heads and names:
        call.say(_row({name: _COLUMNS[name] for name in columns}, columns))
    for name in names:
        service = known[name]
        cells = {"state": service["state"], "stime": stime(service), "fmri": name}
        call.say(_row(cells, columns))
    return code


def _row(cells: dict[str, str], columns: list[str]) -> str:
    *lead, last = columns
    return "".join(f"{cells[name]:<{_WIDTHS.get(name, 10)}} " for name in lead) + cells[last]
