#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the checks that catch each mutant on each software driver, as JSON: BUILD=build scripts/mutants.sh
set -euo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
build=$(realpath "${BUILD:-build}")
export VKASSAY_CACHE=${VKASSAY_CACHE:-$build/cache}

# Writes a line per mutant: kind, name, kernel, checks.
caught_on() {
    (use_driver "$2" && rm -rf "$build/mutants" && PATH=$build:$PATH \
        python3 harness/commands/tests/mutants.py "$build/mutants" run caught sound lines >"$build/mutants-$1")
}

caught_on lavapipe "$(lavapipe_manifest)"
caught_on SwiftShader "$(swiftshader_manifest)"
git=$("$build/vkassay" --version | sed -E 's/.*\((.*)\)/\1/')
paste "$build/mutants-lavapipe" "$build/mutants-SwiftShader" | awk -F '\t' -v git="$git" '
    $2 != $6 { exit 1 }
    NR == 1 {
        print "{\n \"schema_version\": 1,\n \"tool\": {\"name\": \"vkassay\", \"git\": \"" git "\"},"
        printf " \"drivers\": [\"lavapipe\", \"SwiftShader\"],\n \"mutants\": ["
    }
    {
        printf "%s\n  {\"kind\": \"%s\", \"name\": \"%s\", \"kernel\": \"%s\", ", (NR > 1 ? "," : ""), $1, $2, $3
        printf "\"caught\": {\"lavapipe\": \"%s\", \"SwiftShader\": \"%s\"}}", $4, $8
    }
    END { print "\n ]\n}" }'
