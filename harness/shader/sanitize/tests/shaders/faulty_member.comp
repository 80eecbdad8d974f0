// SPDX-License-Identifier: Apache-2.0
// finds: race, items
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
struct Item {
    float first, second;
};
layout(std430, binding = 0) buffer Y { Item items[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    items[i / 2u].first = float(i);
}
