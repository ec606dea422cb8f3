#!/bin/sh
# Installs Beaconboard as a service of a Raspberry Pi, or updates it: may be run again at any time, and does the same.
# The new version is set up beside the old one, which goes on playing until then, and comes back if the new one fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
check_machine

. /etc/os-release
# Some packages of the lock have no wheel for the Pi: a compiler makes them. lgpio brings its own C library if asked to
# (PYPI=1), since plain Debian has none, and SWIG to wrap it unless there is a wheel, as for Debian 12's Python.
packages="python3-venv python3-dev gcc libc6-dev"
[ "$(kind)" = pi5 ] && [ "$VERSION_CODENAME" != bookworm ] && packages="$packages swig"
# The board's own Wi-Fi: where NetworkManager has the network in hand, it hands out addresses by dnsmasq.
[ -x /usr/sbin/NetworkManager ] && packages="$packages dnsmasq-base polkitd"
packages="$packages avrdude" # which writes the firmware of the sensor board
echo "Installing Debian's packages: $packages"
sh "$here/apt.sh" update -qq || echo "Some package lists could not be renewed; going on with what there is" >&2
# shellcheck disable=SC2086 # words
sh "$here/apt.sh" install -y -qq --no-install-recommends $packages >/dev/null

# Machine code for the search of the board's own play, while it already plays; each new game takes it up. Nothing needs it,
# and the compiler wants more memory than the smallest Pis have.
compile_search() {
    [ "${COMPILE:-yes}" = yes ] || return 1 # make image says no: where the Pi is emulated it takes the better part of an hour
    memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
    [ "$memory" -ge 900 ] || return 1
    # In a folder without sources: Python looks there first.
    into=$(cd / && "$running/bin/python" -c 'from controller.compiled import FOLDER; print(FOLDER)') || return 1
    made=$(cd / && "$running/bin/python" -c 'from controller.compiled import fingerprint; print(fingerprint())') ||
        return 1
    # An update that leaves rules and search as they are takes over what was compiled of them.
    for before in "$old"/lib/python3*/site-packages/controller/.compiled/"$made"; do
        if [ -d "$before" ]; then mkdir -p "$into" && cp -R "$before" "$into/" && return 0; fi
    done
    echo "Compiling the search of the board's own play: this takes some minutes, and may be stopped"
    "$running/bin/python" -m pip install -q --disable-pip-version-check --require-hashes --target "$build/compiler" \
        -r "$here/../requirements/fast.txt" || return 1
    (cd / && PYTHONPATH=$build/compiler nice -n 10 "$running/bin/python" -m controller.compiling --into "$into") \
        >/dev/null || return 1
}

new=$HOME_DIR/$(date -u +%Y%m%d-%H%M%S)
old=$(readlink -f "$HOME_DIR/now" || true)
build=$(mktemp -d)
# The one way from a version to another, which updates by a file take as well. It needs Python alone.
switching() { /usr/bin/python3 "$here/../controller/appliance/updates/switching.py" "$HOME_DIR" "$@"; }
# Wherever this ends, "now" leads to a version: to the one before where there is one, unless the new one plays.
finish() {
    rm -rf "$build"
    [ -z "$new" ] || switching leave "$new"
}
trap finish EXIT
echo "Setting up the service for a ${PI_MODEL} in $new"
install -d "$HOME_DIR"
/usr/bin/python3 -m venv "$new"
# Nothing is fetched but what is locked: what has no wheel is made into one here, by tools of the lock that lie beside
# the new version, and installed from there.
pip() { "$new/bin/python" -m pip "$@" -q --disable-pip-version-check; }
wheel() {
    env PYPI=1 PYTHONPATH="$build/tools" "$new/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps \
        --no-build-isolation --use-pep517 -w "$build/wheels" "$@"
}
pip install --require-hashes --target "$build/tools" -r "$here/../requirements/build.txt"
wheel --require-hashes -r "$here/../requirements/$(kind).txt"
# From a copy, so that nothing of root's stays in the checkout, and nothing of an older version gets in from there.
mkdir "$build/source"
for part in controller web_panel hardware pyproject.toml README.md LICENSE; do cp -r "$here/../$part" "$build/source"; done
wheel "$build/source"
pip install --no-index --no-deps "$build"/wheels/*.whl
# For whoever makes updates: what was built here has no wheel elsewhere.
[ -z "${KEEP_WHEELS:-}" ] || { mkdir -p "$KEEP_WHEELS" && cp "$build"/wheels/*.whl "$KEEP_WHEELS"; }

install -D -m 644 "$here/sysusers.conf" /etc/sysusers.d/beaconboard.conf
systemd-sysusers /etc/sysusers.d/beaconboard.conf
install -D -m 644 "$here/udev.rules" /etc/udev/rules.d/70-beaconboard.rules
if command -v udevadm >/dev/null; then
    udevadm control --reload 2>/dev/null && udevadm trigger --subsystem-match=gpio --subsystem-match=spidev \
        --subsystem-match=tty 2>/dev/null || echo "The rules for pins and ports count from the next start of the Pi" >&2
fi
[ -e "$SETTINGS" ] || install -D -m 640 "$here/settings.toml" "$SETTINGS"
# A password may be in it: for root and the service alone, also where an older version has left it to everybody.
chgrp beaconboard "$SETTINGS"
chmod u=rw,g=r,o= "$SETTINGS"
rights=$("$new/bin/python" -m controller.app.rights "$SETTINGS" "$(kind)") || exit 1
install -D -m 644 "$here/beaconboard.service" "$UNIT"
if [ "$rights" = root ]; then
    install -D -m 644 "$here/lights-need-root.conf" "$UNIT.d/lights-need-root.conf"
else
    rm -f "$UNIT.d/lights-need-root.conf"
fi
# Port 80, so that the board's name alone is its address; and the board's own Wi-Fi, where it can have one.
install -m 644 "$here/beaconboard.socket" "$here/beaconboard-network.socket" "$here/beaconboard-network.service" "$UNITS"
if [ -x /usr/sbin/NetworkManager ]; then
    [ -e "$CARD" ] || (umask 077 && cd / && "$new/bin/python" -m controller.appliance.network.hotspot_card >"$CARD")
    chgrp beaconboard-network "$CARD"
    chmod 640 "$CARD"
    install -D -m 644 "$here/polkit.rules" "$POLKIT"
    install -D -m 644 "$here/dnsmasq.conf" "$DNSMASQ"
fi
# The helper for updates, which runs from the version that has proved itself, and whom it believes (docs/updates.md).
for part in service socket path; do install -m 644 "$here/beaconboard-update.$part" "$UNITS"; done
if [ -e "$here/root.json" ]; then
    install -d -m 700 "$TRUST"
    (cd / && "$new/bin/python" -m controller.appliance.updates.installed_root "$here/root.json" "$TRUST/root.json")
fi

now=
! booted || { systemctl daemon-reload || true; now=--now; } # what fails here does so once more where that is dealt with
# shellcheck disable=SC2086 # nothing where nothing can be started
systemctl enable -q $now beaconboard.socket ||
    echo "Port 80 is taken by another program: the panel is found at its own port alone" >&2

# What it says of itself, once all of it is there.
(cd / && "$new/bin/python" -m controller.app.self_check --about) >"$build/version.json"
cp "$build/version.json" "$new/version.json"
ended=0
if booted; then
    switching put-on "$new" || ended=$?
else
    switching enter "$new"
    systemctl enable -q beaconboard
fi
if [ "$ended" = 3 ]; then
    refuse "The new version does not start, above is why; the old one is back. Mend it and run make install again."
elif [ "$ended" != 0 ]; then
    new= # kept: the unit tries it again, and the settings may be what is wrong
    refuse "It is installed, but does not start; above is why. Settings: $SETTINGS. Then: sudo systemctl restart beaconboard"
fi
running=$new new=
compile_search || echo "The search of the board's own play was not compiled: it runs from its sources" >&2
switching only "$running"
if [ -x /usr/sbin/NetworkManager ]; then
    # shellcheck disable=SC2086
    systemctl enable -q $now beaconboard-network.socket
    systemctl enable -q beaconboard-network
    ! booted || systemctl restart beaconboard-network || echo "The helper for the network does not start: journalctl -u beaconboard-network" >&2
fi
systemctl enable -q beaconboard-update.socket beaconboard-update.path
! booted || systemctl restart beaconboard-update.socket beaconboard-update.path ||
    echo "Updates by a file count from the next start of the Pi" >&2
host=$(hostname | cut -d. -f1)
port=$("$HOME_DIR/now/bin/python" -c "import sys, tomllib; print(tomllib.load(open(sys.argv[1], 'rb')).get('port', 8000))" "$SETTINGS")
begins="runs as $rights and starts at every boot"
booted || begins="is installed, and starts as $rights at the next boot"
echo "Beaconboard $begins: http://$host.local:$port"
echo "Settings: $SETTINGS. Log: journalctl -u beaconboard. Games: $GAMES"
