# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of projects: their arguments CHECKOUT and OUT, and their common steps.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -ge 1 && -d $1 ]] || { echo "usage: $(basename "$0") CHECKOUT [OUT]" >&2 && exit 64; }
checkout=$(realpath "$1")
project=$(basename "$0" .sh)
out=${2:-build/adopt/$project}
[[ ! -e $out ]] || { echo "$(basename "$0"): $out exists already; remove it, or name another folder" >&2 && exit 65; }
commit=${COMMIT:-$(git -C "$checkout" rev-parse HEAD)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VKASSAY_RECORD=$work/lines

# Places, checks and writes the table: judge [SHADERS]. VARIANTS is a pattern of grep -E: only such lines are used.
judge() {
    grep -E "${VARIANTS:-.}" "$VKASSAY_RECORD" >"$work/chosen"
    python3 "$here/adopt.py" "$here/$project.json" "$work/chosen" "$out" "$commit" "$@"
}
