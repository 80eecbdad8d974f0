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

# Places, checks and writes the table: judge [SHADERS]. VARIANTS is a pattern of grep -E: only such lines are used.
# Outputs lose their temporary folder, and lines are sorted, so that they are the same in each run.
judge() {
    sed "s|$work/||g" "$VKASSAY_RECORD" | grep -E "${VARIANTS:-.}" | LC_ALL=C sort >"$work/chosen"
    python3 "$here/adopt.py" "$here/$project.json" "$work/chosen" "$out" "$commit" "$@"
}
