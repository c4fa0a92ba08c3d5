"""SMF's programs and the SSL proxy: exit 0 says that the instance was made, not that it works."""

from collections.abc import Callable

import pytest

from tests.support.simulated import Simulated

TOKEN = '-f pkcs11 -T "Sun Software PKCS#11 softtoken" -C Server-Cert'
FMRI = "svc:/network/ssl/proxy:kssl-www-example-net-443"


def test_keys_of_a_token_do_not_load_while_metaslot_is_on(t5120: Simulated) -> None:
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 www.example.net 443")
    assert t5120.out(f"svcs -H -o state {FMRI}") == "maintenance\n"
    log = t5120.file("/var/svc/log/network-ssl-proxy:kssl-www-example-net-443.log")
    assert "Error loading cert and key: 0x5" in log.read_text()


def test_with_metaslot_off_they_load_until_the_next_boot(t5120: Simulated) -> None:
    t5120.out("cryptoadm disable metaslot")
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 www.example.net 443")
    t5120.out("cryptoadm enable metaslot")
    assert t5120.out(f"svcs -H -o state {FMRI}") == "online\n"
    t5120.reboot("primary")
    assert t5120.out(f"svcs -H -o state {FMRI}") == "maintenance\n"


def test_the_start_method_tells_all_parameters(t5120: Simulated) -> None:
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 www.example.net 443")
    method = t5120.out(f"svcprop -p start/exec {FMRI}").replace("\\", "")
    assert method.startswith('/usr/lib/kssladm create -f pkcs11 -T "Sun Software PKCS#11 ')
    assert method.endswith("-x 8080 www.example.net 443\n")


def test_the_first_instance_turns_the_filter_on_and_the_last_one_off(t5120: Simulated) -> None:
    show = "svcs -H -o state svc:/network/socket-filter:kssl"
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 443")
    assert t5120.out(show) == "online\n"
    t5120.out("ksslcfg delete 443")
    assert t5120.out(show) == "disabled\n"


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("-V", 0, ""),
        ("-?", 0, "Usage:"),
        ("list", 2, "Error: Unknown subcommand -- list"),
        (f"create {TOKEN} -x 8080 99999", 1, "Error: Invalid port value -- 99999"),
        (f"create {TOKEN} -x abc 443", 2, "Error: Invalid proxy port value abc"),
        ("create -f pem -x 8080 443", 2, "Usage:"),
        ("delete 443", 0, ""),
    ],
)
def test_exit_codes_of_ksslcfg(t5120: Simulated, line: str, code: int, text: str) -> None:
    done = t5120.run(f"ksslcfg {line}")
    assert done.returncode == code
    assert text in done.stderr


def test_an_instance_for_any_address_excludes_others(t5120: Simulated) -> None:
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 443")
    done = t5120.run(f"ksslcfg create {TOKEN} -x 8080 www.example.net 443")
    assert done.returncode == 3
    assert done.stderr.startswith("Error: INADDR_ANY instance exists.")


def test_making_one_again_says_so(t5120: Simulated) -> None:
    line = f"ksslcfg create {TOKEN} -x 8080 443"
    t5120.out(line)
    expected = "Note: reconfiguring the existing instance kssl-INADDR_ANY-443.\n"
    assert t5120.out(line) == expected


def test_svcs_says_what_it_does_not_find(t5120: Simulated) -> None:
    done = t5120.run("svcs nosuch")
    assert done.returncode == 1
    assert "doesn't match any instances" in done.stderr
    assert t5120.lines("svcs cryptosvc")[0] == "STATE          STIME    FMRI"


def test_svcadm_clears_what_can_start_now(t5120: Simulated) -> None:
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 www.example.net 443")
    t5120.out("cryptoadm disable metaslot")
    t5120.out(f"svcadm clear {FMRI}")
    assert t5120.out(f"svcs -H -o state {FMRI}") == "online\n"


def test_counters_of_the_proxy_are_there_with_the_first_instance(t5120: Simulated) -> None:
    assert t5120.run("kstat -p -m kssl").returncode == 1
    t5120.out(f"ksslcfg create {TOKEN} -x 8080 443")
    assert "kssl:0:kssl_stats:kssl_full_handshakes\t" in t5120.out("kstat -p -m kssl")


def test_nothing_of_the_proxy_is_left_out_of_solaris_11_1(
    simulated: Callable[[str], Simulated],
) -> None:
    assert simulated("t4-1").out("ksslcfg -V") == "Version 2.0\n"
