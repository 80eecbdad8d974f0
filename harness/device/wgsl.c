// SPDX-License-Identifier: Apache-2.0
// WGSL to SPIR-V by a program of the user's: the command of --wgsl-compiler, else of $VKASSAY_WGSL,
// else naga or tint on the PATH. WGSL has no preprocessor and its overrides do not survive every
// compiler, so that tunables and defines are put into the text: into declarations of that name, else for each such
// word.
#include "compile.h"
#include "redeclare.h"

#include "../base/clock.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 32, MESSAGE_BYTES = 1500 };

// ---- the text

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// The text with every whole word that is a macro's name replaced by its value, but for those that it declares.
static char *substitute(
    struct arena *arena, const char *text, const struct define *defines, size_t define_count, const bool *declared) {
    struct text out = {0};
    while (*text) {
        size_t length = 1;
        const char *put = text;
        if (in_word(*text))
            while (in_word(text[length])) length++;
        size_t put_length = length;
        for (size_t i = 0; i < define_count && in_word(*text); i++)
            if (!declared[i] && strlen(defines[i].name) == length && memcmp(defines[i].name, text, length) == 0) {
                put = defines[i].value;
                put_length = strlen(put);
            }
        text_append_n(&out, put, put_length);
        text += length;
    }
    return arena_take(arena, &out);
}

// ---- the command

struct command {
    char *words[MOST_WORDS + 3]; // program, arguments, in, out, NULL
    int count;
    const char *path; // of the program
};

// The program as a path: itself where it has a slash, else from the PATH; NULL when there is none.
static const char *find_program(struct arena *arena, const char *name) {
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

static const char advice[] =
    "install one (cargo install naga-cli, or Dawn's tint), or name a command with --wgsl-compiler or "
    "VKASSAY_WGSL; it is given the names of the WGSL and the SPIR-V file, or has %i and %o in their places";

static bool find_command(struct arena *arena, const char *given, struct command *out, struct error *err) {
    const char *line = given && *given ? given : getenv("VKASSAY_WGSL");
    bool named = line && *line;
    if (!named) line = find_program(arena, "naga") ? "naga" : "tint";
    char *rest = arena_copy(arena, line), *save = NULL;
    *out = (struct command){0};
    for (char *w = strtok_r(rest, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
        if (out->count == MOST_WORDS)
            return error_set(err, STATUS_BAD_INPUT, "the WGSL compiler's command has more than %d words", MOST_WORDS);
        out->words[out->count++] = w;
    }
    out->path = out->count ? find_program(arena, out->words[0]) : NULL;
    if (out->path) return true;
    if (named)
        error_of_kind(err, ERROR_SKIP, "the WGSL compiler \"%s\" cannot be run: %s", line, advice);
    else
        error_of_kind(err, ERROR_SKIP, "there is no WGSL compiler, naga or tint, on the PATH: %s", advice);
    return false;
}

// Puts the files' names in: at %i and %o, else as the program's custom is.
static void place_files(struct command *command, char *in, char *out) {
    static char format[] = "--format", spirv[] = "spirv", output[] = "-o";
    const char *slash = strrchr(command->words[0], '/');
    bool placed = false, alone = command->count == 1;
    bool tint = strcmp(slash ? slash + 1 : command->words[0], "tint") == 0;
    for (int i = 1; i < command->count; i++) {
        char **word = &command->words[i];
        if (strcmp(*word, "%i") != 0 && strcmp(*word, "%o") != 0) continue;
        *word = (*word)[1] == 'i' ? in : out;
        placed = true;
    }
    if (placed) return;
    if (tint && alone) {
        char *const words[] = {command->words[0], format, spirv, output, out, in};
        memcpy(command->words, words, sizeof words);
        command->count = sizeof words / sizeof *words;
        return;
    }
    command->words[command->count++] = in;
    command->words[command->count++] = out;
}

// ---- running it

// In the child, between fork and exec: only calls that are safe there.
static void become_compiler(const struct command *command, int messages, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(messages, STDOUT_FILENO) < 0 ||
        dup2(messages, STDERR_FILENO) < 0)
        _exit(127);
    execv(command->path, command->words);
    _exit(127);
}

// What it said, at most so much; the rest is read and dropped, so that it need not wait.
static void hear(int from, char message[MESSAGE_BYTES]) {
    size_t length = 0;
    char more[4096];
    for (;;) {
        ssize_t n = read(from, more, sizeof more);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        size_t room = MESSAGE_BYTES - 1 - length, taken = (size_t)n < room ? (size_t)n : room;
        memcpy(message + length, more, taken);
        length += taken;
    }
    while (length && isspace((unsigned char)message[length - 1])) length--;
    message[length] = '\0';
}

static bool run(const struct command *command, const char *path, struct error *err) {
    int ends[2], status = 0;
    char message[MESSAGE_BYTES];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, STATUS_FAULT, "%s: no pipe to a compiler: %s", path, strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) become_compiler(command, ends[1], parent);
    close(ends[1]);
    if (pid > 0) hear(ends[0], message);
    close(ends[0]);
    if (pid < 0) return error_set(err, STATUS_FAULT, "%s: no process for a compiler", path);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return error_of_kind(err, ERROR_COMPILE, "%s: %s: %s", path, command->words[0],
        *message ? message : "the compiler failed and gives no reason");
}

static bool translate(struct arena *arena, const char *path, const char *text, struct command *command,
    struct spirv *out, struct error *err) {
    const char *temporary = getenv("TMPDIR");
    char *folder = arena_format(arena, "%s/vkassay-wgsl-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return error_set(err, STATUS_FAULT, "%s: no folder for the compiler's files: %s", path, strerror(errno));
    char *in = arena_format(arena, "%s/shader.wgsl", folder), *to = arena_format(arena, "%s/shader.spv", folder);
    place_files(command, in, to);
    bool ok = file_write(in, text, strlen(text), err) && run(command, path, err);
    if (ok && !spirv_file_read(arena, to, out, err))
        ok = error_of_kind(err, ERROR_COMPILE, "%s: %s left no SPIR-V", path, command->words[0]);
    unlink(in);
    unlink(to);
    rmdir(folder);
    return ok;
}

// What the SPIR-V follows from: the text, the command, and the compiler's file.
static uint64_t key_of(uint64_t text_hash, const struct command *command) {
    struct stat file = {0};
    uint64_t key = hash_string(text_hash, command->path);
    for (int i = 1; i < command->count; i++) key = hash_string(key, command->words[i]);
    if (stat(command->path, &file) != 0) return key;
    key = hash_bytes(key, &file.st_size, sizeof file.st_size);
    return hash_bytes(key, &file.st_mtim, sizeof file.st_mtim);
}

bool wgsl_compile(struct arena *arena, const struct shader_request *r, struct spirv *out, struct error *err) {
    int64_t start = clock_ns();
    struct command command;
    *out = (struct spirv){0};
    if (!find_command(arena, r->wgsl_compiler, &command, err)) return error_prefix(err, "%s: ", r->path);
    char *source = file_read(arena, r->path, NULL, err);
    if (!source) return false;
    bool *declared = arena_alloc(arena, r->define_count + 1, sizeof *declared);
    const char *unset, *text = redeclare(arena, LANGUAGE_WGSL, source, r->defines, r->define_count, declared, &unset);
    if (unset)
        return error_of_kind(err, ERROR_COMPILE,
            "%s: the override %s has no value: expected one in \"constants\", or a tunable of that name", r->path,
            unset);
    shader_redeclare(arena, r, source, out);
    for (size_t i = 0; i < r->define_count; i++) declared[i] |= r->defines[i].declared;
    text = substitute(arena, text, r->defines, r->define_count, declared);
    uint64_t text_hash = hash_string(HASH_START, text);
    uint64_t key = out->source_hash = key_of(text_hash, &command);
    const struct spirv said = *out;
    bool kept = compile_cache_read(arena, r->cache_folder, out);
    bool ok = kept || translate(arena, r->path, text, &command, out, err);
    out->redeclared = said.redeclared;
    out->constants = said.constants;
    if (ok && !kept) {
        out->source_hash = key;
        compile_cache_write(r->cache_folder, out);
    }
    out->source_hash = text_hash; // what a result names is the source, whoever compiled it
    out->ns = clock_ns() - start;
    return ok;
}
