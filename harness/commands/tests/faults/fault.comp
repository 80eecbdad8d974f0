// SPDX-License-Identifier: Apache-2.0
// relu, broken in one way for each macro. The harness must survive and find each fault.
#version 450
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };
shared float tile[4];

void main() {
    uint line = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
    uint group = line * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint i = group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
#ifdef BROKEN
    y[i] = no_such_function(x[i]);
#endif
#ifdef CRASH
    tile[(n | 1u) * 0x01000000u + i * 0x00100000u] = x[0];
    barrier();
    if (i < n) y[i] = tile[i & 3u];
#endif
#ifdef ENDLESS
    float sum = 0.0;
    for (uint a = 0u; a < 0x7fffffffu; a++)
        for (uint b = 0u; b < 0x7fffffffu; b++)
            for (uint c = 0u; c < 0x7fffffffu; c++) sum += x[(a + b + c) % n] * 1e-30;
    if (i < n) y[i] = sum;
#endif
#ifdef BEYOND
    if (i <= n) y[i] = i < n ? max(x[i], 0.0) : 1.0;
#else
    if (i >= n) return;
#endif
#ifdef GREEDY
    if (i == 0u) x[n - 1u] += 1.0;
#endif
#ifdef STALE
    if (i == n - 1u) return;
#endif
    float zero = 0.0;
#ifdef RACY
    // The sign of zero follows the poison, which differs in every run: right in value, different in bits.
    if ((floatBitsToUint(y[i]) & 1u) != 0u) zero = uintBitsToFloat(0x80000000u);
#endif
#ifdef LATER
    const float written = y[i];
#endif
    y[i] = x[i] > 0.0 ? x[i] : zero;
#ifdef LATER
    // Writes a different value over a result, but not over poison.
    if (i == 0u && (written == y[i] || written == y[i] + 1.0)) y[i] += 1.0;
#endif
#ifdef WRONG
    if (x[i] < 0.0 && x[i] > -0.1) y[i] = x[i];
#endif
}
