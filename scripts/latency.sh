#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the waiting times of users and contributors on this machine: scripts/latency.sh [ROW...]
# The program is build/vkassay, or $PROGRAM. Prints a line per figure, with tabs between row, figure, unit, goal, and
# the CPU seconds, wall seconds and MiB of the command. The default is all rows but `test` and `deep`, which take
# minutes. On a shared machine, compare two builds by CPU time.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/find.sh
. scripts/find.sh
program=$(realpath "${PROGRAM:-build/vkassay}") python=$(python_with json)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s /bin/true "$work/bin/gnuplot"
example=reports/examples/nvidia-h200/quick.json

# Runs a command and sets cpu, wall and mib. Its output goes to $work/said.
cost() {
    read -r status cpu wall mib < <("$python" -c '
import os, sys, time
start = time.monotonic()
pid = os.fork()
if pid == 0:
    said = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(said, 1), os.dup2(said, 2)
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), f"{used.ru_utime + used.ru_stime:.2f} {time.monotonic() - start:.2f}",
      used.ru_maxrss // 1024)' "$work/said" "$@")
    case $status in 0 | 2 | 3 | 4) ;; *) echo "latency: $*: status $status" >&2 && tail -n 5 "$work/said" >&2 && exit 1 ;; esac
}
plain() { PATH="$work/bin:$PATH" cost "$@"; } # without charts

# row FIGURE UNIT GOAL NAME: prints a line with the costs of the last command.
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$4" "$1" "$2" "$3" "$cpu" "$wall" "$mib"; }
skip() { printf '%s\tskipped: %s\t\t\t\t\t\n' "$1" "$2"; }
of_result() { PYTHONPATH=scripts "$python" -c "import packed, sys; r = packed.result(sys.argv[1]); $2" "$1"; }

start() {
    plain "$program" list && row "$cpu" s 0.1 list
    plain "$program" devices && row "$cpu" s 0.1 devices
    for verb in check bench; do
        plain "$program" "$verb" relu.vec4 --budget 1e-6 --quiet --out "$work/start"
        row "$cpu" s 0.2 "$verb NAME: before the first point"
    done
}

suite() {
    plain "$program" bench --suite "${SUITE:-quick}" --quiet --out "$work/suite"
    local result shares
    result=$(ls "$work"/suite/*/*/result.jsonl)
    row "$(of_result "$result" 'print(len(r["records"]))')" points '' "bench --suite ${SUITE:-quick}"
    row "$wall" s 40 "bench --suite ${SUITE:-quick}: wall"
    row "$(of_result "$result" 'print(sum((x.get("check") or {}).get("checked") or 0 for x in r["records"]))')" outputs '' judged
    if [ "$(of_result "$result" 'print(r["device"]["kind"])')" = cpu ]; then
        for part in useful upload judge reference; do skip "share of the wall time: $part" "the device is a CPU"; done
        return
    fi
    shares='w = [x["wall"] for x in r["records"] if x.get("wall")]
def share(*names): return sum(x.get(n + "_ns", 0) for x in w for n in names) / max(1, sum(sum(x.values()) for x in w))
print(*(round(100 * share(*n), 1) for n in (("compute", "reference"), ("upload",), ("judge",), ("reference",))))'
    read -r useful upload judge reference < <(of_result "$result" "$shares")
    row "$useful" % 75 "share of the wall time: useful"
    row "$upload" % 8 "share of the wall time: upload"
    row "$judge" % '' "share of the wall time: judge"
    row "$reference" % '' "share of the wall time: reference"
}

charts() {
    cost "$program" report "$example" --quiet --out "$work/page"
    row "$(find "$work/page" -name '*.svg' | wc -l)" charts 60 "charts of $(of_result "$example" 'print(len(r["records"]))') points"
    row "$(du -sb "$work/page" | awk '{ printf "%.1f", $1 / 1e6 }')" MB 5 'charts, their data and page'
}

records() {
    "$python" harness/record/tests/many.py "$example" 100000 "$work/many.json"
    plain "$program" report "$work/many.json" --quiet --out "$work/many" && row "$wall" s 6 '100,000 records: report'
    plain "$program" compare "$work/many.json" "$work/many.json" && row "$wall" s 6 '100,000 records: compare'
    plain "$program" merge "$work/many.json" --out "$work/merged.json" && row "$wall" s 6 '100,000 records: merge'
    plain "$program" export "$work/many.json" --format csv --out "$work/csv" && row "$wall" s 6 '100,000 records: CSV'
    row "$mib" MiB 600 '100,000 records: memory of CSV'
}

# Counts the objects built here that a change of a header would recompile.
rebuilt() {
    local found
    cpu='' wall='' mib=''
    found=$("$python" - "${BUILD:-build}" <<'END'
import os, pathlib, sys
uses = [{os.path.normpath(word) for word in path.read_text().replace("\\\n", " ").split()[1:]}
        for path in pathlib.Path(sys.argv[1]).rglob("*.d")]
for header in ("limits.h", "record.h", "operator.h"):
    for path in sorted({word for words in uses for word in words if os.path.basename(word) == header and word[0] != "/"}):
        print(sum(path in words for words in uses), len(uses), path)
END
)
    while read -r count all header; do
        row "$count" objects 120 "rebuilt after $header, of $all built here"
    done <<<"$found"
}

t() { cost make "$1" && row "$wall" s "$2" "make $1"; }

printf 'row\tfigure\tunit\tgoal\tcpu_s\twall_s\tmib\n'
[ $# -gt 0 ] || set -- start suite charts records rebuilt
for part; do
    case $part in
    start | suite | charts | records | rebuilt) "$part" ;;
    test) t test 300 ;;
    deep) t test-deep 1200 ;;
    *) echo "latency: there are start, suite, charts, records, rebuilt, test and deep, found '$part'" >&2 && exit 64 ;;
    esac
done
