#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the kernels of the working tree with those of a git revision, pair by pair:
#     scripts/ab.sh REVISION [KERNELS] [OPTIONS OF vkassay ab]
#
# KERNELS is a folder of this repository, or of yours if you run the script there (default: kernels). VKASSAY names the
# program. If the revision lacks that folder, nothing is measured and the status is 3, as if all kernels were new.
set -euo pipefail
revision=${1:?expected a revision, as in: scripts/ab.sh main}
shift
kernels=kernels
case ${1:--} in -*) ;; *) if [ -d "$1" ]; then kernels=$1 && shift; fi ;; esac
vkassay=${VKASSAY:-$(dirname "$0")/../build/vkassay}
git rev-parse --quiet --verify "$revision^{commit}" >/dev/null ||
    { echo "ab: $revision is no revision here (a shallow clone?)" >&2 && exit 65; }
files=$(git ls-tree -r --name-only "$revision" -- "$kernels")
if ! grep '\.json$' <<<"$files" >/dev/null; then
    echo "ab: $revision has no kernels in $kernels: there is nothing to measure against"
    exit 3
fi
base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
git archive "$revision" -- "$kernels" | tar -x -C "$base"
"$vkassay" ab --base "$base/$kernels" --head "$kernels" "$@"
