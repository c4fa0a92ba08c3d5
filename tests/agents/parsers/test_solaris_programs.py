"""What cryptoadm, kstat, psrinfo and the others of Solaris print, as people paste it."""

from pathlib import Path

import pytest

from agents.parsers.base import UnexpectedOutput
from agents.parsers.solaris.cryptoadm import parse_cryptoadm, parse_cryptoadm_messages
from agents.parsers.solaris.cryptoadm_facts import CryptoPolicy, CryptoProvider
from agents.parsers.solaris.files import (
    parse_driver_file,
    parse_engines,
    parse_framework_file,
    parse_pktool_tokens,
)
from agents.parsers.solaris.kstat import parse_kstat
from agents.parsers.solaris.processors import parse_isainfo, parse_psrinfo, parse_uname
from agents.parsers.solaris.services import (
    MessageKind,
    parse_kssl_messages,
    parse_netstat,
    parse_svcprop,
    parse_svcs,
)

CASES = Path(__file__).parent / "cases" / "solaris"
SOFTTOKEN = "/usr/lib/security/$ISA/pkcs11_softtoken.so"


def text_of(name: str) -> str:
    return (CASES / f"{name}.txt").read_bytes().decode()


def providers_of(text: str) -> dict[str, CryptoProvider]:
    return {provider.name: provider for provider in parse_cryptoadm(text).providers}


@pytest.mark.parametrize("indent", ["\t", "    ", ""])
@pytest.mark.parametrize("prefix", ["Provider: ", ""])
def test_providers_are_listed_in_every_wording(indent: str, prefix: str) -> None:
    found = providers_of(
        f"USER-LEVEL PROVIDERS:\n{indent}{prefix}/opt/x/libx.so.1\n\nKernel software providers:\n"
        f"{indent}des\n{indent}md4 (inactive)\n\nkernel hardware providers:\n{indent}ncp/0\n"
    )
    assert {name: (p.kind, p.is_loaded) for name, p in found.items()} == {
        "/opt/x/libx.so.1": ("user", True),
        "des": ("kernel_software", True),
        "md4": ("kernel_software", False),
        "ncp/0": ("kernel_hardware", True),
    }


def test_policies_that_were_folded_are_whole() -> None:
    found = providers_of(text_of("cryptoadm_p_folded"))
    assert found[SOFTTOKEN].policy == CryptoPolicy(False, ("CKM_DES_CBC", "CKM_DES_ECB", "CKM_RC4"))
    assert found[SOFTTOKEN].random == "disabled"
    assert found["aes"].policy == CryptoPolicy(False, ("CKM_AES_ECB", "CKM_AES_CBC"))
    assert found["ncp/0"].policy == CryptoPolicy(True)
    assert (found["n2rng/0"].policy, found["n2rng/0"].random) == (None, "disabled")


def test_mechanisms_of_slots_have_sizes_and_operations() -> None:
    provider = providers_of(text_of("cryptoadm_mv"))[SOFTTOKEN]
    assert provider.slots[0].token is not None
    assert provider.slots[0].token.label == "blue token"
    mechanisms = {mechanism.name: mechanism for mechanism in provider.mechanisms or ()}
    assert mechanisms["CKM_AES_GCM"].operations == ("hw", "encrypt", "decrypt", "wrap", "unwrap")
    assert (mechanisms["CKM_SHA512"].min_key, mechanisms["CKM_SHA512"].max_key) == (None, 99999)
    assert set(mechanisms) >= {"0x80000001", "CKM_A_VERY_LONG_MECHANISM_NAME_THAT_IS_OVER"}


def test_a_row_whose_columns_were_folded_keeps_them() -> None:
    text = f"Provider: {SOFTTOKEN}\nMechanisms:\nCKM_X 1 2 X . .\n  X . . . . . . . . . X\n"
    (mechanism,) = providers_of(text)[SOFTTOKEN].mechanisms or ()
    assert mechanism.operations == ("hw", "digest", "ec")


def test_lists_of_mechanisms_go_on_over_lines() -> None:
    found = providers_of(
        "kernel hardware providers:\n====\nncp/0: CKM_DSA,CKM_RSA_X_509,\nCKM_RSA_PKCS,\n"
        "CKM_ECDSA\n"
        "n2rng/0: No mechanisms presented.\n"
    )
    assert [m.name for m in found["ncp/0"].mechanisms or ()][-1] == "CKM_ECDSA"
    assert (found["n2rng/0"].mechanisms, found["n2rng/0"].problem) == (
        (),
        "No mechanisms presented",
    )


def test_what_was_not_printed_is_none() -> None:
    provider = providers_of("Kernel software providers:\n\taes\n")["aes"]
    assert (provider.policy, provider.random, provider.mechanisms) == (None, None, None)


def test_the_metaslot_is_told_as_configured_and_as_it_is() -> None:
    found = parse_cryptoadm(
        "System-wide Meta Slot Configuration:\n-----\nStatus: enabled\n"
        "Sensitive Token Object Automatic Migrate: disabled\n"
        "Persistent object store token: my token\n\nDetailed Meta Slot Information:\n-----\n"
        "actual status: disabled.\n"
    ).metaslot
    assert found is not None
    assert (found.is_enabled, found.is_actual, found.is_migrating) == (True, False, False)
    assert (found.token, found.slot) == ("my token", "")


def test_messages_of_cryptoadm_are_kept_apart() -> None:
    found = parse_cryptoadm(
        "cryptoadm: write error.\naes: all mechanisms are enabled.\nodd line here\n"
    )
    assert found.messages == ("write error.",)
    assert [line.line for line in found.unread] == ["odd line here"]
    said = parse_cryptoadm_messages(
        "cryptoadm: (Warning) CKM_X is not a valid mechanism for aes.\n"
    )
    assert said.warnings == said.messages


@pytest.mark.parametrize(
    "text",
    ["", "Usage:\n  cryptoadm list [-mpv]\n", "cryptoadm: write error.\n", "bash: no such\n"],
)
def test_what_is_no_listing_of_cryptoadm_is_unexpected(text: str) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_cryptoadm(text)


def test_kstat_keeps_words_and_reads_numbers() -> None:
    found = {stat.statistic: stat for stat in parse_kstat(text_of("kstat_p_tabs")).stats}
    assert found["idle threads in pool"].number == 3
    assert found["kcf_ops_total"].value == "18446744073709551615"
    assert (found["crtime"].number, found["address"].number) == (61.25, 31)
    assert (found["cwq0state"].value, found["cwq0state"].number) == ("on line now", None)


def test_kstat_in_blocks_gives_the_same_as_with_p() -> None:
    block = (
        "module: ncp     instance: 1\nname:   ncp1    class:    misc\n\tmau0submit    12\n"
        "\tcrtime    1.5\n"
    )
    rows = "ncp:1:ncp1:class\tmisc\nncp:1:ncp1:mau0submit\t12\nncp:1:ncp1:crtime\t1.5\n"
    assert parse_kstat(block).stats == parse_kstat(rows).stats


def test_psrinfo_gives_cores_when_it_knows_them() -> None:
    (socket,) = parse_psrinfo(text_of("psrinfo_folded")).sockets
    assert socket.cores == (tuple(range(8)), tuple(range(16, 24)))
    assert (socket.model, socket.chip, socket.clock_mhz) == ("SPARC-T5", "1", 3600)


def test_psrinfo_without_options_gives_states() -> None:
    found = parse_psrinfo("0\ton-line   since 03/09/2029 10:11:12\n1\tno-intr  since 1/1/2029\n")
    assert [(p.number, p.state) for p in found.processors] == [(0, "on-line"), (1, "no-intr")]


def test_isainfo_words_go_on_until_the_next_set() -> None:
    found = parse_isainfo(
        "64-bit sparcv9 applications\n\tcrc32c aes \n\tsha1 vis\n32-bit sparc applications\n\tvis\n"
    )
    assert [(s.name, s.bits, s.words[-1]) for s in found.sets] == [
        ("sparcv9", 64, "vis"),
        ("sparc", 32, "vis"),
    ]


def test_uname_has_its_words() -> None:
    found = parse_uname("SunOS h1 5.10 Generic_1-2 sun4v sparc SUNW,T5440\n")
    assert (found.node, found.release, found.platform) == ("h1", "5.10", "SUNW,T5440")
    assert parse_uname("System = SunOS\nNode = h1\nNumCPU = 64\n").extra == (("NumCPU", "64"),)


def test_services_have_states_also_where_the_fmri_went_to_the_next_line() -> None:
    fmri = "svc:/network/ssl/proxy:kssl-a-443"
    found = parse_svcs(
        f"STATE STIME FMRI\nmaintenance    12:01:33\n{fmri}\nonline* Sep_27 svc:/b:c\n"
    )
    assert [(s.fmri, s.state, s.is_changing) for s in found.services] == [
        (fmri, "maintenance", False),
        ("svc:/b:c", "online", True),
    ]


def test_a_start_method_is_split_as_the_shell_would() -> None:
    found = parse_svcprop('start/exec astring /usr/lib/kssladm\\ create\\ -T\\ \\"A\\ B\\"\\ 443\n')
    assert found.words == ("/usr/lib/kssladm", "create", "-T", "A B", "443")


def test_messages_of_kssl_have_kinds_and_listeners_are_read() -> None:
    said = parse_kssl_messages("Warning: x timed out.\naddr = ::, port = 443\nError: bad\n")
    assert [message.kind for message in said.messages] == [
        MessageKind.WARNING,
        MessageKind.OTHER,
        MessageKind.ERROR,
    ]
    assert said.listens == (("::", 443),)
    rows = parse_netstat("192.0.2.5.443   *.*   0  0 49152  0 LISTEN\n").listeners
    assert [(row.address, row.port) for row in rows] == [("192.0.2.5", "443")]


def test_files_of_the_framework_and_of_drivers_are_read() -> None:
    entries = parse_framework_file("# x\n/a/$ISA/b.so:disabledlist=0x1,0x2\nmetaslot:a=b;c=d e\n")
    assert [entry.settings for entry in entries.entries] == [
        (("disabledlist", "0x1,0x2"),),
        (("a", "b"), ("c", "d e")),
    ]
    driver = parse_driver_file('name="n2cp" parent="/x@1";\nn2cp-sync-threads=3;\n')
    assert dict(driver.settings)["n2cp-sync-threads"] == "3"


def test_engines_and_tokens_are_listed() -> None:
    found = parse_engines(
        "(t4) SPARC T4 engine\n [AES-128-CBC, SHA1]\n     [ available ]\n"
    ).engines
    assert (found[0].offers, found[0].is_available) == (("AES-128-CBC", "SHA1"), True)
    text = f"Token Label\n{'a token':30}  {'Maker':15}  {'77':15}  default\n"
    assert parse_pktool_tokens(text).tokens[0].serial == "77"
