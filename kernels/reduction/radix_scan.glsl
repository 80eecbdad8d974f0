// SPDX-License-Identifier: Apache-2.0
// Running sums of integers over a workgroup (see scan.glsl).
#include "workgroup.glsl"

shared uint scan_totals[2u * WG_SIZE];

// Returns the sum over the invocations before this one; `total` is the sum over all. Every invocation must call.
uint total_before(uint value, out uint total) {
    const uint i = gl_LocalInvocationIndex;
    uint from = 0u, to = WG_SIZE;
    barrier(); // the previous call has read
    scan_totals[i] = value;
    barrier();
    for (uint distance = 1u; distance < WG_SIZE; distance *= 2u) {
        scan_totals[to + i] = scan_totals[from + i] + (i < distance ? 0u : scan_totals[from + i - distance]);
        barrier();
        from = to;
        to = WG_SIZE - to;
    }
    total = scan_totals[from + WG_SIZE - 1u];
    return scan_totals[from + i] - value;
}
