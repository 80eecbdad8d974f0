// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    tile[i] = float((i * 37u) % 64u);
    for (uint k = 2u; k <= 64u; k *= 2u)
        for (uint j = k / 2u; j > 0u; j /= 2u) {
            barrier();
            uint other = i ^ j;
            if (other > i) {
                float a = tile[i], b = tile[other];
                bool up = (i & k) == 0u;
                if ((a > b) == up) {
                    tile[i] = b;
                    tile[other] = a;
                }
            }
        }
    barrier();
    y[i] = tile[i];
}
