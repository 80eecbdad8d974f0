// SPDX-License-Identifier: Apache-2.0
// Terms of losses, of a prediction x and a target t.

float square(float x) {
    return x * x;
}

// Returns the logarithm, cut at -100 from below. The logarithm of 0 is not defined, and is cut too.
float cut_log(float p) {
    return p > 0.0 ? max(log(p), -100.0) : -100.0;
}

float bce(float x, float t) {
    return -(t * cut_log(x) + (1.0 - t) * cut_log(1.0 - x));
}

// exp of a number that is not positive cannot overflow.
float bce_with_logits(float x, float t) {
    return max(x, 0.0) - x * t + log(1.0 + exp(-abs(x)));
}
