"""Conventions that a reader of the source relies on."""

import ast
import re
from collections.abc import Iterator

from tests.support.source import Module, modules

WRITES = frozenset({"save", "delete", "create", "update", "bulk_create", "bulk_update"}) | {
    "update_or_create",
    "get_or_create",
}
PROCESS_HELPERS = frozenset(
    {
        # The agent's one helper, and the spawn of children that outlive their parent.
        "agents/executors/process.py",
        "agents/executors/child.py",
    }
)
ENVIRONMENT_READERS = frozenset({"console/config/env.py"})


def views() -> Iterator[Module]:
    """Yield the modules that hold views, serializers and filters."""
    for module in modules("console"):
        if "/api/" in module.name or module.path.stem.startswith("views"):
            yield module


def calls(module: Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield (name of the attribute or function called, node)."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr, node
            elif isinstance(node.func, ast.Name):
                yield node.func.id, node


def is_on_a_manager(node: ast.Call) -> bool:
    """Whether the call's target mentions a manager or is a saved instance."""
    assert isinstance(node.func, ast.Attribute)
    target = ast.unparse(node.func.value)
    return ".objects" in target or node.func.attr in {"save", "delete"}


def test_no_view_writes_through_the_orm() -> None:
    """A write is a service; views only call it."""
    found = [
        f"{module.name}:{node.lineno} {ast.unparse(node)[:60]}"
        for module in views()
        for name, node in calls(module)
        if name in WRITES and isinstance(node.func, ast.Attribute) and is_on_a_manager(node)
    ]
    assert found == []


def test_models_have_no_signals_and_no_rules_in_save() -> None:
    """Signals lose background work and bulk updates."""
    pattern = re.compile(r"(pre|post)_(save|delete)\b|m2m_changed")
    assert [m.name for m in modules("console") if pattern.search(m.text)] == []


def test_a_host_is_only_ever_asked_through_the_process_helper() -> None:
    """It sets environment, deadline, output cap and process group."""
    found = [
        f"{module.name}:{node.lineno}"
        for module in modules("agents")
        if module.name not in PROCESS_HELPERS
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in {"subprocess.run", "subprocess.Popen", "os.system", "os.popen"}
    ]
    assert found == []


def test_no_shell() -> None:
    """Commands are argv lists."""
    found = [
        f"{module.name}:{node.lineno}"
        for module in modules("console", "agents", "tools")
        for _, node in calls(module)
        for keyword in node.keywords
        if keyword.arg == "shell" and ast.unparse(keyword.value) != "False"
    ]
    assert found == []


def test_the_consoles_settings_come_from_one_place() -> None:
    """console/config/env.py; entry points name the settings module, the supervisor passes it on."""
    found = [
        module.name
        for module in modules("console")
        if "os.environ" in module.text
        and module.name not in ENVIRONMENT_READERS
        and not module.name.startswith("console/core/embedded/")
        and set(re.findall(r"os\.environ[^\n]*", module.text))
        != {'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.config.settings.embedded")'}
    ]
    assert found == ["console/config/settings/test.py"]


def test_log_events_are_names_with_fields() -> None:
    """Never f-strings: a log is searched by name."""
    found = [
        f"{module.name}:{node.lineno} {ast.unparse(node.args[0])}"
        for module in modules("console", "agents")
        for name, node in calls(module)
        if name in {"debug", "info", "warning", "error", "exception"}
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) in {"log", "logger"}
        and node.args
        and not is_event_name(node.args[0])
    ]
    assert found == []


def is_event_name(node: ast.expr) -> bool:
    """Whether a log call's first argument is a dotted lower-case name (or a variable with one)."""
    if isinstance(node, ast.Name):
        return True
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", text) is not None


def test_every_module_says_what_lives_in_it() -> None:
    """In one to three lines of docstring; an empty __init__ needs none."""
    silent = [
        module.name
        for module in modules("console", "agents", "tools", "tests")
        if module.text.strip() and not ast.get_docstring(module.tree)
    ]
    assert silent == []


def test_nothing_is_left_to_do_later() -> None:
    """Neither marked nor stubbed."""
    pattern = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|\bpytest\.mark\.skip\(")
    here = "tests/architecture/"
    sources = [m for m in modules("console", "agents", "tools", "tests") if here not in m.name]
    assert [m.name for m in sources if pattern.search(m.text)] == []
