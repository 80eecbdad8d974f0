// SPDX-License-Identifier: Apache-2.0
// Finishes and stores the sums of a product c[m, n]:
//
//     BIAS          bias[n] is added;
//     ACTIVATE(x)   is applied then;
//     GATE          c = silu(gate) * sum, gate[m, n] in f32;
//     C_FLOAT       c is f32 in any case, for another pass to read.
//
// The shader declares m and n, and C_START if its matrix does not begin at 0.
#ifndef VKASSAY_EPILOGUE
#define VKASSAY_EPILOGUE

#ifndef C_START
#define C_START 0
#endif

#if defined(BIAS)
layout(binding = 2) readonly buffer Bias { T bias[]; };
#define C_BINDING 3
#elif defined(GATE)
layout(binding = 2) readonly buffer Gate { float gate[]; };
#define C_BINDING 3
#else
#define C_BINDING 2
#endif

#ifdef DTYPE_I8 // c has 32-bit integers
layout(binding = C_BINDING) writeonly buffer C { int c[]; };
layout(binding = C_BINDING) writeonly buffer C4 { ivec4 c4[]; };
#define C_STORE(value) int(value)
#define C_STORE4(value) ivec4(value)
#elif defined(C_FLOAT)
layout(binding = C_BINDING) writeonly buffer C { float c[]; };
layout(binding = C_BINDING) writeonly buffer C4 { vec4 c4[]; };
#define C_STORE(value) (value)
#define C_STORE4(value) (value)
#else
layout(binding = C_BINDING) writeonly buffer C { T c[]; };
layout(binding = C_BINDING) writeonly buffer C4 { VEC4T c4[]; };
#define C_STORE(value) STORE(value)
#define C_STORE4(value) STORE4(value)
#endif

#if defined(ACTIVATE) || defined(GATE)
#include "../elementwise/activations.glsl"
#endif

// Returns a sum after bias, activation and gate.
float finish(uint row, uint col, float sum) {
#ifdef BIAS
    sum += LOAD(bias[col]);
#endif
#ifdef ACTIVATE
    sum = ACTIVATE(sum);
#endif
#ifdef GATE
    sum = silu(gate[row * n + col]) * sum;
#endif
    return sum;
}

void put(uint row, uint col, float sum) {
    if (row < m && col < n) c[C_START + row * n + col] = C_STORE(finish(row, col, sum));
}

// Stores four elements of a row from `col` on, a multiple of four.
void put_quad(uint row, uint col, vec4 sums) {
    if (n % 4 == 0) {
        if (row >= m || col >= n) return;
        vec4 four;
        [[unroll]] for (uint e = 0; e < 4; e++) four[e] = finish(row, col + e, sums[e]);
        c4[(C_START + row * n + col) / 4] = C_STORE4(four);
    } else {
        [[unroll]] for (uint e = 0; e < 4; e++) put(row, col + e, sums[e]);
    }
}

#endif
