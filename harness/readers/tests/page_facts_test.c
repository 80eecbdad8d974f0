// SPDX-License-Identifier: Apache-2.0
// The facts of a page, all of them with their names: device, host and run, each with a value of its own.
#include "../pages/html.h"

#include "../../base/json.h"
#include "../../device/device_info.h"
#include "../../record/result.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static const char context[] =
    "{\"tool\": {\"version\": \"1.2.3\", \"git\": \"abc-4\"}, \"host\": {\"cpu\": \"Fast <8>\", \"cores\": 12, \"os\": "
    "\"Linux\", \"kernel\": \"6.1\"}, \"run\": {\"suite\": \"quick\", \"seed\": \"42\", \"argv\": [\"vkassay\", "
    "\"bench\", \"--quiet\"], \"started\": \"2026-01-02T03:04:05Z\", \"cold\": true, \"wall_s\": 81.5, "
    "\"lost_workers\": [\"the first\", \"the second\"]}}";

static struct arena arena;

// Returns the facts as lines "NAME: VALUE".
static char *lines_of(const struct text *page) {
    struct text out = {0};
    for (const char *at = text_str(page); (at = strstr(at, "<dt>"));) {
        const char *name = at + strlen("<dt>"), *value = strstr(name, "</dt><dd>"), *end = strstr(value, "</dd>");
        text_append_n(&out, name, (size_t)(value - name));
        text_append(&out, ": ");
        text_append_n(&out, value + strlen("</dt><dd>"), (size_t)(end - value) - strlen("</dt><dd>"));
        text_append(&out, "\n");
        at = end;
    }
    return arena_take(&arena, &out);
}

static void assert_facts(
    const char *text, struct device_info *device, void (*put)(struct text *, struct page *), const char *expected) {
    struct result result = {.context = json_parse(text, strlen(text)), .device = device};
    const struct view view = {.result = &result};
    struct page page = {.view = &view, .arena = &arena};
    struct text out = {0};
    assert_non_null(result.context);
    put(&out, &page);
    assert_string_equal(lines_of(&out), expected);
    text_free(&out);
    json_object_put(result.context);
}

static const struct device_info known = {.name = "Test <GPU>",
    .kind = DEVICE_INTEGRATED,
    .driver_name = "testdrv",
    .driver_info = "5.6",
    .device_uuid = "00112233",
    .driver_uuid = "44556677",
    .pci = "0000:65:00.0",
    .link = {16, 8},
    .max_invocations = 1024,
    .max_size = {512, 256, 64},
    .max_groups = {7, 8, 9},
    .shared_bytes = 49152,
    .storage_range = 123,
    .storage_buffers = 31,
    .push_bytes = 128,
    .subgroup_size = 16,
    .min_subgroup_size = 8,
    .max_subgroup_size = 32,
    .timestamp_period_ns = 2.5,
    .timestamp_bits = 36,
    .queue_family = 3,
    .queue_flags = 6,
    .heaps = {{1ull << 30, false}, {3ull << 30, true}},
    .heap_count = 2};

static void each_fact_has_its_name(void **state) {
    struct device_info device = known;
    assert_facts(context, &device, put_facts,
        "device: Test &lt;GPU&gt;\ndriver: testdrv 5.6\nsuite: quick\nstarted: 2026-01-02T03:04:05Z\nseed: 42\n"
        "cache: cold\nvkassay: 1.2.3\n");
    assert_facts(context, &device, put_context,
        "kind: integrated\ndevice UUID: 00112233\ndriver UUID: 44556677\nPCI: 0000:65:00.0\n"
        "host link: PCIe 4.0 x8, 15.8 GB/s each way\nmemory: 3.00 GiB\ninvocations a workgroup: 1024\n"
        "workgroup size: 512 x 256 x 64\nshared bytes: 49152\nstorage buffers a shader: 31\nsubgroup size: 16\n"
        "queue: family 3 (compute, transfer)\ntimestamp period (ns): 2.5\ntimestamp bits: 36\n"
        "processor: Fast &lt;8&gt;\ncores: 12\nsystem: Linux\nkernel: 6.1\nseconds: 81.5\n"
        "lost worker: the first\nlost worker: the second\nrevision: abc-4\ncommand: vkassay bench --quiet\n");
}

static void facts_that_are_unknown_are_left_out(void **state) {
    struct device_info device = {.name = "it"};
    assert_facts(
        "{\"run\": {\"lost_workers\": 3, \"argv\": \"none\"}}", &device, put_facts, "device: it\ncache: hot\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fact_has_its_name),
        cmocka_unit_test(facts_that_are_unknown_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
