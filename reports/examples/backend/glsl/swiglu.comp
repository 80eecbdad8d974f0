#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Gate { float gate[]; };
layout(binding = 1) readonly buffer Up { float up[]; };
layout(binding = 2) writeonly buffer Output { float dst[]; };
layout(push_constant) uniform Params { uint num_elements; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < num_elements) dst[i] = gate[i] / (1.0 + exp(-gate[i])) * up[i];
}
