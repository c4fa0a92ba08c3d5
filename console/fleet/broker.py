"""One Redis user per agent, confined to its own queues. Passwords are known here only as SHA-256.

What an agent's Celery worker needs was found by running one under MONITOR: its two queues and its
own `unacked` keys, all named host.<id>.…; it declares nothing, so no binding is shared.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import redis
import structlog
from django.conf import settings

from console.core.redis import redis_client

_COMMANDS = (
    "-@all",
    # Connecting.
    "+auth",
    "+hello",
    "+ping",
    "+select",
    # Taking doorbells.
    "+brpop",
    "+llen",
    # kombu's list of messages not yet acknowledged, and its return of old ones to their queue.
    "+zadd",
    "+zrem",
    "+zrange",
    "+zrevrangebyscore",
    "+hset",
    "+hget",
    "+hdel",
    "+lpush",
    "+rpush",
    "+watch",
    "+unwatch",
    "+multi",
    "+exec",
    "+discard",
    # redis-py's lock on that list: a script loaded once, which calls get and del.
    "+set",
    "+get",
    "+del",
    "+evalsha",
    "+script|load",
)

_NEWER_COMMANDS = ("+client|setinfo",)
"""What clients call where there is it (Redis 7.2 and newer), and do without elsewhere."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BrokerPassword:
    """A new password: `text` goes to the agent, `sha256` into the database and to Redis."""

    text: str
    sha256: str


def broker_password_make() -> BrokerPassword:
    """Return a new password of 256 random bits."""
    text = secrets.token_urlsafe(32)
    return BrokerPassword(text, hashlib.sha256(text.encode()).hexdigest())


def broker_user(host_id: object) -> str:
    """Return the name of a host's Redis user."""
    return f"host.{host_id}"


def broker_url_for(host_id: object, password: str, *, is_local: bool) -> str:
    """Return the broker's address for an agent, "" where there is none it could reach.

    `is_local`: the agent runs on the console's own machine, so that loopback is the same for both.
    Without KEYRACK_BROKER_ACL the address is handed out as configured, its password included.
    """
    base = settings.AGENT_REDIS_URL or settings.REDIS_URL
    parts = urlsplit(base)
    if not settings.AGENT_REDIS_URL and (parts.hostname not in _LOOPBACK or not is_local):
        return ""
    if not settings.BROKER_ACL:
        return base
    address = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    place = f"{address}:{parts.port or 6379}"
    user = f"{quote(broker_user(host_id), safe='')}:{quote(password, safe='')}"
    return urlunsplit((parts.scheme, f"{user}@{place}", parts.path, parts.query, ""))


_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def broker_user_rules(host_id: object, password_sha256: str) -> list[str]:
    """Return the rules of ACL SETUSER that make a host's user, whatever it was before."""
    name = broker_user(host_id)
    return [
        "reset",
        "on",
        f"#{password_sha256}",
        f"~{name}.*",
        "resetchannels",
        *_COMMANDS,
    ]


def broker_user_set(host_id: object, password_sha256: str) -> None:
    """Make or replace the host's user, and end what is connected under its old password.

    With Redis down, `broker_users_reconcile` does it later.
    """
    if not settings.BROKER_ACL:
        return
    client: Any = redis_client()
    try:
        _set_user(host_id, password_sha256)
        _save()
        client.execute_command("CLIENT", "KILL", "USER", broker_user(host_id))
    except redis.RedisError as error:
        log.warning("broker.user_not_set", host_id=str(host_id), reason=str(error))


def broker_user_remove(host_id: object) -> None:
    """Remove the host's user, which also ends its connections, and what lies in its queues."""
    if not settings.BROKER_ACL:
        return
    try:
        client: Any = redis_client()
        client.execute_command("ACL", "DELUSER", broker_user(host_id))
        _save()
        for key in client.scan_iter(match=f"{broker_user(host_id)}.*", count=1000):
            client.delete(key)
    except redis.RedisError as error:
        log.warning("broker.user_not_removed", host_id=str(host_id), reason=str(error))


def broker_users_reconcile(wanted: Mapping[str, str], *, renew: bool = False) -> dict[str, int]:
    """Make Redis' agent users those in `wanted` (host id → password's SHA-256).

    Returns how many were `made` (or given their new password) and `removed`. Needed after a Redis
    that started empty or was away. `renew`: set the rules of all, as after an upgrade. Raises
    redis.RedisError.
    """
    client: Any = redis_client()
    present = _users(client.execute_command("ACL", "LIST"))
    made = [
        host_id
        for host_id, sha256 in wanted.items()
        if renew or f"#{sha256}" not in present.get(host_id, "").split()
    ]
    surplus = present.keys() - wanted.keys()
    for host_id in made:
        _set_user(host_id, wanted[host_id])
    for host_id in surplus:
        client.execute_command("ACL", "DELUSER", broker_user(host_id))
    if made or surplus:
        _save()
        log.info("broker.users_reconciled", made=len(made), removed=len(surplus))
    return {"made": len(made), "removed": len(surplus)}


def _users(lines: Iterable[bytes | str]) -> dict[str, str]:
    """Return `{host id: rules}` of the agents' users in what ACL LIST answers."""
    users = {}
    for line in lines:
        text = line.decode() if isinstance(line, bytes) else line
        _, name, rules = text.split(" ", 2)
        if name.startswith("host."):
            users[name.removeprefix("host.")] = rules
    return users


def _set_user(host_id: object, password_sha256: str) -> None:
    rules: Iterable[str] = broker_user_rules(host_id, password_sha256)
    client: Any = redis_client()
    try:
        client.execute_command("ACL", "SETUSER", broker_user(host_id), *rules, *_NEWER_COMMANDS)
    except redis.ResponseError:
        client.execute_command("ACL", "SETUSER", broker_user(host_id), *rules)


def _save() -> None:
    """Keep the users over a restart, where Redis has a file for them."""
    client: Any = redis_client()
    try:
        client.execute_command("ACL", "SAVE")
    except redis.ResponseError as error:
        log.debug("broker.users_not_saved", reason=str(error))
