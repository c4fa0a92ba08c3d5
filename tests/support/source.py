"""Our own Python source, parsed, for the tests of conventions."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from console.config.env import ROOT

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One source file."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """Its path from the repository's folder."""
        return str(self.path.relative_to(ROOT))

    @property
    def lines(self) -> int:
        """How long it is."""
        return self.text.count("\n")

    def functions(self) -> Iterator[tuple[str, FunctionNode]]:
        """Yield (where, node) of every function in it."""
        for node in ast.walk(self.tree):
            if isinstance(node, FunctionNode):
                yield f"{self.name}:{node.lineno} {node.name}", node


@lru_cache(maxsize=8)
def modules(*folders: str) -> tuple[Module, ...]:
    """Return the Python files under `folders`, migrations left out."""
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if {"migrations", "build", "node_modules"} & set(path.parts):
                continue
            text = path.read_text(encoding="utf-8")
            found.append(Module(path, text, ast.parse(text)))
    return tuple(found)


def length_of(node: FunctionNode) -> int:
    """Return a function's length in lines, its decorators and docstring left out."""
    start = node.body[0]
    is_docstring = isinstance(start, ast.Expr) and isinstance(start.value, ast.Constant)
    own = (node.end_lineno or node.lineno) - node.lineno + 1
    return own - ((start.end_lineno or 0) - start.lineno + 1 if is_docstring else 0)
