// finds: race, storage
// buffers: 64 4 4
// groups: 16
// The last workgroup takes its number for the order of execution: it counts, but does not look at the count.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Parts { float parts[]; };
layout(binding = 1) buffer Count { uint count; };
layout(binding = 2) buffer Out { float result; };
void main() {
    parts[gl_WorkGroupID.x] = float(gl_WorkGroupID.x);
    memoryBarrierBuffer();
    atomicAdd(count, 1u);
    memoryBarrierBuffer();
    if (gl_WorkGroupID.x + 1 < gl_NumWorkGroups.x) return;
    float sum = 0.0;
    for (uint k = 0; k < gl_NumWorkGroups.x; k++) sum += parts[k];
    result = sum;
}
