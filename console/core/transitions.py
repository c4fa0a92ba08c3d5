"""States change here only: a transition table per enum and one compare-and-set."""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.utils import timezone

from console.core.errors import StateConflict

S = TypeVar("S", bound=Enum)
M = TypeVar("M", bound=Model)


class TransitionTable(Generic[S]):
    """Which state may follow which. `noun` names the object in messages and error codes.

    Every member of the enum must be a key; a state that nothing follows has an empty collection.
    Raise ValueError when a member is missing.
    """

    def __init__(self, noun: str, enum: type[S], allowed: Mapping[S, Iterable[S]]) -> None:
        missing = set(enum) - set(allowed)
        if missing:
            raise ValueError(f"{noun}: no entry for {sorted(str(m.value) for m in missing)}")
        self.noun = noun
        self.enum = enum
        self._allowed = {state: frozenset(targets) for state, targets in allowed.items()}

    def allows(self, source: S, target: S) -> bool:
        """Return whether `target` may follow `source`."""
        return target in self._allowed[source]

    def targets(self, source: S) -> frozenset[S]:
        """Return the states that may follow `source`."""
        return self._allowed[source]

    def sources(self, target: S) -> frozenset[S]:
        """Return the states that `target` may follow."""
        return frozenset(s for s, targets in self._allowed.items() if target in targets)

    @property
    def terminal(self) -> frozenset[S]:
        """States that nothing follows."""
        return frozenset(state for state, targets in self._allowed.items() if not targets)


def compare_and_set(
    rows: QuerySet[M] | type[M],
    pk: Any,
    from_states: Collection[Enum],
    to: Enum,
    *,
    field: str = "state",
    **fields: Any,
) -> bool:
    """Set `field` to `to` in one conditional UPDATE; return whether this caller did it.

    The row changes only while it is in one of `from_states`; `fields` are written with it. Of
    many concurrent callers exactly one sees True.
    """
    queryset = rows if isinstance(rows, QuerySet) else rows._default_manager.all()
    if any(f.name == "updated_at" for f in queryset.model._meta.concrete_fields):
        fields.setdefault("updated_at", timezone.now())
    condition = {"pk": pk, f"{field}__in": [state.value for state in from_states]}
    return queryset.filter(**condition).update(**{field: to.value}, **fields) == 1


def transition_or_conflict(
    table: TransitionTable[S],
    rows: QuerySet[M] | type[M],
    pk: Any,
    to: S,
    *,
    field: str = "state",
    from_states: Collection[S] | None = None,
    **fields: Any,
) -> None:
    """Move row `pk` to state `to` as `table` allows, or raise StateConflict `<noun>.state`.

    `from_states` narrows the sources further (those the table does not allow are dropped).
    """
    sources = table.sources(to)
    if from_states is not None:
        sources &= frozenset(from_states)
    if compare_and_set(rows, pk, sources, to, field=field, **fields):
        return
    queryset = rows if isinstance(rows, QuerySet) else rows._default_manager.all()
    current = queryset.filter(pk=pk).values_list(field, flat=True).first()
    raise StateConflict(
        f"{table.noun}.state",
        f"This {table.noun} is {current or 'gone'} and cannot become {to.value}.",
        extra={"state": current, "wanted": to.value},
    )
