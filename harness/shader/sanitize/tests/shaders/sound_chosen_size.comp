// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(constant_id = 0) const uint staged = 1;
layout(constant_id = 1) const int each = 2;
shared float tile[staged != 0u ? 128 / each : 1];

void main() {
    uint i = gl_LocalInvocationID.x;
    tile[i] = float(i);
    barrier();
    y[i] = tile[63u - i];
}
