// SPDX-License-Identifier: Apache-2.0
// Puts a word into one of eight words of a buffer, and over every word that still holds the word `old`. A kernel that
// finds the other words as it left them, and skips its work or copies them, then gives wrong results. Word 0 stays,
// since a kernel's mark is likely there.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint count, key, old, word; };
#define BLOCK 8

uint mixed(uint x) {
    x = (x ^ x >> 16) * 0x85ebca6b;
    x = (x ^ x >> 13) * 0xc2b2ae35;
    return x ^ x >> 16;
}

void main() {
    const uint step = gl_NumWorkGroups.x * 64;
    for (uint block = gl_GlobalInvocationID.x; block < (count + BLOCK - 1) / BLOCK; block += step) {
        const uint first = block * BLOCK, among = min(BLOCK, count - first), bits = mixed(block + mixed(key));
        const uint place = block > 0 || among == 1 ? bits % among : 1 + bits % (among - 1);
        for (uint i = 0; i < among; i++)
            if (i == place || words[first + i] == old) words[first + i] = word;
    }
}
