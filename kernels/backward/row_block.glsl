// SPDX-License-Identifier: Apache-2.0
// Column sums of a workgroup that walks over ROWS rows. Columns with rows kept in registers are added there. The
// others are added in the workgroup's own line of the partial sums, where an invocation meets only its own
// columns.
layout(constant_id = 4) const uint ROWS = 8;

#define COLUMN_SUMS(name, partial)                                                            \
    vec4 name[QUADS];                                                                         \
    void put_##name(uint col, vec4 four, bool fresh) {                                        \
        const uint at = linear_group() * cols + col;                                          \
        for (uint j = 0; j < 4; j++)                                                          \
            if (col + j < cols) partial[at + j] = fresh ? four[j] : partial[at + j] + four[j]; \
    }

#define EACH_ROW(row)                                                                         \
    [[dont_unroll]] for (uint row = linear_first(ROWS), end = row + min(rows - row, ROWS);    \
                         row < end; row++)
