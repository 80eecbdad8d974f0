#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Judges the GLSL shaders of ExecuTorch: scripts/adopt/executorch.sh CHECKOUT [OUT]
# Its own generator (Python with PyYAML) writes the variants of its templates.
# shellcheck source=scripts/adopt/checkout.sh
. "$(dirname "$0")/checkout.sh"
runtime=$checkout/backends/vulkan/runtime
mkdir -p "$out/glsl" "$work/cache"
generated=$(realpath "$out/glsl")
record variants python3 "$runtime/gen_vulkan_spv.py" --glsl-paths "$runtime/graph/ops/glsl" \
    --glslc-path "$here/glslc" --tmp-dir-path "$work/cache" --output-path "$generated"
judge "$generated"
