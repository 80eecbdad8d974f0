// SPDX-License-Identifier: Apache-2.0
// Adds up consecutive vectors of COUNT elements, the product of the SIZES, one element per
// invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Parts { float parts[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint summands, SIZES; };

const uint AT_ONCE = 16; // loads requested before the first is awaited

void main() {
    const uint i = linear_invocation(), count = COUNT;
    if (i >= count) return;
    float sum = 0.0;
    for (uint part = 0; part < summands; part += AT_ONCE) {
        float some[AT_ONCE];
        [[unroll]] for (uint k = 0; k < AT_ONCE; k++)
            some[k] = part + k < summands ? parts[(part + k) * count + i] : 0.0;
        [[unroll]] for (uint k = 0; k < AT_ONCE; k++) sum += some[k];
    }
    y[i] = STORE(sum);
}
