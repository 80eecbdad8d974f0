// SPDX-License-Identifier: Apache-2.0
// Small faulty shaders, and sound ones that look faulty, run with their log.
#include "sanitized_shader.h"

#include "../../../../base/tests/needs.h"
#include "../../../../device/limits.h"
#include "../../../../device/device_info.h"
#include "../../../../../reference/tests/unit.h"

#include <dirent.h>

static const char folder_of_shaders[] = "harness/shader/sanitize/tests/shaders";
enum { MOST_SHADERS = 256 };

static struct {
    struct arena arena;
    const struct device_info *info;
    struct gpu *gpu;
} device;

static int open_device(void **state) {
    struct error err = {0};
    struct device_info *devices;
    size_t count, best, chosen;
    if (!gpu_enumerate(&device.arena, &devices, &count, &err)) return -1;
    if (count && device_choose(devices, count, NULL, &best, &chosen, &err)) device.info = &devices[best];
    if (device.info) device.gpu = gpu_open(device.info, &(struct gpu_options){0}, &err);
    return device.info && !device.gpu ? -1 : 0;
}

static int close_device(void **state) {
    gpu_close(device.gpu);
    arena_free(&device.arena);
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t list(struct arena *arena, const char *prefix, const char *ending, char **names) {
    size_t count = 0;
    DIR *folder = opendir(folder_of_shaders);
    for (struct dirent *entry; folder && (entry = readdir(folder)) && count < MOST_SHADERS;)
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && strstr(entry->d_name, ending))
            names[count++] = arena_format(arena, "%s/%s", folder_of_shaders, entry->d_name);
    if (folder) closedir(folder);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

// Returns whether the first finding is the one in the shader's text: "KIND, words".
static bool is_meant(const char *finds, const struct findings *findings, const char *text) {
    static const char *const kinds[] = {[FINDING_RACE] = "race",
        [FINDING_BOUNDS] = "bounds",
        [FINDING_UNSET] = "unset",
        [FINDING_BARRIER] = "barrier",
        [FINDING_STOPPED] = "stopped"};
    if (strcmp(finds, "nothing") == 0 || !findings->count) return strcmp(finds, "nothing") == 0 && !findings->count;
    const char *kind = kinds[findings->items[0].kind], *comma = strchr(finds, ',');
    const char *words = comma ? comma + 1 + strspn(comma + 1, " ") : "";
    return strncmp(finds, kind, strlen(kind)) == 0 && strstr(text, words);
}

static bool run(const char *path) {
    struct arena arena = {0};
    struct sanitized_shader shader;
    struct dispatch_log log;
    struct findings findings = {0};
    struct error err = {0};
    const char *text = "";
    bool ran = shader_read(&arena, path, &shader, &err) && shader_sanitize(&arena, &shader, &err) &&
               shader_judge(device.gpu, &arena, &shader, &log, &findings, &text, &err);
    bool ok = ran ? is_meant(shader.finds, &findings, text)
                  : err.kind == ERROR_SKIP && strncmp(shader.finds, "not sanitized", 13) == 0;
    if (!ok)
        print_error("%s\n    expected: %s\n    found: %s\n", path, shader.finds,
            !ran    ? err.text
            : *text ? text
                    : "nothing");
    if (ok && getenv("SANITIZE_SHOW")) printf("%s: %s\n", path, ran ? text : err.text);
    arena_free(&arena);
    return ok;
}

static void check_all(const char *prefix, const char *ending, size_t least) {
    struct arena arena = {0};
    char *names[MOST_SHADERS];
    int wrong = 0;
    needs_hardware(device.info, "Vulkan device");
    const size_t count = list(&arena, prefix, ending, names);
    for (size_t i = 0; i < count; i++) wrong += !run(names[i]);
    arena_free(&arena);
    assert_true(count >= least);
    assert_int_equal(wrong, 0);
}

static void the_fault_of_each_faulty_shader_is_found(void **state) {
    check_all("faulty_", ".comp", 45);
}

static void sound_shaders_that_look_faulty_are_silent(void **state) {
    check_all("sound_", ".comp", 40);
}

static void the_fault_of_each_faulty_shader_in_wgsl_is_found(void **state) {
    needs_wgsl();
    check_all("faulty_", ".wgsl", 6);
}

static void sound_shaders_in_wgsl_are_silent(void **state) {
    needs_wgsl();
    check_all("sound_", ".wgsl", 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fault_of_each_faulty_shader_is_found),
        cmocka_unit_test(sound_shaders_that_look_faulty_are_silent),
        cmocka_unit_test(the_fault_of_each_faulty_shader_in_wgsl_is_found),
        cmocka_unit_test(sound_shaders_in_wgsl_are_silent),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
