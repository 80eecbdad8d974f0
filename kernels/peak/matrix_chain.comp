// SPDX-License-Identifier: Apache-2.0
// The peak of a device's matrix units. Each subgroup holds four slices of the terms of its block of c in cooperative
// matrices. It adds each slice's product to the sums of the slice again and again. Elements are converted to the
// requested type on their way through shared memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#if defined(OF_BF16)
#extension GL_EXT_bfloat16 : require
#elif defined(OF_E4M3)
#extension GL_EXT_float_e4m3 : require
#elif defined(OF_E5M2)
#extension GL_EXT_float_e5m2 : require
#elif defined(OF_I8)
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#endif
#include "../matrix/cooperative.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint COOP_M = 16;
layout(constant_id = 5) const uint COOP_N = 16;
layout(constant_id = 6) const uint COOP_K = 16;
const uint SLICES = 4, SUBGROUPS = WG_SIZE / SUBGROUP;
const uint SIDES_A = COOP_M * COOP_K, SIDES_B = COOP_K * COOP_N, SIDES_C = COOP_M * COOP_N;
const uint EACH = (SIDES_C + SUBGROUP - 1) / SUBGROUP; // elements of c per invocation

layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint m, n, k, iterations; };

shared ELEMENT tile_a[SUBGROUPS * SIDES_A], tile_b[SUBGROUPS * SIDES_B];
shared SUM_T leaving[SUBGROUPS * SIDES_C];

void wait_for_subgroup() {
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

void main() {
    const uint lane = gl_SubgroupInvocationID, across = n / COOP_N;
    const uint block = linear_group() * SUBGROUPS + gl_SubgroupID;
    const uint row = block / across * COOP_M, col = block % across * COOP_N;
    const uint in_a = gl_SubgroupID * SIDES_A, in_b = gl_SubgroupID * SIDES_B, in_c = gl_SubgroupID * SIDES_C;
    if (row >= m) return; // all of the subgroup
    MATRIX_A left[SLICES];
    MATRIX_B right[SLICES];
    MATRIX_SUM sums[SLICES];
    float totals[EACH];

    [[unroll]] for (uint s = 0; s < SLICES; s++) {
        for (uint e = lane; e < SIDES_A; e += SUBGROUP)
            tile_a[in_a + e] = ELEMENT(a[(row + e / COOP_K) * k + s * COOP_K + e % COOP_K]);
        for (uint e = lane; e < SIDES_B; e += SUBGROUP)
            tile_b[in_b + e] = ELEMENT(b[(s * COOP_K + e / COOP_N) * n + col + e % COOP_N]);
        wait_for_subgroup();
        MATRIX_LOAD(left[s], tile_a, in_a, COOP_K, false);
        MATRIX_LOAD(right[s], tile_b, in_b, COOP_N, false);
        wait_for_subgroup();
        sums[s] = MATRIX_SUM(SUM_T(0));
    }
    [[dont_unroll]] for (uint i = 0; i < iterations; i++)
        [[unroll]] for (uint s = 0; s < SLICES; s++) sums[s] = MATRIX_MULTIPLY(left[s], right[s], sums[s]);

    for (uint e = 0; e < EACH; e++) totals[e] = 0.0;
    [[unroll]] for (uint s = 0; s < SLICES; s++) {
        MATRIX_STORE(sums[s], leaving, in_c, COOP_N);
        wait_for_subgroup();
        for (uint e = 0; e < EACH; e++)
            if (e * SUBGROUP + lane < SIDES_C) totals[e] += float(leaving[in_c + e * SUBGROUP + lane]);
        wait_for_subgroup();
    }
    for (uint e = 0; e < EACH; e++) {
        const uint at = e * SUBGROUP + lane;
        if (at < SIDES_C) c[(row + at / COOP_N) * n + col + at % COOP_N] = totals[e];
    }
}
