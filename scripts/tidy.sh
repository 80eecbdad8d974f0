#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy with the checks of .clang-tidy: FLAGS="-I..." scripts/tidy.sh FILE...
set -uo pipefail
# reference/ is compiled once for each VKASSAY_REAL. sed removes the counts of suppressed warnings.
# shellcheck disable=SC2086 # FLAGS are several words
clang-tidy --quiet --warnings-as-errors='*' "$@" -- -std=c17 -D_GNU_SOURCE -DVKASSAY_REAL=64 ${FLAGS:-} 2>&1 |
    sed -E '/^[0-9]+ warnings? (and [0-9]+ errors? )?generated\.$/d'
