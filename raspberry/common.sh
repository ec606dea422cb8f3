# What installing and uninstalling share: where things lie, and on what this runs. Sourced, by root's shell.
# PI_MODEL stands for what the Pi says of itself; the tests give it, as they run on no Pi.
HOME_DIR=/opt/beaconboard
SETTINGS=/etc/beaconboard/settings.toml
GAMES=/var/lib/beaconboard
UNITS=/etc/systemd/system
UNIT=$UNITS/beaconboard.service
CARD=/etc/beaconboard/hotspot.toml # name and password of the board's own Wi-Fi
POLKIT=/etc/polkit-1/rules.d/50-beaconboard-network.rules
DNSMASQ=/etc/NetworkManager/dnsmasq-shared.d/beaconboard.conf
PI_MODEL=${PI_MODEL:-$(tr -d '\0' 2>/dev/null </proc/device-tree/model || true)}

refuse() {
    echo "$1" >&2
    exit 1
}

check_machine() {
    case $PI_MODEL in
        *'Raspberry Pi'*) ;;
        *) refuse "make install is for a Raspberry Pi; elsewhere use make play" ;;
    esac
    bits=$(getconf LONG_BIT)
    [ "$bits" = 64 ] || refuse "This system has $bits bits and the service needs 64: write Raspberry Pi OS (64-bit) to \
the card; it runs on a Pi 3, 4, 5, 400, 500 and Zero 2 W."
    [ "$(id -u)" = 0 ] || refuse "This needs root: run make install, which asks for it"
    command -v systemctl >/dev/null || refuse "systemd is missing: use Raspberry Pi OS or Debian as they come"
}

# Whether a systemd runs that can start the service: none does where the system of a card is made (make image).
booted() { [ "$(systemctl is-system-running 2>/dev/null)" != offline ]; }

# The kinds of Pi differ in how they drive pins and lights.
kind() {
    case $PI_MODEL in
        *'Raspberry Pi 5'* | *'Compute Module 5'*) echo pi5 ;; # and the 500
        *) echo pi4 ;;
    esac
}
