#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the outputs of two builds of vkassay on recorded results:
#     scripts/outputs.sh BASE HEAD [RESULT...]
# BASE and HEAD are programs. Each reads suites and templates from its own tree or bundle. Both make every listing,
# help, export, comparison and page that needs no device. Differing files are printed; if there are any, it ends with 1.
# The files stay under build/outputs/ for inspection. The default results are some of the committed examples.
set -uo pipefail
[ $# -ge 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" && exit 64; }
declare -A program=([base]=$(realpath "$1") [head]=$(realpath "$2"))
cd "$(dirname "$0")/.." || exit
shift 2
out=$PWD/build/outputs
results=("$@")
[ ${#results[@]} -gt 0 ] || results=(reports/examples/nvidia-h200/{quick,exhaustive,spaces}.json
    reports/examples/nvidia-h200/results/torsh.json.gz)
rm -rf "$out"

# keep NAME COMMAND...: stores the command's standard output, standard error and exit status.
keep() {
    local name=$1
    shift
    mkdir -p "$(dirname "$to/$name")"
    "$@" >"$to/$name.out" 2>"$to/$name.err"
    echo $? >"$to/$name.status"
}

listings() {
    local command kind
    keep help "$1" --help
    for command in $("${program[base]}" --help | sed -n 's/^  \([a-z]\+\)  *.*/\1/p'); do keep "help-$command" "$1" "$command" --help; done
    for kind in operators kernels suites; do
        keep "list-$kind" "$1" list $kind
        keep "list-$kind-json" "$1" list $kind --json
    done
}

of_result() {
    local vkassay=$1 result=$2 name format
    name=$(echo "${result#reports/examples/}" | tr / -)
    for format in junit csv markdown tuned header glsl wgsl; do
        keep "$name/$format" "$vkassay" export "$result" --format $format
    done
    for format in text markdown json; do keep "$name/compare-$format" "$vkassay" compare "$result" "$result" --format $format; done
    keep "$name/claims" "$vkassay" report --claims claims "$result" --out "$to/$name/claims"
    keep "$name/trim" "$vkassay" merge "$result" --trim --out "$to/$name/trim.json"
    keep "$name/report" "$vkassay" report "$result" --out "$to/$name/report"
}

together() {
    local vkassay=$1 quick=("${results[@]:0:1}")
    keep coverage "$vkassay" list coverage "${results[@]}"
    keep history "$vkassay" report --history "${quick[0]}" "${quick[0]}" "${quick[0]}" --out "$to/history"
    keep devices "$vkassay" report "${results[@]:0:1}" "${results[@]: -1}" --out "$to/devices"
    [ ! -e reports/examples/nvidia-h200/spaces.json.gz ] ||
        keep simulate "$vkassay" tune --simulate reports/examples/nvidia-h200/spaces.json.gz
}

for side in base head; do
    to=$out/$side
    mkdir -p "$to"
    listings "${program[$side]}"
    for result in "${results[@]}"; do of_result "${program[$side]}" "$result"; done
    together "${program[$side]}"
    # The paths of output folders must not count as differences.
    grep -rlF "$to" "$to" | xargs -r sed -i "s|$to|OUT|g"
done
same=$(cd "$out/base" && find . -type f | wc -l)
if diff -rq "$out/base" "$out/head" | sed "s|$out/||g"; then
    echo "the same in all of $same files"
else
    exit 1
fi
