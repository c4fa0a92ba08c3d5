"""Headers of requests that more than one endpoint takes."""

from drf_spectacular.utils import OpenApiParameter

REQUEST_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Of the client's choice: sent again with the same key, the request makes nothing "
    "new, and the reply is of what the first one made.",
)
