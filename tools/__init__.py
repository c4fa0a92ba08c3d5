"""Set-up and maintenance scripts. They run on a bare Python 3.11: standard library only."""
