#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies the files that the program reads at run time, and its scripts, to FOLDER: scripts/copy.sh FOLDER
set -euo pipefail
folder=$1
cd "$(dirname "$0")/.."

# Replaces whole folders, so that kernels removed here are removed there, too.
mkdir -p "$folder"
rm -rf "${folder:?}"/{kernels,suites,reports}
for part in kernels suites reports/gnuplot reports/html reports/schema; do
    [ -d "$part" ] && find "$part" -type f -not -path '*/tests/*' -exec cp --parents -t "$folder" {} +
done
cp LICENSE scripts/packed.py scripts/exports.py scripts/github.yml scripts/gitlab.yml scripts/wgsl.mjs "$folder"
