// SPDX-License-Identifier: Apache-2.0
// Elements in layouts: permuted, padded, behind a header. Places are computed here element by element. Sizes are large
// enough for several threads.
#include "../inputs/strided.h"
#include "../../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5, C = 48, W = 1031, ELEMENTS = N * C * W, RUN = 3 };

// N x C x W elements, each `gap` elements apart on the innermost of the two strided axes.
static struct operand_data make(enum dtype dtype, int64_t gap, int64_t offset, int header_words) {
    const int64_t bytes = dtype_info(dtype)->bytes;
    struct operand_data operand = {.dtype = dtype,
        .elements = ELEMENTS,
        .bytes = (uint64_t)(ELEMENTS * bytes),
        .header = {0xABCD},
        .header_words = header_words,
        .placing = {.axes = 3,
            .size = {N, C, W},
            .stride = {(int64_t)C * W * gap, gap, (int64_t)C * gap},
            .offset = offset,
            .extent = offset + (int64_t)(ELEMENTS - 1) * gap + 1}};
    operand.extent = (uint64_t)(operand.placing.extent * bytes);
    return operand;
}

static int64_t place(const struct operand_data *operand, int64_t n, int64_t c, int64_t w) {
    const int64_t *stride = operand->placing.stride;
    return (operand->placing.offset + n * stride[0] + c * stride[1] + w * stride[2]) *
           dtype_info(operand->dtype)->bytes;
}

static const struct {
    enum dtype dtype;
    int64_t gap, offset;
    int header_words;
} cases[] = {{DTYPE_F32, 1, 0, 0}, {DTYPE_F16, 1, 0, 0}, {DTYPE_U8, 1, 0, 0}, {DTYPE_F32, 3, 0, 0},
    {DTYPE_F16, 2, 5, 1}, {DTYPE_F32, 1, 1, 1}};

static void elements_go_to_their_places_and_back(void **state) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct operand_data operand = make(cases[i].dtype, cases[i].gap, cases[i].offset, cases[i].header_words);
        const size_t bytes = (size_t)dtype_info(operand.dtype)->bytes;
        unsigned char *packed = malloc(operand.bytes), *binding = calloc(operand.extent, 1),
                      *back = malloc(operand.bytes);
        for (uint64_t at = 0; at < operand.bytes; at++) packed[at] = (unsigned char)(at * 2654435761u >> 13);
        strided_scatter(&operand, packed, binding);
        const unsigned char *next = packed;
        for (int64_t n = 0; n < N; n++)
            for (int64_t c = 0; c < C; c++)
                for (int64_t w = 0; w < W; w++, next += bytes)
                    assert_memory_equal(binding + place(&operand, n, c, w), next, bytes);
        strided_gather(&operand, binding, back);
        assert_memory_equal(back, packed, operand.bytes);
        free(packed), free(binding), free(back);
    }
}

// Changes each kind of byte: an element, which is no fault, and where the layout has them, a gap and the header.
static void a_change_between_elements_is_seen(void **state) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct operand_data operand = make(cases[i].dtype, cases[i].gap, cases[i].offset, cases[i].header_words);
        const uint64_t bytes = (uint64_t)dtype_info(operand.dtype)->bytes;
        unsigned char *binding = calloc(operand.extent, 1), *zeros = calloc(operand.bytes, 1);
        strided_fill(&operand, 1, RUN, binding);
        strided_scatter(&operand, zeros, binding);
        assert_true(strided_intact(&operand, 1, RUN, binding));
        binding[place(&operand, N - 1, C / 2, W / 2)] ^= 1;
        assert_true(strided_intact(&operand, 1, RUN, binding));
        if (operand.extent > operand.bytes) {
            uint64_t gap = (uint64_t)place(&operand, N - 1, C / 2, W / 2) + bytes;
            if (cases[i].gap == 1) gap = 0; // only the space before the first element
            binding[gap] ^= 1;
            assert_false(strided_intact(&operand, 1, RUN, binding));
            binding[gap] ^= 1;
            if (cases[i].gap > 1) assert_false(strided_intact(&operand, 1, RUN + 1, binding));
        }
        free(binding), free(zeros);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_go_to_their_places_and_back),
        cmocka_unit_test(a_change_between_elements_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
