# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by test.sh: runs tests and counts for each part how many passed, failed and were not run. The last of these
# have not passed. A part fails if nothing ran and no reason is given, or if it has fewer tests than its least number in
# scripts/least_tests. A test prints "NOT RUN REASON" if it, or a part of it, is not run. No test may be skipped without
# a reason.

parts=() notes=() slow=() queued=() took_ahead=0
declare -A passed=() failed=() absent=() took=()

say() { printf '\n== %s\n' "$*"; }

# Counts the tests from here on for this part. Each part has a line in the summary.
part() {
    end_part
    part=$1
    [ -n "${passed[$1]:-}" ] || parts+=("$1")
    passed[$1]=${passed[$1]:-0} failed[$1]=${failed[$1]:-0} absent[$1]=${absent[$1]:-0} took[$1]=${took[$1]:-0}
}

# Adds the seconds since the beginning of the part to its sum.
end_part() {
    [ -z "${part:-}" ] || took[$part]=$((took[$part] + SECONDS - began))
    began=$SECONDS
}

count() { # PASSED FAILED NOT_RUN
    passed[$part]=$((passed[$part] + $1)) failed[$part]=$((failed[$part] + $2)) absent[$part]=$((absent[$part] + $3))
}

# Records why one test, or the whole part, is not run.
not_run() {
    say "$part: not run, $*"
    count 0 0 1
    notes+=("not run: $part: $*")
}

fails() {
    echo "FAILED: $part: $*"
    notes+=("failed: $part: $*")
}

# Adds a command for ahead(). NAME is its part, or "PART: PROGRAM".
queue() { # NAME COMMAND ARGUMENT...
    queued+=("$(printf '%q ' "${1//\//-}" "${@:2}")")
}

# Runs the queued commands beside each other: one per core but at most four, and one more because some wait for
# deadlines. Their output and status are kept for step() and cmocka().
ahead() {
    local cores each lanes began=$SECONDS
    cores=$(nproc)
    lanes=$((1 + (cores > 4 ? 4 : cores)))
    # shellcheck disable=SC2016 # words of the inner shell
    each='eval "set -- $(printf %q "$1") $2"; said=$1/$2; TIMEFORMAT="%U %S"
        { time "${@:3}" >"$said.log" 2>&1; } 2>"$said.cpu"; status=$?
        echo "$status" >"$said.status"; [ $status -eq 0 ] || echo "$2: status $status"'
    # shellcheck disable=SC2154 # test.sh sets $build
    rm -rf "$build/ahead" && mkdir "$build/ahead"
    [ ${#queued[@]} -gt 0 ] || return 0
    say "${#queued[@]} programs and checks, $lanes at a time"
    printf '%s\0' "${queued[@]}" | xargs -0 -n 1 -P $lanes bash -c "$each" - "$build/ahead"
    took_ahead=$((SECONDS - began))
}

# Prints the output of a command from ahead(), or runs it. Sets `log` and `status`, and notes its CPU time.
said() { # NAME COMMAND ARGUMENT...
    local TIMEFORMAT='%U %S'
    log=$build/ahead/${1//\//-}.log
    if [ -e "${log%.log}.status" ]; then
        cat "$log"
        read -r status <"${log%.log}.status"
    else
        { time "${@:2}" 2>&1 | tee "$log"; } 2>"${log%.log}.cpu"
        status=$?
    fi
    slow+=("$(awk 'END { printf "%.0f s of CPU: ", $1 + $2 }' "${log%.log}.cpu")$1")
}

# Runs a command as one test, or as none if it gives a reason and ends with 77. Each line "NOT RUN REASON" counts as
# one test not run.
step() {
    local status log reasons
    say "$part"
    said "$part" "$@"
    mapfile -t reasons < <(sed -n 's/^NOT RUN //p' "$log")
    [ ${#reasons[@]} -eq 0 ] || { count 0 0 ${#reasons[@]} && notes+=("${reasons[@]/#/not run: $part: }"); }
    if [ "$status" -eq 0 ]; then
        count 1 0 0
    elif [ "$status" -ne 77 ] || [ ${#reasons[@]} -eq 0 ]; then
        count 0 1 0
        fails "status $status: $*"
    fi
}

# Sums the numbers of cmocka's lines such as "[  PASSED  ] 5 test(s)." Newer versions print the group's name first.
cmocka_sum() { # PASSED [WORD]
    sed -nE "s/^\[ *$1 *\] (.* )?${2:-}\b *([0-9]+) test\(s\).*/\2/p" "$log" | awk '{ sum += $1 } END { print sum + 0 }'
}

# noted PREFIX PATTERN WORD PROGRAM: adds each matching line of the log once, without its prefix, to the summary.
noted() {
    local line
    while IFS= read -r line; do
        notes+=("$3: $part: $4: ${line:${#1}}")
    done < <(grep -E "$2" "$log" | awk '!seen[$0]++')
}

# Prints each skipped test of the log once, as "TEST: REASON". The reason is in the line "NOT RUN REASON" before it.
skipped_tests() {
    awk '/^NOT RUN / { reason = substr($0, 9) }
        /^\[  SKIPPED \] [A-Za-z0-9_]+$/ && !seen[$4]++ { print $4 ": " (reason == "" ? "no reason" : reason); reason = "" }
        /^\[ +OK \]/ { reason = "" }' "$log"
}

# Counts the tests of a cmocka program. The program's summary must account for all tests it began.
cmocka() {
    local name status begun held lost skipped log line
    name=$(basename "$1")
    say "$name: $part"
    said "$part: $name" "$1"
    begun=$(cmocka_sum '=+' Running) held=$(cmocka_sum PASSED) lost=$(cmocka_sum FAILED) skipped=$(cmocka_sum SKIPPED)
    if [ "$begun" -eq 0 ] || [ $((held + lost + skipped)) -ne "$begun" ]; then
        fails "$name ended with $status: $begun tests were begun, $held passed, $lost failed, $skipped were skipped"
        lost=$((lost > begun - held - skipped ? lost : begun - held - skipped))
        [ "$lost" -gt 0 ] || lost=1
    elif [ "$lost" -gt 0 ] || [ "$status" -ne 0 ]; then
        fails "$name ended with $status"
        [ "$lost" -gt 0 ] || lost=1
    fi
    count "$held" "$lost" "$skipped"
    while IFS= read -r line; do
        notes+=("not run: $part: $name: $line")
        [[ $line != *": no reason" ]] || { count 0 1 0 && fails "$name: $line, expected a line NOT RUN"; }
    done < <(skipped_tests)
    noted 'TRIES ' '^TRIES ([2-9]|[1-9][0-9]+) of' repeated "$name"
}

# Prints the least number of tests of a part. Each line of the file has a number and the name of a part; other parts
# have 1.
least_of() {
    awk -v part="$1" '{ least[substr($0, length($1) + 2)] = $1 } END { print part in least ? least[part] : 1 }' \
        scripts/least_tests
}

# Fails a part with fewer tests. Tests not run for a reason count, too. A part of which nothing could run is excused.
hold_least() {
    local part=$1 there least
    there=$((passed[$part] + failed[$part] + absent[$part])) least=$(least_of "$part")
    [ "$there" -lt "$least" ] || return 0
    [ $((passed[$part] + failed[$part])) -ne 0 ] || [ "${absent[$part]}" -eq 0 ] || return 0
    failed[$part]=$((failed[$part] + 1))
    fails "there were $there tests, expected at least $least"
}

# Prints a line for each part, and the sums in the last line. Fails if any test failed.
summary() {
    local part sums=(0 0 0)
    [ ${#parts[@]} -gt 0 ] || { echo "FAILED: no tests were found" && return 1; }
    end_part
    for part in "${parts[@]}"; do hold_least "$part"; done
    say "all tests"
    [ ${#notes[@]} -eq 0 ] || printf '%s\n' "${notes[@]}"
    [ ${#slow[@]} -eq 0 ] || printf 'slowest: %s\n' "$(printf '%s\n' "${slow[@]}" | sort -rn | head -n 8 | paste -sd ';' | sed 's/;/; /g')"
    echo "${BUILT:+$BUILT s for installing and building, }$took_ahead s for programs and checks beside each other," \
        "$((SECONDS - took_ahead)) s for the rest"
    for part in "${parts[@]}"; do
        printf '%-32s %5d passed %5d failed %5d not run %5d s\n' \
            "$part" "${passed[$part]}" "${failed[$part]}" "${absent[$part]}" "${took[$part]}"
        sums=($((sums[0] + passed[$part])) $((sums[1] + failed[$part])) $((sums[2] + absent[$part])))
    done
    echo "${sums[0]} passed, ${sums[1]} failed, ${sums[2]} not run"
    [ "${sums[1]}" -eq 0 ]
}
