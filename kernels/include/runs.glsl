// SPDX-License-Identifier: Apache-2.0
// Writes a contiguous y in vectors of 16 bytes (elements.glsl). An invocation writes ITEMS elements as whole vectors,
// a workgroup's width apart. A place is found by division once per vector, because divisions take most of the time of
// such kernels.
//
// Before including this file, declare ELEMENT y[] and uvec4 y_vectors[] at one binding. Also define uvec4
// load_vector(uint first, uint count) for the elements from `first` on; elements from `count` on do not matter.
#ifndef VKASSAY_RUNS
#define VKASSAY_RUNS

layout(constant_id = 3) const uint ITEMS = 8;
const uint VECTORS = (ITEMS + VECTOR_SIZE - 1) / VECTOR_SIZE;

#define EACH_VECTOR(vector, at)                                                               \
    [[unroll]] for (uint vector = 0, at = gl_LocalInvocationIndex; vector < VECTORS; vector++, at += WG_SIZE)

void write_vectors(uint count) {
    const uint whole = count / VECTOR_SIZE, all = whole + min(count % VECTOR_SIZE, 1);
    const uint first = linear_first(WG_SIZE * VECTORS), left = all - min(first, all);
    uvec4 loaded[VECTORS];
    EACH_VECTOR(v, at) if (at < left) loaded[v] = load_vector((first + at) * VECTOR_SIZE, count);
    EACH_VECTOR(v, at) {
        const uint to = first + at;
        if (at < left && to < whole) y_vectors[to] = loaded[v];
        if (at < left && to == whole)
            for (uint i = 0; i < count % VECTOR_SIZE; i++) y[to * VECTOR_SIZE + i] = ELEMENT(element_of(loaded[v], i));
    }
}

#endif
