#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy with the checks of .clang-tidy: FLAGS="-I..." scripts/tidy.sh FILE...
set -uo pipefail
# VKASSAY_REAL is what reference/ is compiled twice with. The counts of what system headers would say are left out.
# shellcheck disable=SC2086 # FLAGS are several words
clang-tidy --quiet --warnings-as-errors='*' "$@" -- -std=c17 -D_GNU_SOURCE -DVKASSAY_REAL=64 ${FLAGS:-} 2>&1 |
    sed -E '/^[0-9]+ warnings? (and [0-9]+ errors? )?generated\.$/d'
