"""Keyrack's agent: what runs on every host. Knows neither Django nor the console."""

__version__ = "0.1.0"
