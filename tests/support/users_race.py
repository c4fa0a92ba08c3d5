"""What the processes of the last administrators' race do."""

from console.accounts.actors import SYSTEM
from console.accounts.enums import Role
from console.accounts.models import User
from console.accounts.services import user_create, user_update
from console.core.errors import StateConflict


def administrators_make(count: int) -> list[str]:
    """Make administrators; return their ids."""
    made = (
        user_create(actor=SYSTEM, username=f"admin{number}", role=Role.ADMINISTRATOR)[0]
        for number in range(count)
    )
    return [str(user.pk) for user in made]


def administrators_demote(ids: list[str]) -> int:
    """Demote each of them; return how often that was refused."""
    refused = 0
    for pk in ids:
        try:
            user_update(actor=SYSTEM, user=User.objects.get(pk=pk), role=Role.VIEWER)
        except StateConflict:
            refused += 1
    return refused


def administrators_count() -> int:
    """Return how many there are."""
    return User.objects.filter(role=Role.ADMINISTRATOR, is_active=True).count()
