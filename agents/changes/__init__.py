"""The agent's half of changes: what a kind is, plans and their digests, applying and undoing."""
