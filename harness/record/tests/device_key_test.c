// SPDX-License-Identifier: Apache-2.0
// The keys of pairs of devices: equal GPUs, one GPU under two drivers, and devices that cannot be told apart.
#include "../device_key.h"

#include "../../device/device_info.h"
#include "../../base/json.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

#define UUID_A "fd73c0cb5341da6ce04fa052e4c1af57"
#define UUID_B "0173c0cb5341da6ce04fa052e4c1af57"
#define ZEROS "00000000000000000000000000000000"

struct side {
    const char *uuid, *pci, *name, *driver_name, *driver_info, *driver_uuid, *cpu;
    uint32_t device_id;
    int cores;
};
#define OTHER(INFO, DRIVER, ID)                                                                                        \
    .name = "A GPU", .driver_name = "D", .driver_info = INFO, .driver_uuid = DRIVER, .device_id = ID
#define GPU OTHER("1", UUID_A, 7)
#define MESA                                                                                                           \
    .name = "A GPU (RADV)", .driver_name = "radv", .driver_info = "Mesa 25", .driver_uuid = UUID_B, .device_id = 7

// Expected: the fact that tells the units, the models, and the models with their drivers and builds apart.
static const struct {
    const char *what, *unit, *model, *driver, *build;
    struct side a, b;
    bool cpu;
} pairs[] = {
    {"a GPU and itself", NULL, NULL, NULL, NULL, {GPU, .uuid = UUID_A, .pci = "1"}, {GPU, .uuid = UUID_A, .pci = "1"},
        false},
    {"equal GPUs", "device_uuid", NULL, NULL, NULL, {GPU, .uuid = UUID_A, .pci = "1"},
        {GPU, .uuid = UUID_B, .pci = "2"}, false},
    {"equal GPUs in one place of two hosts", "device_uuid", NULL, NULL, NULL, {GPU, .uuid = UUID_A, .pci = "1"},
        {GPU, .uuid = UUID_B, .pci = "1"}, false},
    {"a GPU moved to another place", NULL, NULL, NULL, NULL, {GPU, .uuid = UUID_A, .pci = "1"},
        {GPU, .uuid = UUID_A, .pci = "2"}, false},
    {"equal GPUs without UUIDs", "pci", NULL, NULL, NULL, {GPU, .uuid = ZEROS, .pci = "1"},
        {GPU, .uuid = ZEROS, .pci = "2"}, false},
    {"GPUs that nothing tells apart", NULL, NULL, NULL, NULL, {GPU, .uuid = ZEROS}, {GPU}, false},
    {"a file without the UUID", NULL, NULL, NULL, NULL, {GPU, .pci = "1"}, {GPU, .uuid = UUID_A, .pci = "1"}, false},
    {"a file without the PCI address", NULL, NULL, NULL, NULL, {GPU, .uuid = UUID_A}, {GPU, .uuid = UUID_A, .pci = "1"},
        false},
    {"one GPU under two drivers", NULL, "name", "name", "name", {GPU, .uuid = UUID_A, .pci = "1"},
        {MESA, .uuid = UUID_A, .pci = "1"}, false},
    {"one GPU under drivers with their own UUIDs", NULL, "name", "name", "name", {GPU, .uuid = UUID_A, .pci = "1"},
        {MESA, .uuid = UUID_B, .pci = "1"}, false},
    {"two GPUs under two drivers", "pci", "name", "name", "name", {GPU, .uuid = UUID_A, .pci = "1"},
        {MESA, .uuid = UUID_B, .pci = "2"}, false},
    {"a newer driver", NULL, NULL, "driver_info", "driver_info", {GPU, .uuid = UUID_A},
        {OTHER("2", UUID_A, 7), .uuid = UUID_A}, false},
    {"another build of the driver", NULL, NULL, NULL, "driver_uuid", {GPU, .uuid = UUID_A},
        {OTHER("1", UUID_B, 7), .uuid = UUID_A}, false},
    {"another model in its place", "device_id", "device_id", "device_id", "device_id", {GPU, .pci = "1"},
        {OTHER("1", UUID_A, 8), .pci = "1"}, false},
    {"a GPU in hosts with other processors", NULL, NULL, NULL, NULL, {GPU, .uuid = UUID_A, .cpu = "X", .cores = 4},
        {GPU, .uuid = UUID_A, .cpu = "Y", .cores = 8}, false},
    {"a CPU device of two processors", "cpu", NULL, NULL, NULL, {GPU, .uuid = UUID_A, .cpu = "X", .cores = 4},
        {GPU, .uuid = UUID_A, .cpu = "Y", .cores = 4}, true},
    {"a CPU device with more cores", "cores", NULL, NULL, NULL, {GPU, .uuid = UUID_A, .cpu = "X", .cores = 4},
        {GPU, .uuid = UUID_A, .cpu = "X", .cores = 8}, true},
    {"a CPU device whose UUID is its driver's version", NULL, NULL, NULL, NULL, {GPU, .uuid = UUID_A, .cpu = "X"},
        {GPU, .uuid = UUID_B, .cpu = "X"}, true},
    {"a CPU device of an unknown host", NULL, NULL, NULL, NULL, {GPU, .uuid = UUID_A, .cpu = "X"},
        {GPU, .uuid = UUID_B}, true},
};

#define COPY(TO, FROM) snprintf(TO, sizeof(TO), "%s", FROM ? FROM : "")

static struct device_key key_of(const struct side *side, bool cpu, struct device_info *info) {
    *info = (struct device_info){.kind = cpu ? DEVICE_CPU : DEVICE_DISCRETE, .device_id = side->device_id};
    COPY(info->name, side->name);
    COPY(info->device_uuid, side->uuid);
    COPY(info->pci, side->pci);
    COPY(info->driver_name, side->driver_name);
    COPY(info->driver_info, side->driver_info);
    COPY(info->driver_uuid, side->driver_uuid);
    return (struct device_key){info, side->cpu ? side->cpu : "", side->cores};
}

static void expect(
    size_t i, struct device_key a, struct device_key b, enum device_projection by, const char *expected) {
    const struct device_fact *found = device_key_difference(a, b, by);
    if (!found != !expected || (found && strcmp(found->key, expected) != 0))
        fail_msg("%s: %s, expected %s", pairs[i].what, found ? found->key : "same", expected ? expected : "same");
}

static void devices_are_told_apart_by_the_decisive_fact(void **state) {
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int turned = 0; turned < 2; turned++) {
            struct device_info infos[2];
            const struct device_key a = key_of(turned ? &pairs[i].b : &pairs[i].a, pairs[i].cpu, &infos[0]),
                                    b = key_of(turned ? &pairs[i].a : &pairs[i].b, pairs[i].cpu, &infos[1]);
            expect(i, a, b, DEVICE_UNIT, pairs[i].unit);
            expect(i, a, b, DEVICE_MODEL, pairs[i].model);
            expect(i, a, b, DEVICE_MODEL_AND_DRIVER, pairs[i].driver);
            expect(i, a, b, DEVICE_MODEL_AND_BUILD, pairs[i].build);
        }
}

// A queue for graphics changes times, so results with and without one have no table together.
static void a_queue_for_graphics_parts_results_of_one_device(void **state) {
    const struct side side = {GPU, .uuid = UUID_A, .pci = "1"};
    struct device_info infos[2];
    const struct device_key a = key_of(&side, false, &infos[0]), b = key_of(&side, false, &infos[1]);
    infos[1].graphics_queue = true;
    expect(0, a, b, DEVICE_UNIT, NULL);
    expect(0, a, b, DEVICE_UNIT_AND_DRIVER, "graphics_queue");
    infos[0].graphics_queue = true;
    expect(0, a, b, DEVICE_UNIT_AND_DRIVER, NULL);
}

// The unit's text, part of names of files, differs exactly if the units do, between devices with one driver and the
// same facts known.
static void units_have_their_texts(void **state) {
    static const struct {
        struct side side;
        bool cpu;
        const char *text;
    } rows[] = {{{GPU, .uuid = UUID_A, .pci = "1"}, false, UUID_A}, {{GPU, .uuid = ZEROS, .pci = "1"}, false, "1"},
        {{GPU, .uuid = ZEROS}, false, "A GPU"}, {{GPU, .uuid = UUID_A, .cpu = "X", .cores = 4}, true, "X, 4 cores"},
        {{GPU, .uuid = UUID_A}, true, "A GPU"}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device_info info;
        assert_string_equal(device_unit(&arena, key_of(&rows[i].side, rows[i].cpu, &info)), rows[i].text);
    }
    arena_free(&arena);
}

static void namesakes_have_labels_that_tell_them_apart(void **state) {
    static const struct side sides[] = {{GPU, .pci = "1"}, {GPU, .pci = "2"}, {GPU, .pci = "1"}, {MESA, .pci = "1"}};
    static const struct {
        size_t count;
        const char *first;
    } rows[] = {{1, "A GPU"}, {2, "A GPU (1)"}, {3, "A GPU, 1 (1)"}};
    struct device_info infos[4];
    const struct device_info *devices[4];
    struct arena arena = {0};
    for (size_t i = 0; i < 4; i++) devices[i] = key_of(&sides[i], false, &infos[i]).device;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(device_label(&arena, devices, rows[i].count, 0), rows[i].first);
    assert_string_equal(device_label(&arena, devices, 4, 3), "A GPU (RADV)");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(devices_are_told_apart_by_the_decisive_fact),
        cmocka_unit_test(a_queue_for_graphics_parts_results_of_one_device), cmocka_unit_test(units_have_their_texts),
        cmocka_unit_test(namesakes_have_labels_that_tell_them_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
