"""isainfo: instruction sets and their capability words, folded as the tool folds them."""

from agents.drivers.simulator.call import Call

_T2_64 = "vis2 vis popc"
_T2_32 = "asi_blk_init vis2 vis popc v8plus div32 mul32"
_T4 = (
    "crc32c cbcond pause mont mpmul sha512 sha256 sha1 md5 camellia kasumi des aes ima hpc vis3 "
    "fmaf asi_blk_init vis2 vis popc"
)
_WIDTH = 62


def run(call: Call) -> int:
    """`isainfo [-v|-x|-b|-k|-n]`; return the exit code."""
    flags = "".join(word[1:] for word in call.arguments if word.startswith("-"))
    is_t4 = not call.world.edition.has_units
    words64 = _T4 if is_t4 else f"asi_blk_init {_T2_64}"
    words32 = f"{_T4} v8plus div32 mul32" if is_t4 else _T2_32
    if "v" in flags:
        call.say("64-bit sparcv9 applications", *_folded(words64))
        call.say("32-bit sparc applications", *_folded(words32))
    elif "x" in flags:
        call.say(f"sparcv9: {words64}", f"sparc: {words32}")
    elif "b" in flags:
        call.say("64")
    elif "k" in flags or "n" in flags:
        call.say("sparcv9")
    else:
        call.say("sparcv9 sparc")
    return 0


def _folded(words: str) -> list[str]:
    """Return TAB-indented lines; all but the last end in a blank."""
    lines, line = [], ""
    for word in words.split():
        if line and len(line) + len(word) > _WIDTH:
            lines.append(f"\t{line} ")
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, f"\t{line}"]
