// SPDX-License-Identifier: Apache-2.0
// A tensor of up to four dims as a view of another's memory. Element (i, j, k, l) is at base + i stride[0] + j
// stride[1] + k stride[2] + l stride[3]. Strides may be 0 or negative.
#ifndef VKASSAY_REFERENCE_STRIDED_VIEW_H
#define VKASSAY_REFERENCE_STRIDED_VIEW_H

#include "reference.h"

struct strided_view {
    int64_t size[4], stride[4], base;
};

// Computes the strides of a contiguous tensor; returns false if its size overflows.
static inline bool view_contiguous(const int64_t size[4], int64_t stride[4]) {
    int64_t elements = 1;
    for (int i = 3; i >= 0; i--) {
        stride[i] = elements;
        if (__builtin_mul_overflow(elements, size[i], &elements)) return false;
    }
    return true;
}

// A position in a view, moved from element to element in row-major order without dividing.
struct place {
    int64_t at[4], offset;
};

static inline struct place view_place(const struct strided_view *view, int64_t index) {
    struct place place = {.offset = view->base};
    for (int i = 3; i >= 0; i--) {
        place.at[i] = index % view->size[i];
        place.offset += place.at[i] * view->stride[i];
        index /= view->size[i];
    }
    return place;
}

static inline void view_next(const struct strided_view *view, struct place *place) {
    for (int i = 3; i >= 0; i--) {
        place->offset += view->stride[i];
        if (++place->at[i] < view->size[i]) return;
        place->offset -= place->at[i] * view->stride[i];
        place->at[i] = 0;
    }
}

// Writes the view of input `operand`: an exact copy.
static inline void emit_view(const struct call *c, int operand, struct strided_view view) {
    struct place place = view_place(&view, c->first);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        emit(c, i, c->in[operand][place.offset], 0, 0);
        view_next(&view, &place);
    }
}

// Every dim of the two shapes is repeated in one, in the other, in both or in none.
#define BROADCAST_OPTIONS                                                                                              \
    OPTION("a0", 1, 3), OPTION("a1", 1, 2), OPTION("a2", 1, 5), OPTION("a3", 1, 33), OPTION("b0", 1, 3),               \
        OPTION("b1", 1, 2), OPTION("b2", 1, 5), OPTION("b3", 1, 33)

#endif
