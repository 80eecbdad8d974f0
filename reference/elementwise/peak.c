// SPDX-License-Identifier: Apache-2.0
// Operators for measuring the highest speed of a device.
#include "../bounds.h"
#include "../reference.h"

// Iterates y = y * a + b. x moves to the fixed point b / (1 - a) and stays between its start and this point. So each
// iteration adds at most two roundings at that magnitude. Later iterations keep a, a^2, ... of them.
REFERENCE(fma_chain, c) {
    const int64_t iterations = c->dims[1];
    const real a = (real)c->params[0], b = (real)c->params[1];
    const double kept = (1 - pow(c->params[0], (double)iterations)) / (1 - c->params[0]);
    const double bound = 2 * bound_basic(c->rte) * kept, fixed = fabs(c->params[1] / (1 - c->params[0]));
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        real y = c->in[0][i];
        for (int64_t j = 0; j < iterations; j++) y = y * a + b;
        emit(c, i, y, fmax(fixed, fabs((double)c->in[0][i])), bound);
    }
}

COST(fma_chain_flops, 2 * D(0) * D(1))

OPERATOR(fma_chain) = {
    NAMED(fma_chain, "peak"),
    .summary = "multiply-adds in registers: the device's arithmetic peak",
    .formula = "y = x, then iterations times y = y * a + b",
    .source = "the usual peak micro-benchmark (clpeak, vkpeak), made contracting so that its "
              "result can be checked",
    .conventions = "fused or not; with a = 1 - 2^-10 and b = 2^-10 values move from x towards 1",
    .systems = "",
    .dims = {"n", "iterations"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}}, {"y", ROLE_OUT, .shape = {"n"}}},
    .params = {{"a", .standard = 1 - 0x1p-10, .low = 0, .high = 1 - 0x1p-20},
        {"b", .standard = 0x1p-10, .low = -1, .high = 1}},
    .flops = fma_chain_flops,
    .bound = "ULP at the larger of |x| and the fixed point: two basic operations an iteration; their errors shrink "
             "like a geometric sum, (1 - a^iterations) / (1 - a)",
};

static inline int32_t signed_byte(uint32_t word, int place) {
    const int32_t byte = (int32_t)(word >> 8 * place & 0xff);
    return byte < 128 ? byte : byte - 256;
}

// Iterates with wrapping integers and returns a signed byte.
REFERENCE(mad_chain, c) {
    const int64_t iterations = c->dims[1];
    const uint32_t a = (uint32_t)(int32_t)c->params[0], b = (uint32_t)(int32_t)c->params[1];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        uint32_t y = (uint32_t)(int32_t)c->in[0][i];
        for (int64_t j = 0; j < iterations; j++) y = y * a + b;
        emit(c, i, (real)signed_byte(y, 0), 0, 0);
    }
}

COST(mad_chain_flops, 2 * D(0) * D(1))

OPERATOR(mad_chain) = {
    NAMED(mad_chain, "peak"),
    .summary = "multiply-adds of whole numbers in registers: the device's peak of these",
    .formula = "y = x, then iterations times y = y * a + b; its lowest 8 bits, signed",
    .source = "the usual peak micro-benchmark (clpeak, vkpeak); a linear congruence never settles",
    .conventions = "wrapping; of wider arithmetic the lowest 8 bits are the same",
    .systems = "",
    .dims = {"n", "iterations"},
    .operands = {{"x", ROLE_IN, DTYPE_I8, .shape = {"n"}, .fill = FILL_WHOLE, .low = -128, .high = 128},
        {"y", ROLE_OUT, DTYPE_I8, .shape = {"n"}}},
    .params = {{"a", .standard = 77, .integer = true, .low = -128, .high = 127, TELLING(0, -1, -128)},
        {"b", .standard = 55, .integer = true, .low = -128, .high = 127, TELLING(0, -1)}},
    .flops = mad_chain_flops,
    .bound = "exact: whole numbers",
};

// Iterates dot products of bytes. Results are 16 bits, exact in float.
REFERENCE(dot_chain, c) {
    const int64_t iterations = c->dims[1];
    const uint32_t w = (uint32_t)(int32_t)c->params[0];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        uint32_t y = (uint32_t)c->ints[0][i];
        for (int64_t j = 0; j < iterations; j++) {
            int32_t dot = 0;
            for (int place = 0; place < 4; place++) dot += signed_byte(y, place) * signed_byte(w, place);
            y += (uint32_t)dot;
        }
        emit(c, i, (real)(y & 0xffff), 0, 0);
    }
}

COST(dot_chain_flops, 8 * D(0) * D(1))

OPERATOR(dot_chain) = {
    NAMED(dot_chain, "peak"),
    .summary = "dot products of four bytes in registers: the device's peak of these",
    .formula = "y = x, then iterations times y = y + sum over its 4 signed bytes of y_i * w_i; its lowest 16 bits",
    .source = "the usual peak micro-benchmark (vkpeak); dot products of VK_KHR_shader_integer_dot_product",
    .conventions = "wrapping at 32 bits; w is four signed bytes, the lowest first",
    .systems = "",
    .dims = {"n", "iterations"},
    .operands = {{"x", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_WHOLE, .low = -0x1p31, .high = 0x1p31},
        {"y", ROLE_OUT, DTYPE_I32, .shape = {"n"}}},
    .params = {{"w", .standard = 0x03fb7f81, .integer = true, .low = -0x1p31, .high = 0x1p31 - 1,
        TELLING(0, -1, 1, -2139062144)}},
    .flops = dot_chain_flops,
    .bound = "exact: whole numbers",
};

// Multiplies matrices of zeros and ones; every type has these numbers. Sums are exact in every type that represents k
// * iterations.
REFERENCE(matrix_chain, c) {
    const int64_t n = c->dims[1], k = c->dims[2], iterations = c->dims[3];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t row = i / n, col = i % n;
        real sum = 0;
        for (int64_t l = 0; l < k; l++) sum += c->in[0][row * k + l] * c->in[1][l * n + col];
        emit(c, i, sum * (real)iterations, 0, 0);
    }
}

COST(matrix_chain_flops, 2 * D(0) * D(1) * D(2) * D(3))

static const char *matrix_chain_derive(int64_t *dims) {
    int64_t largest;
    return __builtin_mul_overflow(dims[2], dims[3], &largest) || largest > 1 << 24
               ? "k * iterations is above 2^24, too large for exact sums in a float"
               : NULL;
}

OPERATOR(matrix_chain) = {
    NAMED(matrix_chain, "peak"),
    .summary = "a product of matrices added to itself again and again: the peak of a device's matrix units",
    .formula = "c[i, j] = iterations times sum over l of a[i, l] b[l, j]",
    .source = "the usual peak micro-benchmark (vkpeak), with inputs whose result can be checked",
    .conventions = "row-major; a and b are 0 or 1, which every type has: sums are exact where it holds k * iterations",
    .systems = "",
    .dims = {"m", "n", "k", "iterations"},
    .derive = matrix_chain_derive,
    .operands = {{"a", ROLE_IN, DTYPE_F32, .shape = {"m", "k"}, .fill = FILL_WHOLE, .low = 0, .high = 2},
        {"b", ROLE_IN, DTYPE_F32, .shape = {"k", "n"}, .fill = FILL_WHOLE, .low = 0, .high = 2},
        {"c", ROLE_OUT, DTYPE_F32, .shape = {"m", "n"}}},
    .flops = matrix_chain_flops,
    .bound = "exact: whole numbers",
};

REFERENCE(turning_sum, c) {
    const int64_t cols = c->dims[1], step = c->dims[2] % cols, rounds = c->dims[3];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const real *line = c->in[0] + i / cols * cols;
        int64_t at = i % cols;
        real sum = 0;
        for (int64_t j = 0; j < rounds; j++) {
            sum += line[at];
            at = at + step < cols ? at + step : at + step - cols;
        }
        emit(c, i, sum, 0, 0);
    }
}

COST(turning_sum_flops, D(0) * D(1) * D(3))
COST(turning_sum_bytes, 4 * D(0) * D(1) * D(3))

static const char *turning_sum_derive(int64_t *dims) {
    return dims[3] > 1 << 20 ? "rounds is above 2^20, too large for exact sums in a float" : NULL;
}

OPERATOR(turning_sum) = {
    NAMED(turning_sum, "peak"),
    .summary = "a line read repeatedly, each time from further on: rate of a cache or of shared memory",
    .formula = "y[r, c] = sum over j < rounds of x[r, (c + j * step) mod cols]",
    .source = "the usual cache bandwidth micro-benchmark",
    .conventions = "its bytes are all reads, from memory or caches",
    .systems = "",
    .dims = {"rows", "cols", "step", "rounds"},
    .derive = turning_sum_derive,
    .operands = {{"x", ROLE_IN, DTYPE_F32, .shape = {"rows", "cols"}, .fill = FILL_WHOLE, .low = -8, .high = 9},
        {"y", ROLE_OUT, DTYPE_F32, .shape = {"rows", "cols"}}},
    .flops = turning_sum_flops,
    .bytes = turning_sum_bytes,
    .bound = "exact: whole numbers",
};

REFERENCE(nothing, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, c->in[0][i], 0, 0);
}

OPERATOR(nothing) = {
    NAMED(nothing, "peak"),
    .summary = "an empty dispatch: the cost of a launch",
    .formula = "y = y",
    .source = "the usual launch-latency micro-benchmark",
    .systems = "",
    .dims = {"n"},
    .operands = {{"y", ROLE_INOUT, .shape = {"n"}, MOVED}},
    .flops = flops_none,
    .bytes = flops_none, // none either
    .bound = EXACT_COPY,
};
