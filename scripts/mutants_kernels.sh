#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Breaks every third kernel in 40 small ways, on lavapipe, and writes reports/examples/kernel-mutants.md, what their
# checks said of it: BUILD=build scripts/mutants_kernels.sh [OPTION OF MUTATE...]. Takes an hour on two cores; run again
# after an interrupt it goes on. Parts of several machines (--shard 1/3 ...) are joined by appending their
# BUILD/kernel-mutants/mutants.jsonl to that of one of them, and running that without --shard.
set -euo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
build=$(realpath "${BUILD:-build}")
use_driver "$(lavapipe_manifest)"
mapfile -t kernels < <("$build/vkassay" list kernels | awk 'NR % 3 == 1 { print $1 }')
"$build/vkassay" mutate "${kernels[@]}" --count 40 --seed 1 --resume "$build/kernel-mutants" "$@" >"$build/kernel-mutants.txt"
tail -n 3 "$build/kernel-mutants.txt"
cp "$build/kernel-mutants/mutants.md" reports/examples/kernel-mutants.md
