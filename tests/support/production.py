"""The processes of docker-compose.yml, started natively: the same commands behind a real nginx."""

import os
import secrets
import ssl
import string
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml

from console.config.env import ROOT
from tests.support.ports import free_port

COMPOSE = ROOT / "docker-compose.yml"
NGINX_MAIN = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/keyrack.conf;
}}
"""


@dataclass
class Production:
    """A running console of several processes: where it is and how to get in."""

    url: str
    folder: Path
    web_port: int
    environment: dict[str, str] = field(repr=False)
    token: str = field(default="", repr=False)

    def manage(self, *arguments: str) -> str:
        """Run a management command in the console's environment; return its standard output."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            timeout=120,
        ).stdout.strip()

    def client(self, *, is_anonymous: bool = False) -> httpx.Client:
        """Return an HTTP client that trusts our certificate, with the administrator's token."""
        trust = ssl.create_default_context(cafile=str(self.folder / "console.crt"))
        headers = {} if is_anonymous else {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, verify=trust, headers=headers, timeout=20)


@contextmanager
def production_running(folder: Path, database_url: str) -> Iterator[Production]:
    """Run Redis, web, events, worker, beat and nginx for the length of the block."""
    ports = {name: free_port() for name in ("front", "web", "events", "redis")}
    password = secrets.token_hex(16)
    production = Production(
        url=f"https://localhost:{ports['front']}",
        folder=folder,
        web_port=ports["web"],
        environment={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "DJANGO_SETTINGS_MODULE": "console.config.settings.production",
            "KEYRACK_VAR": str(folder / "var"),
            "KEYRACK_SECRET_KEY": secrets.token_urlsafe(50),
            "KEYRACK_PUBLIC_URL": f"https://localhost:{ports['front']}",
            "KEYRACK_DATABASE_URL": database_url,
            "KEYRACK_REDIS_URL": f"redis://:{password}@127.0.0.1:{ports['redis']}/0",
            "KEYRACK_TRUSTED_PROXIES": compose_environment()["KEYRACK_TRUSTED_PROXIES"],
            # For deploy/redis/start.sh.
            "REDIS_PASSWORD": password,
            "DATA": str(folder),
            "PORT": str(ports["redis"]),
        },
    )
    with ExitStack() as stack:
        for name, argv in _programs(folder, ports).items():
            if name == "web":
                production.manage(*compose_command("migrate")[2:])
            stack.enter_context(_running(name, argv, production))
        production.manage("user_create", "adam", "--role", "administrator")
        production.token = production.manage("apitoken_create", "--user", "adam", "--name", "tests")
        _wait_until_ready(production)
        yield production


def compose_command(service: str) -> list[str]:
    """Return the command of a service as docker-compose.yml has it."""
    command: list[str] = _compose()["services"][service]["command"]
    return command


def compose_environment() -> dict[str, str]:
    """Return the environment that all console services share in docker-compose.yml."""
    environment: dict[str, str] = _compose()["x-console"]["environment"]
    return environment


def _compose() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return data


def _programs(folder: Path, ports: dict[str, int]) -> dict[str, list[str]]:
    _certificate(folder)
    _nginx_configuration(folder, ports)
    programs = {"redis": [str(ROOT / "deploy" / "redis" / "start.sh")]}
    for name in ("web", "events", "worker", "beat"):
        local = {"0.0.0.0": "127.0.0.1", "8000": str(ports.get(name))}
        command = [local.get(word, word) for word in compose_command(name)]
        programs[name] = [word.replace("/var/lib/keyrack", str(folder)) for word in command]
    programs["front"] = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    return programs


def _certificate(folder: Path) -> None:
    argv = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    argv += ["-noenc", "-days", "2", "-subj", "/CN=localhost"]
    argv += ["-addext", "subjectAltName=DNS:localhost"]
    argv += ["-keyout", str(folder / "console.key"), "-out", str(folder / "console.crt")]
    subprocess.run(argv, check=True, capture_output=True)


def _nginx_configuration(folder: Path, ports: dict[str, int]) -> None:
    template = (ROOT / "deploy" / "nginx" / "keyrack.conf.template").read_text(encoding="utf-8")
    filled = string.Template(template).safe_substitute(
        KEYRACK_WEB=f"127.0.0.1:{ports['web']}",
        KEYRACK_EVENTS=f"127.0.0.1:{ports['events']}",
        KEYRACK_LISTEN=f"127.0.0.1:{ports['front']}",
        KEYRACK_TLS_CERT=folder / "console.crt",
        KEYRACK_TLS_KEY=folder / "console.key",
    )
    (folder / "keyrack.conf").write_text(filled, encoding="utf-8")
    (folder / "nginx.conf").write_text(NGINX_MAIN.format(folder=folder), encoding="utf-8")


@contextmanager
def _running(name: str, argv: list[str], production: Production) -> Iterator[None]:
    with (production.folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            argv, cwd=ROOT, env=production.environment, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def _wait_until_ready(production: Production) -> None:
    deadline = time.monotonic() + 60
    answer = "no answer"
    while time.monotonic() < deadline:
        try:
            with production.client(is_anonymous=True) as client:
                reply = client.get("/readyz")
            if reply.status_code == httpx.codes.OK:
                return
            answer = reply.text
        except httpx.HTTPError as error:
            answer = repr(error)
        time.sleep(0.3)
    raise AssertionError(f"not ready after a minute: {answer}")
