# A clean Debian with this checkout in /src, to be booted with its own systemd and a story as its last unit. Sourced by
# who stands in the checkout's folder as root; needs the network.

needs() { # PACKAGE…: installs what is missing of them, and finds Debian's mirror
  local package missing=
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=" $package"
  done
  # shellcheck disable=SC2086 # words
  [ -z "$missing" ] || { sh raspberry/apt.sh update -qq; sh raspberry/apt.sh install -y -qq --no-install-recommends $missing; }
  # shellcheck disable=SC2016 # the fields are apt's, not the shell's
  mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' \
    'Label: Debian' | awk '$1 == "main" { print $2; exit }')
}

get_ready() { # what makes and boots such systems, and a place for them
  needs mmdebstrap systemd-container debian-archive-keyring
  work=$(mktemp -d)
  mount -t tmpfs -o size=5G clean-systems "$work" # thousands of small files, thrown away at the end
  trap 'umount -l "$work"; rmdir "$work"' EXIT
}

tree() { # RELEASE: a clean system in $work/RELEASE, with the checkout in /src
  local root=$work/$1
  mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --aptopt='Acquire::Languages "none"' \
    --include=systemd,systemd-sysv,dbus,udev,make,ca-certificates "$1" "$root" "$mirror"
  git ls-files -z controller web_panel hardware raspberry requirements tests/install tools/__init__.py tools/updates Makefile pyproject.toml README.md \
    LICENSE | xargs -0 cp --parents -t "$(install -d "$root/src" && echo "$root/src")"
  rm -rf "$root"/var/lib/apt/lists/* # as stale as lists can be
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt" # where registries are reached by a proxy
  systemctl --root="$root" -q mask systemd-resolved.service systemd-networkd.service console-getty.service 2>/dev/null || true
}

tells() { # RELEASE COMMAND: the story of the next boots, which ends the system with its own status
  local root=$work/$1 pid1=/etc/systemd/system
  printf '[Unit]\nAfter=basic.target\n[Service]\nType=oneshot\n%s\n%s\n%s\n' "ExecStart=$2" \
    'StandardOutput=file:/story.log' 'StandardError=inherit' >"$root$pid1/story.service"
  printf '[Unit]\nRequires=multi-user.target\nAfter=multi-user.target\nWants=story.service\nAllowIsolate=yes\n' \
    >"$root$pid1/story.target"
  ln -sf story.target "$root$pid1/default.target"
}

boot() { # RELEASE COMMAND…: by a command such as timeout; systemd 257 runs on the unified hierarchy alone
  local release=$1; shift
  UNIFIED_CGROUP_HIERARCHY=1 "$@" systemd-nspawn -q -D "$work/$release" --boot --register=no --keep-unit \
    --machine="story-$release" --console=read-only --setenv=PIP_INDEX_URL="${PIP_INDEX_URL:-}" </dev/null
}
