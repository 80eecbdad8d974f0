// SPDX-License-Identifier: Apache-2.0
// The storage type of the case and its way to float and back; arithmetic is in float throughout.
// Include this file and controls.glsl first: they enable extensions, which must come before any declaration.
#ifndef VKASSAY_TYPES
#define VKASSAY_TYPES

#if defined(DTYPE_F16)
#extension GL_EXT_shader_16bit_storage : require
#define T float16_t
#define VEC4T f16vec4
#else
#define T float
#define VEC4T vec4
#endif

#define LOAD(x) float(x)
#define STORE(x) T(x)
#define LOAD4(x) vec4(x)
#define STORE4(x) VEC4T(x)

#endif
