"""The database itself refuses to change audit rows, whoever asks."""

from typing import Any

from django.db import migrations

SQLITE = """
CREATE TRIGGER audit_event_unchanged BEFORE UPDATE ON audit_auditevent
BEGIN SELECT RAISE(ABORT, 'audit events are never changed'); END;
"""
POSTGRESQL = """
CREATE FUNCTION audit_event_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'audit events are never changed or deleted'; END $$;
CREATE TRIGGER audit_event_unchanged BEFORE UPDATE OR DELETE ON audit_auditevent
FOR EACH ROW EXECUTE FUNCTION audit_event_refuse();
"""
SQLITE_BACK = "DROP TRIGGER audit_event_unchanged;"
POSTGRESQL_BACK = """
DROP TRIGGER audit_event_unchanged ON audit_auditevent;
DROP FUNCTION audit_event_refuse();
"""


def forwards(_apps: Any, editor: Any) -> None:
    editor.execute(POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def backwards(_apps: Any, editor: Any) -> None:
    editor.execute(POSTGRESQL_BACK if editor.connection.vendor == "postgresql" else SQLITE_BACK)


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [migrations.RunPython(forwards, backwards)]
