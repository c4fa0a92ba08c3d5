"""The Django app `accounts`."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Configuration of console.accounts."""

    name = "console.accounts"
    label = "accounts"
