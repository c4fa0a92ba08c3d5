"""The kinds of change that a Solaris host knows, one module each."""
