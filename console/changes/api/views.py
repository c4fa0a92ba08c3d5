"""Endpoints of changes and of the switch that holds them back; batches: batch_views.py."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from console.changes.api.filters import ChangeFilter, EligibilityFilter
from console.changes.api.headers import REQUEST_KEY
from console.changes.api.serializers import (
    ApproveInput,
    ChangeCreateInput,
    ChangeDetailOutput,
    ChangeOutputPage,
    ChangeSummaryOutput,
    CommentInput,
    DigestInput,
    KindEligibilityOutput,
    KindOutput,
    PauseInput,
    PauseOutput,
    ReasonInput,
)
from console.changes.kinds.registry import KINDS, kind_get
from console.changes.models import Change
from console.changes.request_keys import change_create_once
from console.changes.selectors import change_detail, change_list, output_after, pause_get
from console.changes.services import (
    change_apply,
    change_approve,
    change_cancel,
    change_check,
    change_plan,
    change_reject,
    change_rollback,
    pause_set,
)
from console.core.api import DetailApi, KeyrackView, ListApi
from console.core.errors import InvalidInput
from console.fleet.models import Host
from console.fleet.selectors import host_list

_OUTPUT_PIECES = 200


class ChangeKindListApi(KeyrackView):
    """The kinds of change."""

    verbs = {"GET": "change.read"}
    serializer_class = KindOutput
    pagination_class = None
    filter_backends = ()

    @extend_schema(
        responses=KindOutput(many=True),
        parameters=[OpenApiParameter("host", UUID, description="Whether this host takes each.")],
    )
    def get(self, request: Request) -> Response:
        """All kinds, with the form of their parameters. Not paged."""
        asked = request.query_params.get("host")
        host = self.one(host_list(actor=self.actor), "host", asked) if asked else None
        return Response(KindOutput(KINDS, many=True, context={"host": host}).data)


class ChangeKindEligibilityApi(ListApi):
    """Which hosts take a kind of change, and why the others do not."""

    verbs = {"GET": "change.read"}
    queryset = Host.objects.none()  # what the schema generator goes by; see selector
    serializer_class = KindEligibilityOutput
    filterset_class = EligibilityFilter
    ordering = "name"
    ordering_fields = {"name": "name", "state": "state"}

    def selector(self) -> QuerySet[Host]:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def get_serializer_context(self) -> dict[str, Any]:
        """Add what the hosts are judged for."""
        return {**super().get_serializer_context(), "kind": kind_get(self.kwargs["name"]).name}


class ChangeListApi(ListApi):
    """Changes."""

    verbs = {"GET": "change.read", "POST": "change.request"}
    serializer_class = ChangeSummaryOutput
    inputs = {"POST": ChangeCreateInput}
    outputs = {"POST": ChangeDetailOutput}
    statuses = {"POST": 201}
    filterset_class = ChangeFilter
    ordering_fields = {
        "created_at": "created_at",
        "updated_at": "updated_at",
        "host": "host__name",
        "kind": "kind",
        "state": "state",
        "requested_by_name": "requested_by_name",
    }

    def selector(self) -> QuerySet[Change]:
        """What the actor may see."""
        return change_list(actor=self.actor)

    @extend_schema(parameters=[REQUEST_KEY])
    def post(self, request: Request) -> Response:
        """Ask for a change; the host's agent makes the plan."""
        wanted = self.read_input()
        host = self.one(host_list(actor=self.actor), "host", wanted.pop("host"))
        key = request.headers.get(REQUEST_KEY.name, "")
        change = change_create_once(actor=self.actor, request_key=key, host=host, **wanted)
        return self.reply(change_detail(actor=self.actor).get(pk=change.pk))


class ChangeView(KeyrackView):
    """A view of one change."""

    serializer_class = ChangeDetailOutput

    def selector(self) -> QuerySet[Change]:
        """What the actor may see."""
        return change_detail(actor=self.actor)

    def change(self) -> Change:
        """The change of the URL."""
        change: Change = self.one(self.get_queryset(), "change")
        return change

    def shown(self, change: Change) -> Response:
        """The change as it now is."""
        return self.reply(change_detail(actor=self.actor).get(pk=change.pk))


class ChangeDetailApi(DetailApi, ChangeView):
    """One change with its plan and what became of it."""

    verbs = {"GET": "change.read"}
    noun = "change"


class ChangePlanApi(ChangeView):
    """A new plan."""

    verbs = {"POST": "change.request"}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Have the agent look afresh and plan again; approvals of the old plan are void."""
        return self.shown(change_plan(actor=self.actor, change=self.change()))


class ChangeApproveApi(ChangeView):
    """Approval of a plan."""

    verbs = {"POST": "change.approve"}
    inputs = {"POST": ApproveInput}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Approve the plan with this digest."""
        wanted = self.read_input()
        return self.shown(change_approve(actor=self.actor, change=self.change(), **wanted))


class ChangeRejectApi(ChangeView):
    """A no."""

    verbs = {"POST": "change.approve"}
    inputs = {"POST": CommentInput}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Reject the change; it is cancelled."""
        wanted = self.read_input()
        return self.shown(change_reject(actor=self.actor, change=self.change(), **wanted))


class ChangeApplyApi(ChangeView):
    """Application of a plan."""

    verbs = {"POST": "change.apply"}
    inputs = {"POST": DigestInput}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Queue the plan with this digest for its host."""
        wanted = self.read_input()
        return self.shown(change_apply(actor=self.actor, change=self.change(), **wanted))


class ChangeCancelApi(ChangeView):
    """The end of a change before its time."""

    verbs = {"POST": "change.cancel"}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Cancel it; one that runs stops before its next step and is undone."""
        return self.shown(change_cancel(actor=self.actor, change=self.change()))


class ChangeCheckApi(ChangeView):
    """A look whether the awaited reboot has happened."""

    verbs = {"POST": "change.apply"}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Have the agent look now."""
        return self.shown(change_check(actor=self.actor, change=self.change()))


class ChangeRollbackApi(ChangeView):
    """The change that restores what was before."""

    verbs = {"POST": "change.rollback"}
    inputs = {"POST": ReasonInput}
    statuses = {"POST": 201}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Ask for it; it is planned and approved like any other."""
        wanted = self.read_input()
        return self.shown(change_rollback(actor=self.actor, change=self.change(), **wanted))


class ChangeOutputApi(KeyrackView):
    """What the steps' tools wrote."""

    verbs = {"GET": "change.read"}
    serializer_class = ChangeOutputPage

    @extend_schema(parameters=[OpenApiParameter("after", int)])
    def get(self, request: Request, pk: UUID) -> Response:
        """The pieces beyond `after`, oldest first."""
        change: Change = self.one(change_list(actor=self.actor), "change")
        after = _after(request.query_params.get("after", "0"))
        pieces = output_after(change=change, after=after, limit=_OUTPUT_PIECES)
        return self.reply({"pieces": pieces, "last": pieces[-1].pk if pieces else after})


def _after(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise InvalidInput("output.after", "after must be the number of a piece.")
    return int(text)


class ChangePauseApi(KeyrackView):
    """The switch that holds all applies back."""

    verbs = {"GET": "change.read", "PUT": "change.pause"}
    serializer_class = PauseOutput
    inputs = {"PUT": PauseInput}

    def get(self, _request: Request) -> Response:
        """How it stands."""
        return self.reply(pause_get())

    def put(self, _request: Request) -> Response:
        """Set it."""
        return self.reply(pause_set(actor=self.actor, **self.read_input()))
