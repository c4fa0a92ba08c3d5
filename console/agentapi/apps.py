"""The Django app `agentapi`."""

from django.apps import AppConfig


class AgentApiConfig(AppConfig):
    """Configuration of console.agentapi."""

    name = "console.agentapi"
    label = "agentapi"
