// SPDX-License-Identifier: Apache-2.0
// Reads the host's link from a made-up /sys folder: devices are symbolic links into a tree, and their parents there
// are ports.
#include "../host_link.h"

#include "../../base/json.h"
#include "../../base/tests/folder.h"
#include "../../base/text.h"
#include "../device_info.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *within(const char *name) {
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *content) {
    FILE *file = fopen(within(name), "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

// Makes a device at 0000:65:00.0 in a port, in the layout of Linux.
static int make_tree(void **state) {
    char target[300];
    if (folder_make(state) != 0) return -1;
    mkdir(within("bus"), 0777);
    mkdir(within("port"), 0777);
    mkdir(within("port/0000:65:00.0"), 0777);
    snprintf(target, sizeof target, "%s/port/0000:65:00.0", folder);
    return symlink(target, within("bus/0000:65:00.0"));
}

static struct host_link read_link(void) {
    char bus[300];
    snprintf(bus, sizeof bus, "%s/bus", folder);
    return host_link_read(bus, "0000:65:00.0");
}

static void a_link_goes_as_fast_as_the_slower_of_its_ends(void **state) {
    put("port/0000:65:00.0/max_link_speed", "32.0 GT/s PCIe\n");
    put("port/0000:65:00.0/current_link_speed", "2.5 GT/s PCIe\n"); // it is idle
    put("port/0000:65:00.0/current_link_width", "16\n");
    struct host_link link = read_link();
    assert_true(link.gt_per_s == 32 && link.lanes == 16);
    put("port/max_link_speed", "16.0 GT/s PCIe\n");
    link = read_link();
    assert_true(link.gt_per_s == 16 && link.lanes == 16);
    put("port/max_link_speed", "Unknown\n");
    assert_true(read_link().gt_per_s == 32);
    put("port/0000:65:00.0/max_link_speed", "Unknown\n");
    put("port/0000:65:00.0/current_link_speed", "8 GT/s\n"); // as older kernels write it
    put("port/0000:65:00.0/current_link_width", "4\n");
    link = read_link();
    assert_true(link.gt_per_s == 8 && link.lanes == 4);
}

static void what_is_not_told_is_not_known(void **state) {
    put("port/max_link_speed", "16.0 GT/s PCIe\n");
    static const char *const widths[] = {"0\n", "255\n", "-4\n", "nan\n", "\n", "1e9\n"};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        put("port/0000:65:00.0/current_link_width", widths[i]);
        assert_true(host_link_bytes_per_s(&(struct host_link){.gt_per_s = read_link().gt_per_s}) == 0);
        assert_int_equal(read_link().lanes, 0);
    }
    put("port/0000:65:00.0/current_link_width", "16\n");
    put("port/max_link_speed", "17.3 GT/s\n"); // no generation has this rate
    assert_int_equal(read_link().lanes, 0);
    assert_int_equal(host_link_read(folder, "").lanes, 0);
    assert_int_equal(host_link_read(folder, "../port/0000:65:00.0").lanes, 0);
    assert_int_equal(host_link_read("/nowhere", "0000:65:00.0").lanes, 0);
}

static void assert_said(const struct device_info *device, const char *expected) {
    struct text text = {0};
    host_link_say(&text, device);
    assert_string_equal(text_str(&text), expected);
    text_free(&text);
}

// The specifications give 4 GB/s for sixteen lanes of generation 1, and 31.5 GB/s for sixteen of generation 4.
static void it_says_generation_lanes_and_rate(void **state) {
    struct device_info device = {.link = {2.5, 16}};
    assert_said(&device, "PCIe 1.0 x16, 4 GB/s each way");
    device.link = (struct host_link){16, 16};
    assert_said(&device, "PCIe 4.0 x16, 31.5 GB/s each way");
    device.link = (struct host_link){32, 8};
    assert_said(&device, "PCIe 5.0 x8, 31.5 GB/s each way");
    device.link = (struct host_link){0};
    assert_said(&device, "not measurable here: the driver reports no PCI address");
    strcpy(device.pci, "0000:65:00.0");
    assert_said(&device, "not measurable here: the system reports no link of 0000:65:00.0");
    assert_true(host_link_bytes_per_s(&(struct host_link){16, 4000000000u}) == 0); // a file may contain this
}

static void a_file_carries_it(void **state) {
    struct error err;
    struct device_info device = {.name = "made up", .link = {32, 16}}, read;
    struct json_object *json = device_to_json(&device);
    assert_true(device_from_json(json, &read, &err));
    assert_true(read.link.gt_per_s == 32 && read.link.lanes == 16);
    json_object_put(json);
    device.link = (struct host_link){0};
    json = device_to_json(&device);
    assert_null(json_get(json, "host_link"));
    json_object_put(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_link_goes_as_fast_as_the_slower_of_its_ends),
        cmocka_unit_test(what_is_not_told_is_not_known), cmocka_unit_test(it_says_generation_lanes_and_rate),
        cmocka_unit_test(a_file_carries_it)};
    return cmocka_run_group_tests(tests, make_tree, folder_remove);
}
