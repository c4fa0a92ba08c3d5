"""The catalogue: one module per workload that can be asked of hosts; registry.py lists them."""
