"""Pure parsers: text to dataclasses, by platform and command."""
