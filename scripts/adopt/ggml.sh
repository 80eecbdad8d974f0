#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Judges the shaders of ggml-vulkan: scripts/adopt/ggml.sh CHECKOUT [OUT]
# CHECKOUT is that of ggml-org/ggml or ggml-org/llama.cpp. Its own generator lists the variants. It is compiled without
# the macros of newer compilers, so variants for matrices and integer dot products are left out.
# shellcheck source=scripts/adopt/checkout.sh
. "$(dirname "$0")/checkout.sh"
shaders=$checkout/ggml/src/ggml-vulkan/vulkan-shaders
[[ -d $shaders ]] || shaders=$checkout/src/ggml-vulkan/vulkan-shaders
"${CXX:-c++}" -o "$work/generator" "$shaders/vulkan-shaders-gen.cpp" -pthread
files=("$shaders"/*.comp)
parts=${#files[@]}
for shader in "${files[@]}"; do
    record "$(basename "$shader" .comp)" "$work/generator" --glslc "$here/glslc" --source "$shader" --output-dir "$work/spirv" \
        --target-hpp "$work/all.hpp" --target-cpp "$work/$(basename "$shader").cpp"
done
judge "$shaders"
