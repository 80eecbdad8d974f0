// SPDX-License-Identifier: Apache-2.0
// Programs and disks that fail under the layer. The program must not notice, and the folder must stay readable.
#include "../replay/folder.h"
#include "layered.h"

#include <glob.h>
#include <sys/resource.h>
#include <time.h>

enum { DISPATCHES = 6 };

// Dispatches of different signatures, each submitted and waited for.
static void dispatch_some(struct client *c, int first) {
    for (int i = first; i < first + DISPATCHES; i++) {
        VkCommandBuffer commands = client_begin(c, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 0);
        client_bind(c, commands, client_set(c, 0, i, false), 2);
        vkCmdDispatch(commands, 4, 1, 1);
        client_run(c, commands);
        assert(c->mapped[ROWS * ELEMENTS + 41] == c->mapped[41] * 2 + (float)i); // its results are right
    }
}

static void a_program(void) {
    struct client c = {0};
    client_open(&c, false);
    client_pipeline(&c, NULL, 0, false);
    dispatch_some(&c, 0);
    client_close(&c);
}

// One dispatch of a shader with a fault (client.h).
static void a_faulty_program(const char *fault) {
    struct client c = {0};
    client_open(&c, false);
    client_pipeline(&c, fault, 0, false);
    VkCommandBuffer commands = client_begin(&c, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 0);
    client_bind(&c, commands, client_set(&c, 0, 1, false), 2);
    vkCmdDispatch(commands, 4, 1, 1);
    client_run(&c, commands);
    client_close(&c);
}

// Reads the folder, with the module of each dispatch. An empty one is none.
static void assert_readable(struct arena *arena, struct capture *c) {
    struct error err;
    *c = (struct capture){0};
    if (!capture_is_folder(out)) return;
    if (!capture_read(arena, out, c, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < c->dispatch_count; i++)
        if (!capture_module_check(out, c->dispatches[i].pipeline->module, &err)) fail_msg("%s", err.text);
}

static void assert_no_remains(void) {
    char pattern[400];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*/*.[0-9]*", out);
    assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

// ---- a full disk

static const struct disk {
    rlim_t room;                        // bytes of a file
    enum { NEVER, FIRST, LATER } freed; // before the first dispatch, or in the midst of them
    int64_t least, most;                // recorded dispatches
} disks[] = {{0, NEVER, 0, 0}, {100, NEVER, 0, 0}, {1023, NEVER, 0, 0}, {2600, NEVER, 1, 5}, {4000, NEVER, 2, 5},
    {1 << 20, NEVER, 12, 12}, {100, FIRST, 0, 0}, {1023, LATER, 0, 0}, {2600, LATER, 1, 12}};
static const struct disk *disk;

static void with_little_room(void) {
    struct client c = {0};
    const struct rlimit little = {disk->room, RLIM_INFINITY}, whole = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &little);
    client_open(&c, false);
    client_pipeline(&c, NULL, 0, false);
    if (disk->freed == FIRST) setrlimit(RLIMIT_FSIZE, &whole);
    dispatch_some(&c, 0);
    if (disk->freed == LATER) setrlimit(RLIMIT_FSIZE, &whole);
    dispatch_some(&c, DISPATCHES);
    client_close(&c);
}

// The room ends within the line of the device, a module, an operand, or a later line.
static void a_full_disk_leaves_a_readable_folder(void **state) {
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); // its files are of no interest
    for (size_t i = 0; i < sizeof disks / sizeof *disks; i++) {
        struct arena arena = {0};
        struct capture c;
        int64_t lost = 0;
        disk = &disks[i];
        assert_int_equal(run_with(with_little_room, the_layer, NULL), 0);
        assert_readable(&arena, &c);
        if (c.recorded < disk->least || c.recorded > disk->most)
            fail_msg("disk %zu: %lld are recorded", i, (long long)c.recorded);
        for (size_t l = 0; l < c.lacks.count; l++) lost += c.lacks.items[l].count;
        if (!c.unfinished) assert_int_equal(c.recorded + lost, c.seen);
        if (c.recorded < 2 * DISPATCHES && c.processes) assert_true(c.unfinished || lost); // the loss is told
        if (disk->freed) assert_int_equal(c.unfinished, 0);
        assert_no_remains();
        arena_free(&arena);
    }
    unsetenv("MESA_SHADER_CACHE_DISABLE");
}

// ---- other ends

static void dispatches_for_ever(void) {
    struct client c = {0};
    client_open(&c, false);
    client_pipeline(&c, NULL, 0, false);
    const VkDescriptorSet set = client_set(&c, 0, 1, false);
    for (float f = 1;; f++) {
        VkCommandBuffer commands = client_begin(&c, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 0);
        client_bind(&c, commands, set, f);
        vkCmdDispatch(commands, 4, 1, 1);
        client_run(&c, commands);
    }
}

// Waits until the lines of the only process have so many bytes.
static void wait_for_lines(long bytes) {
    char pattern[400];
    struct stat about = {0};
    snprintf(pattern, sizeof pattern, "%s/capture-*.jsonl", out);
    for (int i = 0; i < 60000 && about.st_size < bytes; i++) {
        glob_t found;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (glob(pattern, 0, NULL, &found) == 0) stat(found.gl_pathv[0], &about);
        globfree(&found);
    }
    assert_true(about.st_size >= bytes);
}

static void a_killed_program_leaves_a_readable_folder(void **state) {
    for (int i = 0; i < 10; i++) {
        struct arena arena = {0};
        struct capture c;
        new_folder();
        const pid_t pid = start(dispatches_for_ever, the_layer, NULL);
        wait_for_lines(700L * i);
        kill(pid, SIGKILL);
        assert_true(WIFSIGNALED(end_of(pid)));
        assert_readable(&arena, &c);
        assert_int_equal(c.unfinished, c.processes);
        assert_true(c.recorded >= i - 2); // a dispatch is a line of some 800 bytes, behind two others
        arena_free(&arena);
    }
}

static void two_processes_share_a_folder(void **state) {
    struct arena arena = {0};
    struct capture c;
    new_folder();
    const pid_t first = start(a_program, the_layer, NULL), second = start(a_program, the_layer, NULL);
    assert_int_equal(end_of(first), 0);
    assert_int_equal(end_of(second), 0);
    assert_readable(&arena, &c);
    assert_int_equal(c.processes, 2);
    assert_int_equal(c.unfinished, 0);
    assert_int_equal(c.recorded, 2 * DISPATCHES);
    assert_no_remains();
    arena_free(&arena);
}

// A copy of the process, made while the layer reads, runs a device of its own.
static void forks(void) {
    struct client c = {0};
    client_open(&c, false);
    client_pipeline(&c, NULL, 0, false);
    VkCommandBuffer commands = client_begin(&c, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 0);
    client_bind(&c, commands, client_set(&c, 0, 9, false), 2);
    vkCmdDispatch(commands, 4, 1, 1);
    client_run(&c, commands);
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        execl("/proc/self/exe", "faults_test", "run", NULL);
        _exit(98);
    }
    dispatch_some(&c, 0);
    int status;
    assert(waitpid(pid, &status, 0) == pid);
    client_close(&c);
    exit(status != 0);
}

static void a_program_that_forks_leaves_two_files(void **state) {
    struct arena arena = {0};
    struct capture c;
    assert_int_equal(run_with(forks, the_layer, NULL), 0);
    assert_readable(&arena, &c);
    assert_int_equal(c.processes, 2);
    assert_int_equal(c.unfinished, 0);
    assert_int_equal(c.recorded, 2 * DISPATCHES + 1);
    arena_free(&arena);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_leaves_a_readable_folder),
        cmocka_unit_test(a_killed_program_leaves_a_readable_folder),
        cmocka_unit_test(two_processes_share_a_folder),
        cmocka_unit_test(a_program_that_forks_leaves_two_files),
    };
    if (argc > 1) { // "run", or "run FAULT": a program for `capture`
        if (argc > 2)
            a_faulty_program(argv[2]);
        else
            a_program();
        return 0;
    }
    return cmocka_run_group_tests(tests, open_folder, folder_remove);
}
