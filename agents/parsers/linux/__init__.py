"""Parsers of what Linux and its tools write. Pure: text in, dataclasses out."""
