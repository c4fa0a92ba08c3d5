"""What the processes of the audit's race do."""

from typing import Any

from django.db import transaction

from console.accounts.actors import SYSTEM
from console.audit.selectors import audit_verify
from console.audit.services import audit_record


def record_many(count: int) -> int:
    """Record `count` events, each in a transaction of its own."""
    for number in range(count):
        with transaction.atomic():
            audit_record(actor=SYSTEM, verb="race.run", obj=None, new={"number": number})
    return count


def verify() -> dict[str, Any]:
    """Return what reading the chain shows."""
    result = audit_verify()
    return {"count": result.count, "broken": [link.problem for link in result.broken]}


def tamper() -> str:
    """Try to change a row by plain SQL; return what the database says."""
    from django.db import DatabaseError, connection

    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE audit_auditevent SET verb = 'changed'")
    except DatabaseError as error:
        return str(error)
    return "changed"
