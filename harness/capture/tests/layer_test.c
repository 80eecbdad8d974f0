// SPDX-License-Identifier: Apache-2.0
// Tests the layer in processes with a small Vulkan program (client.h). Each recorded dispatch is computed again from
// its own record.
#include "../../base/file.h"
#include "../../base/hash.h"
#include "../../base/json.h"
#include "../../base/tests/needs.h"
#include "layered.h"

#include <glob.h>
#include <pthread.h>
#include <time.h>

// ---- its record

struct captured {
    struct json_object *lines[1000];
    size_t count;
    struct json_object *end; // NULL: there is none
};

static void read_captured(struct captured *c) {
    char pattern[400], *line = NULL;
    size_t room = 0;
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/capture-*.jsonl", out);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    FILE *file = fopen(found.gl_pathv[0], "r");
    globfree(&found);
    assert_non_null(file);
    *c = (struct captured){0};
    for (ssize_t length; (length = getline(&line, &room, file)) > 0 && c->count < 1000;) {
        assert_int_equal(line[length - 1], '\n');
        c->lines[c->count] = json_parse(line, (size_t)length);
        if (!c->lines[c->count]) fail_msg("not JSON: %s", line);
        c->count++;
    }
    free(line);
    fclose(file);
    if (json_get_bool(c->lines[c->count - 1], "end", false)) c->end = c->lines[c->count - 1];
}

static void release_captured(struct captured *c) {
    for (size_t i = 0; i < c->count; i++) json_object_put(c->lines[i]);
}

static const char *content_of(struct arena *arena, struct json_object *operand, const char *key, size_t *length) {
    struct error err;
    char path[500], digits[CONTENT_HASH_DIGITS + 1];
    snprintf(path, sizeof path, "%s/operands/%s.bin", out, json_get_string(operand, key, "none"));
    const char *bytes = file_read(arena, path, length, &err);
    if (!bytes) fail_msg("%s", err.text);
    content_hash_text(content_hash(bytes, *length), digits);
    assert_string_equal(digits, json_get_string(operand, key, ""));
    assert_int_equal(*length, json_get_int(operand, "bytes", -1));
    return bytes;
}

// Computes a dispatch again: y = x * f + add for the first n, and the rest of y as before.
static void assert_computed(struct json_object *dispatch) {
    struct arena arena = {0};
    struct json_object *operands = json_get(dispatch, "operands");
    struct push push;
    float add;
    size_t length;
    assert_int_equal(json_object_array_length(operands), 3);
    struct json_object *of_x = json_object_array_get_idx(operands, 0), *of_y = json_object_array_get_idx(operands, 1),
                       *uniform = json_object_array_get_idx(operands, 2);
    assert_string_equal(json_get_string(uniform, "type", ""), "uniform");
    assert_true(json_get_int(of_x, "memory", 0) == json_get_int(of_y, "memory", 1));
    const char *hex = json_get_string(dispatch, "push", "");
    for (size_t i = 0; i < sizeof push; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        ((unsigned char *)&push)[i] = (unsigned char)byte;
    }
    memcpy(&add, content_of(&arena, uniform, "before", &length), sizeof add);
    const float *x = (const float *)(const void *)content_of(&arena, of_x, "before", &length);
    const float *before = (const float *)(const void *)content_of(&arena, of_y, "before", &length);
    const float *after = (const float *)(const void *)content_of(&arena, of_y, "after", &length);
    assert_true(push.n > 0 && push.n < length / 4);
    for (size_t i = 0; i < length / 4; i++)
        if (after[i] != (i < push.n ? x[i] * push.f + add : before[i]))
            fail_msg("%zu: %g is not %g * %g + %g", i, (double)after[i], (double)x[i], (double)push.f, (double)add);
    assert_string_equal(json_get_string(of_x, "before", ""), json_get_string(of_x, "after", "?"));
    arena_free(&arena);
}

// Asserts the record: so many dispatches seen and recorded, each right, and at most one reason for the others.
static void assert_record(int64_t seen, int64_t recorded, const char *reason) {
    struct captured c;
    int64_t found = 0;
    read_captured(&c);
    assert_non_null(c.end);
    for (size_t i = 0; i < c.count; i++) {
        if (!json_get(c.lines[i], "grid")) continue;
        assert_computed(c.lines[i]);
        found++;
    }
    struct json_object *reasons = json_get(c.end, "not_recorded");
    assert_int_equal(json_get_int(c.end, "dispatches", -1), seen);
    assert_int_equal(json_get_int(c.end, "recorded", -1), recorded);
    assert_int_equal(found, recorded);
    assert_int_equal(json_object_array_length(reasons), reason != NULL);
    if (reason) assert_string_equal(json_get_string(json_object_array_get_idx(reasons, 0), "reason", ""), reason);
    release_captured(&c);
}

// ---- scenarios

static void begin(struct client *c, const char *define) {
    client_open(c, false);
    client_pipeline(c, define, 0, false);
}

static VkCommandBuffer one_time(struct client *c) {
    return client_begin(c, VK_COMMAND_BUFFER_LEVEL_PRIMARY, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
}

// Different factors make signatures of their own.
static void dispatch_kinds(void) {
    struct client c = {0};
    begin(&c, NULL);
    VkCommandBuffer commands = one_time(&c);
    client_bind(&c, commands, client_set(&c, 0, 1, false), 2);
    vkCmdDispatch(commands, 4, 1, 1);
    client_bind(&c, commands, client_set(&c, 1, 2, false), 3);
    vkCmdDispatchBase(commands, 0, 0, 0, 4, 1, 1);
    client_bind(&c, commands, client_set(&c, 2, 3, false), 4);
    vkCmdDispatchIndirect(commands, c.buffer, GRID_AT);
    client_run(&c, commands);
    client_close(&c);
}

static void any_dispatch_is_recorded(void **state) {
    run(dispatch_kinds);
    assert_record(3, 3, NULL);
    struct captured c;
    read_captured(&c);
    for (size_t i = 0; i < c.count; i++)
        if (json_get(c.lines[i], "grid")) {
            struct json_object *grid = json_get(c.lines[i], "grid");
            assert_int_equal(json_object_get_int(json_object_array_get_idx(grid, 0)), 4);
        }
    assert_true(json_get(json_object_array_get_idx(json_get(c.lines[1], "constants"), 0), "id") != NULL);
    release_captured(&c);
}

static void dynamic_offsets(void) {
    struct client c = {0};
    client_open(&c, false);
    client_pipeline(&c, NULL, 0, true);
    VkCommandBuffer commands = one_time(&c);
    const VkDescriptorSet set = client_set(&c, 0, 0, true);
    const uint32_t offsets[] = {3 * BYTES, 2 * BYTES, 5 * UNIFORM}; // by binding
    client_bind(&c, commands, VK_NULL_HANDLE, 2);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, 1, &set, 3, offsets);
    vkCmdDispatch(commands, 4, 1, 1);
    client_run(&c, commands);
    client_close(&c);
}

static void dynamic_offsets_count(void **state) {
    struct captured c;
    run(dynamic_offsets);
    assert_record(1, 1, NULL);
    read_captured(&c);
    struct json_object *operands = json_get(c.lines[2], "operands");
    static const int64_t offsets[] = {3 * BYTES, (ROWS + 2) * BYTES, 2 * ROWS * BYTES + 5 * UNIFORM};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(json_get_int(json_object_array_get_idx(operands, i), "offset", -1), offsets[i]);
    release_captured(&c);
}

static void pushed_descriptors(void) {
    struct client c = {0};
    VkDescriptorBufferInfo ranges[3];
    client_open(&c, false);
    client_pipeline(&c, NULL, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, false);
    const VkDescriptorUpdateTemplateEntry entries[] = {{0, 0, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, sizeof *ranges},
        {2, 0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 * sizeof *ranges, sizeof *ranges}};
    const VkDescriptorUpdateTemplateCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 2, .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE, .pipelineLayout = c.layout};
    VkDescriptorUpdateTemplate update;
    MUST(vkCreateDescriptorUpdateTemplate(c.device, &info, NULL, &update));
    PFN_vkCmdPushDescriptorSetKHR push =
        (PFN_vkCmdPushDescriptorSetKHR)vkGetDeviceProcAddr(c.device, "vkCmdPushDescriptorSetKHR");
    PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template =
        (PFN_vkCmdPushDescriptorSetWithTemplateKHR)vkGetDeviceProcAddr(
            c.device, "vkCmdPushDescriptorSetWithTemplateKHR");
    VkCommandBuffer commands = one_time(&c);
    client_ranges(&c, 0, 1, ranges);
    client_bind(&c, commands, VK_NULL_HANDLE, 2);
    push_template(commands, update, c.layout, 0, ranges);
    vkCmdDispatch(commands, 4, 1, 1);
    client_ranges(&c, 1, 6, ranges);
    const VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 2, .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = ranges + 2};
    push(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, 1, &write); // the others stay
    vkCmdDispatch(commands, 4, 1, 1);
    client_run(&c, commands);
    vkDestroyDescriptorUpdateTemplate(c.device, update, NULL);
    client_close(&c);
}

static void pushed_descriptors_count(void **state) {
    run(pushed_descriptors);
    assert_record(2, 2, NULL);
}

// A secondary buffer, and a primary one submitted three times without waiting.
static void buffers_again(void) {
    struct client c = {0};
    begin(&c, NULL);
    VkCommandBuffer secondary =
        client_begin(&c, VK_COMMAND_BUFFER_LEVEL_SECONDARY, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    client_bind(&c, secondary, client_set(&c, 0, 1, false), 2);
    vkCmdDispatch(secondary, 4, 1, 1);
    MUST(vkEndCommandBuffer(secondary));
    VkCommandBuffer primary =
        client_begin(&c, VK_COMMAND_BUFFER_LEVEL_PRIMARY, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vkCmdExecuteCommands(primary, 1, &secondary);
    client_bind(&c, primary, client_set(&c, 1, 2, false), 3);
    vkCmdDispatch(primary, 4, 1, 1);
    MUST(vkEndCommandBuffer(primary));
    for (int i = 0; i < 3; i++) client_submit(&c, primary);
    MUST(vkQueueWaitIdle(c.queue));
    client_close(&c);
}

static void buffers_submitted_again_are_counted(void **state) {
    struct captured c;
    run(buffers_again);
    assert_record(6, 2, NULL);
    read_captured(&c);
    struct json_object *signatures = json_get(c.end, "signatures");
    assert_int_equal(json_object_array_length(signatures), 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(json_get_int(json_object_array_get_idx(signatures, i), "count", 0), 3);
    release_captured(&c);
}

// Uniforms of 6 contents, in 24 dispatches alike in all else.
static void many_uniforms(void) {
    struct client c = {0};
    begin(&c, NULL);
    for (int i = 0; i < 24; i++) {
        VkCommandBuffer commands = one_time(&c);
        client_bind(&c, commands, client_set(&c, 0, i / 4, false), 2);
        vkCmdDispatch(commands, 4, 1, 1);
        client_run(&c, commands);
    }
    client_close(&c);
}

static void uniforms_make_signatures(void **state) {
    struct captured c;
    run(many_uniforms);
    assert_record(24, 6, NULL);
    read_captured(&c);
    assert_int_equal(json_object_array_length(json_get(c.end, "signatures")), 6);
    release_captured(&c);
}

// The work waits for the host, which continues only after the submission has returned.
static void waits_for_host(void) {
    struct client c = {0};
    const uint64_t value = 1;
    begin(&c, NULL);
    const VkSemaphoreTypeCreateInfo type = {
        VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore semaphore;
    MUST(vkCreateSemaphore(c.device, &info, NULL, &semaphore));
    VkCommandBuffer commands = one_time(&c);
    client_bind(&c, commands, client_set(&c, 0, 1, false), 2);
    vkCmdDispatch(commands, 4, 1, 1);
    MUST(vkEndCommandBuffer(commands));
    const VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = commands};
    const VkSemaphoreSubmitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = semaphore, .value = value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkSubmitInfo2 submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .waitSemaphoreInfoCount = 1,
        .pWaitSemaphoreInfos = &wait, .commandBufferInfoCount = 1, .pCommandBufferInfos = &buffer};
    MUST(vkQueueSubmit2(c.queue, 1, &submit, VK_NULL_HANDLE));
    const VkSemaphoreSignalInfo signal = {
        VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    MUST(vkSignalSemaphore(c.device, &signal));
    MUST(vkQueueWaitIdle(c.queue));
    vkDestroySemaphore(c.device, semaphore, NULL);
    client_close(&c);
}

static void a_submission_does_not_wait(void **state) {
    run(waits_for_host);
    assert_record(1, 1, NULL);
}

// Leaves everything behind. The process of fork() ends before its parent.
static void leaves_all(void) {
    struct client c = {0};
    begin(&c, NULL);
    VkCommandBuffer commands = one_time(&c);
    client_bind(&c, commands, client_set(&c, 0, 1, false), 2);
    vkCmdDispatch(commands, 4, 1, 1);
    client_run(&c, commands);
    const pid_t pid = fork();
    if (pid == 0) exit(0);
    waitpid(pid, NULL, 0);
}

// More executions of one signature than copies are planned.
static void repeats(void) {
    struct client c = {0};
    begin(&c, NULL);
    for (int i = 0; i < 40; i++) {
        VkCommandBuffer commands = one_time(&c);
        client_bind(&c, commands, client_set(&c, 0, 1, false), 2);
        vkCmdDispatch(commands, 4, 1, 1);
        client_run(&c, commands);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    client_close(&c);
}

static void exit_writes_the_last_line(void **state) {
    run(leaves_all);
    assert_record(1, 1, NULL);
}

static void aborts(void) {
    leaves_all();
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void a_crash_leaves_whole_lines(void **state) {
    struct captured c;
    const int status = run_with(aborts, "VK_LAYER_VKASSAY_capture", NULL);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    read_captured(&c);
    assert_null(c.end);
    assert_int_equal(c.count, 3); // a device, a pipeline, a dispatch
    assert_computed(c.lines[2]);
    release_captured(&c);
}

static void run_shader(const char *define) {
    struct client c = {0};
    begin(&c, define);
    const VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = c.buffer,
        .format = VK_FORMAT_R32_SFLOAT, .range = VK_WHOLE_SIZE};
    VkBufferView view;
    MUST(vkCreateBufferView(c.device, &info, NULL, &view));
    VkCommandBuffer commands = one_time(&c);
    const VkDescriptorSet set = client_set(&c, 0, 1, false);
    const VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .dstBinding = 3,
        .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, .pTexelBufferView = &view};
    if (strcmp(define, "TEXEL") == 0) vkUpdateDescriptorSets(c.device, 1, &write, 0, NULL);
    client_bind(&c, commands, set, 2);
    vkCmdDispatch(commands, 4, 1, 1);
    client_run(&c, commands);
    vkDestroyBufferView(c.device, view, NULL);
    client_close(&c);
}

static void uses_texels(void) {
    run_shader("TEXEL");
}

static void uses_addresses(void) {
    run_shader("ADDRESS");
}

static void other_operands_have_a_reason(void **state) {
    run(uses_texels);
    assert_record(1, 0, "texel buffers");
    run(uses_addresses);
    assert_record(1, 0, "buffer addresses");
}

static void limits_have_a_reason(void **state) {
    assert_int_equal(run_with(leaves_all, the_layer, "VKASSAY_CAPTURE_MOST_BYTES=1500"), 0);
    assert_record(1, 0, "--most-bytes is reached");
    assert_int_equal(run_with(repeats, the_layer, "VKASSAY_CAPTURE_MOST_BYTES=1500"), 0);
    assert_record(40, 0, "--most-bytes is reached");
    assert_int_equal(run_with(leaves_all, the_layer, "VKASSAY_CAPTURE_STAGING=1000"), 0);
    assert_record(1, 0, "memory for copies");
    assert_int_equal(run_with(leaves_all, the_layer, "VKASSAY_CAPTURE_ONLY=other*"), 0);
    assert_record(1, 0, "not selected by --only");
    assert_int_equal(run_with(leaves_all, the_layer, "VKASSAY_CAPTURE_ONLY=ma?n"), 0);
    assert_record(1, 1, NULL);
}

static void times_are_recorded(void **state) {
    struct captured c;
    assert_int_equal(run_with(dispatch_kinds, "VK_LAYER_VKASSAY_capture", "VKASSAY_CAPTURE_TIMES=1"), 0);
    assert_record(3, 3, NULL);
    read_captured(&c);
    for (size_t i = 0; i < 3; i++)
        assert_true(json_get_int(json_object_array_get_idx(json_get(c.end, "signatures"), i), "ns", 0) > 0);
    release_captured(&c);
}

// Threads with pools and sets of their own record at once; submissions take turns.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *thread_of_client(void *user) {
    struct client c = *(struct client *)user;
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    c.sets = VK_NULL_HANDLE;
    MUST(vkCreateCommandPool(c.device, &info, NULL, &c.pool));
    const VkDescriptorSet set = client_set(&c, 0, 1, false);
    for (int i = 0; i < 50; i++) {
        VkCommandBuffer commands = one_time(&c);
        client_bind(&c, commands, set, 2);
        vkCmdDispatch(commands, 4, 1, 1);
        MUST(vkEndCommandBuffer(commands));
        pthread_mutex_lock(&turn);
        client_submit(&c, commands);
        MUST(vkQueueWaitIdle(c.queue));
        pthread_mutex_unlock(&turn);
        MUST(vkResetCommandPool(c.device, c.pool, 0));
    }
    vkDestroyCommandPool(c.device, c.pool, NULL);
    vkDestroyDescriptorPool(c.device, c.sets, NULL);
    return NULL;
}

static void threads_of_client(void) {
    struct client c = {0};
    pthread_t threads[4];
    begin(&c, NULL);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, thread_of_client, &c);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    client_close(&c);
}

static void threads_may_record_at_once(void **state) {
    run(threads_of_client);
    assert_record(200, 1, NULL);
}

// Ends with the number of the validation layer's messages.
static void with_validation(void) {
    struct client c = {0};
    client_open(&c, true);
    client_pipeline(&c, NULL, 0, false);
    VkCommandBuffer commands = one_time(&c);
    client_bind(&c, commands, client_set(&c, 0, 1, false), 2);
    vkCmdDispatch(commands, 4, 1, 1);
    vkCmdDispatchIndirect(commands, c.buffer, GRID_AT);
    client_run(&c, commands);
    vkFreeCommandBuffers(c.device, c.pool, 1, &commands);
    if (c.messages) _Exit(1);
    client_close(&c);
}

static void validation_finds_nothing(void **state) {
    needs_validation_layer();
    // Of the program's own layers, those of the environment come first: validation is below, then above.
    assert_int_equal(run_with(with_validation, "VK_LAYER_VKASSAY_capture", "VKASSAY_CAPTURE_TIMES=1"), 0);
    assert_record(2, 1, NULL);
    assert_int_equal(
        run_with(with_validation, "VK_LAYER_KHRONOS_validation:VK_LAYER_VKASSAY_capture", "VKASSAY_CAPTURE_TIMES=1"),
        0);
    assert_record(2, 1, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_dispatch_is_recorded),
        cmocka_unit_test(dynamic_offsets_count),
        cmocka_unit_test(pushed_descriptors_count),
        cmocka_unit_test(buffers_submitted_again_are_counted),
        cmocka_unit_test(uniforms_make_signatures),
        cmocka_unit_test(a_submission_does_not_wait),
        cmocka_unit_test(exit_writes_the_last_line),
        cmocka_unit_test(a_crash_leaves_whole_lines),
        cmocka_unit_test(other_operands_have_a_reason),
        cmocka_unit_test(limits_have_a_reason),
        cmocka_unit_test(times_are_recorded),
        cmocka_unit_test(threads_may_record_at_once),
        cmocka_unit_test(validation_finds_nothing),
    };
    return cmocka_run_group_tests(tests, open_folder, folder_remove);
}
