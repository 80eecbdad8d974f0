// SPDX-License-Identifier: Apache-2.0
// Functions of one float that need more than an expression. They saturate, because exp and the division handle
// infinities.

// Returns the device's own exp, but passes a NaN on. SwiftShader's exp clamps a NaN to a number.
float exp_native(float x) {
    return isnan(x) ? x : exp(x);
}

float power_of_two(int k) {
    return intBitsToFloat((k + 127) << 23);
}

// Returns exp(x) = 2^k exp(r) with |r| <= ln(2) / 2 and a Taylor polynomial (r^8 / 8! is 5e-9). It is within 2 ULP if
// sums and products are right. Devices' own exp may be 3 + 2 |x| off. The constant ln(2) has two parts, the first of
// ten bits, so k times this is exact. The power 2^k has two factors, because k exceeds the exponents of normal
// numbers.
float exp_reduced(float x) {
    if (!(abs(x) < 104.0)) return isnan(x) ? x : x > 0.0 ? uintBitsToFloat(0x7f800000u) : 0.0;
    precise float k = roundEven(x * 1.44269504);
    precise float r = (x - k * 0.693359375) + k * 2.12194440e-4;
    precise float p = 1.98412698e-4;
    p = p * r + 1.38888889e-3;
    p = p * r + 8.33333333e-3;
    p = p * r + 4.16666667e-2;
    p = p * r + 1.66666667e-1;
    p = p * r + 0.5;
    p = 1.0 + (r + r * r * p);
    const int whole = int(k), part = whole >> 1;
    return p * power_of_two(part) * power_of_two(whole - part);
}

// Uses an odd polynomial below 0.75, because 1 - 2 / (exp(2x) + 1) would cancel there. It is minimax in relative error
// (2^-29), in powers of x^2. As a product with x it keeps the sign of zero. For large x exp is infinite and the
// quotient zero.
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

// Returns x sigmoid(gate) with a single division. At -inf it is -inf / inf = NaN, like the formula with a
// product.
#ifdef RESULT_16
// The square of 1 / sqrt() is within 2^-21 of the reciprocal, and much faster than an exact division.
float gated(float x, float gate) {
    const float root = inversesqrt(1.0 + exp(-gate));
    return x * root * root;
}
#else
float gated(float x, float gate) {
    return x / (1.0 + exp(-gate));
}
#endif

float silu(float x) {
    return gated(x, x);
}

// Uses sigmoid(2 z) for 0.5 (1 + tanh(z)), because it does not cancel for negative z.
float gelu_tanh(float x) {
    const float root = 0.797884561; // sqrt(2 / pi)
    return gated(x, 2.0 * root * (x + 0.044715 * x * x * x));
}
