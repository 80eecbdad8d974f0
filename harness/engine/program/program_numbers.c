// SPDX-License-Identifier: Apache-2.0

#include "constants.h"
#include "shaders.h"

int program_numbers(const void *source, const struct point *point, const struct numbers_wanted *wanted,
    uint32_t numbers[COMPARED_NUMBERS]) {
    const struct numbers_source *from = source;
    struct loaded loaded[KERNEL_PASSES];
    struct arena scratch = {0};
    struct error err;
    int count = 0;
    const bool made = shaders_load(&scratch, from->device, from->options, point, loaded, &err);
    for (int p = 0; made && p < point->kernel->pass_count; p++) {
        uint32_t found[COMPARED_NUMBERS];
        struct barrier_constant constants[PROGRAM_CONSTANTS];
        struct program_desc desc = {0};
        const struct pass *pass = &point->kernel->passes[p];
        constants_set(point, pass, &loaded[p].shader, &desc);
        const struct barrier_setting setting = constants_setting(point, pass, &desc, constants);
        const int some = numbers_compared(loaded[p].spirv.words, loaded[p].spirv.count, &setting, wanted, found);
        for (int i = 0; i < some && count < COMPARED_NUMBERS; i++) {
            int at = 0;
            while (at < count && numbers[at] != found[i]) at++;
            if (at == count) numbers[count++] = found[i];
        }
    }
    arena_free(&scratch);
    return count;
}
