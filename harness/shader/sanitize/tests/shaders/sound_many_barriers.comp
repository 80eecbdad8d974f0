// finds: nothing
// buffers: 1024
// groups: 4
// More uniform barriers than the log has room for.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { float result[]; };
shared float line[64];
void main() {
    const uint t = gl_LocalInvocationIndex;
    float sum = 0.0;
    for (uint turn = 0; turn < 6000; turn++) {
        line[t] = sum + float(turn);
        barrier();
        sum += line[t ^ 1];
        barrier();
    }
    result[gl_WorkGroupID.x * 64 + t] = sum;
}
