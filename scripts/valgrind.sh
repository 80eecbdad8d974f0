#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a few points of each kind of memory traffic under valgrind, workers included: scripts/valgrind.sh PROGRAM
set -uo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
use_driver "$(lavapipe_manifest)"
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

# lavapipe generates code at run time, so --smc-check is needed. gnuplot is not ours, so it is not traced.
valgrind --quiet --trace-children=yes --trace-children-skip='*gnuplot*,*/sh' --smc-check=all-non-file \
    --keep-debuginfo=yes --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    --suppressions="$PWD/scripts/valgrind.supp" --log-file="$log/%p" --error-exitcode=99 \
    "$program" check --suite smoke --quiet --timeout 600 --out "$log/out" \
    'softmax.cached/f32/rows=7,cols=33' 'sum.multipass/f32/n=100000' 'matmul.tiled/f32/m=17,n=33,k=65' 'cast.vec4/f16/n=1025'
status=$?
reports=$(cat "$log"/[0-9]*)
[ -z "$reports" ] || printf '%s\n' "$reports"
[ $status -eq 0 ] && [ -z "$reports" ]
