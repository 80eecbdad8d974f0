#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every test and says how many held: BUILD=build scripts/test.sh TEST_PROGRAM...
# A step that fails does not stop the others. Tests run on lavapipe, those of Vulkan on SwiftShader too where it is.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
# shellcheck source=scripts/tally.sh
. scripts/tally.sh
build=$(realpath "${BUILD:-build}")
export VKASSAY_CACHE=${VKASSAY_CACHE:-$build/cache}
rm -rf "$build/smoke" "$build/tuned"

lavapipe=$(lavapipe_manifest)
swiftshader=$(swiftshader_manifest)
validate=()
validation_manifest >/dev/null && validate=(--validate) && export VKASSAY_TEST_VALIDATE=1

# Those in which times decide: of kernels, of what hangs, of what a command takes.
wants_quiet() {
    case $(basename "$1") in
    supervise-* | run-measure_test | run-tune_sample_test | run-drift_test | device-timeout_test) ;;
    commands-ab_test | commands-at_once_test | commands-command_compare_test | commands-faults_test) ;;
    commands-gate* | commands-scale_test | commands-jobs_cli_test | commands-progress_test) ;;
    *) false ;;
    esac
}

# All those given: what wants no quiet together, then the rest by itself.
tests() {
    local program together=()
    for program in "$@"; do wants_quiet "$program" || together+=("$program"); done
    rm -rf "$build/ahead"
    mkdir "$build/ahead"
    [ ${#together[@]} -eq 0 ] || ahead "${together[@]}"
    for program in "$@"; do cmocka "$program"; done
}

tests_on_lavapipe() {
    part "tests on lavapipe"
    use_driver "$lavapipe"
    tests "$@"
}

# The layers that call Vulkan themselves are tested on each driver, and so is what the checks catch.
tests_on_swiftshader() {
    local program of_vulkan=()
    part "tests on SwiftShader"
    [ -n "$swiftshader" ] || { not_run "missing: SwiftShader (scripts/install.sh test)" && return; }
    use_driver "$swiftshader"
    for program in "$@"; do
        case $(basename "$program") in device-* | run-* | commands-mutants_test) of_vulkan+=("$program") ;; esac
    done
    tests "${of_vulkan[@]}"
}

# Conformance of every kernel on one driver, under the validation layer where it is installed.
smoke() {
    local name=$1 manifest=$2
    part "smoke suite on $name"
    [ -n "$manifest" ] || { not_run "missing: the driver (scripts/install.sh test)" && return; }
    use_driver "$manifest"
    step "$build/vkassay" check --suite smoke --quiet --out "$build/smoke/$name" "${validate[@]}"
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
    local program interpreter script axe=()
    part "pages in a browser"
    program=$(browser) || { not_run "missing: Chromium (scripts/install.sh test)" && return; }
    interpreter=$(python_with json) || { not_run "missing: Python (scripts/install.sh test)" && return; }
    if script=$(axe_script); then axe=(--axe "$script"); else not_run "missing: axe-core (scripts/install.sh test)"; fi
    step "$interpreter" harness/render/tests/page_check.py --browser "$program" "${axe[@]}" "$build/vkassay" \
        reports/examples/*/quick.json "$build"/tuned/*/*/result.json
}

# A check written in Python: python PART "MODULE..." FILE ARGUMENT...
python() {
    local modules=$2 interpreter
    part "$1"
    shift 2
    # shellcheck disable=SC2086 # several modules
    interpreter=$(python_with $modules) ||
        { not_run "missing: a Python with $modules (scripts/install.sh test)" && return; }
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

[ ${#validate[@]} -gt 0 ] || { part "validation layer" && not_run "missing: Vulkan's validation layer (scripts/install.sh test)"; }
tests_on_lavapipe "$@"
tests_on_swiftshader "$@"
smoke lavapipe "$lavapipe"
smoke SwiftShader "$swiftshader"
use_driver "$lavapipe"
part "example of a tuned table" && step tuned_example
pages
python "references against numpy" "numpy scipy" reference/tests/numpy_check.py "$build/tests/reference-evaluate"
python "schemas" jsonschema harness/record/tests/schema_check.py suites/*.json kernels/*/*.json \
    reports/examples/*/*.json reports/examples/custom/*/*.json harness/commands/tests/*/*.json \
    "$build"/smoke/*/*/*/{result,expectations}.json "$build"/tuned/*/*/{result,tuned}.json
recipes
python "shards of a run" yaml scripts/tests/hosts_check.py "$build/vkassay"
python "Slurm" json scripts/tests/slurm_check.py "$build/vkassay"
python "what is installed" json scripts/tests/install_check.py "$build/vkassay"
python "Kernel Tuner beside race" json scripts/tests/kernel_tuner_check.py "$build/vkassay"
python "terminals" json scripts/tests/terminal_check.py "$build/vkassay"
python "figures of the pages" json scripts/figures.py --check --program "$build/vkassay"
python "links of the pages" json scripts/tests/links_check.py
python "rules of figures.py" json scripts/tests/figures_check.py
python "times of other programs" jsonschema scripts/peers/tests/peers_check.py "$build/vkassay"
python "table of changes to the harness" json scripts/mutants_harness.py --check-table
python "rules of test.sh" json scripts/tests/test_check.py
python "packages that are missing" json scripts/tests/absent_check.py "$build/tests"
summary
