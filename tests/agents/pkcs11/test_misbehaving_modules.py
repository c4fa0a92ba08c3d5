"""Modules that crash, hang, lie or talk: each is a finding about itself; nothing else is lost."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from agents.pkcs11.modules import ModuleRegistration, probe_modules
from agents.pkcs11.report import module_report

GOOD_OBJECTS = {"data": 1, "public_key": 2}


def test_a_wellbehaved_module_gives_no_finding(look_at: Any, binding: str) -> None:
    look = look_at("wellbehaved", binding=binding)
    assert look.codes == []
    assert look.report.provider.state == "ok"
    assert look.token("first").public_objects == GOOD_OBJECTS
    assert look.token("second").serial == "0002"


@pytest.mark.parametrize(
    ("module", "signal_name", "step"),
    [
        ("crashes_in_second_slot", "SIGSEGV", "C_GetTokenInfo of slot 1"),
        ("crashes_on_load", "SIGABRT", "load"),
        ("crashes_in_finalize", "SIGABRT", "C_Finalize"),
    ],
)
def test_a_crash_names_the_signal_and_the_call(
    look_at: Any, binding: str, module: str, signal_name: str, step: str
) -> None:
    look = look_at(module, binding=binding)
    finding = look.report.findings[0]
    assert finding.code == "module.crashed"
    assert finding.subject_key == look.registration.key
    assert finding.evidence == {"signal": signal_name, "step": step}


def test_what_was_read_before_a_crash_is_kept(look_at: Any, binding: str) -> None:
    look = look_at("crashes_in_second_slot", binding=binding)
    assert look.report.provider.state == "failed"
    assert look.report.provider.description == "Module made for a test"
    assert look.token("first").public_objects == GOOD_OBJECTS
    assert look.slots[1].token is None


def test_a_module_that_crashes_when_left_was_read_completely(look_at: Any, binding: str) -> None:
    look = look_at("crashes_in_finalize", binding=binding)
    assert look.report.provider.state == "ok"
    assert look.token("second").public_objects == GOOD_OBJECTS


def test_a_hanging_module_is_ended_at_its_deadline(look_at: Any, binding: str) -> None:
    started = time.monotonic()
    look = look_at("hangs", binding=binding, timeout=2)
    assert time.monotonic() - started < 10
    assert look.codes == ["module.timed_out"]
    assert "C_GetSlotList" in look.report.findings[0].message
    assert look.report.provider.state == "failed"


def test_rubbish_on_stdout_is_told_and_corrupts_nothing(look_at: Any, binding: str) -> None:
    look = look_at("writes_stdout", binding=binding)
    assert look.codes == ["module.wrote_stdout"]
    assert sorted(look.slots) == [0, 1]
    assert look.report.provider.manufacturer == "Keyrack tests"


def test_an_endless_flood_of_output_ends_at_the_deadline(look_at: Any) -> None:
    look = look_at("floods", timeout=2)
    assert look.codes == ["module.timed_out", "module.wrote_stdout"]
    assert look.report.provider.manufacturer == ""


def test_a_module_that_closes_our_descriptors_is_still_read(look_at: Any, binding: str) -> None:
    look = look_at("closes_descriptors", binding=binding)
    assert look.codes == []
    assert look.token("second").public_objects == GOOD_OBJECTS


def test_a_module_that_scribbles_into_our_file_is_told(look_at: Any, binding: str) -> None:
    look = look_at("scribbles", binding=binding)
    assert look.codes == ["module.wrote_foreign_file"]
    assert sorted(look.slots) == [0, 1]


def test_a_module_that_ends_the_process_is_told(look_at: Any, binding: str) -> None:
    look = look_at("exits", binding=binding)
    assert look.codes == ["module.ended_probe"]
    assert look.report.findings[0].evidence["exit_code"] == 7


def test_one_failing_slot_leaves_the_other(look_at: Any, binding: str) -> None:
    look = look_at("failing_slot", binding=binding)
    assert look.codes == ["slot.unreadable"]
    assert look.report.findings[0].subject_key == look.slots[1].key
    assert look.slots[1].error == "C_GetSlotInfo answered CKR_DEVICE_ERROR."
    assert look.report.provider.state == "ok"
    assert look.token("first").public_objects == GOOD_OBJECTS


def test_a_slot_list_that_changes_is_told(look_at: Any, binding: str) -> None:
    look = look_at("changing_slots", binding=binding)
    assert look.codes == ["slot.unreadable", "module.slot_list_changed"]
    assert look.slots[1].error == "C_GetSlotInfo answered CKR_SLOT_ID_INVALID."
    assert look.token("first").public_objects == GOOD_OBJECTS


def test_a_slot_list_that_grows_between_two_calls_is_asked_again(
    look_at: Any, binding: str
) -> None:
    look = look_at("growing_slots", binding=binding)
    assert look.codes == []
    assert sorted(look.slots) == [0, 1]


def test_four_thousand_million_slots_are_not_believed(look_at: Any, binding: str) -> None:
    look = look_at("absurd_slots", binding=binding)
    assert look.codes == ["module.absurd_count"]
    assert look.report.findings[0].evidence["count"] == "4294967295"
    assert look.slots == {}


def test_absurdly_many_mechanisms_cost_that_slot_only(look_at: Any, binding: str) -> None:
    look = look_at("absurd_mechanisms", binding=binding)
    assert look.codes == ["module.absurd_count"]
    assert look.report.findings[0].subject_key == look.slots[0].key
    assert look.mechanism("CKM_AES_CBC").max_key_size == 32


def test_endless_objects_and_absurd_values_are_not_believed(look_at: Any, binding: str) -> None:
    look = look_at("absurd_objects", binding=binding)
    assert look.codes == ["module.absurd_count", "module.absurd_count"]
    functions = [finding.evidence["function"] for finding in look.report.findings]
    assert functions == ["C_FindObjects", "C_GetAttributeValue"]
    assert look.token("second").public_objects == {"unreadable": 3}


def test_a_module_whose_daemon_is_down_is_told(look_at: Any, binding: str) -> None:
    look = look_at("refuses_initialize", binding=binding)
    assert look.codes == ["module.initialize_failed"]
    assert look.report.provider.state == "failed"
    assert "CKR_GENERAL_ERROR" in look.report.provider.error


def test_nothing_ever_logs_in_or_writes(look_at: Any, binding: str) -> None:
    look = look_at("login_is_fatal", binding=binding)
    assert look.codes == []
    assert look.token("first").public_objects == GOOD_OBJECTS


def test_tokens_alike_in_serial_and_label_are_told_apart(look_at: Any, binding: str) -> None:
    look = look_at("twins", binding=binding)
    assert look.codes == ["token.duplicate_identity"]
    keys = [slot.token.key for slot in look.slots.values()]
    assert len(set(keys)) == 2
    assert look.report.findings[0].subject_key == look.slots[1].key


def test_a_crashing_and_a_hanging_module_disturb_no_other(
    compiled: Callable[[str], str], deadline: float
) -> None:
    names = ["crashes_in_second_slot", "wellbehaved", "hangs", "odd_text", "exits", "failing_slot"]
    modules = [ModuleRegistration(name=name, path=compiled(name)) for name in names]
    outcomes = probe_modules(modules, module_timeout_seconds=5, deadline=deadline)
    states = {
        module.name: module_report(module, outcome).provider.state
        for module, outcome in zip(modules, outcomes, strict=True)
    }
    assert [name for name in names if states[name] == "failed"] == [
        "crashes_in_second_slot",
        "hangs",
        "exits",
    ]


def test_hanging_modules_wait_side_by_side(compiled: Callable[[str], str], deadline: float) -> None:
    modules = [ModuleRegistration(name="hangs", path=compiled("hangs"))] * 4
    started = time.monotonic()
    outcomes = probe_modules(modules, module_timeout_seconds=3, deadline=deadline)
    # One after the other they would take 12 s.
    assert time.monotonic() - started < 10
    assert all(outcome is not None and outcome.timed_out for outcome in outcomes)


def test_the_budget_of_a_scan_bounds_all_modules_together(compiled: Callable[[str], str]) -> None:
    modules = [ModuleRegistration(name="hangs", path=compiled("hangs"))] * 6
    started = time.monotonic()
    outcomes = probe_modules(modules, module_timeout_seconds=30, deadline=started + 1)
    assert time.monotonic() - started < 10
    reports = [module_report(m, o) for m, o in zip(modules, outcomes, strict=True)]
    codes = [report.findings[0].code for report in reports]
    assert codes == ["module.timed_out"] * 4 + ["module.not_probed"] * 2


def test_a_module_that_is_not_to_be_loaded_is_not_loaded(
    compiled: Callable[[str], str], deadline: float
) -> None:
    module = ModuleRegistration(
        name="no", path=compiled("crashes_on_load"), is_probed=False, reason="Disabled."
    )
    [outcome] = probe_modules([module], module_timeout_seconds=1, deadline=deadline)
    report = module_report(module, outcome)
    assert report.provider.state == "inactive"
    assert report.provider.error == "Disabled."
    assert report.findings == []
