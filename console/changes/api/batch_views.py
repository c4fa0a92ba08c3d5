"""Endpoints of batches."""

from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from console.changes.api.filters import BatchFilter
from console.changes.api.headers import REQUEST_KEY
from console.changes.api.serializers import (
    BatchActInput,
    BatchCommentInput,
    BatchCreateInput,
    BatchDoneOutput,
    BatchOutput,
)
from console.changes.batches import batch_apply, batch_approve, batch_cancel
from console.changes.models import ChangeBatch
from console.changes.request_keys import batch_create_once
from console.changes.selectors import batch_list
from console.core.api import DetailApi, KeyrackView, ListApi


class BatchListApi(ListApi):
    """Batches."""

    verbs = {"GET": "change.read", "POST": "change.request"}
    serializer_class = BatchOutput
    inputs = {"POST": BatchCreateInput}
    statuses = {"POST": 201}
    filterset_class = BatchFilter
    ordering_fields = {"created_at": "created_at", "kind": "kind", "total": "total"}

    def selector(self) -> QuerySet[ChangeBatch]:
        """What the actor may see."""
        return batch_list(actor=self.actor)

    @extend_schema(parameters=[REQUEST_KEY])
    def post(self, request: Request) -> Response:
        """Ask for the same change of many hosts."""
        wanted = self.read_input()
        key, ids = request.headers.get(REQUEST_KEY.name, ""), wanted.pop("hosts")
        batch = batch_create_once(actor=self.actor, request_key=key, host_ids=ids, **wanted)
        return self.reply(batch_list(actor=self.actor).get(pk=batch.pk))


class _BatchView(KeyrackView):
    """A view of one batch."""

    serializer_class = BatchOutput

    def selector(self) -> QuerySet[ChangeBatch]:
        """What the actor may see."""
        return batch_list(actor=self.actor)

    def batch(self) -> ChangeBatch:
        """The batch of the URL."""
        batch: ChangeBatch = self.one(self.get_queryset(), "batch")
        return batch


class BatchDetailApi(DetailApi, _BatchView):
    """One batch; its changes are listed by ?batch=."""

    verbs = {"GET": "change.read"}
    noun = "batch"


class BatchApproveApi(_BatchView):
    """Approval of all of it."""

    verbs = {"POST": "change.approve"}
    inputs = {"POST": BatchCommentInput}
    outputs = {"POST": BatchDoneOutput}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Approve every plan that waits for it."""
        wanted = self.read_input()
        return self.reply(batch_approve(actor=self.actor, batch=self.batch(), **wanted))


class BatchApplyApi(_BatchView):
    """Application of all of it."""

    verbs = {"POST": "change.apply"}
    inputs = {"POST": BatchActInput}
    outputs = {"POST": BatchDoneOutput}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Apply every change that is ready."""
        wanted = self.read_input()
        return self.reply(batch_apply(actor=self.actor, batch=self.batch(), **wanted))


class BatchCancelApi(_BatchView):
    """The end of all of it."""

    verbs = {"POST": "change.cancel"}
    inputs = {"POST": BatchActInput}
    outputs = {"POST": BatchDoneOutput}

    def post(self, _request: Request, pk: UUID) -> Response:
        """Cancel what is not over."""
        wanted = self.read_input()
        return self.reply(batch_cancel(actor=self.actor, batch=self.batch(), **wanted))
