"""One module (or package) per kind of acceleration job. Imports neither Django nor console."""
