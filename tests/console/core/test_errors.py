"""Every failure leaves in the one shape {code, message, extra}."""

from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers

from console.core.error_handler import exception_handler
from console.core.errors import InvalidInput, NotFound, StateConflict, Throttled, UpgradeRequired
from tests.console.base import ConsoleTestCase


class ErrorShapeTests(ConsoleTestCase):
    """What a client sees."""

    def test_an_unknown_address(self) -> None:
        """404, for programs as JSON."""
        response = self.session(self.adam).get("/api/v1/nothing/")
        assert self.error_of(response, 404) == "request.not_found"

    def test_a_method_that_does_not_exist(self) -> None:
        """405."""
        response = self.session(self.adam).delete("/api/v1/audit/")
        assert self.error_of(response, 405) == "request.method_not_allowed"

    def test_a_body_that_is_no_json(self) -> None:
        """400."""
        client = self.session(self.adam)
        response = client.post("/api/v1/users/", "{", content_type="application/json")
        assert self.error_of(response, 400) == "request.malformed"

    def test_a_body_that_is_nested_without_end(self) -> None:
        """400: reading it is nobody's failure but the sender's."""
        client = self.session(self.adam)
        body = "[" * 100_000
        response = client.post("/api/v1/users/", body, content_type="application/json")
        assert self.error_of(response, 400) == "request.malformed"

    def test_names_that_cannot_be_stored_or_sent_back(self) -> None:
        """400, wherever they stand; in the reply they would be our failure."""
        client = self.session(self.adam)
        for name in ("\\ud800", "\\u0000"):
            body = f'{{"labels": {{"rack": [{{"{name}": 1}}]}}}}'
            response = client.post("/api/v1/users/", body, content_type="application/json")
            assert self.error_of(response, 400) == "request.malformed"

    def test_a_field_that_does_not_exist_is_named(self) -> None:
        """400: a misspelt lifetime must not become the default one."""
        client = self.session(self.adam)
        response = client.post("/api/v1/api-tokens/", {"name": "x", "lifetime_days": 1})
        assert self.error_of(response, 400) == "input.invalid"
        assert set(response.json()["extra"]["fields"]) == {"lifetime_days"}

    def test_a_body_of_another_type(self) -> None:
        """415."""
        client = self.session(self.adam)
        response = client.post("/api/v1/users/", "a=b", content_type="text/plain")
        assert self.error_of(response, 415) == "request.unsupported_media_type"

    def test_a_format_that_does_not_exist(self) -> None:
        """404: DRF treats it as an address."""
        response = self.session(self.adam).get("/api/v1/audit/?format=xml")
        assert self.error_of(response, 404) == "request.not_found"

    def test_invalid_fields_are_named_with_their_sentences(self) -> None:
        """400 with extra.fields."""
        response = self.session(self.adam).post("/api/v1/users/", {"username": "", "role": "king"})
        assert self.error_of(response, 400) == "input.invalid"
        assert set(response.json()["extra"]["fields"]) == {"username", "role"}

    def test_a_defect_of_ours_is_named_by_its_request_id(self) -> None:
        """500 without a word about the inside; the log has the rest."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("console.audit.api.views.audit_list", _broken)
            client = self.session(self.adam)
            client.raise_request_exception = False
            response = client.get("/api/v1/audit/")
        assert self.error_of(response, 500) == "console.failed"
        assert response.json()["extra"]["request_id"] == response["X-Request-ID"]
        assert "kaputt" not in response.content.decode()

    def test_an_error_of_a_csv_list_stays_json(self) -> None:
        """A spreadsheet of errors helps nobody."""
        response = self.session(self.adam).get("/api/v1/audit/?format=csv&ordering=x")
        assert self.error_of(response, 400) == "page.ordering"
        assert response["Content-Type"].startswith("application/json")


def _broken(**_kwargs: Any) -> None:
    raise RuntimeError("kaputt")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidInput("a.b", "No."), 400),
        (NotFound("a.b", "No."), 404),
        (StateConflict("a.b", "No."), 409),
        (UpgradeRequired("a.b", "No."), 426),
        (StateConflict("a.b", "No.", status=423), 423),
    ],
)
def test_our_own_errors_keep_code_message_and_extra(error: Any, status: int) -> None:
    """Under the status of their class unless they say otherwise."""
    error.extra["x"] = 1
    response = exception_handler(error, {})
    assert response is not None
    assert response.status_code == status
    assert response.data == {"code": "a.b", "message": "No.", "extra": {"x": 1}}


def test_a_throttled_caller_is_told_when_to_come_back() -> None:
    """In the header too."""
    response = exception_handler(Throttled("a.b", "No.", extra={"retry_after_seconds": 7}), {})
    assert response is not None
    assert response["Retry-After"] == "7"


def test_nested_fields_are_named_by_their_path() -> None:
    """hosts[1].name"""
    detail = {"hosts": [{}, {"name": ["Too long."]}], "non_field_errors": ["Contradiction."]}
    response = exception_handler(serializers.ValidationError(detail), {})
    assert response is not None
    assert response.data["extra"] == {
        "fields": {"hosts[1].name": ["Too long."]},
        "general": ["Contradiction."],
    }


@pytest.mark.parametrize(
    ("path", "length", "code"),
    [
        ("/api/v1/users/", 2_000_000, "request.too_large"),
        ("/agent/v1/snapshot/", 40_000_000, "wire.too_large"),
    ],
)
def test_a_body_that_is_too_large_is_not_read(path: str, length: int, code: str) -> None:
    """413 by its Content-Length alone."""
    response = Client().post(path, b"", content_type="application/json", CONTENT_LENGTH=str(length))
    assert (response.status_code, response.json()["code"]) == (413, code)


def test_a_body_of_unknown_length_is_refused() -> None:
    """411: chunked bodies could be of any size."""
    response = Client().post(
        "/api/v1/users/",
        b"",
        content_type="application/json",
        CONTENT_LENGTH="",
        HTTP_TRANSFER_ENCODING="chunked",
    )
    assert (response.status_code, response.json()["code"]) == (411, "request.length_required")
