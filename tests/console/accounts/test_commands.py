"""Management commands of accounts."""

import io

import pytest
from django.core.management import CommandError, call_command

from console.accounts.models import ApiToken, User
from console.accounts.selectors import api_token_find

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    """Run a command; return exactly what it printed."""
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_user_create_prints_the_generated_password_alone() -> None:
    """One line, which logs in."""
    printed = run("user_create", "nora", "--role", "operator")
    user = User.objects.get(username="nora")
    assert user.check_password(printed.rstrip("\n"))
    assert user.role == "operator"


def test_user_create_takes_a_password_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is printed."""
    monkeypatch.setattr("sys.stdin", io.StringIO("a-long-enough-secret-42\n"))
    assert run("user_create", "nora", "--password-stdin") == ""
    assert User.objects.get(username="nora").check_password("a-long-enough-secret-42")


def test_user_create_refuses_a_taken_name() -> None:
    """In a sentence."""
    run("user_create", "nora")
    with pytest.raises(CommandError, match="already a user named Nora"):
        run("user_create", "Nora")


def test_apitoken_create_prints_the_token_alone() -> None:
    """One line, which is the secret of a token that never expires."""
    run("user_create", "nora")
    printed = run("apitoken_create", "--user", "nora", "--name", "ci")
    token = api_token_find(printed.rstrip("\n"))
    assert token is not None
    assert (token.user.username, token.name, token.expires_at) == ("nora", "ci", None)


def test_apitoken_create_sets_an_expiry_in_days() -> None:
    """Two days from now."""
    run("user_create", "nora")
    run("apitoken_create", "--user", "nora", "--name", "ci", "--expires-days", "2")
    token = ApiToken.objects.get()
    assert token.expires_at is not None
    assert (token.expires_at - token.created_at).days in (1, 2)


def test_apitoken_create_refuses_an_unknown_user() -> None:
    """In a sentence."""
    with pytest.raises(CommandError, match="no user named nobody"):
        run("apitoken_create", "--user", "nobody", "--name", "ci")
