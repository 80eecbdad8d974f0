// SPDX-License-Identifier: Apache-2.0
// Winograd: tiles of 2 by 2 outputs of a convolution with 3 by 3 taps, F(2 x 2, 3 x 3).
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float x[]; };
layout(binding = 1) readonly buffer W { float weight[]; };
layout(binding = 2) readonly buffer B { float bias[]; };
layout(binding = 3) writeonly buffer D { float y[]; };
layout(push_constant) uniform P { uint n, cin, h, w, cout, oh, ow, pad; };
float at(uint img, uint c, int r, int q) {
    if (r < 0 || q < 0 || r >= int(h) || q >= int(w)) return 0.0;
    return x[((img * cin + c) * h + uint(r)) * w + uint(q)];
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint tw = (ow + 1) / 2, th = (oh + 1) / 2;
    if (i >= n * cout * th * tw) return;
    uint tx = i % tw, ty = i / tw % th, c = i / (tw * th) % cout, img = i / (tw * th * cout);
    float m[16];
    for (int k = 0; k < 16; k++) m[k] = 0.0;
    for (uint ci = 0; ci < cin; ci++) {
        float d[16], t[16], g[12], u[16];
        for (int r = 0; r < 4; r++) for (int q = 0; q < 4; q++)
            d[r * 4 + q] = at(img, ci, int(ty * 2) + r - int(pad), int(tx * 2) + q - int(pad));
        for (int q = 0; q < 4; q++) {
            t[q] = d[q] - d[8 + q]; t[4 + q] = d[4 + q] + d[8 + q]; t[8 + q] = d[8 + q] - d[4 + q]; t[12 + q] = d[4 + q] - d[12 + q];
        }
        for (int r = 0; r < 4; r++) {
            float a = t[r * 4], b = t[r * 4 + 1], e = t[r * 4 + 2], f = t[r * 4 + 3];
            d[r * 4] = a - e; d[r * 4 + 1] = b + e; d[r * 4 + 2] = e - b; d[r * 4 + 3] = b - f;
        }
        uint o = (c * cin + ci) * 9;
        for (int q = 0; q < 3; q++) {
            float a = weight[o + q], b = weight[o + 3 + q], e = weight[o + 6 + q];
            g[q] = a; g[3 + q] = HALF * (a + b + e); g[6 + q] = HALF * (a - b + e); g[9 + q] = e;
        }
        for (int r = 0; r < 4; r++) {
            float a = g[r * 3], b = g[r * 3 + 1], e = g[r * 3 + 2];
            u[r * 4] = a; u[r * 4 + 1] = 0.5 * (a + b + e); u[r * 4 + 2] = 0.5 * (a - b + e); u[r * 4 + 3] = e;
        }
        for (int k = 0; k < 16; k++) m[k] += d[k] * u[k];
    }
    float s[8];
    for (int q = 0; q < 4; q++) {
        s[q] = m[q] + m[4 + q] + m[8 + q]; s[4 + q] = m[4 + q] - m[8 + q] - m[12 + q];
    }
    for (uint r = 0; r < 2; r++) for (uint q = 0; q < 2; q++) {
        float v = q == 0 ? s[r * 4] + s[r * 4 + 1] + s[r * 4 + 2] : s[r * 4 + 1] - s[r * 4 + 2] - s[r * 4 + 3];
        uint oy = ty * 2 + r, ox = tx * 2 + q;
        if (oy < oh && ox < ow) y[((img * cout + c) * oh + oy) * ow + ox] = v + bias[c];
    }
}
