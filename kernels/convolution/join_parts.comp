// SPDX-License-Identifier: Apache-2.0
// The sum of vectors of COUNT elements, the product of the SIZES, that lie one behind the other: an
// element an invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Parts { float parts[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint summands, SIZES; };

const uint AT_ONCE = 8; // are asked for before the first is waited for

void main() {
    const uint i = linear_invocation(), count = COUNT;
    if (i >= count) return;
    float sum = 0.0;
    uint part = 0;
    for (; part + AT_ONCE <= summands; part += AT_ONCE) {
        float some[AT_ONCE];
        [[unroll]] for (uint k = 0; k < AT_ONCE; k++) some[k] = parts[(part + k) * count + i];
        [[unroll]] for (uint k = 0; k < AT_ONCE; k++) sum += some[k];
    }
    for (; part < summands; part++) sum += parts[part * count + i];
    y[i] = STORE(sum);
}
