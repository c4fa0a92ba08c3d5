#!/bin/sh
# Lock requirements/*.in to *.txt with hashes. Index addresses stay out. The sets for running are locked under
# the versions of dev.txt, so that one environment serves both. `tools/lock.sh --upgrade` takes newer versions.
set -eu
cd "$(dirname "$0")/.."
export UV_CACHE_DIR="$PWD/.tools/cache/uv" UV_PYTHON_DOWNLOADS=never
compile() {
  name=$1
  shift
  .tools/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
    --no-emit-index-url --no-emit-find-links "$@" "requirements/$name.in" -o "requirements/$name.txt"
}
compile tools "$@"
compile dev "$@"
compile console -c requirements/dev.txt
compile agent -c requirements/dev.txt
