"""The Django app `inventory`."""

from django.apps import AppConfig


class InventoryConfig(AppConfig):
    """Configuration of console.inventory."""

    name = "console.inventory"
    label = "inventory"

    def ready(self) -> None:
        """Bulk writes in one statement on SQLite too."""
        from console.inventory.sqlite import parameter_limit_raise

        parameter_limit_raise()
