"""The rule to begin with: low risk needs nobody, medium and high one other person."""

from typing import Any

from django.db import migrations


def add_rule(apps: Any, _editor: Any) -> None:
    """Add it, unless an administrator was faster."""
    apps.get_model("changes", "ApprovalRule").objects.get_or_create(
        kind_pattern="*",
        minimum_risk="medium",
        defaults={"approvals": 1, "note": "Every change of medium or high risk: four eyes."},
    )


class Migration(migrations.Migration):
    dependencies = [("changes", "0002_surroundings")]
    operations = [migrations.RunPython(add_rule, migrations.RunPython.noop)]
