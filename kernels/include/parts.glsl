// SPDX-License-Identifier: Apache-2.0
// Rows of n elements, each shared out among workgroups in blocks; without ROWS there is one row. Inner borders are at
// multiples of four in the buffer, so that vectors may be read. The last block may have three elements more than the
// others. A shader defines PARAMETERS if its push constants hold more than the sizes, and ROW_LENGTH if they are its own.
#ifndef ROW_LENGTH
#ifndef PARAMETERS
#define PARAMETERS
#endif
#ifdef ROWS
layout(push_constant) uniform Push { uint rows, n; PARAMETERS };
#else
layout(push_constant) uniform Push { uint n; PARAMETERS };
const uint rows = 1;
#endif
#define ROW_LENGTH n
#endif

uint blocks_of(uint block) {
    return (ROW_LENGTH - 1) / block + 1;
}

// Returns the first element of a row's block, and the element after its last one.
uvec2 part_of_row(uint row, uint part, uint block) {
    const uint first = row * ROW_LENGTH, even = (first & ~3u) + part * block;
    return uvec2(part == 0 ? first : even, part + 1 == blocks_of(block) ? first + ROW_LENGTH : even + block);
}
