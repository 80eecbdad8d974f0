// SPDX-License-Identifier: Apache-2.0
// Derivatives of functions of one float that need more than an expression.

float silu_slope(float x) {
    const float s = sigmoid(x);
    return s * (1.0 + x * (1.0 - s));
}

// Uses s = sigmoid(2 z) = 0.5 (1 + tanh(z)). The slope of tanh(z) / 2 is 2 s (1 - s) times the slope of
// z.
float gelu_tanh_slope(float x) {
    const float root = 0.797884561; // sqrt(2 / pi)
    const float z = root * (x + 0.044715 * x * x * x), slope = root * (1.0 + 0.134145 * x * x);
    const float s = sigmoid(2.0 * z);
    return s * (1.0 + 2.0 * x * (1.0 - s) * slope);
}

float gelu_erf_slope(float x) {
    const float density = 0.398942280 * exp_native(-0.5 * x * x);
    return 0.5 * (1.0 + error_function(x * 0.707106781)) + x * density;
}

// Returns the slope of the binary cross-entropy of a probability.
float bce_slope(float p, float t) {
    return (p - t) / max(p * (1.0 - p), 1e-12);
}
