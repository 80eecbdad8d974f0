// SPDX-License-Identifier: Apache-2.0
// More functions of one or two floats: not activations, or defined in pieces.

// min_number and max_number: a number wins over NaN.
float min_number(float a, float b) {
    return b < a || isnan(a) ? b : a;
}

float max_number(float a, float b) {
    return a < b || isnan(a) ? b : a;
}

// Returns log(x) = k ln(2) + log(1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). The series is odd in f / (2 + f), minimax
// to 2^-30. ln(2) has two parts; k times the first is exact. It is within about 1 ULP if sums and products are right.
// Devices' own logarithms reach and exceed the allowed 3 ULP.
float log_reduced(float x) {
    if (!(x > 0.0) || isinf(x)) return x == 0.0 ? uintBitsToFloat(0xff800000u) : x > 0.0 || isnan(x) ? x : uintBitsToFloat(0x7fc00000u);
    const bool small = x < 1.17549435e-38;
    const uint bits = floatBitsToUint(small ? x * 8388608.0 : x) + (0x3f800000u - 0x3f3504f3u);
    const float k = float(int(bits >> 23) - (small ? 150 : 127));
    const float f = uintBitsToFloat((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0;
    precise float s = f / (2.0 + f), z = s * s, w = z * z, half_square = 0.5 * f * f;
    precise float series = z * (0.66666662693 + w * 0.28498786688) + w * (0.40000972152 + w * 0.24279078841);
    precise float tail = s * (half_square + series) + k * 9.0580006145e-6;
    precise float result = k * 6.9313812256e-1 - ((half_square - tail) - f);
    return result;
}

// Returns the device's own logarithm, but passes a NaN on. SwiftShader's logarithm of a NaN is a number.
float log_native(float x) {
    return isnan(x) ? x : log(x);
}

// Returns the device's own power, but passes a NaN on. Lavapipe's power treats a NaN as zero. SwiftShader's treats the
// logarithm of zero as a number, so 0^0.5 is 2^-64.
float power(float a, float b) {
    if (isnan(a) || isnan(b)) return a + b;
    return a == 0.0 && b > 0.0 ? 0.0 : pow(a, b);
}

#ifdef RESULT_16
// Near zero 1 - 2 / (exp(2x) + 1) would cancel, but a polynomial of degree 5 is within 2^-28 of the result. The error
// of the difference, 2^-22 from 2^-4 on, is below a hundredth of an ULP of 16 bits. The power of two is exp(2x), and
// the reciprocal is the square of 1 / sqrt().
float tanh_of(float x) {
    const float root = inversesqrt(exp2(2.88539008 * x) + 1.0), t = 1.0 - 2.0 * root * root, z = x * x;
    return abs(x) >= 0.0625 ? t : x * (1.0 - z * (0.333333333 - 0.133333333 * z)); // NaN too
}
#else
#define tanh_of(x) tanh_whole_line(x)
#endif

float sign_of(float x) {
    return float(x > 0.0) - float(x < 0.0);
}

float clamp_number(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

float sigmoid(float x) {
    return 1.0 / (1.0 + exp_native(-x));
}

// exp of a number that is not positive cannot overflow. For large x nothing is added to x.
float softplus(float x) {
    return max(x, 0.0) + log_native(1.0 + exp_native(-abs(x)));
}

float elu(float x, float alpha) {
    return x > 0.0 ? x : alpha * (exp_native(x) - 1.0);
}

float hardsigmoid(float x) {
    return clamp_number(x + 3.0, 0.0, 6.0) / 6.0;
}

// Uses an odd polynomial below 1, and 1 - exp(-q(|x|)) above, with a polynomial q that follows -log(erfc). Both are
// minimax, to 2^-29 of the result. From 4 on the result rounds to 1.
float error_function(float x) {
    const float size = abs(x);
    if (!(size >= 1.0)) { // NaN too
        const float z = x * x;
        float p = 7.85390419e-5;
        p = fma(p, z, -8.01020785e-4);
        p = fma(p, z, 5.18832950e-3);
        p = fma(p, z, -2.68538131e-2);
        p = fma(p, z, 1.12835852e-1);
        p = fma(p, z, -3.76126258e-1);
        return x * fma(p, z, 1.12837917);
    }
    const float u = min(size, 4.0);
    float q = -1.85574219e-4;
    q = fma(q, u, 2.93960940e-3);
    q = fma(q, u, -2.18053269e-2);
    q = fma(q, u, 1.03037387e-1);
    q = fma(q, u, 6.38225656e-1);
    q = fma(q, u, 1.12704005);
    q = fma(q, u, 3.53716130e-4);
    const float result = 1.0 - exp(-q);
    return x < 0.0 ? -result : result;
}

float gelu_erf(float x) {
    return 0.5 * x * (1.0 + error_function(x * 0.707106781));
}
