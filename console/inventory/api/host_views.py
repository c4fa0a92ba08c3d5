"""What the inventory knows and does about one host: scan it, compare its snapshots."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import KeyrackView
from console.fleet.models import Host
from console.fleet.selectors import host_list
from console.inventory.api.serializers import ScanOutput, SnapshotDiffOutput
from console.inventory.diff import facts_diff
from console.inventory.ingest import snapshot_facts
from console.inventory.models import Snapshot
from console.inventory.scans import scan_request
from console.inventory.selectors import snapshot_list


class _HostView(KeyrackView):
    """Something about the host that the URL names."""

    def selector(self) -> Any:
        """Hosts that the actor may see."""
        return host_list(actor=self.actor)

    def host(self) -> Host:
        """Return that host or raise NotFound."""
        host: Host = self.one(self.get_queryset(), "host")
        return host


class HostScanApi(_HostView):
    """Scans on request."""

    verbs = {"POST": "inventory.scan"}
    serializer_class = ScanOutput
    statuses = {"POST": 202}

    @extend_schema(request=None)
    def post(self, request: Request, pk: Any) -> Response:
        """Ask the agent to scan its host now; one that waits already is not asked for twice."""
        return self.reply(scan_request(host=self.host(), actor=self.actor))


class SnapshotDiffApi(_HostView):
    """Two snapshots of one host compared."""

    verbs = {"GET": "inventory.read"}
    serializer_class = SnapshotDiffOutput

    @extend_schema(
        parameters=[
            OpenApiParameter("from", str, description="Older snapshot; default: the one before."),
            OpenApiParameter("to", str, description="Newer snapshot; default: the newest."),
        ]
    )
    def get(self, request: Request, pk: Any) -> Response:
        """Show what was added, removed and changed between `from` and `to`."""
        rows = snapshot_list(actor=self.actor).filter(host=self.host())
        newer = self._pick(rows, "to", rows.order_by("-received_at", "-id"))
        before = rows.filter(received_at__lt=newer.received_at).order_by("-received_at", "-id")
        older = self._pick(rows, "from", before, otherwise=newer)
        changes = facts_diff(snapshot_facts(older), snapshot_facts(newer))
        return self.reply({"older": older, "newer": newer, "changes": changes})

    def _pick(
        self, rows: Any, parameter: str, default: Any, otherwise: Snapshot | None = None
    ) -> Snapshot:
        """Return the snapshot that `parameter` names, the first of `default`, or `otherwise`."""
        asked = self.request.query_params.get(parameter)
        first = default.values_list("pk", flat=True).first()
        wanted = asked or first or (otherwise.pk if otherwise else None)
        snapshot: Snapshot = self.one(rows, "snapshot", wanted)
        return snapshot
