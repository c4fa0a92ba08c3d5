#!/bin/sh
# Redis for docker-compose.yml: a password for the console, agents' own users kept in a file over restarts.
# Needs REDIS_PASSWORD; DATA (/data) and PORT (6379) may be set. The password never becomes an argument.
set -eu
umask 077
data=${DATA:-/data}
users=$data/users.acl
hash=$(printf %s "$REDIS_PASSWORD" | sha256sum | cut -d' ' -f1)
{
  echo "user default on sanitize-payload #$hash ~* &* +@all"
  if [ -f "$users" ]; then grep -v '^user default ' "$users" || true; fi
} >"$users.new"
mv "$users.new" "$users"
cat >"$data/redis.conf" <<END
port ${PORT:-6379}
dir $data
aclfile $users
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
END
unset REDIS_PASSWORD
exec redis-server "$data/redis.conf"
