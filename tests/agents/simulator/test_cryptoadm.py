"""cryptoadm's words, files, and the exit codes that do not say what happened."""

from collections.abc import Callable

import pytest

from tests.support.simulated import Simulated

SOFTTOKEN = "/usr/lib/security/$ISA/pkcs11_softtoken.so"
LIBRARY = "/opt/acme/lib/libacmepkcs11.so"


def said(machine: Simulated, line: str) -> tuple[int, str]:
    """Return (exit code, stderr)."""
    done = machine.run(f"cryptoadm {line}")
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("", 2, "Usage:"),
        ("frobnicate", 2, "Usage:"),
        ("--help", 0, "Usage:"),
        ("list -m -v -p a b", 0, "Usage:"),
        ("list provider=aes", 2, "Usage:"),
        ("list -p -m", 2, "Usage:"),
        ("list -m provider=a/b/c", 2, "Usage:"),
        ("enable fips-140", 2, "Usage:"),
        ("list fips-140", 0, ""),
        ("unload foo=bar", 0, "cryptoadm: unable to determine provider name.\n"),
        ("unload provider=foo", 1, "provider foo is not loaded or does not exist."),
        ("unload provider=ncp/0", 1, "ncp/0 is not a valid kernel software provider."),
        ("enable provider=aes mechanism=CKM_AES_ECB", 0, "all mechanisms are enabled already"),
        ("enable provider=nosuch/9 all", 0, "all mechanisms are enabled already for nosuch/9."),
        ("enable metaslot bogus", 1, "Usage:"),
        ("enable metaslot token=x default-keystore", 1, "Usage:"),
        ("disable metaslot all", 1, "Usage:"),
        ("disable provider=aes", 2, "the mechanism operand is missing."),
        ("enable provider=aes random all", 2, "Usage:"),
        ("install provider=foo", 2, "need mechanism operands"),
        ("install provider=foo mechanism=all", 2, "can not use the all keyword"),
        ("install provider=/opt/none.so", 1, "cryptoadm: /opt/none.so not found\n"),
        ("install provider=/usr/lib/$ISA/libpkcs11.so", 1, "The framework library"),
        ("uninstall provider=ncp/0", 1, "bad provider name for uninstall."),
        ("uninstall provider=/opt/none.so", 1, "/opt/none.so does not exist."),
    ],
)
def test_exit_codes_and_messages(t5120: Simulated, line: str, code: int, text: str) -> None:
    returned, stderr = said(t5120, line)
    assert returned == code
    assert text in stderr if text else stderr == ""


def test_the_kernel_applies_the_good_names_of_a_bad_list(t5120: Simulated) -> None:
    line = "disable provider=aes mechanism=CKM_AES_ECB,CKM_FOO"
    warning = "cryptoadm: (Warning) CKM_FOO is not a valid mechanism for aes.\n"
    assert said(t5120, line) == (0, warning)
    expected = "aes: all mechanisms are enabled, except CKM_AES_ECB.\n"
    assert t5120.out("cryptoadm list -p provider=aes") == expected
    assert "CKM_AES_ECB" not in t5120.out("cryptoadm list -m provider=aes")


def test_a_library_applies_none_of_a_bad_list(t5120: Simulated) -> None:
    line = f"disable provider={SOFTTOKEN} mechanism=CKM_RC4,CKM_FOO"
    warning = "cryptoadm: (Warning) CKM_FOO is not a valid PKCS#11 mechanism.\n"
    assert said(t5120, line) == (1, warning)
    assert "except" not in t5120.out(f"cryptoadm list -p provider={SOFTTOKEN}")


def test_policies_are_listed_in_reverse_and_kept_as_numbers(t5120: Simulated) -> None:
    t5120.out(f"cryptoadm disable provider={SOFTTOKEN} mechanism=CKM_DES_CBC,CKM_DES_ECB")
    expected = f"{SOFTTOKEN}: all mechanisms are enabled, except CKM_DES_ECB,CKM_DES_CBC."
    assert t5120.out(f"cryptoadm list -p provider={SOFTTOKEN}").startswith(expected)
    text = t5120.file("/etc/crypto/pkcs11.conf").read_text()
    assert f"{SOFTTOKEN}:disabledlist=0x00000122,0x00000121\n" in text


def test_all_disabled_but_one(t5120: Simulated) -> None:
    t5120.out(f"cryptoadm disable provider={SOFTTOKEN} all")
    t5120.out(f"cryptoadm enable provider={SOFTTOKEN} mechanism=CKM_RSA_PKCS")
    assert t5120.out(f"cryptoadm list -p provider={SOFTTOKEN}") == (
        f"{SOFTTOKEN}: all mechanisms are disabled, except CKM_RSA_PKCS. random is disabled.\n"
    )


def test_random_only_hardware(t5120: Simulated) -> None:
    show = "cryptoadm list -p provider=n2rng/0"
    assert t5120.out(show) == "n2rng/0: all mechanisms are enabled. random is enabled.\n"
    t5120.out("cryptoadm disable provider=n2rng/0 random")
    assert t5120.out(show) == "n2rng/0: random is disabled.\n"


def test_values_are_cut_at_the_next_equals_sign(t5120: Simulated) -> None:
    t5120.out("cryptoadm enable metaslot token=half=whole")
    assert "store token: half\n" in t5120.out("cryptoadm list metaslot")


def test_unloaded_software_is_inactive_until_the_next_boot(t5120: Simulated) -> None:
    t5120.out("cryptoadm unload provider=md5")
    assert "    md5 (inactive)" in t5120.lines("cryptoadm list")
    assert "md5: (inactive)" in t5120.lines("cryptoadm list -m")
    t5120.reboot("primary")
    assert "    md5" in t5120.lines("cryptoadm list")


def test_a_library_is_installed_and_uninstalled(t5120: Simulated) -> None:
    t5120.out(f"cryptoadm install provider={LIBRARY}")
    assert f"    {LIBRARY}" in t5120.lines("cryptoadm list")
    listed = t5120.run("cryptoadm list -m")
    assert f"{LIBRARY}: failed to retrieve the mechanism list." in listed.stdout
    assert listed.returncode == 1
    t5120.out(f"cryptoadm uninstall provider={LIBRARY}")
    assert LIBRARY not in t5120.out("cryptoadm list")


def test_file_and_kernel_may_differ_after_a_failure_half_way(t5120: Simulated) -> None:
    t5120.fault("half", "cryptoadm", "disable")
    assert said(t5120, "disable provider=aes mechanism=CKM_AES_ECB")[0] == 1
    assert "disabledlist=CKM_AES_ECB" in t5120.file("/etc/crypto/kcf.conf").read_text()
    assert "CKM_AES_ECB" in t5120.out("cryptoadm list -m provider=aes")


def test_metaslot_as_configured_and_as_it_is(t5120: Simulated) -> None:
    t5120.out("cryptoadm disable metaslot")
    lines = t5120.lines("cryptoadm list -v metaslot")
    assert lines[2] == "Status: disabled"
    assert lines[-1] == "actual status: disabled."
    t5120.out("cryptoadm enable metaslot auto-key-migrate")
    t5120.turn("metaslot.actual", "disabled")
    lines = t5120.lines("cryptoadm list -v metaslot")
    assert (lines[2], lines[-1]) == ("Status: enabled", "actual status: disabled.")


def test_metaslot_without_mechanisms_goes_off(t5120: Simulated) -> None:
    t5120.out("cryptoadm disable metaslot mechanism=all")
    assert "Status: disabled" in t5120.out("cryptoadm list metaslot")
    assert t5120.out("cryptoadm list -p metaslot") == "metaslot: all mechanisms are disabled.\n"


def test_a_token_replaces_the_slot(t5120: Simulated) -> None:
    t5120.out('cryptoadm enable metaslot token="Acme HSM"')
    text = t5120.out("cryptoadm list metaslot")
    assert "Persistent object store token: Acme HSM\n" in text
    assert "object store slot" not in text
    assert t5120.run(f"cryptoadm enable metaslot token={'x' * 33}").returncode == 1


@pytest.mark.parametrize(
    ("name", "value", "line", "expected"),
    [
        ("cryptoadm.style", "illumos", "list", "Kernel software providers:\n\tdes\n\taes\n"),
        ("cryptoadm.first_blank", "no", "list", "user-level"),
        ("cryptoadm.fips", "drivers", "list fips-140", "ncp: FIPS-140 mode is disabled.\n"),
    ],
)
def test_a_doubtful_format_can_be_turned(
    t5120: Simulated, name: str, value: str, line: str, expected: str
) -> None:
    before = t5120.out(f"cryptoadm {line}")
    t5120.turn(name, value)
    after = t5120.out(f"cryptoadm {line}")
    assert before != after
    assert expected in after


def test_nothing_presented_is_how_a_kernel_library_without_slots_looks(
    simulated: Callable[[str], Simulated],
) -> None:
    lines = simulated("t4-1").lines("cryptoadm list -m")
    kernel = "/usr/lib/security/$ISA/pkcs11_kernel.so"
    assert f"{kernel}: no slots presented." in lines
    assert lines[-2:] == ["Kernel hardware providers:", "=" * 26]


def test_only_a_t4_shows_hardware_in_the_softtokens_table(
    simulated: Callable[[str], Simulated],
) -> None:
    line = f"cryptoadm list -mv provider={SOFTTOKEN}"
    row = "CKM_AES_CBC                  16   32   {}  X  X  .  .  .  .  .  .  .  X  X  .  ."
    assert row.format("X") in simulated("t4-1").lines(line)
    assert row.format(".") in simulated("t5120").lines(line)
