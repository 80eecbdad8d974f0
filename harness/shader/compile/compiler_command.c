// SPDX-License-Identifier: Apache-2.0
#include "compiler_command.h"

#include "../../base/clock.h"
#include "../../base/file.h"
#include "../../base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1500 };

const char *command_program(struct arena *arena, const char *name) {
    const char *path = getenv("PATH");
    if (strchr(name, '/')) return access(name, X_OK) == 0 ? name : NULL;
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        char *file = arena_format(arena, "%.*s/%s", (int)length, at, name);
        if (length && access(file, X_OK) == 0) return file;
        at += length + (at[length] == ':');
    }
    return NULL;
}

bool command_split(
    struct arena *arena, const char *line, const char *what, struct compiler_command *out, struct error *err) {
    char *rest = arena_copy(arena, line), *save = NULL;
    *out = (struct compiler_command){0};
    for (char *w = strtok_r(rest, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
        if (out->count == COMMAND_WORDS)
            return error_set(err, STATUS_BAD_INPUT, "the %s command has more than %d words", what, COMMAND_WORDS);
        out->words[out->count++] = w;
    }
    out->path = out->count ? command_program(arena, out->words[0]) : NULL;
    return true;
}

bool command_is(const struct compiler_command *command, const char *program) {
    const char *slash = strrchr(command->words[0], '/');
    return command->count == 1 && strcmp(slash ? slash + 1 : command->words[0], program) == 0;
}

void command_add(struct compiler_command *command, char *word) {
    if (command->count < COMMAND_WORDS + COMMAND_MORE) command->words[command->count++] = word;
}

// Puts the files' names in place of %i and %o, or else at the end.
static void place_files(struct compiler_command *command, char *in, char *out) {
    bool placed = false;
    for (int i = 1; i < command->count; i++) {
        char **word = &command->words[i];
        if (strcmp(*word, "%i") != 0 && strcmp(*word, "%o") != 0) continue;
        *word = (*word)[1] == 'i' ? in : out;
        placed = true;
    }
    if (placed) return;
    command_add(command, in);
    command_add(command, out);
}

// ---- running it

// Runs in the child, between fork and exec: only calls safe there are allowed.
static void become_compiler(const struct compiler_command *command, int messages, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0); // what it starts is ended with it
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(messages, STDOUT_FILENO) < 0 ||
        dup2(messages, STDERR_FILENO) < 0)
        _exit(127);
    execv(command->path, command->words);
    _exit(127);
}

// Reads the program's output up to a limit. The rest is read and dropped, so the program need not wait. Returns false
// if it is not over in time.
static bool hear(int from, int seconds, char message[MESSAGE_BYTES]) {
    const int64_t until = clock_ns() + seconds * (int64_t)1000000000;
    size_t length = 0;
    bool in_time = true;
    char more[4096];
    for (;;) {
        const int64_t left = until - clock_ns();
        struct pollfd one = {.fd = from, .events = POLLIN};
        const int ready = left > 0 ? poll(&one, 1, (int)(left / 1000000) + 1) : 0;
        if (ready < 0 && errno == EINTR) continue;
        in_time = ready != 0;
        ssize_t n = ready > 0 ? read(from, more, sizeof more) : 0;
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        size_t room = MESSAGE_BYTES - 1 - length, taken = (size_t)n < room ? (size_t)n : room;
        memcpy(message + length, more, taken);
        length += taken;
    }
    while (length && isspace((unsigned char)message[length - 1])) length--;
    message[length] = '\0';
    return in_time;
}

static bool run(const struct compiler_command *command, const char *path, struct error *err) {
    const int seconds = command->seconds ? command->seconds : COMMAND_SECONDS;
    int ends[2], status = 0;
    char message[MESSAGE_BYTES];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, STATUS_FAULT, "%s: no pipe to a compiler: %s", path, strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) become_compiler(command, ends[1], parent);
    close(ends[1]);
    const bool in_time = pid > 0 && hear(ends[0], seconds, message);
    close(ends[0]);
    if (pid < 0) return error_set(err, STATUS_FAULT, "%s: no process for a compiler", path);
    if (!in_time) kill(pid, SIGKILL), kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (!in_time)
        return error_of_kind(err, ERROR_COMPILE, "%s: %s: no end within %d s", path, command->words[0], seconds);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return error_of_kind(err, ERROR_COMPILE, "%s: %s: %s", path, command->words[0],
        *message ? message : "it failed and gives no reason");
}

// Makes a folder for the program's files; NULL with err.
static char *make_folder(struct arena *arena, const char *path, struct error *err) {
    char *folder = file_temporary_folder(arena, "shader");
    if (!folder) error_set(err, STATUS_FAULT, "%s: no folder for the compiler's files: %s", path, strerror(errno));
    return folder;
}

// Reads the text that the program has written.
static char *read_text(struct arena *arena, const char *path, const char *to, const char *program, struct error *err) {
    struct stat file;
    size_t length;
    if (stat(to, &file) != 0 || !S_ISREG(file.st_mode)) {
        error_of_kind(err, ERROR_COMPILE, "%s: %s left no text", path, program);
        return NULL;
    }
    if (file.st_size > COMMAND_TEXT_BYTES) {
        error_of_kind(err, ERROR_COMPILE, "%s: %s left %lld bytes: expected at most %d", path, program,
            (long long)file.st_size, COMMAND_TEXT_BYTES);
        return NULL;
    }
    char *text = file_read(arena, to, &length, err);
    if (text && strlen(text) == length) return text;
    if (text) error_of_kind(err, ERROR_COMPILE, "%s: %s left bytes that are no text", path, program);
    return NULL;
}

char *text_by_command(struct arena *arena, const char *path, struct compiler_command *command, struct error *err) {
    char *folder = make_folder(arena, path, err), *text = NULL;
    if (!folder) return NULL;
    char *to = arena_format(arena, "%s/shader.glsl", folder);
    place_files(command, arena_copy(arena, path), to);
    if (run(command, path, err)) text = read_text(arena, path, to, command->words[0], err);
    remove(to); // a hostile program may leave a folder
    rmdir(folder);
    return text;
}

bool module_by_command(struct arena *arena, const char *path, const char *ending, const void *bytes, size_t count,
    struct compiler_command *command, struct spirv *out, struct error *err) {
    char *folder = make_folder(arena, path, err);
    if (!folder) return false;
    char *in = arena_format(arena, "%s/shader%s", folder, ending), *to = arena_format(arena, "%s/shader.spv", folder);
    place_files(command, in, to);
    bool ok = file_write(in, bytes, count, err) && run(command, path, err);
    if (ok && !spirv_file_read(arena, to, out, err))
        ok = error_of_kind(err, ERROR_COMPILE, "%s: %s left no SPIR-V", path, command->words[0]);
    unlink(in);
    unlink(to);
    rmdir(folder);
    return ok;
}

// Hashes everything the SPIR-V depends on: the text, the command, and the compiler's file.
static uint64_t key_of(uint64_t text_hash, const struct compiler_command *command) {
    struct stat file = {0};
    uint64_t key = hash_string(text_hash, command->path);
    for (int i = 1; i < command->count; i++) key = hash_string(key, command->words[i]);
    if (stat(command->path, &file) != 0) return key;
    key = hash_bytes(key, &file.st_size, sizeof file.st_size);
    return hash_bytes(key, &file.st_mtim, sizeof file.st_mtim);
}

bool compile_by_command(struct arena *arena, const char *path, const char *ending, const char *text,
    const char *cache_folder, struct compiler_command *command, struct spirv *out, struct error *err) {
    const uint64_t text_hash = hash_string(HASH_START, text), key = key_of(text_hash, command);
    const struct spirv said = *out;
    out->source_hash = key;
    bool kept = compile_cache_read(arena, cache_folder, out);
    bool ok = kept || module_by_command(arena, path, ending, text, strlen(text), command, out, err);
    out->redeclared = said.redeclared;
    out->constants = said.constants;
    if (ok && !kept) {
        out->source_hash = key;
        compile_cache_write(cache_folder, out);
    }
    out->source_hash = text_hash; // a result names the source, whichever program compiled it
    return ok;
}
