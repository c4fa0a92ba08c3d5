"""Filters of the audit's list."""

from console.accounts.enums import ActorType
from console.audit.models import AuditEvent
from console.core.filters import (
    ChoicesFilter,
    IdsFilter,
    KeyrackFilterSet,
    SearchFilter,
    TimeFilter,
    WordsFilter,
)


class AuditFilter(KeyrackFilterSet):
    """Actor, verb, object, host and time range."""

    actor = IdsFilter("actor_id")
    actor_type = ChoicesFilter("actor_type", choices=ActorType.choices)
    verb = WordsFilter("verb")
    object = WordsFilter("object_id")
    object_type = WordsFilter("object_type")
    host = IdsFilter("host_id")
    after = TimeFilter("at", lookup_expr="gte")
    before = TimeFilter("at", lookup_expr="lt")
    search = SearchFilter("actor_name", "verb", "object_name", "host_name")

    class Meta:
        model = AuditEvent
        fields: tuple[str, ...] = ()
