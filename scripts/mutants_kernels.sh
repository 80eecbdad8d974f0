#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Breaks every third kernel in 40 small ways, on lavapipe:
#     BUILD=build SEED=1 scripts/mutants_kernels.sh [OPTION OF MUTATE...]
#
# Writes the verdicts in short form to reports/examples/kernel-mutants.json.gz, and as a table to kernel-mutants.md. Takes
# an hour and a half on two cores. If it was interrupted, run it again to continue.
# Several machines may each run a part (--shard 1/3 ...). To join the parts, append their
# BUILD/kernel-mutants/mutants.jsonl, without its first line, to the file of one machine. Then run the script there
# without --shard.
set -euo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
build=$(realpath "${BUILD:-build}")
use_driver "$(lavapipe_manifest)"
mapfile -t kernels < <("$build/vkassay" list kernels | awk 'NR % 3 == 1 { print $1 }')
out=$build/kernel-mutants
"$build/vkassay" mutate "${kernels[@]}" --count 40 --seed "${SEED:-1}" --resume "$out" "$@" >"$out.txt" || [ $? = 1 ]
tail -n 3 "$out.txt"
scripts/mutants_short.py "$out/mutants.json" | gzip -n -9 >reports/examples/kernel-mutants.json.gz
"$build/vkassay" report --quiet reports/examples/kernel-mutants.json.gz --out "$out/short"
cp "$out/short/mutants.md" reports/examples/kernel-mutants.md
