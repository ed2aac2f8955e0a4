# shellcheck shell=bash
# Sourced by .ci/run: a real PostgreSQL for the tests of the store on it. Installs one where this is Debian and root may; starts it as
# a user that is not root, on a free port, in a temporary folder. Tests that would be skipped for want of it then fail,
# and so does the run where there is none to be had.

postgres_folder=

postgres_binaries() { find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1; }

# PostgreSQL refuses to run as root.
as_postgres() { if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

# One package of Debian's.
install_package() {
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
  export DEBIAN_FRONTEND=noninteractive
  timeout 300 apt-get update -qq >/dev/null 2>&1
  timeout 600 apt-get install -y -qq --no-install-recommends "$1" >/dev/null 2>&1
}

start_postgres() {
  if [ -z "${CTX_TEST_POSTGRES:-}" ]; then
    [ -n "$(postgres_binaries)" ] || install_package postgresql || true
    local bin port
    bin=$(postgres_binaries)
    if [ -z "$bin" ]; then
      echo 'No PostgreSQL here, and none could be installed: its tests on a server would be skipped.'
      echo 'Give one as CTX_TEST_POSTGRES, or set CTX_WITHOUT_POSTGRES=1 to do without those tests.'
      [ "${CTX_WITHOUT_POSTGRES:-}" = 1 ]
      return
    fi
    postgres_folder=$(mktemp -d)
    if [ "$(id -u)" -eq 0 ]; then chown postgres "$postgres_folder"; fi
    port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
    as_postgres "$bin/initdb" -D "$postgres_folder/data" -A trust -U ctx -E UTF8 --no-locale --no-sync >/dev/null &&
      as_postgres "$bin/pg_ctl" -D "$postgres_folder/data" -w -l "$postgres_folder/log" \
        -o "-p $port -k $postgres_folder -c listen_addresses=127.0.0.1 -c fsync=off" start >/dev/null || return 1
    export CTX_TEST_POSTGRES="postgres://ctx@127.0.0.1:$port/postgres"
  fi
  export CTX_NEEDS_POSTGRES=1
  # A pooler before it; without one those tests are skipped and say so.
  [ -x /usr/sbin/pgbouncer ] || install_package pgbouncer || true
}

stop_postgres() {
  [ -n "$postgres_folder" ] || return 0
  as_postgres "$(postgres_binaries)/pg_ctl" -D "$postgres_folder/data" -m immediate stop >/dev/null 2>&1
  rm -rf "$postgres_folder"
}
