#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Judges the GLSL shaders of ExecuTorch: scripts/adopt/executorch.sh CHECKOUT [OUT]
# Its own generator (Python with PyYAML) writes the variants of its templates.
# shellcheck source=scripts/adopt/checkout.sh
. "$(dirname "$0")/checkout.sh"
runtime=$checkout/backends/vulkan/runtime
mkdir -p "$out/glsl" "$work/cache"
generated=$(realpath "$out/glsl")
python3 "$runtime/gen_vulkan_spv.py" --glsl-paths "$runtime/graph/ops/glsl" --glslc-path "$here/glslc" \
    --tmp-dir-path "$work/cache" --output-path "$generated" >"$work/log" 2>&1 || { tail -3 "$work/log" >&2 && exit 1; }
judge "$generated"
