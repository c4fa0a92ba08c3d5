"""The console on one machine, `make run`: its private programs, and the supervisor that keeps them.

Nothing of the product's domain lives here, and no other part of the console imports it.
"""
