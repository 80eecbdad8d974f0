#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Input { float src[]; };
layout(binding = 1) writeonly buffer Output { float dst[]; };
layout(push_constant) uniform Params { float negative_slope; uint n; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < n) dst[i] = src[i] > 0.0 ? src[i] : negative_slope * src[i];
}
