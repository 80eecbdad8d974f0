// SPDX-License-Identifier: Apache-2.0
// Float controls, each where the device has it: RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve of
// SPV_KHR_float_controls, for 32-bit floats and, in a case that stores f16, for 16-bit ones.
#ifndef VKASSAY_CONTROLS
#define VKASSAY_CONTROLS

#extension GL_EXT_spirv_intrinsics : require

// Capability, execution mode, width in bits.
#define FLOAT_CONTROL(capability, mode, bits) \
    spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [capability], mode, bits)

#ifdef FEATURE_RTE_F32
FLOAT_CONTROL(4467, 4462, 32);
#endif
#ifdef FEATURE_SPECIALS_F32
FLOAT_CONTROL(4466, 4461, 32);
#endif
#ifdef FEATURE_DENORMS_F32
FLOAT_CONTROL(4464, 4459, 32);
#endif

#ifdef DTYPE_F16
#ifdef FEATURE_RTE_F16
FLOAT_CONTROL(4467, 4462, 16);
#endif
#ifdef FEATURE_SPECIALS_F16
FLOAT_CONTROL(4466, 4461, 16);
#endif
#ifdef FEATURE_DENORMS_F16
FLOAT_CONTROL(4464, 4459, 16);
#endif
#endif

#endif
