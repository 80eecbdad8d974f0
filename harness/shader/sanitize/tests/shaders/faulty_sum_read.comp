// SPDX-License-Identifier: Apache-2.0
// finds: race, y
// buffers: 256 4
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { uint y; };

// The sum is read behind the loop, while other invocations still add to it.
void main() {
    uint old = y, seen;
    do {
        seen = old;
        old = atomicCompSwap(y, seen, floatBitsToUint(uintBitsToFloat(seen) + 1.0));
    } while (old != seen);
    x[gl_LocalInvocationID.x] = uintBitsToFloat(y);
}
