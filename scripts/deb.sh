#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a Debian package of the files of `make install`, under /usr: deb.sh BUILD
# The package is BUILD/vkassay_VERSION_ARCH.deb. It depends on the packages that own the linked libraries here.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?expected the build folder}
arch=$(dpkg --print-architecture)
maintainer=${MAINTAINER:-vkassay <vkassay@localhost>}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

DESTDIR=$root PREFIX=/usr scripts/install_files.sh install
strip "$root/usr/lib/vkassay/vkassay" "$root"/usr/lib/vkassay/layer/*.so
gzip -9n "$root/usr/share/man/man1/vkassay.1"

doc=$root/usr/share/doc/vkassay
mkdir -p "$doc" "$root/usr/share/lintian/overrides"
cat >"$doc/copyright" <<COPYRIGHT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: vkassay

Files: *
Copyright: $(git log -1 --format=%cd --date=format:%Y 2>/dev/null || date +%Y) The vkassay authors
License: Apache-2.0
 On Debian systems, the text of this licence is in /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
gzip -9n <CHANGELOG.md >"$doc/CHANGELOG.md.gz"
printf 'vkassay (%s) unstable; urgency=low\n\n  * Built from its source: see CHANGELOG.md.gz.\n\n -- %s  %s\n' "${VERSION:?}" \
    "$maintainer" "$(git log -1 --format=%cD 2>/dev/null || date -R)" | gzip -9n >"$doc/changelog.gz"
# A package that is built from a checkout has no address for mail.
printf 'vkassay: bogus-mail-host%s *\n' '' -in-debian-changelog >"$root/usr/share/lintian/overrides/vkassay"

# Prints the packages of the linked libraries, each at least as new as here.
depends() {
    local library path package
    readelf -d "$PROGRAM" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r library; do
        path=$(ldd "$PROGRAM" | awk -v l="$library" '$1 == l { print $3 }')
        [ -n "$path" ] || continue
        # If /lib is a link to /usr/lib, the package may own the file under either path.
        package=$(dpkg -S "$path" 2>/dev/null || dpkg -S "/usr$path" 2>/dev/null ||
            dpkg -S "${path#/usr}" 2>/dev/null) || continue
        package=${package%%:*}
        dpkg-query -W -f '${Package} (>= ${Version})\n' "$package" 2>/dev/null | head -n 1 | sed 's/-[^-)]*)/)/'
    done | sort -u | paste -sd, | sed 's/,/, /g'
}

mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: vkassay
Version: ${VERSION:?}
Architecture: $arch
Maintainer: $maintainer
Section: utils
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $(depends), python3:any
Recommends: gnuplot-nox | gnuplot, mesa-vulkan-drivers
Description: benchmark and conformance suite for Vulkan compute kernels
 Checks compute kernels of tensor work against scalar references, times them by
 GPU timestamps, and searches workgroup shapes.
CONTROL
package=$build/vkassay_${VERSION}_$arch.deb
dpkg-deb --root-owner-group --build "$root" "$package"
