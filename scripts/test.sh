#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs tests and counts their outcomes: BUILD=build DEPTH=all scripts/test.sh TEST_PROGRAM...
# DEPTH is presubmit (for `make test`), deep (the rest, for `make test-deep`) or all. Test programs read it as
# VKASSAY_TEST_DEPTH: before a change is submitted, some run only a part of their cases. The summary repeats BUILT, the
# number of seconds before the tests.
# A step that fails does not stop the others. Tests run on lavapipe. Tests of Vulkan run on SwiftShader, too, if it is
# installed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
# shellcheck source=scripts/tally.sh
. scripts/tally.sh
build=$(realpath "${BUILD:-build}")
export VKASSAY_CACHE=${VKASSAY_CACHE:-$build/cache}
export VKASSAY_SEED=1 # tests expect equal runs
export VKASSAY_TEST_DEPTH=${DEPTH:-all}
# Compiled shaders of the command-line tests, for this run only: those of an earlier run would hide changes.
export VKASSAY_TEST_SHADERS=$build/shaders
rm -rf "$build/smoke" "$build/tuned" "$build/shaders"
mkdir "$build/shaders"

# Runs a command only at this depth.
presubmit() { [ "$VKASSAY_TEST_DEPTH" = deep ] || "$@"; }
deep() { [ "$VKASSAY_TEST_DEPTH" = presubmit ] || "$@"; }
# Prints a word only in the deep test, because its parts have their own names and least numbers.
deeper() { [ "$VKASSAY_TEST_DEPTH" != deep ] || printf '%s' "$1"; }

lavapipe=$(lavapipe_manifest)
swiftshader=$(swiftshader_manifest)
validate=()
validation_manifest >/dev/null && validate=(--validate) && export VKASSAY_TEST_VALIDATE=1

# On lavapipe, the presubmit test runs all programs but commands-scale_test. The deep test runs this one, and repeats
# the programs with a part of their cases left out there.
runs_on_lavapipe() {
    case $VKASSAY_TEST_DEPTH,$(basename "$1") in
    all,* | deep,commands-mutants_test | deep,commands-driver_test | deep,commands-scale_test) ;;
    deep,commands-cheats_test | deep,commands-mutate_kills_test | deep,commands-output_test) ;;
    deep,* | presubmit,commands-scale_test) false ;;
    esac
}

# SwiftShader runs the tests of components with Vulkan calls, and the mutants for the checks to catch.
runs_on_swiftshader() {
    case $VKASSAY_TEST_DEPTH,$(basename "$1") in
    all,vulkan-* | all,check-* | all,run-* | all,commands-mutants_test) ;;
    presubmit,vulkan-* | presubmit,check-* | deep,run-* | deep,commands-mutants_test) ;;
    *) false ;;
    esac
}

tests_on() { # NAME MANIFEST RUNS_ON PROGRAM...
    local name program chosen=() runs=$3
    name="tests on $1$(deeper ", deep")"
    for program in "${@:4}"; do "$runs" "$program" && chosen+=("$program"); done
    if [ "${phase:-}" = queue ]; then
        [ -n "$2" ] || return 0
        for program in ${chosen[@]+"${chosen[@]}"}; do
            queue "$name: $(basename "$program")" env VK_DRIVER_FILES="$2" VK_ICD_FILENAMES="$2" "$program"
        done
        return
    fi
    part "$name"
    [ -n "$2" ] || { not_run "missing: $1 (scripts/install.sh test)" && return; }
    for program in ${chosen[@]+"${chosen[@]}"}; do cmocka "$program"; done
}

# Checks kernels. Named ones may end with status 4: the driver lacks a feature of some.
sound() { "$build/vkassay" check "$@" "${kernels[@]}" || { [ $? -eq 4 ] && [ ${#kernels[@]} -gt 0 ]; }; }

# Conformance of all kernels, or of the given ones, on one driver. It runs under the validation layer if there is one.
smoke() { # NAME MANIFEST KERNEL...
    local name=$1 manifest=$2 kernels=("${@:3}")
    part "smoke suite on $name$(deeper ", deep")"
    [ -n "$manifest" ] || { not_run "missing: the driver (scripts/install.sh test)" && return; }
    use_driver "$manifest"
    step sound --suite smoke --quiet --out "$build/smoke/$name" "${validate[@]}"
}

# Prints a kernel of each operator in the suite `gate`. The deep test checks all kernels.
gate_kernels() {
    "$build/vkassay" list points --suite gate | cut -d/ -f1 | sort -r | sort -u -t. -k1,1
}

# Tests the path from a search to a dispatch. The reader's example must add correctly at the workgroup size of a short
# search. The reader may warn of a noisy time, for a host can be busy, and of nothing else.
tuned_example() {
    local said
    "$build/vkassay" tune 'add.vec4/f32/n=65536' --budget 10 --quiet --out "$build/tuned" || return
    said=$("$build/example" "$build"/tuned/*/*/tuned.json 65536 2>&1) || return
    echo "$said"
    [[ $(grep -v "its time is noise" <<<"$said") =~ ^65536\ sums\ in\ workgroups\ of\ [0-9]+:\ 0\ wrong$ ]]
}

tuned_part() { part "example of a tuned table" && step tuned_example; }

# Tests report pages in a browser: of the examples, and of the search's result.
pages() {
    local program interpreter script axe=()
    part "pages in a browser"
    program=$(browser) || { not_run "missing: Chromium (scripts/install.sh test)" && return; }
    interpreter=$(python_with json) || { not_run "missing: Python (scripts/install.sh test)" && return; }
    if script=$(axe_script); then axe=(--axe "$script"); else not_run "missing: axe-core (scripts/install.sh test)"; fi
    step "$interpreter" harness/readers/tests/page_check.py --browser "$program" "${axe[@]}" "$build/vkassay" \
        reports/examples/*/quick.json "$build"/tuned/*/*/result.jsonl
}

# python PART "MODULE..." FILE ARGUMENT...: runs a check written in Python.
python() {
    local name=$1 modules=$2 interpreter
    shift 2
    # shellcheck disable=SC2086 # several modules
    interpreter=$(python_with $modules) || interpreter=''
    if [ "${phase:-}" = queue ]; then
        [ -z "$interpreter" ] || queue "$name" "$interpreter" "$@"
        return
    fi
    part "$name"
    [ -n "$interpreter" ] || { not_run "missing: a Python with $modules (scripts/install.sh test)" && return; }
    step "$interpreter" "$@"
}

recipes() {
    if command -v jq >/dev/null; then
        python "recipes of CI" yaml scripts/tests/recipes_check.py "$build/vkassay"
    else
        part "recipes of CI"
        not_run "missing: jq (scripts/install.sh test)"
    fi
}

# Checks without input from another part.
checks() {
    presubmit python "faults of a driver" json scripts/faults.py "$build" --short 1 --jobs 2
    presubmit python "figures of the pages" json scripts/figures.py --check --pages "$build/pages" --program "$build/vkassay"
    presubmit python "what is installed" json scripts/tests/install_check.py "$build/vkassay"
    presubmit python "exports for other programs" json scripts/tests/exports_check.py "$build/vkassay"
    presubmit python "terminals" json scripts/tests/terminal_check.py "$build/vkassay"
    presubmit python "references against numpy" "numpy scipy" reference/tests/numpy_check.py "$build/tests/reference-evaluate"
    presubmit python "shaders of another project" json scripts/tests/adopt_check.py "$build/vkassay"
    presubmit python "programs of kernels/UPSTREAM.md" json scripts/tests/upstream_check.py
    presubmit python "rules of figures.py" json scripts/tests/figures_check.py
    presubmit python "times of other programs" jsonschema scripts/peers/tests/peers_check.py "$build/vkassay"
    presubmit python "table of changes to the harness" json scripts/mutants_harness.py --check-table
    presubmit python "layers and sizes of folders" json scripts/layers.py --check
    presubmit python "options that take effect" json scripts/tests/options_check.py
    presubmit python "prose of comments and pages" json scripts/prose.py --check
    presubmit python "rules of test.sh" json scripts/tests/test_check.py
    presubmit python "rules of install.sh" json scripts/tests/groups_check.py
    presubmit python "rules of results.py" json scripts/tests/results_check.py
}

# Programs and checks run beside each other; their parts below print and count their output. The upper layers have the
# longest programs and come first: otherwise cores would wait for one of these at the end.
reversed=()
for program in "$@"; do reversed=("$program" ${reversed[@]+"${reversed[@]}"}); done
phase=queue
checks
tests_on lavapipe "$lavapipe" runs_on_lavapipe ${reversed[@]+"${reversed[@]}"}
tests_on SwiftShader "$swiftshader" runs_on_swiftshader ${reversed[@]+"${reversed[@]}"}
phase=''
use_driver "$lavapipe"
ahead
[ ${#validate[@]} -gt 0 ] || { part "validation layer" && not_run "missing: Vulkan's validation layer (scripts/install.sh test)"; }
tests_on lavapipe "$lavapipe" runs_on_lavapipe "$@"
tests_on SwiftShader "$swiftshader" runs_on_swiftshader "$@"
some=()
[ "$VKASSAY_TEST_DEPTH" != presubmit ] || mapfile -t some < <(gate_kernels)
smoke lavapipe "$lavapipe" ${some[@]+"${some[@]}"}
deep smoke SwiftShader "$swiftshader"
use_driver "$lavapipe"
tuned_part # pages and schemas read its output
deep pages
checks
presubmit python "links of the pages" json scripts/tests/links_check.py "$build"/pages/*.md
presubmit python "schemas" jsonschema harness/record/tests/schema_check.py suites/*.json kernels/*/*.json \
    reports/examples/*/*.json{,.gz} reports/examples/custom/*/*.json harness/commands/tests/*/*.json \
    "$build"/smoke/*/*/*/{result.jsonl,expectations.json} "$build"/tuned/*/*/{result.jsonl,tuned.json}
deep recipes
deep python "shards of a run" yaml scripts/tests/hosts_check.py "$build/vkassay"
deep python "Slurm" json scripts/tests/slurm_check.py "$build/vkassay"
deep python "Kernel Tuner beside race" json scripts/tests/kernel_tuner_check.py "$build/vkassay"
deep python "fuzz targets" json scripts/tests/fuzz_check.py
deep python "packages that are missing" json scripts/tests/absent_check.py "$build/tests"
summary
