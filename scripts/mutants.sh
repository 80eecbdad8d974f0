#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the table of mutants and of the checks that catch them on each software driver: BUILD=build scripts/mutants.sh
set -euo pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/find.sh
. scripts/find.sh
build=$(realpath "${BUILD:-build}")
export VKASSAY_CACHE=${VKASSAY_CACHE:-$build/cache}

# Kind, name, kernel, checks: a line a mutant.
caught_on() {
    (use_driver "$2" && VKASSAY_MUTANTS=$build/mutants-$1 "$build/tests/commands-mutants_test" >&2)
}

caught_on lavapipe "$(lavapipe_manifest)"
caught_on SwiftShader "$(swiftshader_manifest)"
paste "$build/mutants-lavapipe" "$build/mutants-SwiftShader" | sort -s -t "$(printf '\t')" -k 1,1 | awk -F '\t' '
    $2 != $6 { exit 1 }
    { lines[NR] = "| " ($1 == kind ? "" : $1) " | " $2 " | `" $3 "` | " $4 " | " $8 " |"; kinds += $1 != kind; kind = $1 }
    END {
        print "# Mutants\n"
        printf "%d ways of breaking the kernels of this repository, of %d kinds, and the checks that catch each. ", NR, kinds
        print "`make mutants` writes this\ntable, `make test` demands that no mutant survives, and that the kernels they were made of pass the same points."
        print "[mutants.json](../../harness/commands/tests/mutants.json) states each as a replacement in a source.\n"
        print "| check | found |\n|---|---|"
        print "| ulp | numbers too far from the reference, or wrong integers |"
        print "| class | a NaN or an infinity in place of something else, or the reverse |"
        print "| unwritten | an output that still holds the poison of before the run |"
        print "| guard | changed words around a buffer |"
        print "| input | an input that did not come back as it was |"
        print "| bits | other bits in a second run |"
        print "| no such type | nothing: the driver does not have the element type |\n"
        print "| kind | mutant | kernel | lavapipe | SwiftShader |\n|---|---|---|---|---|"
        for (i = 1; i <= NR; i++) print lines[i]
    }'
