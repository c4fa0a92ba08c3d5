"""The contract between console and agents. Imports only the standard library and cattrs.

Everything that crosses the wire is a frozen dataclass of this package, turned into JSON and back by
`agents.wire.codec`. docs/protocol.md tells the same story in words.
"""

WIRE_MAJOR = 1
WIRE_MINOR = 1
WIRE_VERSION = f"{WIRE_MAJOR}.{WIRE_MINOR}"
