// SPDX-License-Identifier: Apache-2.0
// The buffers of a norm by mean and variance over rows, with scale and shift: for each column, or,
// where IMAGES is defined, for each channel, a row being a group of channels of one image and each
// channel `plane` columns of it.
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
#ifdef IMAGES
layout(push_constant) uniform Push { uint rows, cols, plane, groups; float eps; };
#else
layout(push_constant) uniform Push { uint rows, cols; float eps; };
#endif

float element(uint col) {
    return LOAD(x[linear_group() * cols + col]);
}

// Where gamma and beta of this invocation's column lie, as it goes along its row in steps of
// WG_SIZE. Channels are counted on instead of divided out.
#ifdef IMAGES
uint channel, within, channel_step, within_step;

void first_column() {
    channel = linear_group() % groups * (cols / plane) + gl_LocalInvocationIndex / plane;
    within = gl_LocalInvocationIndex % plane;
    channel_step = WG_SIZE / plane;
    within_step = WG_SIZE % plane;
}

void next_column() {
    channel += channel_step;
    within += within_step;
    if (within < plane) return;
    within -= plane;
    channel++;
}
#else
uint channel;

void first_column() {
    channel = gl_LocalInvocationIndex;
}

void next_column() {
    channel += WG_SIZE;
}
#endif

void emit(uint col, float centred, float scale) {
    if (col < cols) {
        const float gained = centred * scale * LOAD(gamma[channel]);
        y[linear_group() * cols + col] = STORE(gained + LOAD(beta[channel]));
    }
    next_column();
}
