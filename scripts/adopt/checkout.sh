# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of projects: their arguments CHECKOUT and OUT, and their common steps.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -ge 1 && -d $1 ]] || { echo "usage: $(basename "$0") CHECKOUT [OUT]" >&2 && exit 64; }
checkout=$(realpath "$1")
project=$(basename "$0" .sh)
out=${2:-build/adopt/$project}
[[ ! -e $out || -d $out/parts ]] || { echo "$(basename "$0"): $out is no folder of an earlier run" >&2 && exit 65; }
commit=${COMMIT:-$(git -C "$checkout" rev-parse HEAD)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VKASSAY_RECORD=$work/lines
budget=${BUDGET:-600}
recorded=$out/recorded/$commit # what a run has recorded serves the next run of this commit
[[ -e $recorded ]] || rm -rf "$out/recorded"
mkdir -p "$recorded"
parts=1 part=0                 # of the recording

# Records a part of the project: record NAME COMMAND... A later part is left out once BUDGET is over. Outputs lose
# their temporary folder, so that lines are the same in each run.
record() {
    part=$((part + 1))
    [[ ! -e $recorded/$1 ]] || return 0
    ((SECONDS < budget)) || { echo "$project: not recorded within BUDGET: $1" >&2 && return 0; }
    echo "$project: recording $part of $parts: $1" >&2
    : >"$VKASSAY_RECORD"
    "${@:2}" >"$work/log" 2>&1 || { tail -3 "$work/log" >&2 && exit 1; }
    sed "s|$work/||g" "$VKASSAY_RECORD" >"$work/part"
    mv "$work/part" "$recorded/$1"
}

# Places, checks and writes the table: judge [SHADERS]. VARIANTS is a pattern of grep -E: only such lines are used.
judge() {
    compgen -G "$recorded/*" >/dev/null || { echo "$project: BUDGET is too short to record anything" >&2 && exit 1; }
    cat "$recorded"/* | grep -E "${VARIANTS:-.}" | LC_ALL=C sort >"$work/chosen"
    BUDGET=$((budget > SECONDS ? budget - SECONDS : 1)) python3 "$here/adopt.py" "$here/$project.json" "$work/chosen" \
        "$out" "$commit" "$@"
}
