# A board whose power is cut while updates go, told from inside a clean Debian. Usage: killed_story.sh prepare|boot PORT
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
trap 'code=$?; [ "$code" = 0 ] || { journalctl -b -n 60 --no-pager; echo "failed in line $LINENO"; }; systemctl exit $code' EXIT
what=$1 port=$2
model() { echo 'Raspberry Pi 5 Model B Rev 1.0'; }
. /src/tests/install/update_story.sh
cd /src
systemctl start multi-user.target
if [ "$what" = prepare ]; then
  sed -i "s/^port = .*/port = $port/; s/^board = .*/board = \"first36\"/; s/^sensors = .*/sensors = \"simulated\"/; s/^lights = .*/lights = \"simulated\"/" \
    raspberry/settings.toml
  sed -i "s/^ListenStream=.*/ListenStream=0.0.0.0:$((port + 100))/" raspberry/beaconboard.socket
  [ "$(uname -m)" = aarch64 ] || sed -i '/^adafruit-blinka-raspberry-pi5-neopixel/,/[0-9a-f]$/d' requirements/pi5.txt
  COMPILE=no make install PI_MODEL="$(model pi5)"
  make_keys
  COMPILE=no make install PI_MODEL="$(model pi5)" KEEP_WHEELS=/src/made/wheels
  as_if_on pi5
  make_update 9.1.0 pi5
  echo 'all is as it should be'
else
  systemctl start beaconboard.service
  /usr/bin/python3 -m tests.install.killed_update "$port" /src/made/updates/beaconboard-9.1.0.bbupdate /src/made/kept.json
fi
