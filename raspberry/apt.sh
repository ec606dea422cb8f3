#!/bin/sh
# Runs apt-get, and waits while something else installs: a Pi renews its packages by itself as soon as it has started.
# Usage: apt.sh ARGUMENTS, as for apt-get. By itself apt-get waits for the lock of the packages alone, and only if asked
# to; where another lock is held it is tried again, for five minutes in all.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C # the words below are those that apt-get says in English
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for _ in $(seq 60); do
    status=0
    apt-get -o DPkg::Lock::Timeout=300 "$@" 2>"$said" || status=$?
    if [ "$status" = 0 ] || ! grep -q 'Could not get lock' "$said"; then break; fi
    sleep 5
done
cat "$said" >&2
exit "$status"
