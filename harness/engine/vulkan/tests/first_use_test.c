// SPDX-License-Identifier: Apache-2.0
// Machine code compiled ahead of its first use, on a driver that would delay it. The driver's own cache on disk shows
// when it compiled.
#include "../../../shader/compile/shader.h"
#include "../internal.h"

#include "../../../base/cores.h"
#include "../../../base/file.h"
#include "../../../base/tests/needs.h"
#include "../../../../reference/tests/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/vkassay-first-use-XXXXXX";

// Returns the bytes in files below a folder, at most `depth` folders deep. Hidden files do not count.
static int64_t bytes_in(const char *path, int depth) {
    int64_t bytes = 0;
    DIR *open = opendir(path);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char below[600];
        struct stat file;
        if (entry->d_name[0] == '.') continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (stat(below, &file) != 0) continue;
        if (S_ISREG(file.st_mode)) bytes += file.st_size;
        if (S_ISDIR(file.st_mode) && depth > 0) bytes += bytes_in(below, depth - 1);
    }
    if (open) closedir(open);
    return bytes;
}

// Compiles a shader that no cache has: its code depends on `number`.
static struct spirv compile(struct arena *arena, int number) {
    struct error err;
    struct spirv spirv = {0};
    char path[80], source[200];
    snprintf(path, sizeof path, "%s/.test.comp", folder);
    snprintf(source, sizeof source,
        "#version 450\nlayout(binding = 0) buffer X { float x[]; };\n"
        "void main() { x[gl_GlobalInvocationID.x] *= %d.0; }\n",
        number);
    if (!file_write(path, source, strlen(source), &err) ||
        !shader_make(arena, &(struct shader_request){.path = path}, &spirv, &err))
        fail_msg("%s", err.text);
    return spirv;
}

// Creates a program and runs nothing. Returns the bytes that the driver's cache on disk grew by.
static int64_t growth_by_a_program(const struct device_info *device, int number, bool ahead) {
    struct arena arena = {0};
    struct error err;
    const int64_t before = bytes_in(folder, 4);
    const struct spirv spirv = compile(&arena, number);
    const struct program_desc desc = {.spirv = spirv.words, .words = spirv.count, .bindings = 1};
    struct gpu *gpu = gpu_open(device, &(struct gpu_options){0}, &err);
    if (!gpu) fail_msg("%s", err.text);
    if (ahead) gpu_prebuild_begin(gpu);
    struct program *program = program_create(gpu, &desc, NULL, &err);
    if (!program) fail_msg("%s", err.text);
    gpu_prebuild_end(gpu);
    program_destroy(gpu, program);
    gpu_close(gpu);
    arena_free(&arena);
    return bytes_in(folder, 4) - before;
}

static void code_is_made_ahead_only_when_asked(void **state) {
    struct arena arena = {0};
    struct device_info *devices;
    size_t count, best = 0, chosen;
    struct error err;
    if (!gpu_enumerate(&arena, &devices, &count, &err)) fail_msg("%s", err.text);
    needs_hardware(count && device_choose(devices, count, NULL, &best, &chosen, &err), "Vulkan device");
    needs_hardware(cores_usable() > 1, "second core");
    if (!strstr(devices[best].name, "llvmpipe")) not_run("driver: it is not Mesa's llvmpipe");
    growth_by_a_program(&devices[best], 3, false); // the cache's own files
    assert_int_equal(growth_by_a_program(&devices[best], 5, false), 0);
    assert_true(growth_by_a_program(&devices[best], 7, true) > 0);
    arena_free(&arena);
}

int main(void) {
    char command[80];
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_is_made_ahead_only_when_asked)};
    if (!mkdtemp(folder)) return 1;
    setenv("MESA_SHADER_CACHE_DIR", folder, 1);
    unsetenv("MESA_SHADER_CACHE_DISABLE");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 || failed;
}
