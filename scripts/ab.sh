#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels as they are against those of a revision, pair by pair: scripts/ab.sh REVISION [KERNELS] [OPTIONS OF vkassay ab]
# KERNELS is the folder within this repository, or yours if you run it there (default: kernels). VKASSAY names the program.
set -euo pipefail
revision=${1:?expected a revision, as in: scripts/ab.sh main}
shift
kernels=kernels
case ${1:--} in -*) ;; *) if [ -d "$1" ]; then kernels=$1 && shift; fi ;; esac
vkassay=${VKASSAY:-$(dirname "$0")/../build/vkassay}
base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
git archive "$revision" -- "$kernels" | tar -x -C "$base"
"$vkassay" ab --base "$base/$kernels" --head "$kernels" "$@"
