"""The table of faults in docs/changes.md is what really happens; each fault and each kind once.

`make fault-table` runs all of them and writes the table.
"""

import pytest

from agents.drivers.simulator.faults import KINDS
from agents.drivers.solaris.kinds import SOLARIS_KINDS
from tests.agents.simulator.fault_cells import REQUESTS, Request, cell_of, told

SAMPLE = [(REQUESTS[i % len(REQUESTS)], fault) for i, fault in enumerate(KINDS)]
SAMPLE += [(request, "half") for request in REQUESTS if request.kind == "mechanism.policy"]
"""The file without the kernel: what no read shows."""


@pytest.mark.parametrize(
    ("request_", "fault"), SAMPLE, ids=[f"{fault}-{request.kind}" for request, fault in SAMPLE]
)
def test_a_change_under_a_fault_ends_as_the_page_says_and_says_what_is_so(
    request_: Request, fault: str
) -> None:
    cell = cell_of(request_, fault)
    assert cell.untrue == ""
    assert cell.ends == told(request_.kind, fault), cell.message


def test_every_kind_that_runs_a_program_is_in_the_table() -> None:
    kinds = {kind.name for kind in SOLARIS_KINDS}
    assert kinds - {request.kind for request in REQUESTS} == {"driver.configure"}
