// SPDX-License-Identifier: Apache-2.0
// Fills a workgroup's shared memory and many registers with a word before a kernel is checked. A kernel that reads
// either before writing it finds this word, not the zeros of a driver's fresh memory.
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint WORDS = 4096;
#define REGISTERS 96
layout(set = 0, binding = 0) buffer Words { uint all[REGISTERS]; uint other; };
layout(push_constant) uniform Push { uint word; };
shared uint words[WORDS];

void main() {
    const uint lane = gl_LocalInvocationIndex;
    uint kept[REGISTERS], found = word;
    for (uint i = lane; i < WORDS; i += 64) words[i] = word;
    [[unroll]] for (uint i = 0; i < REGISTERS; i++) kept[i] = all[i] | word;
    barrier();
    [[unroll]] for (uint i = 0; i < REGISTERS; i++) found |= kept[i];
    // Never true, but no compiler can know this.
    if (((found & words[(lane * 97 + all[lane]) % WORDS]) | word) != found) other = found;
}
