"""What lies where under KEYRACK_VAR, and how its files are written."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class VarLayout:
    """The folder of everything that the embedded console writes."""

    root: Path

    def prepare(self) -> None:
        """Make the folders, readable by this user alone."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(0o700)
        for folder in (self.log, self.run, self.redis, self.agent, self.simulated, self.beat):
            folder.mkdir(mode=0o700, exist_ok=True)

    @property
    def log(self) -> Path:
        """One file per program."""
        return self.root / "log"

    @property
    def run(self) -> Path:
        """Lock and record of the running instance."""
        return self.root / "run"

    @property
    def redis(self) -> Path:
        """The private Redis: configuration, users and data."""
        return self.root / "redis"

    @property
    def redis_url(self) -> Path:
        """The private Redis' address with its password; management commands read it."""
        return self.root / "redis_url"

    @property
    def beat(self) -> Path:
        """Celery beat's own state."""
        return self.root / "beat"

    @property
    def agent(self) -> Path:
        """Configuration and state of this host's agent."""
        return self.root / "agent"

    @property
    def simulated(self) -> Path:
        """Configuration and state of the agent that looks at a simulated host."""
        return self.root / "agent-simulated"

    @property
    def softhsm(self) -> Path:
        """The SoftHSM token that is made where a host has no token at all."""
        return self.root / "softhsm"

    @property
    def tls(self) -> Path:
        """Self-signed key and certificate, where the console is not on loopback alone."""
        return self.root / "tls"

    def password(self, username: str) -> Path:
        """The generated first password of `username`."""
        return self.root / f"{username}_password"

    def log_file(self, program: str) -> Path:
        """Where the output of `program` goes."""
        return self.log / f"{program}.log"


def private_write(path: Path, text: str) -> None:
    """Write `text` to `path` in one step, mode 0600; readers see the old or the new content."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)


def secret_ensure(path: Path, *, length: int = 24) -> str:
    """Return the secret in `path`, made with `length` random bytes where there is none yet."""
    if not path.exists():
        private_write(path, secrets.token_urlsafe(length) + "\n")
    return path.read_text(encoding="utf-8").strip()
