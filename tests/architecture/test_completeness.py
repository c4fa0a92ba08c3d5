"""Everything that can be called has the tests that its kind needs."""

import importlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command, get_commands
from django.urls import URLPattern, URLResolver, get_resolver

from console.accounts.policies import ALL_VERBS
from console.config.env import ROOT
from console.core.api import KeyrackView, ListApi
from tests.console.base import ConsoleTestCase, EndpointTests, ListTests
from tests.support.source import modules

METHODS = ("get", "post", "put", "patch", "delete")

# Login and logout are for everybody, so their tests say more than the inherited ones would.
TESTED_BY_HAND = {("session", "post"), ("session", "delete")}


def patterns(resolver: Any, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield (route, pattern) of every address of the public API."""
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern, route)
        elif route.startswith("api/v1/"):
            yield route, pattern


def endpoints() -> list[tuple[str, str, type[KeyrackView]]]:
    """Return (name of the URL, method, view) of every endpoint of the public API."""
    found: list[tuple[str, str, type[KeyrackView]]] = []
    for _, pattern in patterns(get_resolver()):
        view = getattr(pattern.callback, "view_class", None)
        if view is not None and issubclass(view, KeyrackView):
            found += [(str(pattern.name), m, view) for m in METHODS if hasattr(view, m)]
    return found


@pytest.fixture(scope="module")
def tested() -> dict[tuple[str, str], list[type[EndpointTests]]]:
    """The endpoint tests of all test modules, by URL name and method."""
    for module in modules("tests/console"):
        if module.path.stem.startswith("test_"):
            importlib.import_module(module.name.removesuffix(".py").replace("/", "."))
    found: dict[tuple[str, str], list[type[EndpointTests]]] = {}
    for test in all_subclasses(EndpointTests):
        if issubclass(test, ConsoleTestCase):
            found.setdefault((test.view_name, test.method), []).append(test)
    return found


def all_subclasses(base: type) -> Iterator[type]:
    """Yield every class below `base`."""
    for subclass in base.__subclasses__():
        yield subclass
        yield from all_subclasses(subclass)


def test_every_endpoint_has_the_inherited_permission_tests(tested: Any) -> None:
    """A class derived from EndpointTests with its `view_name` and `method`."""
    wanted = {(name, method) for name, method, _ in endpoints()} - TESTED_BY_HAND
    assert ("user-list", "post") in wanted
    assert sorted(wanted - tested.keys()) == []


def test_every_list_has_the_inherited_list_tests(tested: Any) -> None:
    """Paging, ordering, CSV, and a constant number of queries."""
    lacking = [
        name
        for name, method, view in endpoints()
        if method == "get" and issubclass(view, ListApi)
        if not any(issubclass(test, ListTests) for test in tested.get((name, "get"), []))
    ]
    assert lacking == []


def test_every_endpoints_test_names_the_verb_that_its_view_needs(tested: Any) -> None:
    """Or none for both."""
    wrong = [
        f"{name} {method}: {test.verb} != {view.verbs.get(method.upper())}"
        for name, method, view in endpoints()
        for test in tested.get((name, method), [])
        if test.verb != view.verbs.get(method.upper())
    ]
    assert wrong == []


def test_every_verb_of_a_view_is_known_to_the_policies() -> None:
    """A misspelt one would fail at the first request."""
    used = {verb for _, _, view in endpoints() for verb in view.verbs.values()}
    assert used <= ALL_VERBS


def test_every_address_has_a_name_of_its_own() -> None:
    """Tests and templates find it by that."""
    names = [pattern.name for _, pattern in patterns(get_resolver())]
    assert None not in names
    assert len(names) == len(set(names))


def test_every_management_command_has_a_test() -> None:
    """Some test calls it by name."""
    ours = [name for name, app in get_commands().items() if str(app).startswith("console.")]
    text = "\n".join(m.text for m in modules("tests") if "/architecture/" not in m.name)
    assert [name for name in ours if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    """makemigrations would write nothing."""
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_migrations_carry_names() -> None:
    """Not the ones that Django makes up from a date."""
    files = (ROOT / "console").glob("*/migrations/0*.py")
    assert [path.name for path in files if re.search(r"_auto_\d|_\d{8}", path.name)] == []
