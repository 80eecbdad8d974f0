#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies into FOLDER what the program reads when it runs: scripts/copy.sh FOLDER
set -euo pipefail
folder=$1
cd "$(dirname "$0")/.."

# Replaced whole, so that a kernel that is gone from here is gone from there.
mkdir -p "$folder"
rm -rf "${folder:?}"/{kernels,suites,reports}
for part in kernels suites reports/gnuplot reports/html reports/schema; do
    [ -d "$part" ] && find "$part" -type f -not -path '*/tests/*' -exec cp --parents -t "$folder" {} +
done
cp LICENSE "$folder"
