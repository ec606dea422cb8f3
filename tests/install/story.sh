# What happens to a Pi, told from inside a clean Debian: install, play, update, a broken update, uninstall.
# Usage: story.sh FIRST-KIND SECOND-KIND PORT; the card moves from one kind of Pi to the other with the update.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
trap 'code=$?; [ "$code" = 0 ] || { journalctl -b -n 60 --no-pager; echo "failed in line $LINENO"; }; systemctl exit $code' EXIT
first=$1 second=$2 port=$3
model() { [ "$1" = pi5 ] && echo 'Raspberry Pi 5 Model B Rev 1.0' || echo 'Raspberry Pi 4 Model B Rev 1.5'; }
user_of() { [ "$1" = pi5 ] && echo beaconboard || echo root; } # the shipped settings have lights on D18
began=$(date +%s)
tell() { echo "- $1 ($(($(date +%s) - began)) s)"; }
wrong() { echo "WRONG: $1"; exit 1; }
refused() { # WORDS COMMAND…: the command fails, and says so with these words
  local words=$1; shift
  local said; said=$("$@" 2>&1) && wrong "'$*' was not refused"
  case $said in *Traceback*) wrong "a traceback: $said" ;; *"$words"*) ;; *) wrong "'$*' says: $said" ;; esac
}
main_pid() { systemctl show -p MainPID --value beaconboard; }
answers() { # PORT: the panel is there, and its page is ours
  /usr/bin/python3 -c "import urllib.request as u; assert b'Beaconboard' in u.urlopen('http://127.0.0.1:$1/', timeout=20).read()"
}
plays_as() { # KIND: runs, as the right user, shut in, and answers
  systemctl -q is-active beaconboard || wrong "the service does not run"
  answers "$port" || wrong "the panel does not answer on port $port"
  answers "$usual_port" || wrong "the panel does not answer on the port that it is handed"
  local pid; pid=$(main_pid)
  [ "$(stat -c %U "/proc/$pid")" = "$(user_of "$1")" ] || wrong "it runs as $(stat -c %U "/proc/$pid")"
  [ "$(readlink "/proc/$pid/cwd")" = /run/beaconboard ] || wrong "it works in $(readlink "/proc/$pid/cwd")"
  nsenter -t "$pid" -m touch /etc/here 2>/dev/null && wrong "it may write to /etc"
  grep -q '^NoNewPrivs:.1$' "/proc/$pid/status" || wrong "it may gain privileges"
  grep -q '^Seccomp:.2$' "/proc/$pid/status" || wrong "its system calls are not filtered"
  [ -s /var/lib/beaconboard/games.sqlite3 ] || wrong "it keeps no games"
}

shut_in() { # of the whole service, others reach the panel's two ports alone; it writes nothing but its games and its pipe
  local pid seen
  seen=$(for pid in $(cat "/sys/fs/cgroup$(systemctl show -p ControlGroup --value beaconboard)/cgroup.procs"); do
    /usr/bin/python3 /src/tests/install/reached.py "$pid"
  done | grep -v -e '^file /var/lib/beaconboard/' -e '^file /run/beaconboard/' -e '^file /dev/null$' | sort -u)
  [ "$seen" = "tcp 0.0.0.0:$port"$'\n'"tcp 0.0.0.0:$usual_port" ] || wrong "it listens or writes elsewhere, too: $seen"
}

# The search is compiled on one release and runs from its sources on the other, as where memory is short. Not optimised,
# as that takes longer than all else of this story, and how fast it searches is none of its subjects.
[ "$first" = pi5 ] || export COMPILE=no
sed -i 's/optimised: int = 2/optimised: int = 0/' /src/controller/compiling.py
grep -q 'optimised: int = 0' /src/controller/compiling.py || wrong "controller/compiling.py optimises by another name"
searches_as_wanted() {
  local told; told=$(cd / && /opt/beaconboard/now/bin/python -c 'from controller import compiled; print(compiled.sentence())')
  case "${COMPILE:-yes} $told" in
    "yes The opponent's search runs compiled." | "no The opponent's search runs from its sources: nothing is compiled."*) ;;
    *) wrong "after the installation: $told" ;;
  esac
}

. /src/tests/install/update_story.sh
cd /src
# Both releases are tried at once, in one network: neither can have port 80.
usual_port=$((port + 100))
sed -i "s/^port = .*/port = $port/" raspberry/settings.toml
sed -i "s/^ListenStream=.*/ListenStream=0.0.0.0:$usual_port/" raspberry/beaconboard.socket
# The one part that is a chip of the Pi's own: the Pi 5's driver of the lights, which has wheels for its processor alone.
[ "$(uname -m)" = aarch64 ] || sed -i '/^adafruit-blinka-raspberry-pi5-neopixel/,/[0-9a-f]$/d' requirements/pi5.txt
systemctl start multi-user.target

refused 'is for a Raspberry Pi' make install
mkdir -p /tmp/old && printf '#!/bin/sh\necho 32\n' >/tmp/old/getconf && chmod +x /tmp/old/getconf
refused 'has 32 bits' env PATH="/tmp/old:$PATH" make install PI_MODEL="$(model "$first")"
[ ! -e /opt/beaconboard ] || wrong "what was refused left something"

make install PI_MODEL="$(model "$first")"
plays_as "$first"
shut_in
searches_as_wanted
tell "installed on a $(model "$first")"
systemd-analyze security --no-pager beaconboard | tail -1 || true
[ "$(git -C /src status 2>/dev/null | wc -l)" = 0 ] && [ ! -e /src/build ] || wrong "the checkout was written to"

# The sensors on the Pi's own pins. There are no pins here: it says so in a sentence, and plays.
sed -i 's/^sensors = .*/sensors = "gpio"/' /etc/beaconboard/settings.toml
systemctl restart beaconboard
plays_as "$first"
was=$(main_pid)
kill -9 "$was"
for _ in $(seq 60); do [ "$(main_pid)" != "$was" ] && systemctl -q is-active beaconboard && break; sleep 0.5; done
plays_as "$first"
tell "came back after it was killed"

# An update: the new code plays at once, what is no longer part of it is gone, the card is now in another kind of Pi.
was=$(main_pid) at=$(readlink /opt/beaconboard/now)
echo 'UPDATED = True' >>controller/clock.py
make_keys
make install PI_MODEL="$(model "$second")" KEEP_WHEELS=/src/made/wheels
plays_as "$second"
searches_as_wanted # taken over from the version before, whose rules are the same
[ "$(main_pid)" != "$was" ] || wrong "the old process plays on"
[ "$(readlink /opt/beaconboard/now)" != "$at" ] && [ ! -d "$at" ] || wrong "the old version is still there"
(cd / && /opt/beaconboard/now/bin/python -c 'from controller.clock import UPDATED') || wrong "the old code is still there"
grep -q '"gpio"' /etc/beaconboard/settings.toml || wrong "the settings were overwritten"
tell "updated, on a $(model "$second")"

# On the Pi 5 lgpio wants a folder that it can write to: it has one under the unit, and elsewhere it says so.
if [ "$second" = pi5 ]; then
  [ -p /run/beaconboard/.lgd-nfy0 ] || wrong "lgpio was not loaded: $(ls -la /run/beaconboard)"
  (cd /proc && /opt/beaconboard/now/bin/python - <<'PYTHON'
from controller.devices.sensors.gpio_board import NoGpio, rpi_gpio
try:
    rpi_gpio()
except NoGpio as said:
    assert "start the service in a folder that it may write to" in str(said), said
else:
    raise SystemExit("lgpio made its pipe in /proc")
PYTHON
  ) || wrong "lgpio in a folder that nobody can write to"
fi

# A version that does not start: the old one is back. Told once, as it takes a while and is the same everywhere.
if [ "$second" = pi5 ]; then
at=$(readlink /opt/beaconboard/now)
echo 'raise RuntimeError("broken")' >>controller/app/run.py
make install PI_MODEL="$(model "$second")" >/tmp/broken 2>&1 && wrong "a version that does not start was installed"
grep -q 'the old one is back' /tmp/broken && grep -q 'RuntimeError: broken' /tmp/broken || wrong "$(cat /tmp/broken)"
[ "$(readlink /opt/beaconboard/now)" = "$at" ] || wrong "the broken version stayed"
plays_as "$second"
tell "a broken update was taken back"
sed -i '$d' controller/app/run.py
fi

updates "$second"

rm -r /etc/systemd/system/beaconboard-update.service.d
make uninstall
for left in /opt/beaconboard /etc/beaconboard /etc/systemd/system/beaconboard.service.d /run/beaconboard; do
  [ ! -e "$left" ] || wrong "$left is left"
done
! getent passwd beaconboard >/dev/null || wrong "the user is left"
left=$(find / -xdev -name '*beaconboard*' ! -path '/src/*' ! -path '/var/lib/beaconboard' ! -path '/proc/*' || true)
[ -z "$left" ] || wrong "left: $left"
[ -s /var/lib/beaconboard/games.sqlite3 ] || wrong "the games are gone"
[ -z "$(find /var/lib/beaconboard ! -user root)" ] || wrong "games of nobody"
make uninstall GAMES_TOO=yes
[ ! -e /var/lib/beaconboard ] || wrong "the games are left"
tell "uninstalled"
echo 'all is as it should be'
