// SPDX-License-Identifier: Apache-2.0
// Attention of few queries on many keys, with heads that share keys. The keys are cut in SPLITS
// parts. A workgroup takes one part for GROUP of the sharing heads at a time, so it reads keys and
// values once for all of them.
//
// A part is taken in chunks of TURNS keys for each line of LANES invocations. All keys and values of
// a chunk are requested before any wait, in loads of eight elements, side by side. With AHEAD the
// next chunk's keys are requested before this chunk's scores are known. Each invocation multiplies
// its eight columns of TURNS keys with those of all the group's queries. For each key one invocation
// adds up the products of the LANES neighbours. Then each invocation adds up eight columns of the
// values of every LINES'th key. The outputs, maxima and divisors of a part are left for the joining
// pass.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#define KV_HEADS_ON_Y
#include "heads.glsl"
#include "octets.glsl"

layout(constant_id = 3) const uint LANES = 16; // invocations that share a head, with eight elements each
layout(constant_id = 4) const uint TURNS = 16; // at most LANES
layout(constant_id = 5) const uint AHEAD = 1;  // 1: the next chunk's keys are requested one chunk ahead

// A number for each head of the group.
#if GROUP == 4
#define HEADS vec4
#define OF_HEAD(numbers, g) numbers[g]
#elif GROUP == 2
#define HEADS vec2
#define OF_HEAD(numbers, g) numbers[g]
#else
#define HEADS float
#define OF_HEAD(numbers, g) numbers
#endif
#define EACH_HEAD(g) [[unroll]] for (uint g = 0; g < GROUP; g++)

layout(binding = 0) readonly buffer Q { uvec4 q[]; };
layout(binding = 1) readonly buffer K { uvec4 k[]; };
layout(binding = 2) readonly buffer V { uvec4 v[]; };
layout(binding = 3) writeonly buffer Parts { vec4 parts[]; };
layout(binding = 4) writeonly buffer Stats { vec2 stats[]; }; // maximum and divisor

const uint LINES = WG_SIZE / LANES; // keys that are processed side by side
const uint KEYS = TURNS * LINES;    // of a chunk: at most WG_SIZE
const uint PITCH = LANES + 1; // rows of keys begin in different banks
const uint FIRSTS = 16;       // maxima of a chunk before the last step

shared HEADS products[KEYS * PITCH];
shared HEADS weights[KEYS], maxima[FIRSTS], line_divisors[LINES];
#if GROUP == 4
#define lines products // no longer needed by then; TURNS is at least 4
#else
shared vec4 lines[GROUP * WG_SIZE];
#endif

HEADS most, divisors;
uvec4 asked[GROUP], of_keys[TURNS];
Octet outputs[GROUP];

uint octets() {
    return head_dim / 8;
}
uint lane() {
    return gl_LocalInvocationIndex % LANES;
}
uint line() {
    return gl_LocalInvocationIndex / LANES;
}

// A NaN is never the larger one.
HEADS larger_of(HEADS a, HEADS b) {
#if GROUP == 1
    return b > a ? b : a;
#else
    return mix(a, b, greaterThan(b, a));
#endif
}

// Returns the place of a share of a chunk's keys or values. Beyond the end, the last one is taken.
uint share_at(uint first, uint end, uint turn) {
    const uint key = min(first + turn * LINES + line(), end - 1);
    return (kv_head() * keys + key) * octets() + min(lane(), octets() - 1);
}

// Lanes beyond the head's end have zeros, so that they add nothing to a product.
void take_queries(uint first_head, uint heads_here, uint row) {
    EACH_HEAD(g) {
        const uint head = first_head + min(g, heads_here - 1);
        asked[g] = q[(head * queries + row) * octets() + min(lane(), octets() - 1)];
        if (lane() >= octets()) asked[g] = uvec4(0);
    }
}

float add_products(vec4 a, vec4 b, float sum) {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
}

void make_products(uvec4 raw, Octet with[GROUP], uint key) {
    Octet eight = octet(raw);
    if (lane() >= octets()) eight = Octet(vec4(0.0), vec4(0.0));
    HEADS sums;
    EACH_HEAD(g) OF_HEAD(sums, g) =
        add_products(eight.high, with[g].high, add_products(eight.low, with[g].low, 0.0));
    products[key * PITCH + lane()] = sums;
}

// Returns the scores of the invocation's own key, if it has one. Keys beyond the end have the score -inf.
HEADS make_scores(uint row, uint first, uint end) {
    const uint key = first + gl_LocalInvocationIndex;
    HEADS scores = HEADS(0.0);
    if (gl_LocalInvocationIndex >= KEYS) return scores;
    [[unroll]] for (uint from = 0; from < LANES; from++)
        scores += products[gl_LocalInvocationIndex * PITCH + from];
    EACH_HEAD(g) OF_HEAD(scores, g) =
        key < end ? logit(OF_HEAD(scores, g), row, key) : NEGATIVE_INFINITY;
    return scores;
}

// Puts each key's weights into shared memory, and scales the sums so far to the new maxima.
void make_weights(HEADS scores) {
    const uint i = gl_LocalInvocationIndex;
    if (i < KEYS) weights[i] = scores;
    barrier();
    if (i < FIRSTS) {
        HEADS largest = HEADS(LEAST);
        for (uint key = i; key < KEYS; key += FIRSTS)
            largest = larger_of(largest, weights[key]);
        maxima[i] = largest;
    }
    barrier();
    HEADS reached = most;
    [[unroll]] for (uint part = 0; part < FIRSTS; part++)
        reached = larger_of(reached, maxima[part]);
    const HEADS scale_down = exp(most - reached);
    most = reached;
    divisors *= scale_down;
    EACH_HEAD(g) {
        outputs[g].low *= OF_HEAD(scale_down, g);
        outputs[g].high *= OF_HEAD(scale_down, g);
    }
    if (i < KEYS) weights[i] = exp(scores - reached);
    barrier();
}

void add_values(uvec4 raw, uint key) {
    const Octet eight = octet(raw);
    const HEADS weight = weights[key];
    divisors += weight;
    EACH_HEAD(g) {
        outputs[g].low = fma(vec4(OF_HEAD(weight, g)), eight.low, outputs[g].low);
        outputs[g].high = fma(vec4(OF_HEAD(weight, g)), eight.high, outputs[g].high);
    }
}

void ask_keys(uint first, uint end) {
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++)
        of_keys[turn] = k[share_at(first, end, turn)];
}

// With AHEAD the keys were requested before; the next chunk's keys are requested once these are no longer needed.
void add_chunk(uint row, uint first, uint end) {
    if (AHEAD == 0) ask_keys(first, end);
    uvec4 of_values[TURNS];
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++)
        of_values[turn] = v[share_at(first, end, turn)];
    Octet with[GROUP];
    EACH_HEAD(g) with[g] = octet(asked[g]);
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++)
        make_products(of_keys[turn], with, turn * LINES + line());
    if (AHEAD == 1 && first + KEYS < end) ask_keys(first + KEYS, end);
    barrier();
    make_weights(make_scores(row, first, end));
    [[unroll]] for (uint turn = 0; turn < TURNS; turn++)
        if (first + turn * LINES + line() < end) add_values(of_values[turn], turn * LINES + line());
}

// Returns the place of a query's part among all parts.
uint part_of(uint head, uint row) {
    return (head * queries + row) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// Adds up the lines, first the lower half of each octet, then the upper one, and leaves the part.
void leave(uint first_head, uint heads_here, uint row) {
    const uint i = gl_LocalInvocationIndex;
    if (lane() == 0) line_divisors[line()] = divisors;
    [[unroll]] for (uint upper = 0; upper < 2; upper++) {
        barrier();
        EACH_HEAD(g) lines[g * WG_SIZE + i] = upper == 0 ? outputs[g].low : outputs[g].high;
        barrier();
        for (uint slot = i; slot < heads_here * LANES; slot += WG_SIZE) {
            const uint g = slot / LANES, column = slot % LANES;
            vec4 sum = lines[g * WG_SIZE + column];
            for (uint from = 1; from < LINES; from++)
                sum += lines[g * WG_SIZE + from * LANES + column];
            if (column < octets())
                parts[(part_of(first_head + g, row) * octets() + column) * 2 + upper] = sum;
        }
    }
    HEADS divisor = line_divisors[0];
    for (uint from = 1; from < LINES; from++) divisor += line_divisors[from];
    EACH_HEAD(g) if (i == g && g < heads_here) stats[part_of(first_head + g, row)] =
        vec2(OF_HEAD(most, g), OF_HEAD(divisor, g));
}

void main() {
    const uint row = gl_WorkGroupID.z, sharing = heads / kv_heads;
    const uint end_of_all = end_of_keys(row), share = (keys - 1) / gl_NumWorkGroups.x + 1;
    const uint start = gl_WorkGroupID.x * share, end = min(start + share, end_of_all);
    for (uint head = 0; head < sharing; head += GROUP) {
        const uint first_head = gl_WorkGroupID.y * sharing + head;
        const uint heads_here = min(sharing - head, GROUP);
        take_queries(first_head, heads_here, row);
        most = HEADS(LEAST);
        divisors = HEADS(0.0);
        EACH_HEAD(g) outputs[g] = Octet(vec4(0.0), vec4(0.0));
        if (AHEAD == 1 && start < end) ask_keys(start, end);
        for (uint first = start; first < end; first += KEYS) {
            add_chunk(row, first, end);
            barrier();
        }
        leave(first_head, heads_here, row);
        barrier();
    }
}
