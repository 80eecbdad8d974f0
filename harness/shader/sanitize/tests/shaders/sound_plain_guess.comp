// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256 4
// groups: 2
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { uint y; };

// The first value of the loop may be stale: the exchange fails, and the loop turns once more.
void main() {
    uint old = y, seen;
    do {
        seen = old;
        old = atomicCompSwap(y, seen, floatBitsToUint(uintBitsToFloat(seen) + x[gl_LocalInvocationID.x]));
    } while (old != seen);
}
