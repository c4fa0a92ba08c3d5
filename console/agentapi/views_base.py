"""What all agent views share: POST only, safe transport, one error shape, wire messages in and out.

They are plain Django views: an agent needs no negotiation, sessions or browsable replies.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from agents.wire.codec import UnsupportedWire, WireError, decode, encode
from console.agentapi.authentication import require_safe_transport
from console.agentapi.body import SMALL, read_body
from console.core.errors import InvalidInput, KeyrackError, error_body

T = TypeVar("T")


def agent_view(function: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], HttpResponse]:
    """Make a view of `function`, which takes the request and returns a wire message.

    KeyrackError and WireError become the error shape of docs/protocol.md.
    """

    @csrf_exempt
    @wraps(function)
    def view(request: HttpRequest) -> HttpResponse:
        try:
            if request.method != "POST":
                return _error(KeyrackError("request.method_not_allowed", "Use POST.", 405))
            require_safe_transport(request)
            return HttpResponse(encode(function(request)), content_type="application/json")
        except UnsupportedWire as error:
            return _error(KeyrackError("wire.unsupported", f"{error}.", 426))
        except WireError as error:
            return _error(_invalid(error))
        except KeyrackError as error:
            return _error(error)

    return view


def read_message(request: HttpRequest, kind: type[T], limit: int = SMALL) -> T:
    """Return the request's body as the wire dataclass `kind`. Raises WireError and KeyrackError."""
    return decode(read_body(request, limit), kind)


def _invalid(error: WireError) -> KeyrackError:
    problems = error.problems[:50]
    return InvalidInput(
        "wire.invalid",
        f"The message does not fit the protocol: {problems[0]}.",
        extra={"problems": problems},
    )


def _error(error: KeyrackError) -> JsonResponse:
    response = JsonResponse(error_body(error.code, error.message, error.extra), status=error.status)
    if error.status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="keyrack-agent"'
    return response
