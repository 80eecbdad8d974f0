// SPDX-License-Identifier: Apache-2.0
// Functions of one float that need more than an expression. What exp and the division do with infinities makes them saturate.

// exp(x) that passes a NaN on; SwiftShader's own exp clamps it to a number.
float exp_of(float x) {
    return isnan(x) ? x : exp(x);
}

// An odd polynomial below 0.75, where 1 - 2 / (exp(2x) + 1) would cancel: minimax in relative error (2^-29), in powers of x^2.
// As a product with x it keeps the sign of zero. For large x exp is infinite and the quotient zero.
float tanh_whole_line(float x) {
    float size = abs(x);
    if (!(size >= 0.75)) { // NaN too
        float z = x * x;
        float p = 1.73693646e-3;
        p = p * z - 7.65725458e-3;
        p = p * z + 2.14520320e-2;
        p = p * z - 5.38927242e-2;
        p = p * z + 1.33326948e-1;
        p = p * z - 3.33333164e-1;
        return x * (1.0 + p * z);
    }
    float t = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
    return x < 0.0 ? -t : t;
}

// x sigmoid(gate) in one division. At -inf it is -inf / inf = NaN, as the formula with a product has it.
float gated(float x, float gate) {
    return x / (1.0 + exp(-gate));
}

float silu(float x) {
    return gated(x, x);
}

// 0.5 (1 + tanh(z)) is sigmoid(2 z), which does not cancel for negative z.
float gelu_tanh(float x) {
    const float root = 0.797884561; // sqrt(2 / pi)
    return gated(x, 2.0 * root * (x + 0.044715 * x * x * x));
}
