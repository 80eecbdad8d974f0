// SPDX-License-Identifier: Apache-2.0
// The buffers of a root mean square norm over rows and its elements: x, or x + res where RESIDUAL is
// defined, and then the sum is written too.
#ifdef RESIDUAL
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Residual { T res[]; };
layout(binding = 2) readonly buffer W { T w[]; };
layout(binding = 3) writeonly buffer R { T r[]; };
layout(binding = 4) writeonly buffer Y { T y[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer W { T w[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; float eps; };

float element(uint col) {
    const uint i = linear_group() * cols + col;
#ifdef RESIDUAL
    return LOAD(x[i]) + LOAD(res[i]);
#else
    return LOAD(x[i]);
#endif
}

void emit(uint col, float value, float scale) {
    const uint i = linear_group() * cols + col;
#ifdef RESIDUAL
    r[i] = STORE(value);
#endif
    y[i] = STORE(value * scale * LOAD(w[col]));
}
