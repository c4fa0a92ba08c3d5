"""The catalogue takes whatever the agents' own planners take, and names what is wrong."""

from typing import Any

import pytest

from agents.wire.changes import CHANGE_KINDS
from console.changes.kinds.registry import KINDS, kind_get, kind_title
from console.core.errors import InvalidInput, NotFound

TAKEN: list[tuple[str, dict[str, Any]]] = [
    ("unit.assign", {"counts": {"primary": 1, "ldg1": 0}}),
    ("unit.assign", {"units": {"mau:0-7": "", "mau:8-15": "ldg1"}}),
    ("unit.assign", {"vcpus": {"ldg1": 8}, "offline": ["ldg1"], "force": True}),
    ("metaslot.enable", {}),
    ("metaslot.disable", {}),
    ("metaslot.configure", {"token": "keys", "slot": "Sun Crypto Softtoken"}),
    ("metaslot.configure", {"default_keystore": True, "auto_key_migrate": False}),
    ("metaslot.configure", {"disable_mechanisms": ["CKM_MD5"]}),
    ("mechanism.policy", {"provider": "ncp/0", "random": "disable"}),
    ("mechanism.policy", {"provider": "softhsm2", "enable": ["*"], "disable": []}),
    ("mechanism.policy", {"provider": "aes", "disable": ["*"], "force": True, "force_reason": "x"}),
    ("provider.install", {"provider": "/usr/lib/security/$ISA/pkcs11_softtoken.so"}),
    ("provider.install", {"provider": "des", "mechanisms": ["CKM_DES_CBC"]}),
    ("provider.uninstall", {"provider": "des", "force": False}),
    ("provider.unload", {"provider": "des"}),
    ("provider.enable", {"module": "softhsm2"}),
    ("provider.disable", {"module": "softhsm2"}),
    ("spconfig.save", {"name": "spring"}),
    ("reconf.cancel", {"domain": "primary"}),
    ("driver.configure", {"driver": "n2cp", "settings": {"n2cp-sync-threads": 3}}),
    ("driver.configure", {"driver": "n2cp", "settings": {"n2cp-sync-threads": None}}),
]

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("unit.assign", {}, "parameters"),
    ("unit.assign", {"counts": {"primary": -1}}, "parameters.counts.primary"),
    ("unit.assign", {"counts": {"primary": True}}, "parameters.counts.primary"),
    ("unit.assign", {"counts": {}}, "parameters.counts"),
    ("metaslot.enable", {"token": "keys"}, "parameters"),
    ("metaslot.configure", {"token": "k" * 33}, "parameters.token"),
    ("mechanism.policy", {"provider": "aes", "random": "on"}, "parameters.random"),
    ("mechanism.policy", {"enable": ["CKM_MD5"]}, "parameters"),
    ("mechanism.policy", {"provider": "aes", "disable": "CKM_MD5"}, "parameters.disable"),
    ("spconfig.save", {"name": ""}, "parameters.name"),
    ("driver.configure", {"driver": "ncp", "settings": {}}, "parameters.driver"),
]


def test_the_catalogue_has_every_kind_of_the_contract_once() -> None:
    """No more and no fewer."""
    assert sorted(kind.name for kind in KINDS) == sorted(CHANGE_KINDS)
    assert {name for name, _ in TAKEN} == set(CHANGE_KINDS)


@pytest.mark.parametrize(("name", "parameters"), TAKEN)
def test_takes_what_the_planners_take(name: str, parameters: dict[str, Any]) -> None:
    """Requests that roll a change back among them."""
    kind_get(name).check(parameters)


@pytest.mark.parametrize(("name", "parameters", "path"), REFUSED)
def test_names_what_is_wrong(name: str, parameters: dict[str, Any], path: str) -> None:
    """By its path."""
    with pytest.raises(InvalidInput) as refused:
        kind_get(name).check(parameters)
    assert refused.value.code == "change.parameters"
    assert path in refused.value.extra["fields"]


def test_an_unknown_kind_has_its_name_for_a_title() -> None:
    """History may hold kinds that are gone."""
    assert kind_title("unit.melt") == "unit.melt"
    with pytest.raises(NotFound):
        kind_get("unit.melt")
