# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Makes bare roots of Debian suites and runs commands in them. Sourced by fresh.sh and compilers.sh, as root.

# Runs the script again as the first process of its own process and mount namespaces. Mounts and processes then end
# with it.
isolate() {
    [ "$(id -u)" -eq 0 ] || fail "only root may make a root and enter it"
    command -v debootstrap >/dev/null || fail "debootstrap is not installed: apt-get install debootstrap"
    [ -n "${ROOTS_INSIDE:-}" ] ||
        ROOTS_INSIDE=1 exec unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"
}

# Prints the Debian archive in this machine's apt sources.
mirror() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "Debian/Debian" { print $2; exit }'
}

# Runs a command in the root, also with other variables (NAME=VALUE...). -Werror makes the warnings of other compilers and library versions fail.
in_root() {
    local root=$1
    shift
    chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin CFLAGS=-Werror \
        ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} "$@"
}

# Makes a suite's base root and keeps it for a week. Each try begins with a copy of it.
make_base() {
    local suite=$1 base=$2
    [ -n "$(find "$base.complete" -mtime -7 2>/dev/null)" ] && return
    rm -rf "${base:?}" "$base.complete"
    debootstrap --variant=minbase --include=make "$suite" "$base" "$archive" && touch "$base.complete"
}

# Copies this machine's network settings to the root: name servers, proxies, certificates. Expired Release files are
# accepted, because mirrors lag behind. policy-rc.d keeps daemons from starting.
connect() {
    local root=$1
    cp /etc/resolv.conf "$root/etc/resolv.conf" || return
    { echo 'Acquire::Check-Valid-Until "false";' && apt-config dump | grep -iE '^Acquire::https?::Proxy'; } \
        >"$root/etc/apt/apt.conf.d/99fresh"
    mkdir -p "$root/usr/local/share/ca-certificates"
    find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$root/usr/local/share/ca-certificates" \;
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
}

# Copies a suite's base to a root and connects it. `archive` is Debian's archive.
copy_base() {
    local suite=$1 base=$2 root=$3
    make_base "$suite" "$base" || return
    rm -rf "${root:?}"
    cp -a "$base" "$root" && connect "$root"
}

# Mounts what programs in a root need. Ends with the script's own namespace.
mount_root() {
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"
}

# Prints an error and ends the script.
fail() {
    printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
    exit 1
}

# Sets `archive`: MIRROR, or the archive in this machine's apt sources.
find_archive() {
    archive=${MIRROR:-$(mirror)}
    [ -n "$archive" ] ||
        fail "the apt sources here name no Debian archive; give one: MIRROR=http://deb.debian.org/debian"
}
