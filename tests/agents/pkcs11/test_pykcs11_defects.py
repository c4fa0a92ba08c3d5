"""The thirteen defects of PyKCS11 1.5.20, each by its name: none of them may reach a user."""

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.pkcs11.binding import make_binding
from agents.pkcs11.modules import ModuleRegistration, probe_modules

ROOT = Path(__file__).resolve().parents[3]


def test_1_no_bogus_ml_dsa_is_appended_to_the_mechanisms(softhsm: Any, binding: str) -> None:
    look = softhsm.look(softhsm.module, binding=binding)
    other = make_binding("ctypes")
    other.load(softhsm.module)
    other.initialize()
    raw = set(other.mechanisms(other.slots()[0]))
    other.finalize()
    found = {mechanism.number for mechanism in look.report.provider.mechanisms}
    assert found == raw
    assert 0x1D not in found


def test_2_a_session_state_is_its_number_not_a_wrong_word(look_at: Any, binding: str) -> None:
    look = look_at("logged_in", binding=binding)
    # 1 is CKS_RO_USER_FUNCTIONS: what such a session sees is not public, so nothing is counted.
    assert look.token("first").public_objects == {}
    assert look.codes == []


def test_3_unavailable_is_neither_minus_one_nor_zero(softhsm: Any, binding: str) -> None:
    look = softhsm.look(softhsm.module, binding=binding)
    token = look.token("alpha")
    assert token.total_public_memory_bytes is None
    assert token.total_private_memory_bytes is None
    assert token.max_sessions == -1  # CK_EFFECTIVELY_INFINITE
    assert [gauge for gauge in look.report.gauges if gauge.subject_key == token.key] == []


def test_3_the_largest_number_but_one_is_unlimited_too(look_at: Any, binding: str) -> None:
    look = look_at("odd_text", binding=binding)
    token = next(slot.token for slot in look.slots.values())
    assert token.max_rw_sessions == -1
    gauges = {g.name: g.value for g in look.report.gauges if g.subject_key == token.key}
    assert "token.sessions" not in gauges
    assert gauges["token.rw_sessions"] == 0.0


def test_4_versions_of_slots_and_tokens_have_one_form(softhsm: Any, binding: str) -> None:
    slots = softhsm.look(softhsm.module, binding=binding).report.provider.slots
    versions = {slot.hardware_version for slot in slots}
    versions |= {slot.token.hardware_version for slot in slots if slot.token}
    assert versions == {"2.6"}


def test_5_text_has_no_padding_and_no_rubbish_behind_a_nul(look_at: Any, binding: str) -> None:
    token = next(slot.token for slot in look_at("odd_text", binding=binding).slots.values())
    assert token.model == "SW   TPM"
    assert token.manufacturer == "maker"
    assert token.label == "caf\ufffd \ufffd[31m"


def test_6_ids_are_hex_and_a_missing_attribute_is_no_value(softhsm: Any, binding: str) -> None:
    token = softhsm.look(softhsm.module, binding=binding).token("alpha")
    assert token.certificates[0].object_id == "01ff"
    assert token.certificates[0].label == "web"


def test_6_a_missing_attribute_differs_from_an_empty_one(
    compiled: Callable[[str], str], binding: str
) -> None:
    code = (
        "from agents.pkcs11.binding import make_binding; import sys;"
        "b = make_binding(sys.argv[1]); b.load(sys.argv[2]); b.initialize();"
        "s = b.open_session(0); print(b.attribute(s, 1, 3), b.attribute(s, 1, 0)[:1])"
    )
    argv = [sys.executable, "-c", code, binding, compiled("wellbehaved")]
    printed = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, check=True, timeout=60)
    assert printed.stdout == "None b'\\x02'\n"


def test_7_vendor_mechanisms_stay_numbers(look_at: Any, binding: str) -> None:
    look = look_at("odd_mechanisms", binding=binding)
    vendor = look.mechanism("0x80000001")
    assert vendor.number == 0x80000001
    assert vendor.is_hardware
    assert vendor.operations == ["encrypt"]
    assert vendor.max_key_size is None
    assert vendor.attributes == {"other_flags": ["0x40000000", "EXTENSION"]}
    assert look.mechanism("0x00004fff").operations == []


def test_8_a_module_that_holds_the_gil_stops_nobody_here(look_at: Any) -> None:
    ticks: list[float] = []
    is_over = threading.Event()

    def tick() -> None:
        while not is_over.wait(0.02):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    look_at("hangs", binding="auto", timeout=3)
    is_over.set()
    thread.join()
    gaps = [later - earlier for earlier, later in itertools.pairwise(ticks)]
    assert len(gaps) > 10
    assert max(gaps) < 1.5


def test_9_two_probes_of_one_module_share_nothing(softhsm: Any, deadline: float) -> None:
    modules = [ModuleRegistration(name="softhsm", path=softhsm.module)] * 3
    outcomes = probe_modules(modules, module_timeout_seconds=20, deadline=deadline)
    assert all(outcome is not None and outcome.is_complete for outcome in outcomes)
    slots = [[r["slots"] for r in o.records if "slots" in r] for o in outcomes if o is not None]
    assert slots[0] == slots[1] == slots[2]


def test_10_no_module_is_ever_loaded_into_the_agent_that_might_fork(softhsm: Any) -> None:
    code = (
        "import sys, time; from agents.pkcs11.modules import *;"
        "m = ModuleRegistration(name='m', path=sys.argv[1]);"
        "assert probe_modules([m], module_timeout_seconds=20,"
        " deadline=time.monotonic() + 20)[0].is_complete;"
        "assert 'PyKCS11' not in sys.modules and 'ctypes' not in sys.modules;"
        "print('softhsm' in open('/proc/self/maps').read())"
    )
    argv = [sys.executable, "-c", code, softhsm.module]
    printed = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, check=True, timeout=60)
    assert printed.stdout == "False\n"


def test_11_a_module_that_cannot_lock_is_read_all_the_same(look_at: Any, binding: str) -> None:
    look = look_at("no_locking", binding=binding)
    assert look.report.provider.is_thread_safe is False
    assert look.codes == []
    assert len(look.slots) == 2
    assert look_at("wellbehaved", binding=binding).report.provider.is_thread_safe is True


def test_12_nothing_is_timed_through_pykcs11() -> None:
    sources = list((ROOT / "agents" / "workloads").rglob("*.py"))
    assert sources
    assert [path.name for path in sources if "PyKCS11" in path.read_text()] == []


def test_13_a_file_that_cannot_be_loaded_gets_a_sentence(look_at: Any, binding: str) -> None:
    missing = look_at("/nonexistent/lib.so", binding=binding)
    assert missing.codes == ["module.load_failed"]
    assert "No such file or directory" in missing.report.provider.error
    foreign = look_at("no_module", binding=binding)
    assert foreign.codes == ["module.load_failed"]
    assert "is not a PKCS#11 library" in foreign.report.provider.error
    assert foreign.report.provider.is_thread_safe is None


def test_14_text_that_is_not_utf8_keeps_its_bytes(
    compiled: Callable[[str], str], binding: str
) -> None:
    """A fourteenth: PyKCS11's low-level texts drop such bytes, and with them a token's identity."""
    code = (
        "from agents.pkcs11.binding import make_binding; import sys;"
        "b = make_binding(sys.argv[1]); b.load(sys.argv[2]); b.initialize();"
        "print(b.token_info(0).label[:5])"
    )
    argv = [sys.executable, "-c", code, binding, compiled("odd_text")]
    printed = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, check=True, timeout=60)
    assert printed.stdout == "b'caf\\xe9 '\n"


def test_where_pykcs11_cannot_be_imported_ctypes_does_its_work(
    compiled: Callable[[str], str],
) -> None:
    code = (
        "import sys; sys.modules['PyKCS11'] = None;"
        "from agents.pkcs11.binding import make_binding;"
        "b = make_binding(); b.load(sys.argv[1]); b.initialize(); print(b.name, b.slots())"
    )
    argv = [sys.executable, "-c", code, compiled("wellbehaved")]
    printed = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, check=True, timeout=60)
    assert printed.stdout == "ctypes [0, 1]\n"
