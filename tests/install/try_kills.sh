#!/usr/bin/env bash
# Kills a booted board KILLS times while updates go to and fro: after each, the old or the new version plays, and no
# move that was answered is missing. The story is tests/install/killed_update.py. Needs root; a kill takes half a minute.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/install/clean_system.sh
kills=${1:-200} port=18014 release=trixie
RANDOM=${2:-1} # the seed of the moments
get_ready
echo "A clean Debian, Beaconboard, and an update of it"
tree $release >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
root=$work/$release made=$work/$release/src/made
tells $release "/bin/bash /src/tests/install/killed_story.sh prepare $port"
boot $release timeout 900 >>"$work/log" 2>&1 || { tail -40 "$work/log"; cat "$root/story.log"; exit 1; }
tells $release "/bin/bash /src/tests/install/killed_story.sh boot $port"

fail() { cat "$root/story.log"; echo "after $killed kills: $1"; exit 1; }
for ((killed = 0; killed <= kills; killed++)); do
  rm -f "$made/begun" "$root/story.log"
  # A session of its own, so that all of it can be killed at once.
  (boot $release exec setsid) >"$work/console" 2>&1 &
  system=$!
  for ((waited = 0; waited < 4000; waited++)); do
    [ -e "$made/begun" ] && break
    kill -0 $system 2>/dev/null || fail "the system has ended by itself"
    sleep 0.1
  done
  [ -e "$made/begun" ] || fail "no update was begun within 400 s"
  cat "$root/story.log"
  after=$((RANDOM % 2500)) # hundredths of a second: an update and its trial take some twenty
  sleep "$((after / 100)).$(printf %02d $((after % 100)))"
  leader=$(pgrep -P $system | head -1)
  kill -9 "${leader:-$system}" $system 2>/dev/null || true
  wait $system 2>/dev/null || true
done
echo "$kills kills: the old or the new version played after each, and every move that was answered is there"
