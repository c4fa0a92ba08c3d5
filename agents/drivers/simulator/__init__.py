"""The simulated SPARC host: stand-in programs over one state file. docs/simulator.md tells more."""
