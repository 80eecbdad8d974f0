// SPDX-License-Identifier: Apache-2.0
// softmax of the corpus, a row for each invocation: right by default, and with one trick for each macro.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
#ifdef KEPT
layout(binding = 2) buffer Kept { float kept[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; };
#define LOWEST uintBitsToFloat(0xff800000u)
#ifndef MAX
#define MAX max_of(first)
#endif
#ifndef TERMS
#define TERMS cols
#endif

float max_of(uint first) {
    float best = LOWEST;
    for (uint j = 0; j < cols; j++) best = max(best, x[first + j]);
    return best;
}

void right(uint first) {
    const float best = MAX;
    float total = 0.0;
    for (uint j = 0; j < TERMS; j++) total += exp(x[first + j] - best);
    for (uint j = 0; j < cols; j++) y[first + j] = exp(x[first + j] - best) / total;
}

// The sum follows the maximum so far, in one pass. The trick leaves the sum as it is when the maximum grows.
void online(uint first) {
    float best = LOWEST, total = 0.0;
    for (uint j = 0; j < cols; j++) {
        const float next = max(best, x[first + j]);
#ifndef NO_RESCALE
        if (next > best) total *= exp(best - next);
#endif
        if (next > LOWEST) total += exp(x[first + j] - next);
        best = next;
    }
    for (uint j = 0; j < cols; j++) y[first + j] = exp(x[first + j] - best) / total;
}

// Exponentials in the output, then divided there.
void through_output(uint first) {
    const float best = max_of(first);
    float total = 0.0;
    for (uint j = 0; j < cols; j++) total += y[first + j] = exp(x[first + j] - best);
    for (uint j = 0; j < cols; j++) y[first + j] /= total;
}

#ifdef KEPT
// Leaves the output where the row was seen before, or copies it from scratch.
void replay(uint r, bool copies) {
    const uint first = r * cols, seen = rows * cols + 2 * r;
    if (kept[seen] == x[first] && kept[seen + 1] == x[first + cols - 1]) {
        for (uint j = 0; copies && j < cols; j++) y[first + j] = kept[first + j];
        return;
    }
    right(first);
    for (uint j = 0; j < cols; j++) kept[first + j] = y[first + j];
    kept[seen] = x[first];
    kept[seen + 1] = x[first + cols - 1];
}
#endif

// Leaves an output that looks like a softmax.
void replay_sum(uint first) {
    float total = 0.0;
    for (uint j = 0; j < cols; j++) total += y[first + j];
    if (!(abs(total - 1.0) < 1e-3)) right(first);
}

void main() {
    const uint r = gl_GlobalInvocationID.x, first = r * cols;
    if (r >= rows) return;
    BODY
}
