#version 450
// SPDX-License-Identifier: Apache-2.0
layout(constant_id = 3) const uint ITEMS = 2;
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float data[]; };
layout(push_constant) uniform Params { uint n; float factor; };

void main() {
    for (uint k = 0; k < ITEMS; k++) {
        uint i = gl_GlobalInvocationID.x * ITEMS + k;
        if (i < n) data[i] *= factor;
    }
}
