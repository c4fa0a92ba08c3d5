# Installs the Keyrack agent on this host and enrols it. Served by the console, which is the only
# place it fetches anything from. Run it as the console shows it: the line before this script sets
# KEYRACK_ENROLMENT_TOKEN, so that the token is in no process's arguments.
#
# May be set before (values as here by default):
#   KEYRACK_AGENT_HOME=/opt/keyrack-agent          where the program goes
#   KEYRACK_AGENT_CONFIG=/etc/keyrack/agent.toml   its configuration, made if it is not there
#   KEYRACK_AGENT_STATE=/var/lib/keyrack-agent     what it remembers
#   KEYRACK_AGENT_NAME=                            name in the console; the host's name
#   KEYRACK_AGENT_SYSTEMD=auto                     no: never touch systemd
#   KEYRACK_PYTHON=python3                         Python 3.11 or newer, with venv

set -eu
umask 022

console=@CONSOLE@
pin=@PIN@

say() { printf 'keyrack: %s\n' "$*"; }
fail() {
    printf 'keyrack: %s\n' "$*" >&2
    exit 1
}

fetch() { # path, file
    if [ -n "$pin" ]; then
        curl -fsS --insecure --pinnedpubkey "$pin" -o "$2" "$console$1"
    else
        curl -fsS -o "$2" "$console$1"
    fi
}

check_python() {
    command -v "$python" >/dev/null 2>&1 ||
        fail "There is no $python here. Install Python 3.11 or newer, or set KEYRACK_PYTHON."
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "$python is too old: the agent needs Python 3.11 or newer. Set KEYRACK_PYTHON."
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$python has no venv. On Debian and Ubuntu: apt-get install python3-venv"
}

# Fetches the wheels that this Python can use, each checked against its SHA-256.
fetch_wheels() {
    tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
    fetch /agent/wheels/ "$work/index"
    : >"$work/wanted"
    while read -r sum wheel; do
        case $wheel in
        */* | .* | "") fail "The console's list of wheels is not as it should be." ;;
        *"-$tag-$tag-"* | *-none-* | *-abi3-*) ;;
        *) continue ;;
        esac
        fetch "/agent/wheels/$wheel" "$work/wheels/$wheel"
        printf '%s  %s\n' "$sum" "$wheel" >>"$work/wanted"
    done <"$work/index"
    [ -s "$work/wanted" ] || fail "The console has no wheels; run its set-up (make setup) first."
    "$python" - "$work" <<'CHECK' || fail "A wheel does not have the SHA-256 that the console named."
import hashlib, pathlib, sys
work = pathlib.Path(sys.argv[1])
for line in (work / "wanted").read_text().splitlines():
    wanted, name = line.split("  ", 1)
    if hashlib.sha256((work / "wheels" / name).read_bytes()).hexdigest() != wanted:
        sys.exit(name)
CHECK
}

install_agent() {
    mkdir -p "$home"
    [ -x "$home/bin/python" ] || "$python" -m venv "$home"
    "$home/bin/python" -m pip install --quiet --disable-pip-version-check --no-index \
        --find-links "$work/wheels" --force-reinstall keyrack-agent ||
        fail "The agent could not be installed: see above. Wheels fit the console's kind of machine."
}

write_config() {
    [ ! -e "$config" ] || return 0
    mkdir -p "$(dirname "$config")"
    "$home/bin/python" - "$state" >"$config" <<'CONFIG'
import json, sys
print("# Written by the installer; yours to change. docs/agent.md lists every key.")
print("state_dir = " + json.dumps(sys.argv[1]))
CONFIG
}

enrol_agent() {
    set -- enrol --config "$config" --url "$console"
    [ -z "$pin" ] || set -- "$@" --pin "$pin"
    [ -z "$name" ] || set -- "$@" --name "$name"
    KEYRACK_ENROLMENT_TOKEN=$token "$home/bin/keyrack-agent" "$@"
}

start_agent() {
    if [ "$systemd" = no ] || [ ! -d /run/systemd/system ] || [ "$(id -u)" != 0 ]; then
        say "installed. Start the agent with: $home/bin/keyrack-agent run --config $config"
        return 0
    fi
    cat >/etc/systemd/system/keyrack-agent.service <<UNIT
[Unit]
Description=Keyrack agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart="$home/bin/keyrack-agent" run --config "$config"
Restart=always
RestartSec=5
# The agent ends its own children within its time; a run that outlives it is adopted on start.
KillMode=process
TimeoutStopSec=30

[Install]
WantedBy=multi-user.target
UNIT
    systemctl daemon-reload
    systemctl enable --quiet keyrack-agent.service
    systemctl restart keyrack-agent.service
    say "installed and started: systemctl status keyrack-agent"
}

main() {
    token=${KEYRACK_ENROLMENT_TOKEN:-}
    unset KEYRACK_ENROLMENT_TOKEN
    home=${KEYRACK_AGENT_HOME:-/opt/keyrack-agent}
    config=${KEYRACK_AGENT_CONFIG:-/etc/keyrack/agent.toml}
    state=${KEYRACK_AGENT_STATE:-/var/lib/keyrack-agent}
    name=${KEYRACK_AGENT_NAME:-}
    systemd=${KEYRACK_AGENT_SYSTEMD:-auto}
    python=${KEYRACK_PYTHON:-python3}
    [ -n "$token" ] || fail "Set KEYRACK_ENROLMENT_TOKEN: the console's page 'Enrol host' shows how."
    command -v curl >/dev/null 2>&1 || fail "There is no curl here."
    check_python
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/wheels"
    say "fetching the agent from $console"
    fetch_wheels
    install_agent
    write_config
    enrol_agent
    start_agent
}

# On the last line, so that a script cut short by a lost connection does nothing.
main
