"""The Django app `inventory`."""

from django.apps import AppConfig


class InventoryConfig(AppConfig):
    """Configuration of console.inventory."""

    name = "console.inventory"
    label = "inventory"
