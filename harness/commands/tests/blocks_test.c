// SPDX-License-Identifier: Apache-2.0
// Runs the blocks of a file of blocks/: commands with their expected status, output and files. ../README.md has their
// form. Each block is a test of its own, in a folder of its own. A link named commands-NAME_test runs blocks/NAME.txt.
// With words, the program runs the file of the first, and only blocks like the second.
#include "../../base/file.h"
#include "vkassay_program.h"

#include <libgen.h>

enum { MOST_LINES = 4000, MOST_BLOCKS = 200, LONGEST = 8000 };

// A file of blocks. Lines above the first block are the set-up: they run once, and each block starts with a copy of
// their folder.
struct source {
    char path[300];
    char *lines[MOST_LINES];
    size_t count;
    bool is_set_up;
};

struct block {
    struct source *source;
    size_t begin;   // the line after its title
    char name[130]; // its sentence, as the name of a test
};

// A line, from 0, with the last command before it.
struct place {
    const struct source *source;
    size_t line;
    const char *own; // the block's folder within FOLDER
    char command[LONGEST];
};

static struct block blocks[MOST_BLOCKS];
static size_t block_count;

static bool begins(const char *line, const char *word, const char **rest) {
    *rest = line + strlen(word);
    return strncmp(line, word, strlen(word)) == 0;
}

// Fails the block at this line.
static void fails(const struct place *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fails(const struct place *at, const char *format, ...) {
    static char why[LONGEST + 200];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    fail_msg("%s:%zu: %s\ncommand: %s", at->source->path, at->line + 1, why, at->command);
}

// Returns a text with $D as the block's folder and \n, \t and \e as these characters; valid until the next call.
static const char *expanded(const struct place *at, const char *text) {
    static char out[LONGEST];
    static const char *const escapes = "n\nt\te\x1b";
    size_t length = 0;
    while (*text && length < sizeof out - 400) {
        const char *escape = text[0] == '\\' && text[1] ? strchr(escapes, text[1]) : NULL;
        if (escape && (escape - escapes) % 2 == 0) {
            out[length++] = escape[1];
            text += 2;
        } else if (strncmp(text, "$D", 2) == 0) {
            length += (size_t)snprintf(out + length, 400, "%s/%s", folder, at->own);
            text += 2;
        } else {
            out[length++] = *text++;
        }
    }
    out[length] = '\0';
    return out;
}

static void expect(
    const struct place *at, const char *part, const char *where, const char *text, bool held, bool there) {
    if (!held) fails(at, "expected %s'%s' in %s, found:\n%.6000s", there ? "" : "no ", part, where, text);
}

// Output is compared with each run of blanks and line ends as one blank, as its breaks depend on the terminal.
static void expect_output(const struct place *at, const char *part, bool there) {
    const char *text = content("output");
    char *said = unwrapped(text), *wanted = unwrapped(expanded(at, part));
    const bool found = strstr(said, wanted);
    free(said);
    free(wanted);
    expect(at, part, "the output", text, found == there, there);
}

// Compares a part of the first file that matches, character by character: "FILE: PART".
static void expect_in_file(const struct place *at, const char *rest, bool there) {
    char file[300], name[400];
    const char *part = strstr(rest, ": ");
    if (!part) fails(at, "expected FILE: TEXT, found %s", rest);
    snprintf(file, sizeof file, "%.*s", (int)(part - rest), rest);
    snprintf(name, sizeof name, "%s/%s", at->own, file);
    if (shell("ls %s/%s >/dev/null 2>&1", folder, name) != 0) fails(at, "there is no file %s", file);
    const char *text = content(name);
    part += strlen(": ");
    expect(at, part, file, text, (strstr(text, expanded(at, part)) != NULL) == there, there);
}

// Returns whether a line belongs to the text of a file: it is indented, or blank with an indented one after it.
static bool is_indented(const struct source *source, size_t line) {
    while (line < source->count && !source->lines[line][0]) line++;
    return line < source->count && strncmp(source->lines[line], "    ", 4) == 0;
}

// Writes the indented lines after `file NAME`. Returns the number of the last one.
static size_t write_lines(const struct place *at, const char *name) {
    char path[400];
    size_t i = at->line;
    assert_int_equal(shell("mkdir -p $(dirname %s/%s/%s)", folder, at->own, name), 0);
    snprintf(path, sizeof path, "%s/%s/%s", folder, at->own, name);
    FILE *file = fopen(path, "w");
    if (!file) fails(at, "cannot write %s", path);
    for (; is_indented(at->source, i + 1); i++) {
        const char *line = at->source->lines[i + 1];
        fprintf(file, "%s\n", line[0] ? line + 4 : "");
    }
    assert_int_equal(fclose(file), 0);
    return i;
}

// Runs the command of this line and the lines "> " after it. Returns the number of the last one.
static size_t run_command(struct place *at, int status, const char *first) {
    size_t i = at->line, length = (size_t)snprintf(at->command, LONGEST, "%s", first);
    for (const char *more; i + 1 < at->source->count && begins(at->source->lines[i + 1], "> ", &more); i++)
        if (length < LONGEST) length += (size_t)snprintf(at->command + length, LONGEST - length, "\n%s", more);
    assert_within(length, 1, LONGEST - 1);
    write_text("script", at->command);
    const int ended = shell("sh %s/script >%s/output 2>&1", folder, folder);
    if (ended != status) fails(at, "expected status %d, found %d:\n%.6000s", status, ended, content("output"));
    shell("grep '^TRIES ' %s/output", folder); // for the summary of all tests
    return i;
}

// The needs of a block, found by a function of scripts/find.sh, and the variable that takes what it prints.
static const struct {
    const char *name, *function, *variable, *missing;
} found[] = {
    {"wgsl", "wgsl_command", "VKASSAY_WGSL", "node with a compiler of WGSL"},
    {"lavapipe", "lavapipe_manifest", "LAVAPIPE", "lavapipe"},
    {"swiftshader", "swiftshader_manifest", "SWIFTSHADER", "SwiftShader"},
    {"validation", "validation_manifest", "VALIDATION", "Vulkan's validation layer"},
};

// Ends the block as not run unless the machine has this.
static void need(const struct place *at, const char *what) {
    const char *rest, *value, *command;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        if (strcmp(what, found[i].name) != 0) continue;
        if (!(value = found_by(found[i].function))) not_run("missing: %s" INSTALL, found[i].missing);
        setenv(found[i].variable, value, 1);
        return;
    }
    if (strcmp(what, "device") == 0)
        needs_hardware(shell("%s devices --json >/dev/null 2>&1", program) != STATUS_NO_DEVICE, "Vulkan device");
    else if (begins(what, "hardware ", &rest) && (command = strstr(rest, ": "))) {
        if (shell("%s", command + strlen(": ")) != 0) not_run("hardware: no %.*s", (int)(command - rest), rest);
    } else if (begins(what, "program ", &rest))
        needs_program(rest);
    else if (begins(what, "python ", &rest))
        setenv("PYTHON", needs_python(rest), 1);
    else
        fails(at, "no need is named %s: ../README.md has them", what);
}

// Takes a step at this line. Returns the number of its last line.
static size_t take_step(struct place *at) {
    const char *line = at->source->lines[at->line], *rest;
    char *after;
    const long status = strtol(line, &after, 10);
    if (!line[0] || line[0] == '#') return at->line;
    if (begins(after, "$ ", &rest)) return run_command(at, (int)status, rest);
    if (begins(line, "file ", &rest)) return write_lines(at, rest);
    if (begins(line, "needs ", &rest))
        need(at, rest);
    else if (begins(line, "says ", &rest))
        expect_output(at, rest, true);
    else if (begins(line, "never ", &rest))
        expect_output(at, rest, false);
    else if (begins(line, "in ", &rest))
        expect_in_file(at, rest, true);
    else if (begins(line, "not in ", &rest))
        expect_in_file(at, rest, false);
    else
        fails(at, "expected $, file, needs, says, never, in or not in; found %s", line);
    return at->line;
}

// Takes the steps from a line to the next block.
static void take_steps(const struct source *source, size_t begin, const char *own) {
    static struct place at;
    char path[300];
    const char *title;
    at = (struct place){.source = source, .own = own};
    snprintf(path, sizeof path, "%s/%s", folder, own);
    setenv("D", path, 1);
    for (at.line = begin; at.line < source->count && !begins(source->lines[at.line], "== ", &title); at.line++)
        at.line = take_step(&at);
    if (begin && !at.command[0]) fails(&at, "a block without a command");
}

static void run_block(void **state) {
    const struct block *block = *state;
    struct source *source = block->source;
    unsetenv("PYTHON");
    if (!source->is_set_up) {
        shell("rm -rf %s/set-up && mkdir %s/set-up", folder, folder);
        take_steps(source, 0, "set-up");
        source->is_set_up = true;
    }
    assert_int_equal(shell("rm -rf %s/block && cp -a %s/set-up %s/block", folder, folder, folder), 0);
    take_steps(source, block->begin, "block");
}

// Adds the block titled on this line. Its name has only letters, digits and lines, as scripts/tally.sh expects.
static void add_block(struct source *source, size_t line, const char *title) {
    assert_within(block_count, 0, MOST_BLOCKS - 1);
    struct block *block = &blocks[block_count++];
    *block = (struct block){.source = source, .begin = line + 1};
    snprintf(block->name, sizeof block->name, "%s", title);
    for (char *at = block->name; *at; at++)
        if (!isalnum((unsigned char)*at)) *at = '_';
}

static bool read_blocks(struct source *source, const char *path) {
    const char *title;
    struct error err;
    static struct arena arena;
    char *text, *line;
    if (!(text = file_read(&arena, path, NULL, &err))) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    snprintf(source->path, sizeof source->path, "%s", path);
    while ((line = strsep(&text, "\n")) && source->count < MOST_LINES) source->lines[source->count++] = line;
    for (size_t i = 0; i < source->count; i++)
        if (begins(source->lines[i], "== ", &title)) add_block(source, i, title);
    return true;
}

static int open_blocks(void **state) {
    char text[9000];
    if (program_open(state) != 0) return -1;
    snprintf(text, sizeof text, "%.*s:harness/commands/tests/blocks:%s", (int)(strrchr(program, '/') - program),
        program, getenv("PATH"));
    setenv("PATH", text, 1);
    snprintf(text, sizeof text, "%s/cache", folder);
    setenv("VKASSAY_CACHE", text, 1);
    assert_non_null(getcwd(text, sizeof text - 20));
    strcat(text, "/scripts");
    setenv("PYTHONPATH", text, 1);
    setenv("PATH_WITH_CHARTS", path_with_charts, 1);
    setenv("VKASSAY_SEED", "1", 1);
    return setenv("P", program, 1) + setenv("COLUMNS", "1000", 1);
}

int main(int argc, char **argv) {
    static struct source source;
    static struct CMUnitTest tests[MOST_BLOCKS];
    char own[300];
    const char *stem = strstr(basename(argv[0]), "commands-");
    snprintf(own, sizeof own, "harness/commands/tests/blocks/%s", stem ? stem + strlen("commands-") : "blocks_test");
    strcpy(strrchr(own, '_'), ".txt");
    if (!read_blocks(&source, argc > 1 ? argv[1] : own)) return 1;
    for (size_t i = 0; i < block_count; i++)
        tests[i] = (struct CMUnitTest){.name = blocks[i].name, .test_func = run_block, .initial_state = &blocks[i]};
    if (argc > 2) cmocka_set_test_filter(argv[2]);
    return _cmocka_run_group_tests("blocks", tests, block_count, open_blocks, folder_remove);
}
