#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every test and says how many held: BUILD=build scripts/test.sh TEST_PROGRAM...
# A step that fails does not stop the others. Tests run on lavapipe, those of Vulkan on SwiftShader too where it is found.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
build=$(realpath "${BUILD:-build}")
passed=0 failed=0 broken=() log=$build/test.log
export VKASSAY_CACHE=${VKASSAY_CACHE:-$build/cache}
rm -rf "$build/smoke" "$build/tuned"

say() { printf '\n== %s\n' "$*"; }

# Counts a step that is one test.
step() {
    local name=$1
    shift
    say "$name"
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED ($?): $*"
        failed=$((failed + 1)) broken+=("$name")
    fi
}

# The sum of cmocka's "[  PASSED  ] 5 test(s)." lines (newer versions put the group's name before the number).
cmocka_sum() {
    sed -nE "s/^\[ +$1 +\] .*\b([0-9]+) test\(s\).*/\1/p" "$log" | awk '{ sum += $1 } END { print sum + 0 }'
}

# Runs a cmocka program and adds up its tests; one that ends badly without saying which failed counts as a failure.
cmocka() {
    local status held lost
    say "$(basename "$1") on $2"
    "$1" 2>&1 | tee "$log"
    status=$?
    held=$(cmocka_sum PASSED) lost=$(cmocka_sum FAILED)
    [ $((held + lost)) -eq 0 ] && status=1
    [ $status -ne 0 ] && [ "$lost" -eq 0 ] && lost=1 && echo "FAILED ($status): $1"
    passed=$((passed + held)) failed=$((failed + lost))
    [ "$lost" -eq 0 ] || broken+=("$(basename "$1") on $2")
}

# Conformance of every kernel on one driver, under the validation layer where it is installed.
conformance() {
    local name=$1 manifest=$2 layer=()
    if [ -z "$manifest" ]; then
        say "smoke suite on $name: not run, the driver is not installed (scripts/install.sh ${name,,})"
        return
    fi
    validation_manifest >/dev/null && layer=(--validate)
    [ ${#layer[@]} -eq 0 ] && say "no validation layer is installed (scripts/install.sh test); running without"
    (use_driver "$manifest" && exec "$build/vkassay" check --suite smoke --quiet --out "$build/smoke/$name" "${layer[@]}")
}

# From a search to a dispatch: the reader's example adds at the size that a short search found, with nothing to warn of.
tuned_example() {
    local said
    "$build/vkassay" tune 'add.vec4/f32/n=65536' --budget 10 --quiet --out "$build/tuned" || return
    said=$("$build/example" "$build"/tuned/*/*/tuned.json 65536) || return
    echo "$said"
    [[ $said =~ ^65536\ sums\ in\ workgroups\ of\ [0-9]+:\ 0\ wrong$ ]]
}

# Report pages as a reader sees them: of the examples, and of what the search has just left.
pages() {
    local program interpreter
    if program=$(browser) && interpreter=$(python_with json); then
        step "pages in a browser" "$interpreter" harness/render/tests/page_check.py --browser "$program" "$build/vkassay" \
            reports/examples/*/quick.json "$build"/tuned/*/*/result.json
    else
        say "pages in a browser: not run, no Chromium is installed (scripts/install.sh swiftshader)"
    fi
}

# A check written in Python: python "MODULE..." FILE ARGUMENT...
python() {
    local modules=$1 file=$2 interpreter
    shift
    # shellcheck disable=SC2086 # several modules
    if interpreter=$(python_with $modules); then
        step "$file" "$interpreter" "$@"
    else
        say "$file: not run, no Python here has $modules (scripts/install.sh test)"
    fi
}

# The layers that call Vulkan themselves are tested on each driver, and so is what the checks catch.
on_swiftshader() {
    local program
    use_driver "$swiftshader"
    for program in "$@"; do
        case $(basename "$program") in device-* | run-* | commands-mutants_test) cmocka "$program" SwiftShader ;; esac
    done
}

lavapipe=$(lavapipe_manifest)
swiftshader=$(swiftshader_manifest)
validation_manifest >/dev/null && export VKASSAY_TEST_VALIDATE=1
use_driver "$lavapipe"
for program in "$@"; do cmocka "$program" lavapipe; done
[ -z "$swiftshader" ] || on_swiftshader "$@"
step "smoke suite on lavapipe" conformance lavapipe "$lavapipe"
step "smoke suite on SwiftShader" conformance SwiftShader "$swiftshader"
use_driver "$lavapipe"
step "a tuned table read by another program" tuned_example
pages
python "numpy scipy" reference/tests/numpy_check.py "$build/tests/reference-evaluate"
python "jsonschema" harness/record/tests/schema_check.py suites/*.json kernels/*/*.json \
    reports/examples/*/*.json reports/examples/custom/*/*.json harness/commands/tests/*/*.json \
    "$build"/smoke/*/*/*/{result,expectations}.json "$build"/tuned/*/*/{result,tuned}.json

if command -v jq >/dev/null; then
    python yaml scripts/tests/recipes_check.py "$build/vkassay"
else
    say "scripts/tests/recipes_check.py: not run, jq is not installed (scripts/install.sh test)"
fi

say "all tests"
[ ${#broken[@]} -eq 0 ] || printf 'failed: %s\n' "${broken[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
