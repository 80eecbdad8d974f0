// SPDX-License-Identifier: Apache-2.0
// Registers of HLSL as bindings of Vulkan. Direct3D numbers t, u and b apart; Vulkan has one row of numbers.
// Private to this folder.
#ifndef VKASSAY_SHADERS_HLSL_REGISTERS_H
#define VKASSAY_SHADERS_HLSL_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

enum { HLSL_T, HLSL_U, HLSL_B, HLSL_REGISTERS };

// Returns whether the text gives one number to registers of two kinds. from[] then has the binding of each kind's
// register 0: t begins at 0, u behind the last t, and b behind the last u.
bool hlsl_registers(const char *text, uint32_t from[HLSL_REGISTERS]);

#endif
