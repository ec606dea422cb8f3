# A chapter of story.sh: updates by a file, signed here, through the panel's own addresses. Sourced by it. All that it
# makes lies in /src/made.

python_of_now() { (cd /src && UPDATE_PASSPHRASE=hush /opt/beaconboard/now/bin/python "$@"); }

make_keys() { # in /src/made/keys, and the root that the next installation takes up
  mkdir -p /src/made/keys
  for name in root release; do python_of_now -m tools.updates.keys new "/src/made/keys/$name.pem" >/dev/null; done
  python_of_now -m tools.updates.keys root /src/made/keys/roots --root /src/made/keys/root.pub --release /src/made/keys/release.pub \
    --sign /src/made/keys/root.pem >/dev/null
  cp /src/made/keys/roots/1.root.json raspberry/root.json
}

make_update() { # VERSION KIND: from the sources as they are now, and the wheels that the installation has kept
  sed -i "s/^version = .*/version = \"$1\"/" pyproject.toml
  rm -rf /src/made/ours && mkdir /src/made/ours
  cp -r controller web_panel hardware pyproject.toml README.md LICENSE /src/made/ours
  [ -d /src/made/tools ] || /opt/beaconboard/now/bin/python -m pip install -q --disable-pip-version-check --require-hashes \
    --target /src/made/tools -r requirements/build.txt
  (cd /src/made/ours && PYTHONPATH=/src/made/tools /opt/beaconboard/now/bin/python -m pip wheel -q --disable-pip-version-check \
    --no-deps --no-build-isolation -w /src/made/ours .)
  printf 'en = ["A new one."]\nde = ["Etwas Neues."]\nfr = ["Du nouveau."]\n' >/src/made/changes.toml
  local python; python=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  python_of_now -m tools.updates.make --wheel "/src/made/ours/beaconboard-$1-py3-none-any.whl" \
    --wheels "$2:$(uname -m):$python=/src/made/wheels" --changes /src/made/changes.toml --roots /src/made/keys/roots \
    --sign /src/made/keys/release.pem --into /src/made/updates >/dev/null
}

by_phone() { # WHAT VERSION PLAYS SENTENCE
  local said; said=$(/usr/bin/python3 tests/install/update_by_phone.py "$port" "$1" "$2" "$3" 2>&1) || {
    journalctl -u beaconboard-update -n 30 --no-pager -o cat
    wrong "$4: $said"
  }
  tell "$4: $said"
}

as_if_on() { # KIND: the Pi that there is not, and a trial of four seconds in place of five minutes
  mkdir -p /etc/systemd/system/beaconboard-update.service.d
  printf '[Service]\nEnvironment="PI_MODEL=%s"\nExecStart=\n%s --watch-s 4\n' "$(model "$1")" \
    'ExecStart=/opt/beaconboard/proven/bin/python -m controller.appliance.updates' \
    >/etc/systemd/system/beaconboard-update.service.d/story.conf
  systemctl daemon-reload
  systemctl stop beaconboard-update.service # it may still run as it was
}

updates() { # KIND
  as_if_on "$1"
  local runs was; runs=$(/opt/beaconboard/now/bin/python -c 'from importlib import metadata; print(metadata.version("beaconboard"))')
  was=$(readlink /opt/beaconboard/now)

  # One that passes its own check and ends as it starts.
  cp controller/app/run.py /src/made/run.py
  printf '\n\ndef run(*_: object, **__: object) -> None:\n    raise RuntimeError("broken")\n' >>controller/app/run.py
  make_update 9.0.0 "$1"
  by_phone /src/made/updates/beaconboard-9.0.0.bbupdate "$runs" no 'an update that does not start was taken back by itself'
  [ "$(readlink /opt/beaconboard/now)" = "$was" ] || wrong "the broken version stayed"
  plays_as "$1"
  cp /src/made/run.py controller/app/run.py

  make_update 9.1.0 "$1"
  by_phone /src/made/updates/beaconboard-9.1.0.bbupdate 9.1.0 yes 'an update was put on by a phone'
  [ "$(readlink /opt/beaconboard/now)" != "$was" ] && [ -d "$was" ] || wrong "the version before is not kept"
  plays_as "$1"
  by_phone back "$runs" yes 'the owner went back'
  [ "$(readlink /opt/beaconboard/now)" = "$was" ] || wrong "another version runs"
  plays_as "$1"
}
