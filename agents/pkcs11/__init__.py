"""PKCS#11 libraries, looked at from child processes: one per module, fresh for each scan."""
