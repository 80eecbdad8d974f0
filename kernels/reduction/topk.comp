// SPDX-License-Identifier: Apache-2.0
// The k largest elements of each row, one workgroup per row. A radix select finds a key with few keys not below it.
// Among the keys with the same beginning it counts each next digit, from the top, until the keys not below it fit into
// shared memory. These are gathered and sorted, and the first k are written.
//
// With PARTS defined, a workgroup takes a block of BLOCK columns and writes keys, with zeros if it has fewer than k. Its
// keys are read once and stay in registers as far as KEPT goes.
// With JOIN defined, it takes the keys of all blocks of a row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "bitonic.glsl"

#define DIGITS 256u
#define SECTION 16u

#ifdef JOIN
layout(binding = 0) readonly buffer Candidates { uvec2 candidates[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
#endif
#ifdef PARTS
layout(binding = 1) writeonly buffer Candidates { uvec2 candidates[]; };
#else
layout(binding = 1) writeonly buffer Values { T values[]; };
layout(binding = 2) writeonly buffer Indices { int indices[]; };
#endif
#if defined(PARTS) || defined(JOIN)
layout(push_constant) uniform Push { uint rows, cols, k, blocks; };
#else
layout(push_constant) uniform Push { uint rows, cols, k; };
#endif

// The workgroup's elements: index of the first one, its column, and their number.
uint line_first, line_col, line_count;

bool take_line(uint line) {
#if defined(PARTS)
    line_col = line % blocks * BLOCK;
    line_first = line / blocks * cols + line_col;
    line_count = min(cols - line_col, BLOCK);
    return line / blocks < rows;
#elif defined(JOIN)
    line_col = 0u;
    line_first = line * blocks * k;
    line_count = blocks * k;
    return line < rows;
#else
    line_col = 0u;
    line_first = line * cols;
    line_count = cols;
    return line < rows;
#endif
}

// Elements that an invocation loads before it uses the first.
#define BATCH 4u

shared uint counts[DIGITS], section_counts[DIGITS / SECTION];
shared uvec2 shared_least, shared_mask;
shared uint wanted, gathered;

// Loads the keys of BATCH elements, WG_SIZE apart. Beyond the last element, the last one is loaded.
void load_keys(uint first, out uvec2 keys[BATCH]) {
#ifdef JOIN
    [[unroll]] for (uint b = 0; b < BATCH; b++)
        keys[b] = candidates[line_first + min(first + b * WG_SIZE, line_count - 1u)];
#else
    float batch[BATCH];
    [[unroll]] for (uint b = 0; b < BATCH; b++)
        batch[b] = LOAD(x[line_first + min(first + b * WG_SIZE, line_count - 1u)]);
    [[unroll]] for (uint b = 0; b < BATCH; b++)
        keys[b] = element_key(batch[b], line_col + first + b * WG_SIZE);
#endif
}

#ifdef PARTS
const uint SHARE = (BLOCK + WG_SIZE - 1u) / WG_SIZE, KEPT = SHARE < 32u ? SHARE : 32u;
uint kept[KEPT]; // values' keys

void keep_keys() {
    float values[KEPT];
    [[unroll]] for (uint i = 0; i < KEPT; i++)
        values[i] = LOAD(x[line_first + min(i * WG_SIZE + gl_LocalInvocationIndex, line_count - 1u)]);
    [[unroll]] for (uint i = 0; i < KEPT; i++) kept[i] = value_key(values[i]);
}

#define EACH_KEPT(key, statement)                                                             \
    [[unroll]] for (uint i = 0; i < KEPT; i++) {                                              \
        const uint place = i * WG_SIZE + gl_LocalInvocationIndex;                             \
        const uvec2 key = uvec2(kept[i], ~(line_col + place));                                \
        if (place < line_count) statement;                                                    \
    }
#else
#define KEPT 0u
#define EACH_KEPT(key, statement)
void keep_keys() {}
#endif

// Runs a statement for each key of this invocation.
#define EACH_KEY(key, statement)                                                              \
    EACH_KEPT(key, statement)                                                                 \
    for (uint at = KEPT * WG_SIZE + gl_LocalInvocationIndex; at < line_count; at += WG_SIZE * BATCH) { \
        uvec2 keys[BATCH];                                                                    \
        load_keys(at, keys);                                                                  \
        [[unroll]] for (uint b = 0; b < BATCH; b++) {                                         \
            const uvec2 key = keys[b];                                                        \
            if (at + b * WG_SIZE < line_count) statement;                                     \
        }                                                                                     \
    }

void count_key(uvec2 key, uvec2 least, uvec2 mask, bool upper, uint shift) {
    if ((key & mask) == least) atomicAdd(counts[(upper ? key.x : key.y) >> shift & (DIGITS - 1u)], 1u);
}

// Counts the keys that agree with `least` under `mask` by their next digit. This digit is `shift` bits up in one half
// of a key.
void count_digits(uvec2 least, uvec2 mask, bool upper, uint shift) {
    for (uint digit = gl_LocalInvocationIndex; digit < DIGITS; digit += WG_SIZE) counts[digit] = 0;
    barrier();
    EACH_KEY(key, count_key(key, least, mask, upper, shift))
    barrier();
    for (uint s = gl_LocalInvocationIndex; s < DIGITS / SECTION; s += WG_SIZE) {
        uint sum = 0;
        for (uint i = 0; i < SECTION; i++) sum += counts[s * SECTION + i];
        section_counts[s] = sum;
    }
    barrier();
}

// Returns the next digit of the least of the wanted keys. `wanted` becomes the number of wanted keys with this digit.
// Only one invocation calls.
uint choose_digit() {
    uint section = DIGITS / SECTION - 1;
    for (; section_counts[section] < wanted; section--) wanted -= section_counts[section];
    uint digit = section * SECTION + SECTION - 1;
    for (; counts[digit] < wanted; digit--) wanted -= counts[digit];
    return digit;
}

// Finds a key under a mask. The keys not below it include the k largest, and are at most CAPACITY.
void find_least(out uvec2 least, out uvec2 mask) {
    least = mask = uvec2(0u);
    bool more = line_count > CAPACITY;
    if (gl_LocalInvocationIndex == 0) wanted = k;
    for (uint step = 0; more && step < 8; step++) {
        const bool upper = step < 4;
        const uint shift = 24 - 8 * (step & 3);
        count_digits(least, mask, upper, shift);
        if (gl_LocalInvocationIndex == 0) {
            const uint digit = choose_digit();
            shared_least = least + (upper ? uvec2(digit << shift, 0u) : uvec2(0u, digit << shift));
            shared_mask = mask | (upper ? uvec2(0xffu << shift, 0u) : uvec2(0u, 0xffu << shift));
            gathered = k - wanted + counts[digit];
        }
        barrier();
        least = shared_least;
        mask = shared_mask;
        more = gathered > CAPACITY;
        barrier();
    }
}

void gather_key(uvec2 key, uvec2 least, uvec2 mask) {
    if (!above(least, key & mask)) sorted[atomicAdd(gathered, 1u)] = key;
}

// Gathers the keys that are not below `least` under `mask`, in any order.
void gather(uvec2 least, uvec2 mask) {
    if (gl_LocalInvocationIndex == 0) gathered = 0;
    barrier();
    EACH_KEY(key, gather_key(key, least, mask))
    barrier();
}

// Writes the key that `rank` others are above.
void put(uint line, uint rank, uvec2 key) {
#ifdef PARTS
    candidates[line * k + rank] = key;
#else
    values[line * k + rank] = STORE(key_value(key.x));
    indices[line * k + rank] = int(key_place(key));
#endif
}

// A key finds its rank among few others by a look at each, without barriers.
#define FEW 256u

void put_few(uint line) {
    for (uint i = gl_LocalInvocationIndex; i < gathered; i += WG_SIZE) {
        const uvec2 own = sorted[i];
        uint rank = 0u;
        for (uint j = 0u; j < gathered; j++) rank += uint(above(sorted[j], own));
        if (rank < k) put(line, rank, own);
    }
    for (uint i = gathered + gl_LocalInvocationIndex; i < k; i += WG_SIZE) put(line, i, uvec2(0u));
}

void put_sorted(uint line) {
    const uint length = sort_length(gathered);
    for (uint i = gathered + gl_LocalInvocationIndex; i < length; i += WG_SIZE) sorted[i] = uvec2(0u);
    barrier();
    sort_keys(length);
    for (uint i = gl_LocalInvocationIndex; i < k; i += WG_SIZE) put(line, i, i < length ? sorted[i] : uvec2(0u));
}

void main() {
    const uint line = linear_group();
    if (!take_line(line)) return;
    keep_keys();
    uvec2 least, mask;
    find_least(least, mask);
    gather(least, mask);
    if (gathered <= FEW) put_few(line);
    else put_sorted(line);
}
