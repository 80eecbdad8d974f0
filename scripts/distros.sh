#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make bench` (short) and `make test` of the last commit on other distributions: scripts/distros.sh FOLDER [SUITE...]
# Run by root. Each of bookworm, trixie and sid (or the SUITEs given) gets a root under FOLDER by debootstrap, which
# stays there and is used again. MIRROR=URL stands in for the mirror of this machine's own apt sources; POINTS is what
# is benchmarked. Mirrors lag behind: that a Release file has expired is passed over.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
POINTS=${POINTS:-"'add.vec4/f32/*' 'softmax.cached/f32/*'"}
build_needs=ca-certificates,git,make,gcc,libc6-dev

say() { printf '\n== %s\n' "$*"; }
fail() {
    printf 'distros: %s\n' "$*" >&2
    exit 1
}

# The Debian archive that this machine installs from.
mirror() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "Debian/Debian" { print $2; exit }'
}

# A warning of another version of the compiler or of a library is a failure here.
in_root() {
    local root=$1
    shift
    chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        CFLAGS=-Werror "$@"
}

mount_into() {
    local part
    for part in proc dev dev/pts; do mountpoint -q "$1/$part" || mount --bind "/$part" "$1/$part" || return; done
    cp /etc/resolv.conf "$1/etc/resolv.conf"
}
unmount_from() {
    local part
    for part in dev/pts dev proc; do ! mountpoint -q "$1/$part" || umount "$1/$part"; done
}

# A root that was made whole has the mark; any other is begun anew, unless something is still mounted in it.
make_root() {
    local suite=$1 root=$2
    [ -e "$root/.complete" ] && return
    unmount_from "$root"
    awk -v root="$root/" 'index($2, root) == 1 { exit 1 }' /proc/self/mounts || return
    rm -rf "${root:?}"
    debootstrap --variant=minbase --include=$build_needs "$suite" "$root" "$archive" || return
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99valid-until"
    touch "$root/.complete"
}

# The last commit of this repository; what was built from an earlier one is kept.
place_source() {
    local root=$1
    [ -d "$root/vkassay/.git" ] || git clone -q "$here" "$root/vkassay" || return
    git -C "$root/vkassay" fetch -q "$here" HEAD && git -C "$root/vkassay" reset -q --hard FETCH_HEAD
}

# What the distribution brings, by its package manager.
versions() {
    # shellcheck disable=SC2016 # dpkg's own variables
    in_root "$1" dpkg-query -W -f '${Package} ${Version}\n' gcc libc6 libshaderc-dev libjson-c-dev libcmocka-dev \
        mesa-vulkan-drivers 2>/dev/null |
        sed -E 's/^libc6/glibc/; s/^lib|-dev|-vulkan-drivers//g; s/ ([0-9]+:)?([0-9.]+).*/ \2/' |
        paste -sd , | sed 's/,/, /g'
}

# Each of the two says how it ended; the log is beside the root.
try() {
    local root=$1 log=$2
    shift 2
    if in_root "$root" bash -c "cd /vkassay && $*" </dev/null >"$log" 2>&1; then echo held; else echo "failed ($?)"; fi
}

distribution() {
    local suite=$1 root=$folder/$1 bench=- tests=-
    say "$suite"
    if make_root "$suite" "$root" && mount_into "$root" && place_source "$root"; then
        bench=$(try "$root" "$root.bench.log" \
            "scripts/install.sh test && make bench ARGS=\"$POINTS --quiet\"")
        tests=$(try "$root" "$root.test.log" "make test")
        tests="$tests: $(grep -E '^[0-9]+ passed, ' "$root.test.log")"
        rows+=("| $suite | $(versions "$root") | $bench | $tests |")
        echo "make bench $bench, make test $tests"
    else
        rows+=("| $suite | no root could be made | - | - |")
    fi
    unmount_from "$root"
    [[ "$bench $tests" == "held held"* ]]
}

folder=$(realpath -m "${1:?expected a folder for the roots}")
shift
[ "$(id -u)" -eq 0 ] || fail "only root may make a root and enter it"
command -v debootstrap >/dev/null || fail "debootstrap is not installed: apt-get install debootstrap"
archive=${MIRROR:-$(mirror)}
[ -n "$archive" ] || fail "the apt sources here name no Debian archive; give one: MIRROR=http://deb.debian.org/debian"
[ $# -gt 0 ] || set -- bookworm trixie sid
mkdir -p "$folder"
rows=() status=0
trap 'for suite in "$@"; do unmount_from "$folder/$suite"; done' EXIT
for suite in "$@"; do distribution "$suite" || status=1; done

say "all distributions"
printf '%s\n' '| distribution | versions | make bench | make test |' '|---|---|---|---|' "${rows[@]}"
exit $status
