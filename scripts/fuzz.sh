#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs fuzz targets, all or the named ones: scripts/fuzz.sh BUILD RUNS [TARGET...]
# SEED=N draws the same inputs again. Prints the executions of each. A crash, a leak, an input of over 25 s and over 3 GB of memory are findings. Their
# inputs are kept in BUILD/fuzz/, as are inputs that reached new code. Ends with 1 after a finding.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
build=$1 runs=$2 found=0
shift 2
[ $# -gt 0 ] || mapfile -t -- targets < <("$build/readers")
[ $# -eq 0 ] || targets=("$@")
export LSAN_OPTIONS=suppressions=$PWD/scripts/lsan.supp
mkdir -p "$build/fuzz" build/fuzz || exit
echo '[{}]' | python3 scripts/captured_folder.py build/fuzz/capture right in_place images || exit
for target in "${targets[@]}"; do
    mkdir -p "$build/fuzz/$target"
    log=$build/fuzz/$target.log
    FUZZ=$target "$build/readers" -runs="$runs" ${SEED:+-seed="$SEED"} -max_len=65536 -timeout=25 -rss_limit_mb=3000 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$build/fuzz/$target-" "$build/fuzz/$target" >"$log" 2>&1
    status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ "$status" -eq 0 ]; then
        echo "$target: ${executions:-0} executions, no finding"
    else
        found=1
        echo "$target: ${executions:-0} executions, then $(grep -m 1 -E '^SUMMARY|runtime error|ERROR|^fuzz: ' "$log"); $log"
    fi
done
exit $found
