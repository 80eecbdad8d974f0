// SPDX-License-Identifier: Apache-2.0
// The kernel of probes: a copy with any number of dependent multiply-adds. SALT makes pipelines unknown to every cache.
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint SALT = 0;
layout(set = 0, binding = 0) readonly buffer In { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float y[]; };
layout(push_constant) uniform Push { uint n, rounds; };

#ifndef STEP
#define STEP 0.5
#endif

void main() {
    uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * gl_WorkGroupSize.x) + gl_GlobalInvocationID.x;
    if (i >= n) return;
    float v = x[i];
    for (uint r = 0; r < rounds; r++) v = v * 0.999 + STEP;
    y[i] = v + float(SALT);
}
