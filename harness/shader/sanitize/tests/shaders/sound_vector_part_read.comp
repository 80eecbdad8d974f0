// finds: nothing
// buffers: 1024
// groups: 1
// A component, a member or an element that nobody writes is loaded with its neighbours, and not used.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { float result[]; };
struct Pair { float kept; vec3 rest; uint flag; };
shared vec4 quads[64];
shared Pair pairs[64];
shared float rows[64][4];
void main() {
    const uint t = gl_LocalInvocationIndex, other = 63 - t;
    quads[t].xyz = vec3(t);
    pairs[t].kept = float(t);
    pairs[t].rest.y = 2.0;
    rows[t][1] = float(t);
    barrier();
    const vec3 some = quads[other].xyz * 2.0 + 1.0;
    vec4 changed = quads[other].zyxw;
    changed.w = 1.0;
    const Pair pair = pairs[other];
    const float row[4] = rows[other];
    result[t] = dot(some, vec3(1.0)) + dot(changed, changed) + pair.kept + pair.rest.y + row[1];
}
