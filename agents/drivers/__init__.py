"""Platform drivers: how a host's crypto resources are found."""
