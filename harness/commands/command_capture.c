// SPDX-License-Identifier: Apache-2.0
// `capture`: runs a program with the layer of harness/capture/layer/, and prints a summary of its recorded dispatches.
#include "../base/file.h"
#include "../capture/replay/folder.h"
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, BY_SIGNAL = 128 }; // statuses of a shell

// ---- the environment

// Puts an item before those of a list in the environment.
static void prepend(struct arena *arena, const char *name, const char *item) {
    const char *now = getenv(name);
    setenv(name, now && *now ? arena_format(arena, "%s:%s", item, now) : item, 1);
}

// Adds the layer below those of the user. VK_LAYER_PATH replaces all other folders of layers, so it is only extended.
static void add_layer(struct arena *arena, const char *folder) {
    const char *path = getenv("VK_LAYER_PATH"), *layers = getenv("VK_INSTANCE_LAYERS");
    static const char name[] = "VK_LAYER_VKASSAY_capture";
    prepend(arena, path && *path ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH", folder);
    setenv("VK_INSTANCE_LAYERS", layers && *layers ? arena_format(arena, "%s:%s", layers, name) : name, 1);
}

static bool set_environment(struct arena *arena, const struct options *options, const char *out, struct error *err) {
    char *whole = realpath(out, NULL), *program = program_path(arena, err);
    if (!program || !whole) {
        free(whole);
        return program ? error_set(err, STATUS_BAD_INPUT, "capture: %s: %s", out, strerror(errno)) : false;
    }
    const char *layer = arena_format(arena, "%s/layer", file_folder(arena, program));
    if (!file_is_folder(layer))
        error_set(err, STATUS_FAULT, "capture: %s: the folder of the Vulkan layer is missing", layer);
    else
        add_layer(arena, layer);
    setenv("VKASSAY_CAPTURE", whole, 1);
    if (options->only) setenv("VKASSAY_CAPTURE_ONLY", options->only, 1);
    if (options->most_bytes)
        setenv("VKASSAY_CAPTURE_MOST_BYTES", arena_format(arena, "%" PRIu64, options->most_bytes), 1);
    if (options->times) setenv("VKASSAY_CAPTURE_TIMES", "1", 1);
    free(whole);
    return file_is_folder(layer);
}

// ---- the program

static pid_t child; // receives the signals meant for this process

static void pass_on(int number) {
    kill(child, number);
}

// Replaces the child by the program. A failure goes to the parent as the number of its error.
static _Noreturn void become(const char *const *words, int failed) {
    signal(SIGPIPE, SIG_DFL);
    execvp(words[0], (char *const *)(uintptr_t)words);
    const int number = errno;
    if (write(failed, &number, sizeof number) < 0) _exit(BY_SIGNAL - 1);
    _exit(number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
}

// A terminal sends its signals to the program, too: this process waits for it. Others are passed on.
static void wait_for_child(int *status) {
    static const int from_terminal[] = {SIGINT, SIGQUIT}, others[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof from_terminal / sizeof *from_terminal; i++) signal(from_terminal[i], SIG_IGN);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) signal(others[i], pass_on);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
}

// Runs the program. *status receives the answer of waitpid(2), or the status of a shell unable to start it.
static bool run(const char *const *words, int *status, bool *started, struct error *err) {
    int ends[2], number;
    if (pipe2(ends, O_CLOEXEC) != 0) return error_set(err, STATUS_FAULT, "capture: pipe: %s", strerror(errno));
    fflush(NULL);
    child = fork();
    if (child < 0) return error_set(err, STATUS_FAULT, "capture: fork: %s", strerror(errno));
    if (child == 0) become(words, ends[1]);
    close(ends[1]);
    *started = read(ends[0], &number, sizeof number) != sizeof number;
    close(ends[0]);
    wait_for_child(status);
    if (!*started) fprintf(stderr, "vkassay: capture: %s: %s\n", words[0], strerror(number));
    return true;
}

// ---- the recording

static void say(struct arena *arena, const struct capture *capture) {
    char **paths;
    size_t count, modules = 0;
    int64_t bytes = 0;
    struct error ignored;
    if (!file_list(arena, capture->folder, "", &paths, &count, &ignored)) count = 0;
    for (size_t i = 0; i < count; i++) {
        const char *ending = strrchr(paths[i], '.');
        struct stat found;
        modules += ending && strcmp(ending, ".spv") == 0;
        if (stat(paths[i], &found) == 0) bytes += found.st_size;
    }
    fprintf(stderr,
        "capture: %zu process%s, %" PRId64 " dispatches: %" PRId64 " recorded, with %zu modules, %.1f MB in %s\n",
        capture->processes, capture->processes == 1 ? "" : "es", capture->seen, capture->recorded, modules,
        (double)bytes / 1e6, capture->folder);
    for (size_t i = 0; i < capture->lacks.count; i++)
        fprintf(
            stderr, "  not recorded: %" PRId64 ", %s\n", capture->lacks.items[i].count, capture->lacks.items[i].reason);
    if (capture->unfinished)
        fprintf(stderr,
            "  %zu ended without a last line (crash, kill, _exit or full disk): counts are of the recorded ones\n",
            capture->unfinished);
    if (capture->recorded) fprintf(stderr, "Next: vkassay check %s\n", capture->folder);
}

static bool summarise(struct arena *arena, const char *folder, struct error *err) {
    struct capture capture;
    if (capture_is_folder(folder)) {
        if (!capture_read(arena, folder, &capture, err)) return false;
        say(arena, &capture);
        return true;
    }
    rmdir(folder);
    fputs("capture: nothing was recorded: no process made a Vulkan device, or its loader refused the layer "
          "(VK_LOADER_DEBUG=layer tells why)\n",
        stderr);
    return true;
}

// Makes the folder. Refuses a folder with files in it: two captures would mix.
static bool make_folder(struct arena *arena, const char *folder, struct error *err) {
    char **paths;
    size_t count = 0;
    struct error ignored;
    if (file_exists(folder) && !file_is_folder(folder))
        return error_set(err, STATUS_USAGE, "capture: %s is a file; --out names another folder", folder);
    if (file_list(arena, folder, "", &paths, &count, &ignored) && count)
        return error_set(
            err, STATUS_USAGE, "capture: %s has files in it; remove it, or name another folder with --out", folder);
    return file_make_folder(folder, err);
}

// Ends this process as the program ended, by the same signal if it was one.
static void end_alike(int status, enum status *out) {
    const struct rlimit none = {0, 0};
    *out = (enum status)(WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status));
    if (!WIFSIGNALED(status)) return;
    setrlimit(RLIMIT_CORE, &none); // the program has left its own
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
}

bool command_capture(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *folder = options->out ? options->out : "capture";
    int ended = 0;
    bool started = false;
    if (!options->word_count)
        return error_set(err, STATUS_USAGE, "capture: expected a command, as in `vkassay capture -- ./program -x`");
    if (!make_folder(arena, folder, err) || !set_environment(arena, options, folder, err) ||
        !run(options->words, &ended, &started, err))
        return false;
    if (!started)
        rmdir(folder);
    else if (!summarise(arena, folder, err))
        fprintf(stderr, "vkassay: capture: %s\n", err->text); // the program's status remains
    end_alike(ended, status);
    return true;
}
