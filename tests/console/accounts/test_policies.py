"""Who may do what."""

import itertools
import uuid

import pytest

from console.accounts.actors import SYSTEM, Actor
from console.accounts.enums import ActorType, Role
from console.accounts.policies import ALL_VERBS, VERBS_BY_ROLE, can, require
from console.core.errors import NotAuthenticated, PermissionDenied


def actor(role: Role | None, kind: ActorType = ActorType.USER) -> Actor:
    """Return somebody with `role`."""
    return Actor(kind, uuid.uuid4(), "somebody", role, uuid.uuid4())


def test_each_role_may_what_the_one_before_it_may() -> None:
    """Viewer, operator, approver, administrator."""
    ladder = [VERBS_BY_ROLE[role] for role in Role]
    assert all(lower <= higher for lower, higher in itertools.pairwise(ladder))
    assert ladder[-1] == ALL_VERBS


def test_viewers_only_read() -> None:
    """Apart from API tokens of their own."""
    changing = {v for v in VERBS_BY_ROLE[Role.VIEWER] if not v.endswith(".read")}
    assert changing == {"api_token.manage"}


@pytest.mark.parametrize(
    ("role", "verb", "expected"),
    [
        (Role.VIEWER, "job.run", False),
        (Role.OPERATOR, "job.run", True),
        (Role.OPERATOR, "host.enrol", False),
        (Role.APPROVER, "user.manage", False),
        (Role.ADMINISTRATOR, "user.manage", True),
    ],
)
def test_roles_have_their_verbs(role: Role, verb: str, expected: bool) -> None:
    """A sample of the table."""
    assert can(actor(role), verb) is expected


def test_an_agent_has_no_verb_of_the_public_api() -> None:
    """Whatever it asks."""
    assert not any(can(actor(None, ActorType.HOST), verb) for verb in ALL_VERBS)


def test_the_console_itself_may_everything() -> None:
    """Reaping and the command line."""
    assert all(can(SYSTEM, verb) for verb in ALL_VERBS)


def test_a_verb_that_does_not_exist_is_a_defect() -> None:
    """Not a silent no."""
    with pytest.raises(KeyError):
        can(actor(Role.VIEWER), "host.reed")


def test_require_says_who_may_not_do_what() -> None:
    """401 for nobody, 403 for somebody."""
    with pytest.raises(NotAuthenticated):
        require(None, "host.read")
    with pytest.raises(PermissionDenied, match=r"somebody may not do user\.manage"):
        require(actor(Role.VIEWER), "user.manage")
