"""What the host's admin sets for PKCS#11 modules reaches the child that loads them."""

import time
from pathlib import Path

from agents.drivers.linux.p11kit import all_modules
from agents.drivers.linux.tree import Tree
from agents.pkcs11.modules import probe_modules
from console.core.embedded.layout import VarLayout
from console.core.embedded.softhsm import softhsm_make


def test_a_softhsm_token_of_ones_own_is_found_through_softhsm2_conf(tmp_path: Path) -> None:
    layout = VarLayout(tmp_path)
    layout.prepare()
    token = softhsm_make(layout)
    assert token is not None
    modules = all_modules(Tree(Path("/")), (str(token.module),), False)
    [outcome] = probe_modules(
        modules,
        module_timeout_seconds=20,
        deadline=time.monotonic() + 20,
        environment={"SOFTHSM2_CONF": str(token.configuration)},
    )
    assert outcome is not None
    label = b"keyrack-softhsm".hex()
    assert any(label in str(record) for record in outcome.records)
