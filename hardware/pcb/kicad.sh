#!/bin/sh
# Installs KiCad 9 on Debian: from the release itself where it has that version, else from its backports, which are
# added at the mirror that apt already uses for the release.
set -eu
APT=${APT:-apt-get}
SUDO=${SUDO:-}
. /etc/os-release

$APT update -qq
package=kicad
if ! apt-cache policy kicad | grep -q 'Candidate: 9\.'; then
    backports=$VERSION_CODENAME-backports
    if ! apt-cache policy | grep -q "n=$backports"; then
        # shellcheck disable=SC2016 # the fields are apt's, not the shell's
        mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' |
            awk -v release="$VERSION_CODENAME" '$1 == release && $2 == "main" { print $3; exit }')
        if [ -z "$mirror" ]; then
            echo "apt knows no mirror of $VERSION_CODENAME; install KiCad 9 by hand" >&2
            exit 1
        fi
        key=/usr/share/keyrings/debian-archive-keyring.gpg
        {
            printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$mirror" "$backports"
            [ ! -e "$key" ] || printf 'Signed-By: %s\n' "$key"
        } | $SUDO tee "/etc/apt/sources.list.d/$backports.sources" >/dev/null
        $APT update -qq
    fi
    package=kicad/$backports # and nothing else from there
fi
$APT install -y -qq --no-install-recommends "$package"
