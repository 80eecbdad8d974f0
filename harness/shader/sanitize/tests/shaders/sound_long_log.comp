// finds: nothing
// buffers: 4 131072
// groups: 512
// The words of one invocation, times the invocations, are more than 32 bits count.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer One { uint one; };
layout(binding = 1) buffer Out { float result[]; };
shared float line[64];
void main() {
    const uint t = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;
    line[t] = float(t);
    for (uint turn = 0; i == 0 && turn < 23000; turn++) {
        atomicAdd(one, 1u);
        atomicAdd(one, line[0] > 2.0 ? 1u : 0u);
        atomicMax(one, turn);
        atomicMin(one, 100000u);
        atomicOr(one, turn);
    }
    barrier();
    result[i] = line[63 - t];
}
