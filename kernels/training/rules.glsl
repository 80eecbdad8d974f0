// SPDX-License-Identifier: Apache-2.0
// The rules of optimizers: the effect of a step on an Entry. Parameters (lr, weight_decay, ...) are push constants of
// the kernel, so each rule is compiled only if it is used.
#define SUM 0
#define SGD 1
#define ADAM 2
#define ADAMW 3
#define RMSPROP 4
#define ADAGRAD 5

#if OPTIMIZER == SUM
void apply(inout Entry e) {
    e.w += e.g;
}
#endif

#if OPTIMIZER == SGD
void apply(inout Entry e) {
    FLOATS along = e.g + weight_decay * e.w;
    if (momentum != 0.0) {
        e.s = step > 1 ? momentum * e.s + (1.0 - dampening) * along : along;
        along = nesterov != 0 ? along + momentum * e.s : e.s;
    }
    e.w -= lr * along;
}
#endif

#if OPTIMIZER == ADAM || OPTIMIZER == ADAMW
// Returns 1 - rate^step without cancellation. It uses q(a) = 1 - rate^a with q(2 a) = q(a) (2 - q(a)) and q(a + b) =
// q(b) + (1 - q(b)) q(a).
float bias_correction(float rate) {
    float q = 0.0, power = 1.0 - rate;
    for (int left = step; left > 0; left >>= 1) {
        if ((left & 1) != 0) q += (1.0 - q) * power;
        power *= 2.0 - power;
    }
    return q;
}

void apply(inout Entry e) {
#if OPTIMIZER == ADAM
    e.g += weight_decay * e.w;
#else
    e.w *= 1.0 - lr * weight_decay;
#endif
    e.s = beta1 * e.s + (1.0 - beta1) * e.g;
    e.v = beta2 * e.v + (1.0 - beta2) * (e.g * e.g);
    const FLOATS scale = sqrt(e.v) / sqrt(bias_correction(beta2)) + eps;
    e.w -= (lr / bias_correction(beta1)) * (e.s / scale);
}
#endif

#if OPTIMIZER == RMSPROP
void apply(inout Entry e) {
    e.g += weight_decay * e.w;
    e.s = alpha * e.s + (1.0 - alpha) * (e.g * e.g);
    e.w -= lr * (e.g / (sqrt(e.s) + eps));
}
#endif

#if OPTIMIZER == ADAGRAD
void apply(inout Entry e) {
    e.g += weight_decay * e.w;
    e.s += e.g * e.g;
    e.w -= (lr / (1.0 + float(step - 1) * lr_decay)) * (e.g / (sqrt(e.s) + eps));
}
#endif
