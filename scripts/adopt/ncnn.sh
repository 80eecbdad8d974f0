#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Judges the shaders of ncnn: scripts/adopt/ncnn.sh CHECKOUT [OUT]
# Shaders of packed channels, 8-bit integers, matrices and conversions are left out. Floats have 32 bits.
# shellcheck source=scripts/adopt/checkout.sh
. "$(dirname "$0")/checkout.sh"
shaders=$checkout/src/layer/vulkan/shader
variants() {
    find "$shaders" -name '*.comp' | grep -Ev '_pack[148]|pack4|int8|_cm\.|_sg\.|_fp16|_activation\.|_wp[14]|cast_' | sort |
        xargs python3 "$here/ncnn_macros.py" "$checkout/src/gpu.cpp" >"$VKASSAY_RECORD"
}
record variants variants
judge "$shaders"
