#!/usr/bin/env bash
# The board's own Wi-Fi in a clean Debian with its own kernel, whose radios are simulated: tests/install/wifi_story.py.
# It is booted in QEMU, since no other kernel than a Debian's has such radios. Needs root; takes some ten minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/install/clean_system.sh
needs mmdebstrap systemd-container debian-archive-keyring qemu-system-x86 e2fsprogs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree units=$work/tree/etc/systemd/system

echo "A clean Debian with a kernel, NetworkManager and a router's programs"
mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --aptopt='Acquire::Languages "none"' \
  --include=systemd,systemd-sysv,dbus,udev,make,ca-certificates,kmod,iproute2,network-manager,wpasupplicant,polkitd \
  --include=linux-image-amd64,initramfs-tools,wireless-regdb,iw,hostapd,busybox,curl,python3 trixie "$tree" "$mirror"
git ls-files -z controller web_panel hardware raspberry requirements tests/install Makefile pyproject.toml README.md \
  LICENSE | xargs -0 cp --parents -t "$(install -d "$tree/src" && echo "$tree/src")"
cp -L /etc/resolv.conf "$tree/etc/resolv.conf"
cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/ca-certificates.crt" # where registries are reached by a proxy
sed -i 's/^sensors = .*/sensors = "simulated"/; s/^lights = .*/lights = "simulated"/' "$tree/src/raspberry/settings.toml"

echo "Installing Beaconboard"
systemd-nspawn -q -D "$tree" --register=no --keep-unit --setenv=PIP_INDEX_URL="${PIP_INDEX_URL:-}" --setenv=COMPILE=no --setenv=PI_MODEL='Raspberry Pi 4 Model B' \
  sh /src/raspberry/install.sh </dev/null >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

install -D /dev/stdin "$tree/etc/NetworkManager/conf.d/story.conf" <<'CONF'
[keyfile]
unmanaged-devices=interface-name:wlan1;interface-name:wlan2
CONF
cat >"$units/story.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/usr/bin/python3 -u /src/tests/install/wifi_story.py
StandardOutput=tty
StandardError=inherit
TTYPath=/dev/ttyS0
ExecStopPost=/bin/systemctl poweroff --force
UNIT
printf '[Unit]\nRequires=multi-user.target\nAfter=multi-user.target\nWants=story.service\nAllowIsolate=yes\n' \
  >"$units/story.target"
ln -sf story.target "$units/default.target"
systemctl --root="$tree" -q mask serial-getty@ttyS0.service systemd-networkd.service 2>/dev/null || true
mke2fs -q -t ext4 -d "$tree" "$work/disk" 4G

echo "Booting it"
timeout 2400 qemu-system-x86_64 -machine q35,accel=tcg -cpu max -m 1024 -smp 2 -nographic -no-reboot -nic none \
  -kernel "$tree"/boot/vmlinuz* -initrd "$tree"/boot/initrd* \
  -append 'root=/dev/vda rw console=ttyS0 quiet loglevel=3 systemd.show_status=0' \
  -drive "file=$work/disk,format=raw,if=virtio,cache=unsafe" </dev/null | tee "$work/log" | grep -a '^- \|WRONG' || true
grep -aq 'all is as it should be' "$work/log" || { tail -n 200 "$work/log"; exit 1; }
