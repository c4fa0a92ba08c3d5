"""`manage.py embedded_prepare`: what each start puts into the database."""

import stat
from pathlib import Path

import pytest
from django.core.management import call_command

from console.accounts.models import User
from console.fleet.models import EnrolmentToken


@pytest.fixture(autouse=True)
def var(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A KEYRACK_VAR of this test's own."""
    monkeypatch.setenv("KEYRACK_VAR", str(tmp_path))
    return tmp_path


def test_the_first_start_makes_users_whose_passwords_only_their_owner_can_read(var: Path) -> None:
    """An administrator and, for the second pair of eyes, an approver."""
    call_command("embedded_prepare", verbosity=0)
    for name, role in (("admin", "administrator"), ("approver", "approver")):
        path = var / f"{name}_password"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        user = User.objects.get(username=name)
        assert user.role == role
        assert user.check_password(path.read_text().strip())


def test_later_starts_leave_users_as_they_are(var: Path) -> None:
    """Also one whose password and role were changed since."""
    call_command("embedded_prepare", verbosity=0)
    user = User.objects.get(username="approver")
    user.set_password("changed-since-then")
    user.role = "viewer"
    user.save()
    call_command("embedded_prepare", verbosity=0)
    user.refresh_from_db()
    assert (user.role, user.check_password("changed-since-then")) == ("viewer", True)
    assert User.objects.count() == 2


def test_an_enrolment_token_is_made_on_request_alone(var: Path) -> None:
    """Written to the file, for its owner alone."""
    call_command("embedded_prepare", verbosity=0)
    assert not EnrolmentToken.objects.exists()
    path = var / "token"
    call_command("embedded_prepare", enrolment_token=[path], verbosity=0)
    assert path.read_text().startswith("kre_")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert EnrolmentToken.objects.count() == 1
