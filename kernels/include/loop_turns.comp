// SPDX-License-Identifier: Apache-2.0
// Counts the turns of one loop, because some drivers end a loop before its condition does.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint turns; };
layout(push_constant) uniform Push { uint wanted; };

void main() {
    uint count = 0;
    for (uint i = 0; i < wanted; i++) count += turns == 0u ? 1u : 2u;
    turns = count;
}
