#!/bin/sh
# Takes the service off a Raspberry Pi again. The games stay unless GAMES_TOO=yes; Debian's packages stay.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
[ "$(id -u)" = 0 ] || refuse "This needs root: run make uninstall, which asks for it"

units="beaconboard.service beaconboard.socket beaconboard-network.service beaconboard-network.socket"
for unit in $units; do
    systemctl disable -q --now "$unit" 2>/dev/null || true
    systemctl reset-failed "$unit" 2>/dev/null || true
    rm -f "$UNITS/$unit"
done
rm -rf "$UNIT.d" "$HOME_DIR" /etc/beaconboard "$POLKIT" "$DNSMASQ" /etc/sysusers.d/beaconboard.conf \
    /etc/udev/rules.d/70-beaconboard.rules
systemctl daemon-reload
! getent passwd beaconboard-network >/dev/null || userdel beaconboard-network
if getent passwd beaconboard >/dev/null; then
    [ ! -d "$GAMES" ] || chown -R root:root "$GAMES" # a later user may get the number of this one
    userdel beaconboard
fi
if [ "${GAMES_TOO:-no}" = yes ]; then
    rm -rf "$GAMES"
    echo "Beaconboard is gone, and the games with it."
elif [ -d "$GAMES" ]; then
    echo "Beaconboard is gone. The games stay in $GAMES, and a new installation goes on with them;"
    echo "to remove them too: make uninstall GAMES_TOO=yes"
else
    echo "Beaconboard is gone."
fi
