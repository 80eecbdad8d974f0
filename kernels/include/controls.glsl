// SPDX-License-Identifier: Apache-2.0
// Float controls of SPV_KHR_float_controls for 32-bit floats, each if the device has it: RoundingModeRTE,
// SignedZeroInfNanPreserve and DenormPreserve. GLSL keeps one declaration of each mode. A shader that defines
// FREE_ROUNDING leaves the rounding direction to the device. A module that stores f16 gets the same modes for 16 bits
// when it is loaded.
//
// A shader with SPIR-V kept for older compilers is one text for all devices. It defines ALL_CONTROLS, and loading its
// module removes the modes that a device lacks.
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
