// SPDX-License-Identifier: Apache-2.0
// An empty dispatch, to measure the cost of the launch.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"

void main() {}
