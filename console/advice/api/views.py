"""Findings of all hosts."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from console.advice.api.filters import FindingFilter
from console.advice.api.serializers import FindingAcknowledgeInput, FindingOutput
from console.advice.selectors import finding_list
from console.advice.services import finding_acknowledge
from console.core.api import DetailApi, KeyrackView, ListApi


class FindingListApi(ListApi):
    """Findings, the newest first, resolved ones included."""

    verbs = {"GET": "finding.read"}
    serializer_class = FindingOutput
    filterset_class = FindingFilter
    ordering = "-appeared_at"
    ordering_fields = {
        "appeared_at": "appeared_at",
        "first_seen_at": "first_seen_at",
        "resolved_at": "resolved_at",
        "severity": "urgency",
        "code": "code",
        "host": "host__name",
    }

    def selector(self) -> Any:
        """Findings that the actor may see."""
        return finding_list(actor=self.actor)


class FindingDetailApi(DetailApi):
    """One finding."""

    verbs = {"GET": "finding.read"}
    serializer_class = FindingOutput
    noun = "finding"
    selector = FindingListApi.selector


class FindingAcknowledgeApi(KeyrackView):
    """Somebody knows of a finding."""

    verbs = {"POST": "finding.acknowledge"}
    serializer_class = FindingOutput
    inputs = {"POST": FindingAcknowledgeInput}
    selector = FindingListApi.selector

    def post(self, request: Request, pk: Any) -> Response:
        """Acknowledge an open finding with a comment; it stays open until a snapshot lacks it."""
        comment = self.read_input()["comment"]
        finding = self.one(self.get_queryset(), "finding")
        return self.reply(finding_acknowledge(finding=finding, comment=comment, actor=self.actor))
