#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the README's two commands on fresh machines: scripts/fresh.sh FOLDER [SUITE...]
# Needs root (`make test-fresh`). For each SUITE (default: trixie, sid and bookworm), debootstrap makes a bare root
# under FOLDER, with only make added. `make bench` and `make test` of the last commit then run there, in a clean clone.
# Both must end with 0, and a test may be "not run" only for a reason in `allowed`. Logs are beside the roots.
# MIRROR=URL overrides the mirror of this machine's apt sources. TARGETS="bench test" overrides the targets of make.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/roots.sh
. "$here/scripts/roots.sh"
TARGETS=${TARGETS:-bench test}

# Prints the accepted reasons for tests that are not run, as in tally.sh's output. No package can provide these things.
allowed() {
    cat <<'PATTERNS'
hardware: .*
driver: .*
missing: dxc, of which Debian has no package
PATTERNS
}

say() { printf '\n== %s\n' "$*"; }

# Makes a root with a clone of this repository. Its mounts end with this process, in their own mount namespace.
make_root() {
    local suite=$1 root=$2
    copy_base "$suite" "$folder/base-$suite" "$root" && mount_root "$root" && git clone -q "$here" "$root/vkassay"
}

# Prints the distribution's versions of some packages.
versions() {
    # shellcheck disable=SC2016 # dpkg's own variables
    in_root "$1" dpkg-query -W -f '${Package} ${Version}\n' gcc libc6 libshaderc-dev libjson-c-dev libcmocka-dev \
        mesa-vulkan-drivers 2>/dev/null |
        sed -E 's/^libc6/glibc/; s/^lib|-dev|-vulkan-drivers//g; s/ ([0-9]+:)?([0-9.]+).*/ \2/' |
        paste -sd , | sed 's/,/, /g'
}

# Runs a target in the root; prints how it ended and how long it took. Its log is beside the root.
try() {
    local root=$1 log=$1.$2.log status began=$SECONDS
    in_root "$root" bash -c "cd /vkassay && make $2" </dev/null >"$log" 2>&1
    status=$?
    echo "make $2 ended with $status after $(((SECONDS - began + 30) / 60)) min"
    return $status
}

# Prints the tests in a log of `make test` that were not run for a reason outside `allowed`. Fails if there are any, or
# if the log gives more or fewer reasons than its sum of tests that were not run.
unexcused() {
    local told counted
    told=$(grep -c '^not run: ' "$1")
    counted=$(sed -nE 's/^[0-9]+ passed, [0-9]+ failed, ([0-9]+) not run$/\1/p' "$1")
    [ "$told" = "${counted:-none}" ] || { echo "${counted:-no sum of} tests not run, $told reasons" && return 1; }
    ! grep '^not run: ' "$1" | grep -vE -f <(allowed | sed 's/.*/: (&)$/')
}

# Runs the targets in a root of the suite, and appends a line with their outcome to `rows`.
distribution() {
    local suite=$1 root=$folder/$1 target said line='' verdict=held
    say "$suite"
    make_root "$suite" "$root" || { rows+=("$suite: failed: no root could be made") && return 1; }
    for target in $TARGETS; do
        said=$(try "$root" "$target") || { verdict=failed && tail -n 20 "$root.$target.log"; }
        case $target in test*)
            unexcused "$root.$target.log" || verdict=failed
            said+=" ($(grep -E '^[0-9]+ passed, ' "$root.$target.log"))"
            grep -E '^failed: ' "$root.$target.log"
            ;;
        esac
        echo "$said"
        line+="$said; "
    done
    rows+=("$suite: $verdict: $line$(versions "$root")")
    umount -R "$root/dev" "$root/proc"
    [ $verdict = held ]
}

folder=$(realpath -m "${1:?expected a folder for the roots}")
isolate "$@"
shift
find_archive
[ $# -gt 0 ] || set -- trixie sid bookworm
mkdir -p "$folder"
rows=() status=0
for suite in "$@"; do distribution "$suite" || status=1; done

say "all distributions"
printf '%s\n' "${rows[@]}"
exit $status
