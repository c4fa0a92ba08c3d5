"""The dashboard: npm packages and the Vite build."""

from tools.setup.places import FRONTEND
from tools.setup.running import run, say
from tools.setup.stamps import fingerprint, forget, is_current, write_stamp


def npm_packages_ensure() -> None:
    """Install exactly what package-lock.json says, when it changed."""
    inputs = [FRONTEND / "package.json", FRONTEND / "package-lock.json"]
    value = fingerprint(inputs)
    if is_current("npm", value) and (FRONTEND / "node_modules").is_dir():
        return
    say("installing the dashboard's packages")
    forget("npm")
    run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=FRONTEND)
    write_stamp("npm", value)


def dashboard_ensure() -> None:
    """Build frontend/dist, when its sources changed."""
    value = fingerprint([FRONTEND])
    if is_current("dashboard", value) and (FRONTEND / "dist" / "index.html").is_file():
        return
    npm_packages_ensure()
    say("building the dashboard")
    forget("dashboard")
    run(["npm", "run", "--silent", "build", "--", "--logLevel", "warn"], cwd=FRONTEND)
    write_stamp("dashboard", value)
