// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include "../device/profile.h"
#include "../record/result.h"

const struct schema_file schema_files[] = {
    {"profile", "a profile of limits of vkassay", &kind_profile_file},
    {"result", "a result of vkassay", &kind_result},
    {0},
};
