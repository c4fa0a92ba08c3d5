"""`openssl.speed`: the same command with and without the CPU's crypto instructions, in pairs."""

from agents.workloads.openssl_speed.workload import OpensslSpeed

__all__ = ["OpensslSpeed"]
