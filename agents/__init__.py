"""Keyrack's agent: what runs on every host. Knows neither Django nor the console."""
