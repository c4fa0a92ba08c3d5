"""The audit as a list and one by one; it is only ever read here."""

from typing import Any

from console.audit.api.filters import AuditFilter
from console.audit.api.serializers import AuditEventOutput
from console.audit.selectors import audit_list
from console.core.api import DetailApi, ListApi


class AuditListApi(ListApi):
    """Who did what."""

    verbs = {"GET": "audit.read"}
    serializer_class = AuditEventOutput
    filterset_class = AuditFilter
    ordering = "-seq"
    ordering_fields = {
        "seq": "seq",
        "at": "at",
        "verb": "verb",
        "actor": "actor_name",
        "host": "host_name",
    }

    def selector(self) -> Any:
        """What the actor may see."""
        return audit_list(actor=self.actor)


class AuditDetailApi(DetailApi):
    """One audit event."""

    verbs = {"GET": "audit.read"}
    serializer_class = AuditEventOutput
    noun = "audit_event"

    def selector(self) -> Any:
        """What the actor may see."""
        return audit_list(actor=self.actor)
