// SPDX-License-Identifier: Apache-2.0
// Running sums over a workgroup in shared memory, in log2(WG_SIZE) steps (W. Hillis and G. Steele, Data parallel
// algorithms, 1986), and over a tile of ITEMS consecutive elements per invocation. Neighbours read and write
// neighbours. Between these steps the tile is in shared memory, with an extra word after each ITEMS words, so that
// invocations in step meet different banks. The shared memory is (ITEMS + 3) * WG_SIZE * 4 bytes. Every invocation must
// call.
#include "workgroup.glsl"

layout(constant_id = 3) const uint ITEMS = 4;

shared float scan_sums[2 * WG_SIZE];
shared float scan_elements[(ITEMS + 1) * WG_SIZE];

// Returns the sum of the values of the invocations before this one; `total` is the sum of all.
float sum_before(float value, out float total) {
    const uint i = gl_LocalInvocationIndex;
    uint from = 0, to = WG_SIZE;
    scan_sums[i] = value;
    barrier();
    for (uint distance = 1; distance < WG_SIZE; distance *= 2) {
        const float mine = scan_sums[from + i];
        scan_sums[to + i] = i < distance ? mine : mine + scan_sums[from + i - distance];
        barrier();
        from = to;
        to = WG_SIZE - to;
    }
    total = scan_sums[from + WG_SIZE - 1];
    const float before = i == 0 ? 0.0 : scan_sums[from + i - 1];
    barrier(); // before the next call writes
    return before;
}

// Scans one tile of the elements [at, end) of a row. `carried` is the sum of the elements before; returns this sum
// with the tile added. `start` is the index of the row's first element. The shader declares element(i) and emit(i,
// sum).
float scan_tile(uint start, uint at, uint end, float carried) {
    const uint lane = gl_LocalInvocationIndex, first = lane * (ITEMS + 1);
    for (uint item = 0, i = lane; item < ITEMS; item++, i += WG_SIZE)
        scan_elements[i + i / ITEMS] = at + i < end ? element(start + at + i) : 0.0;
    barrier();
    float sum = 0.0, total;
    for (uint item = 0; item < ITEMS; item++) sum += scan_elements[first + item];
    sum = carried + sum_before(sum, total);
    for (uint item = 0; item < ITEMS; item++) {
        sum += scan_elements[first + item];
        scan_elements[first + item] = sum;
    }
    barrier();
    for (uint item = 0, i = lane; item < ITEMS; item++, i += WG_SIZE)
        if (at + i < end) emit(start + at + i, scan_elements[i + i / ITEMS]);
    barrier(); // before the next tile is read
    return carried + total;
}
