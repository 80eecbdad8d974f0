// SPDX-License-Identifier: Apache-2.0
// Pictures scaled by repeating elements, with a row of its own way.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float x[]; };
layout(binding = 1) writeonly buffer C { float y[]; };
layout(push_constant) uniform P { uint n, c, h, w, oh, ow; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= n * c * oh * ow) return;
    uint q = i % ow, r = i / ow % oh, p = i / ow / oh;
    y[i] = x[(p * h + ROW) * w + COL];
}
