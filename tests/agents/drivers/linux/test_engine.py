"""The Linux kinds through the real engine: order in, events out, files and library as promised."""

import shutil
from pathlib import Path

import pytest

from tests.agents.support.orders import Agent

needs_softhsm = pytest.mark.skipif(
    shutil.which("softhsm2-util") is None, reason="SoftHSM is not installed here"
)
MD5_OFF = {"provider": "softhsm2", "disable": ["CKM_MD5"]}


@pytest.fixture
def softhsm(tmp_path: Path) -> Agent:
    conf = tmp_path / "softhsm2.conf"
    conf.write_text(f"directories.tokendir = {tmp_path}\nslots.mechanisms = ALL\n")
    settings = f'[pkcs11.environment]\nSOFTHSM2_CONF = "{conf}"\n'
    return Agent(tmp_path, driver="linux", settings=settings)


@pytest.fixture
def p11kit(tmp_path: Path) -> Agent:
    root = tmp_path / "root"
    for path, text in (
        ("proc/cpuinfo", "processor\t: 0\n"),
        ("usr/share/p11-kit/modules/softhsm2.module", "module: /usr/lib/libsofthsm2.so\n"),
        ("etc/pkcs11/modules/other.module", "module: /opt/other.so\n"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Agent(tmp_path, driver="linux", settings=f'[linux]\nroot = "{root}"\n')


@needs_softhsm
def test_a_mechanism_of_the_real_softhsm_is_taken_away(softhsm: Agent) -> None:
    done = softhsm.change("mechanism.policy", MD5_OFF)
    assert done["outcome"] == "succeeded", done
    assert done["result"]["parts"]["mechanism.policy/softhsm2"] == ["CKM_MD5"]
    assert softhsm.plan("mechanism.policy", MD5_OFF)["is_noop"]


@needs_softhsm
def test_a_plan_goes_stale_when_an_admin_edits_the_file(softhsm: Agent) -> None:
    plan = softhsm.plan("mechanism.policy", MD5_OFF)
    conf = softhsm.directory / "softhsm2.conf"
    conf.write_text(
        f"directories.tokendir = {softhsm.directory}\nslots.mechanisms = CKM_MD5,CKM_SHA_1\n"
    )
    done = softhsm.apply(plan)
    assert done["result"]["state"] == "stale"


def test_a_module_is_disabled_and_enabled_below_the_root(p11kit: Agent) -> None:
    file = p11kit.directory / "root/etc/pkcs11/modules/softhsm2.module"
    asked = {"module": "softhsm2"}
    assert p11kit.change("provider.disable", asked)["result"]["state"] == "succeeded"
    assert "module:\n" in file.read_text()
    assert p11kit.change("provider.enable", asked)["result"]["state"] == "succeeded"
    assert not file.exists()


def test_the_admins_file_of_another_module_is_left_alone(p11kit: Agent) -> None:
    other = p11kit.directory / "root/etc/pkcs11/modules/other.module"
    p11kit.change("provider.disable", {"module": "softhsm2"})
    assert other.read_text() == "module: /opt/other.so\n"
