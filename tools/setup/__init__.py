"""Prepares a checkout for `make run` and `make test`; a step is skipped while its inputs stand."""
