// SPDX-License-Identifier: Apache-2.0
#include "constants.h"

#include "../../shader/manifest/dispatches.h"

#include <string.h>

static void add_constant(struct program_desc *desc, int64_t id, int64_t value) {
    if (id < 0 || desc->constant_count == PROGRAM_CONSTANTS) return;
    desc->constants[desc->constant_count].id = (uint32_t)id;
    desc->constants[desc->constant_count++].value = (uint32_t)value;
}

// Converts the value to the constant's own type.
static uint32_t constant_bits(const struct shader_interface *shader, int64_t id, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    for (int i = 0; i < shader->constant_count; i++) {
        if ((int64_t)shader->constants[i].id != id) continue;
        if (shader->constants[i].kind == 'f') return bits;
        if (shader->constants[i].kind == 'b') return value != 0;
    }
    return (uint32_t)(int64_t)value;
}

void constants_set(const struct point *point, const struct pass *pass, const struct shader_interface *shader,
    struct program_desc *desc) {
    const struct kernel *kernel = point->kernel;
    uint32_t wg[3];
    pass_workgroup(kernel, pass, &point->shape, wg);
    for (int axis = 0; axis < 3; axis++) add_constant(desc, shader->size_id[axis], wg[axis]);
    for (int i = 0; i < kernel->tunable_count; i++)
        if (kernel->tunables[i].id > 2)
            add_constant(desc, kernel->tunables[i].id,
                constant_bits(shader, kernel->tunables[i].id, (double)point->shape.value[i]));
    for (int i = 0; i < pass->constant_count; i++)
        for (int k = 0; k < shader->constant_count; k++) {
            double value;
            if (constant_is(&pass->constants[i], shader->constants[k].name, shader->constants[k].id) &&
                constant_value(kernel, &pass->constants[i], point->dims, &point->shape, &value))
                add_constant(desc, shader->constants[k].id, constant_bits(shader, shader->constants[k].id, value));
        }
}

struct barrier_setting constants_setting(const struct point *point, const struct pass *pass,
    const struct program_desc *desc, struct barrier_constant constants[PROGRAM_CONSTANTS]) {
    struct barrier_setting setting = {.entry = pass->entry ? pass->entry : "main", .constants = constants};
    pass_workgroup(point->kernel, pass, &point->shape, setting.size);
    for (; setting.constant_count < desc->constant_count; setting.constant_count++)
        constants[setting.constant_count] = (struct barrier_constant){
            desc->constants[setting.constant_count].id, desc->constants[setting.constant_count].value};
    return setting;
}
