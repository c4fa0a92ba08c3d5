"""`make bench`: what docs/benchmarks.md promises, measured on this machine and printed."""
