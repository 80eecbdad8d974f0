// SPDX-License-Identifier: Apache-2.0
// Workgroups with WG_Z slices of TM x TN `sums` per invocation, each over its share of the terms. With few blocks of
// outputs, a block then keeps more invocations busy. A slice takes STEPS of a tile's TILE_K steps, from FIRST_STEP on;
// without SLICED there is one slice.
//
// With SLICED defined the shared memory is (WG_Z - 1) WG_X WG_Y TN 4 bytes.
#ifndef VKASSAY_SLICES
#define VKASSAY_SLICES

#ifdef SLICED

const uint SLICE = WG_X * WG_Y;
const uint STEPS = TILE_K / WG_Z;
#define FIRST_STEP (gl_LocalInvocationID.z * STEPS)

shared vec4 slice_rows[(WG_Z - 1) * SLICE * TN / 4];

// Adds up the slices. Returns true only in the first slice, which then has the sums of all.
bool join_slices() {
    const uint place = gl_LocalInvocationIndex % SLICE, slice = gl_LocalInvocationID.z;
    [[unroll]] for (uint r = 0; r < TM; r++) {
        barrier();
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            if (slice > 0) slice_rows[((slice - 1) * (TN / 4) + s) * SLICE + place] = sums[r][s];
        barrier();
        [[unroll]] for (uint other = 0; other < WG_Z - 1; other++)
            [[unroll]] for (uint s = 0; s < TN / 4; s++)
                if (slice == 0) sums[r][s] += slice_rows[(other * (TN / 4) + s) * SLICE + place];
    }
    return slice == 0;
}

#else

const uint STEPS = TILE_K;
#define FIRST_STEP 0

bool join_slices() {
    return true;
}

#endif

#endif
