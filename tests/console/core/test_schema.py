"""The OpenAPI file and its browsable form."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The file as `manage.py spectacular` writes it; a warning is a failure."""
    path = tmp_path_factory.mktemp("schema") / "openapi.json"
    call_command(
        "spectacular", file=str(path), format="openapi-json", validate=True, fail_on_warn=True
    )
    return json.loads(path.read_text())


def operations(schema: Any) -> list[tuple[str, str, Any]]:
    """Return (path, method, operation) of everything in the file."""
    return [
        (path, method, operation)
        for path, item in schema["paths"].items()
        for method, operation in item.items()
    ]


def test_it_is_openapi_3_1_and_has_the_public_api_alone(schema: Any) -> None:
    """Agents' addresses are not part of it."""
    assert schema["openapi"] == "3.1.0"
    assert all(path.startswith("/api/v1/") for path in schema["paths"])
    assert "/api/v1/events/" in schema["paths"]


def test_every_operation_declares_its_errors_in_the_one_shape(schema: Any) -> None:
    """401 everywhere but at the login."""
    for path, method, operation in operations(schema):
        replies = operation["responses"]
        if path != "/api/v1/session/" or method != "post":
            assert "401" in replies, f"{method} {path}"
        for status, reply in replies.items():
            if status.startswith("4"):
                content = reply["content"]["application/json"]["schema"]
                assert content == {"$ref": "#/components/schemas/Error"}, f"{method} {path}"


def test_every_operation_has_a_name_of_its_own_and_a_description(schema: Any) -> None:
    """Clients are generated from them."""
    names = [operation["operationId"] for _, _, operation in operations(schema)]
    assert len(names) == len(set(names))
    bare = [f"{m} {p}" for p, m, o in operations(schema) if not o.get("description")]
    assert bare == []


def test_every_list_can_be_paged_ordered_and_downloaded(schema: Any) -> None:
    """Wherever a page is returned."""
    for path, method, operation in operations(schema):
        content = operation["responses"].get("200", {}).get("content", {})
        reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        reply = schema["components"]["schemas"].get(reference.rpartition("/")[2], {})
        if {"next", "previous", "count", "results"} <= reply.get("properties", {}).keys():
            names = {parameter["name"] for parameter in operation["parameters"]}
            assert names >= {"cursor", "page_size", "ordering", "format"}, f"{method} {path}"
            assert content["text/csv"]["schema"] == {"type": "string"}


def test_the_browsable_form_runs_no_inline_script() -> None:
    """Its script is a file of ours; only styles may be inline there."""
    response = Client().get("/api/v1/docs/")
    policy = response["Content-Security-Policy"]
    assert "script-src 'self';" in policy + ";"
    assert "<script>" not in response.content.decode()
    assert b"drf_spectacular_sidecar" in response.content


def test_the_files_of_the_browsable_form_are_served() -> None:
    """From this console, not from elsewhere."""
    path = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    assert Client().get(path).status_code == 200
    assert Client().get("/api/v1/docs/?script=").status_code == 200
    assert Client().get("/api/v1/schema/").json()["openapi"] == "3.1.0"
