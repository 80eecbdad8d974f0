// SPDX-License-Identifier: Apache-2.0
// A scalar and a vec4 kernel from one source: WIDTH (4, or 1 by default) elements at a time.
//
// A vec4 kernel declares each buffer twice at one binding, as T x[] and as WIDE x_wide[]. It accesses the last n % 4
// elements one by one, and nothing beyond the end.
#ifndef VKASSAY_WIDE
#define VKASSAY_WIDE

#include "types.glsl"

#ifndef WIDTH
#define WIDTH 1
#endif

#if WIDTH == 4
#define WIDE VEC4T
#define FLOATS vec4
#define LOAD_WIDE(x) LOAD4(x)
#define STORE_WIDE(x) STORE4(x)
#else
#define WIDE T
#define FLOATS float
#define LOAD_WIDE(x) LOAD(x)
#define STORE_WIDE(x) STORE(x)
#endif

#endif
