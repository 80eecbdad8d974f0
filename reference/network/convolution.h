// SPDX-License-Identifier: Apache-2.0
// The sizes of a convolution over two axes, shared with its gradients.
#ifndef VKASSAY_REFERENCE_CONVOLUTION_H
#define VKASSAY_REFERENCE_CONVOLUTION_H

#include "windows.h"

struct convolution {
    int64_t cin, cout, groups, cin_group;
    struct axis y, x;
};

// Dims in the operators' order, first the given ones and then the derived ones.
enum { N, CIN, H, W, COUT, KH, KW, STRIDE, PAD, DILATION, GROUPS, OH, OW, CIN_GROUP };

static inline struct convolution conv2d_of(const int64_t *d) {
    return (struct convolution){d[CIN], d[COUT], d[GROUPS], d[CIN_GROUP],
        {d[H], d[KH], d[STRIDE], d[PAD], d[DILATION], d[OH]}, {d[W], d[KW], d[STRIDE], d[PAD], d[DILATION], d[OW]}};
}

static inline const char *channels_refused(const struct convolution *v) {
    if (v->cin % v->groups != 0) return "cin must be a multiple of groups";
    if (v->cout % v->groups != 0) return "cout must be a multiple of groups";
    return NULL;
}

static inline const char *conv2d_derive(int64_t *dims) {
    const struct convolution v = conv2d_of(dims);
    if (!axis_outputs(&v.y, &dims[OH]) || !axis_outputs(&v.x, &dims[OW])) return WINDOW_TOO_LONG;
    dims[CIN_GROUP] = v.cin / v.groups;
    return channels_refused(&v);
}

#define WINDOW_OPTIONS OPTION("stride", 1, 2, 3), OPTION("pad", 0, 1, 2), OPTION("dilation", 1, 2, 3)
#define CONV2D_DIMS                                                                                                    \
    .dims = {"n", "cin", "h", "w", "cout", "kh", "kw", "stride", "pad", "dilation", "groups"},                         \
    .derived = {"oh", "ow", "cin_group"}, .derive = conv2d_derive, .zero_ok = {"pad"},                                 \
    .options = {OPTION("kh", 1, 2, 3), OPTION("kw", 1, 3), WINDOW_OPTIONS, OPTION("groups", 1, 2, 4)}

#endif
