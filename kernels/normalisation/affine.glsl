// SPDX-License-Identifier: Apache-2.0
// Buffers of a norm by mean and variance over rows, with scale and shift for each column. With IMAGES defined, each
// channel has its scale and shift. A row is then a group of channels of one image, and a channel is `plane` columns of
// it.
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 1) readonly buffer Gamma4 { VEC4T gamma4[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 2) readonly buffer Beta4 { VEC4T beta4[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer Y4 { VEC4T y4[]; };
#ifdef IMAGES
layout(push_constant) uniform Push { uint rows, cols, plane, groups; float eps; };
#else
layout(push_constant) uniform Push { uint rows, cols; float eps; };
#endif
QUAD_READER(x_quad, x, x4)
QUAD_READER(gamma_quad, gamma, gamma4)
QUAD_READER(beta_quad, beta, beta4)
QUAD_WRITER(put_quad, y, y4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}

// Return scale and shift of the quad at `col`. An invocation goes along its row in steps of 4 WG_SIZE columns. Channels
// are counted on, which avoids divisions.
#ifdef IMAGES
uint channel, within; // of the quad's first column

void first_quad() {
    const uint col = 4 * gl_LocalInvocationIndex;
    channel = linear_group() % groups * (cols / plane) + col / plane;
    within = col % plane;
}

void next_quad() {
    channel += 4 * WG_SIZE / plane;
    within += 4 * WG_SIZE % plane;
    if (within < plane) return;
    within -= plane;
    channel++;
}

void affine_quad(uint col, out vec4 gain, out vec4 shift) {
    uint at = channel, left = plane - within;
    if (col >= cols) return;
    gain = vec4(LOAD(gamma[at]));
    shift = vec4(LOAD(beta[at]));
    if (left >= min(4, cols - col)) return;
    for (uint j = 0; j < min(4, cols - col); j++, left--) {
        if (left == 0) {
            at++;
            left = plane;
        }
        gain[j] = LOAD(gamma[at]);
        shift[j] = LOAD(beta[at]);
    }
}
#else
void first_quad() {}
void next_quad() {}

void affine_quad(uint col, out vec4 gain, out vec4 shift) {
    gain = gamma_quad(0, col);
    shift = beta_quad(0, col);
}
#endif

void emit(uint col, vec4 centred, float scale) {
    vec4 gain, shift;
    affine_quad(col, gain, shift);
    put_quad(row_first, col, centred * scale * gain + shift);
    next_quad();
}
