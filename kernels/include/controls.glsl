// SPDX-License-Identifier: Apache-2.0
// Float controls of SPV_KHR_float_controls, each where the device has it: RoundingModeRTE,
// SignedZeroInfNanPreserve and DenormPreserve, for 32-bit floats. GLSL keeps one declaration of a
// mode; a shader that defines FREE_ROUNDING leaves the direction of rounding to the device. One that
// stores f16 is given the same modes for 16 bits when its module is loaded.
//
// A shader whose SPIR-V is kept for compilers that lack an extension of it is one text for all
// devices: it defines ALL_CONTROLS, and what a device lacks is taken out when its module is loaded.
#ifndef VKASSAY_CONTROLS
#define VKASSAY_CONTROLS

#extension GL_EXT_spirv_intrinsics : require

#define FLOAT_CONTROL(capability, mode)                                            \
    spirv_execution_mode(                                                          \
        extensions = ["SPV_KHR_float_controls"], capabilities = [capability], mode, 32)

#if (defined(FEATURE_RTE_F32) || defined(ALL_CONTROLS)) && !defined(FREE_ROUNDING)
FLOAT_CONTROL(4467, 4462);
#endif
#if defined(FEATURE_SPECIALS_F32) || defined(ALL_CONTROLS)
FLOAT_CONTROL(4466, 4461);
#endif
#if defined(FEATURE_DENORMS_F32) || defined(ALL_CONTROLS)
FLOAT_CONTROL(4464, 4459);
#endif

#endif
