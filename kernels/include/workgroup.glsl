// SPDX-License-Identifier: Apache-2.0
// The workgroup's size, from specialization constants 0, 1 and 2.
#ifndef VKASSAY_WORKGROUP
#define VKASSAY_WORKGROUP

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

const uint WG_X = gl_WorkGroupSize.x, WG_Y = gl_WorkGroupSize.y, WG_Z = gl_WorkGroupSize.z;
const uint WG_SIZE = WG_X * WG_Y * WG_Z;

// Invocations side by side in a subgroup. A workgroup smaller than a subgroup has only WG_SIZE of them.
#define SUBGROUP_WIDTH min(gl_SubgroupSize, WG_SIZE)

#endif
