"""The overview and the global search."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from console.core.api import KeyrackView
from console.overview.api.serializers import OverviewOutput, SearchOutput
from console.overview.search import search
from console.overview.selectors import overview


class OverviewApi(KeyrackView):
    """The numbers of the Overview page."""

    verbs = {"GET": "host.read"}
    serializer_class = OverviewOutput

    def get(self, request: Request) -> Response:
        """Show what needs a person now; each number comes with the list behind it."""
        return self.reply(overview(actor=self.actor))


class SearchApi(KeyrackView):
    """Search over everything that has a name."""

    verbs = {"GET": "host.read"}
    serializer_class = SearchOutput

    @extend_schema(
        parameters=[OpenApiParameter("q", str, required=True, description="2 to 200 characters.")]
    )
    def get(self, request: Request) -> Response:
        """Find hosts, units, domains, tokens, certificates, providers and jobs."""
        text = request.query_params.get("q", "")
        return self.reply({"query": text, "groups": search(actor=self.actor, text=text)})
