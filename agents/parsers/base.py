"""What all parsers share: how they say that output is not what they know."""


class UnexpectedOutput(ValueError):
    """Output that does not fit. `line_no` counts from 1; `line` is that line as it came."""

    def __init__(self, line_no: int, line: str) -> None:
        super().__init__(f"line {line_no} is not what was expected: {line[:200]!r}")
        self.line_no = line_no
        self.line = line
