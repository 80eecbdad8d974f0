// SPDX-License-Identifier: Apache-2.0
// Transposed convolution, gathered: one output per invocation, x and y over the picture, z over pictures and
// channels. It finds the taps with an input on the stride's grid, and sums over the channels of its group
// there.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "transposed.glsl"

// Adds one place of the inputs, through all channels of the group.
float place(uint at, uint weights, uint cin_group, float sum) {
    for (uint i = 0; i < cin_group; i++, at += h * w, weights += cout_group * kh * kw)
        sum = fma(LOAD(x[at]), LOAD(weight[weights]), sum);
    return sum;
}

void main() {
    const uint ox = gl_GlobalInvocationID.x, oy = gl_GlobalInvocationID.y;
    const uint plane = gl_GlobalInvocationID.z;
    if (ox >= ow || oy >= oh || plane >= n * cout) return;
    const uint image = plane / cout, channel = plane % cout, group = channel / cout_group;
    const uint cin_group = cin / groups, first = group * cin_group;
    const uint windows = (first * cout_group + channel % cout_group) * kh * kw;
    float sum = BIAS(channel);
    for (uint ky = 0; ky < kh && ky * dilation <= oy + PAD_Y; ky++) {
        const uint down = oy + PAD_Y - ky * dilation, row = down / STRIDE_Y;
        if (down % STRIDE_Y != 0 || row >= h) continue;
        for (uint kx = 0; kx < kw && kx * dilation <= ox + pad; kx++) {
            const uint right = ox + pad - kx * dilation, col = right / stride;
            if (right % stride != 0 || col >= w) continue;
            const uint at = ((image * cin + first) * h + row) * w + col;
            sum = place(at, windows + ky * kw + kx, cin_group, sum);
        }
    }
    y[(plane * oh + oy) * ow + ox] = STORE(sum);
}
