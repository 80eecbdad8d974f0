#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels as they are against those of a revision, pair by pair: scripts/ab.sh REVISION [KERNELS] [OPTIONS OF vkassay ab]
# KERNELS is the folder within this repository, or yours if you run it there (default: kernels). VKASSAY names the program.
# A revision without that folder leaves nothing to measure: status 3, as where all kernels are new.
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
