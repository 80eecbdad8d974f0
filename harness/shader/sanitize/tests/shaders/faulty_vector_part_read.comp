// finds: unset, quads
// buffers: 256
// groups: 1
// The last component is used, but never written.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { float result[]; };
shared vec4 quads[64];
void main() {
    const uint t = gl_LocalInvocationIndex;
    quads[t].xyz = vec3(t);
    barrier();
    const vec4 all = quads[63 - t].wzyx;
    result[t] = all.x;
}
